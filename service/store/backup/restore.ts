import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { BackupError, SCHEMAS, FIRST_LINE, LAST_LINE, isCopyLine, END_OF_ROWS } from './format';
import type { RowCounts } from './write';

const requireEmpty = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ANY($1)) AS taken',
    [SCHEMAS],
  );
  if (rows[0]?.taken) {
    throw new BackupError('The database is in use by Linehaul already. Restore into an empty one.');
  }
};

/** The table that a COPY statement names. */
const toTableName = (line: string): string => line.split(' ')[1]!;

/**
 * Runs the script of a backup on an empty database, as one transaction that ends with the connection on failure.
 *
 * @param beforeCommit runs when all rows are there; nothing is restored when it rejects
 * @throws BackupError for a database that is not empty, and for a script that is foreign or truncated
 */
export const restoreBackup = async (
  client: ClientBase,
  source: AsyncIterable<Buffer>,
  beforeCommit: () => Promise<void>,
): Promise<RowCounts> => {
  await requireEmpty(client);
  const counts: RowCounts = new Map();
  const reader = createScriptReader(source);
  if ((await reader.readLine()) !== FIRST_LINE) throw new BackupError('It is not a backup of Linehaul.');
  let statements = '';
  let last = FIRST_LINE;
  for (let line = await reader.readLine(); line !== null; line = await reader.readLine()) {
    last = line;
    if (!isCopyLine(line)) {
      statements += `${line}\n`;
      continue;
    }
    await client.query(statements);
    statements = '';
    const rows = client.query(copyFrom(line.slice(0, -1)));
    await pipeline(reader.readRows(), rows);
    counts.set(toTableName(line), rows.rowCount);
  }
  // Checked before the statements that commit: a truncated backup must restore nothing.
  if (last !== LAST_LINE) throw new BackupError('The backup breaks off before its end.');
  await beforeCommit();
  await client.query(statements);
  return counts;
};

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
