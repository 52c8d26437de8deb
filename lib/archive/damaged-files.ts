import 'server-only';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDb } from './duck-db';
import { fromFiles, toFileProblem, type ArchiveProblem } from './parquet-file';

/** The files of a folder that were found damaged, which nothing reads again in this process. */
export class DamagedFiles {
  readonly #duck: DuckDb;
  readonly #folder: string;
  readonly #reasons = new Map<string, string>();

  constructor({ duck, folder }: { duck: DuckDb; folder: string }) {
    this.#duck = duck;
    this.#folder = folder;
  }

  has(path: string): boolean {
    return this.#reasons.has(path);
  }

  /** Reads all of a file, of which another read failed. */
  async test(path: string): Promise<'sound' | 'missing' | 'damaged'> {
    try {
      await stat(join(this.#folder, path));
    } catch {
      // The archiver names what is missing.
      return 'missing';
    }
    try {
      await this.#duck.readRows(`SELECT max(COLUMNS(*)) FROM ${fromFiles(this.#folder, [path])}`);
      return 'sound';
    } catch (error) {
      this.#reasons.set(path, error instanceof Error ? error.message.split('\n')[0]! : String(error));
      return 'damaged';
    }
  }

  readProblems(): ArchiveProblem[] {
    return [...this.#reasons].map(([path, reason]) => toFileProblem(path, `cannot be read: ${reason}`));
  }
}
