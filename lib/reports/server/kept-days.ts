import 'server-only';
import { access, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { makeFolder, type ScratchFolder } from '@/lib/archive/scratch';

/** Units in one line of a file or an answer: other work goes on between two lines. */
export const UNITS_A_LINE = 2000;
const FLEET = 'usdot=';

export interface KeptDay {
  usdot: string;
  fromMs: number;
  toMs: number;
  /** It names all that the day's figures are made of. */
  mark: string;
}

const isAbsent = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

const listFolder = async (path: string): Promise<string[]> => {
  try {
    return await readdir(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
};

/** The figures of days, each as a file that is good as long as its mark is. */
export class KeptDays<Figures> {
  readonly #folder: string;
  readonly #scratch: ScratchFolder;

  /** @param historyFolder HISTORY_DIR, in which `name` is the folder of the days */
  constructor(historyFolder: string, name: string, scratch: ScratchFolder) {
    this.#folder = join(historyFolder, name);
    this.#scratch = scratch;
  }

  has(day: KeptDay): Promise<boolean> {
    return access(this.#toPath(day)).then(
      () => true,
      () => false,
    );
  }

  /** @throws if the day is not kept, or its file is damaged */
  async read(day: KeptDay): Promise<Figures[]> {
    const text = (await promisify(gunzip)(await readFile(this.#toPath(day)))).toString();
    const units: Figures[] = [];
    for (const line of text.split('\n')) {
      units.push(...(JSON.parse(line) as Figures[]));
      await setImmediate();
    }
    return units;
  }

  /** Keeps a day in the place of what was kept of it. */
  async write(day: KeptDay, units: readonly Figures[]): Promise<void> {
    const lines: string[] = [];
    for (let i = 0; i < units.length; i += UNITS_A_LINE) {
      lines.push(JSON.stringify(units.slice(i, i + UNITS_A_LINE)));
      await setImmediate();
    }
    const path = this.#toPath(day);
    const bytes = await promisify(gzip)(lines.join('\n'));
    await this.#scratch.write('json.gz', async (part) => {
      await writeFile(part, bytes);
      await makeFolder(dirname(path));
      await rename(part, path);
    });
    for (const name of await listFolder(dirname(path)))
      if (name !== basename(path)) await rm(join(dirname(path), name), { force: true });
  }

  /** Deletes the days that ended before the oldest recording of their fleet. @param readOldestMs null: it has none */
  async prune(readOldestMs: (usdot: string) => Promise<number | null>): Promise<void> {
    for (const fleet of await listFolder(this.#folder)) {
      const oldestMs = await readOldestMs(decodeURIComponent(fleet.slice(FLEET.length)));
      for (const span of await listFolder(join(this.#folder, fleet)))
        if (Number(span.split('-')[1]) <= (oldestMs ?? Infinity))
          await rm(join(this.#folder, fleet, span), { recursive: true, force: true });
    }
  }

  #toPath({ usdot, fromMs, toMs, mark }: KeptDay): string {
    const fleet = `${FLEET}${encodeURIComponent(usdot)}`;
    return join(this.#folder, fleet, `${fromMs}-${toMs}`, `${mark}.json.gz`);
  }
}
