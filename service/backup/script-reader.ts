import { BackupError } from './format';
import { END_OF_ROWS } from './format';

const LINE_FEED = 0x0a;
const END = `${END_OF_ROWS}\n`;

/** Reads a script by line, or rows by block: as bytes, since only LF ends a row. */
export const createScriptReader = (source: AsyncIterable<Buffer>) => {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (!done) held = held.length === 0 ? value : Buffer.concat([held, value]);
    return !done;
  };

  const take = (length: number, skip = 0): Buffer => {
    const taken = held.subarray(0, length);
    held = held.subarray(length + skip);
    return taken;
  };

  return {
    /** The next line; null at the end. */
    async readLine(): Promise<string | null> {
      for (;;) {
        const end = held.indexOf(LINE_FEED);
        if (end >= 0) return take(end, 1).toString('utf8');
        if (await readMore()) continue;
        return held.length === 0 ? null : take(held.length).toString('utf8');
      }
    },
    /** The rows from here to the line that ends them, in blocks of whole lines. @throws BackupError when it is missing */
    async *readRows(): AsyncGenerator<Buffer> {
      for (;;) {
        const isOver = held.subarray(0, END.length).toString('latin1') === END;
        if (isOver) return void take(END.length);
        const end = held.indexOf(`\n${END}`);
        const whole = end >= 0 ? end + 1 : held.lastIndexOf(LINE_FEED) + 1;
        if (whole > 0) yield take(whole);
        else if (!(await readMore()))
          throw new BackupError('The backup breaks off in the middle of its rows.');
      }
    },
  };
};
