import 'server-only';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LEARNED_VERSION } from '@/lib/arrivals/arrivals';
import { makeFolder, type ScratchFolder } from './scratch';

/** In HISTORY_DIR. */
const FOLDER = 'learned';
const FLEET = 'usdot=';
/** Whether bytes are as they were written is in the format: gzip has a checksum. */
const EXTENSION = `v${LEARNED_VERSION}.gz`;
/** More is no file of ours: roads and ways at their limits have about 20 MB. */
const MOST_BYTES = 64 * 2 ** 20;

const isAbsent = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

const listFolder = (path: string): Promise<string[]> =>
  readdir(path).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });

/** What fleets have learned of their roads and ways: one file for each, named by how far its recording was learned from, Unix ms. */
export class LearnedFiles {
  readonly #folder: string;
  readonly #scratch: ScratchFolder;

  /** @param historyFolder HISTORY_DIR */
  constructor(historyFolder: string, scratch: ScratchFolder) {
    this.#folder = join(historyFolder, FOLDER);
    this.#scratch = scratch;
  }

  /** Up to when the recording was learned from, Unix ms; null: there is no file of this version. */
  async readThroughMs(usdot: string): Promise<number | null> {
    const names = await listFolder(this.#toFolder(usdot));
    const times = names.filter((name) => name.endsWith(EXTENSION)).map((name) => Number.parseInt(name, 10));
    return times.length === 0 ? null : Math.max(...times);
  }

  /** What was learned; null where the file is damaged, and is deleted so that the fleet learns again, or was replaced meanwhile. */
  async read(usdot: string, throughMs: number): Promise<ArrayBuffer | null> {
    try {
      const packed = await readFile(this.#toPath(usdot, throughMs));
      const bytes = await promisify(gunzip)(packed, { maxOutputLength: MOST_BYTES });
      // A buffer of its own, which can be transferred and whose arrays are aligned.
      return new Uint8Array(bytes).buffer;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const isDamaged = code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE';
      if (!isDamaged && !isAbsent(error)) throw error;
      if (isDamaged) await rm(this.#toPath(usdot, throughMs), { force: true });
      return null;
    }
  }

  /** Keeps what was learned in the place of what was kept before. */
  async write(usdot: string, throughMs: number, learned: ArrayBuffer): Promise<void> {
    const path = this.#toPath(usdot, throughMs);
    const bytes = await promisify(gzip)(new Uint8Array(learned), { level: 3 });
    await this.#scratch.write(EXTENSION, async (part) => {
      await writeFile(part, bytes, { flush: true });
      await makeFolder(dirname(path));
      await rename(part, path);
    });
    for (const name of await listFolder(dirname(path)))
      if (name !== basename(path)) await rm(join(dirname(path), name), { force: true });
  }

  async remove(usdot: string): Promise<void> {
    await rm(this.#toFolder(usdot), { recursive: true, force: true });
  }

  /** The fleets with a file. */
  async list(): Promise<string[]> {
    return (await listFolder(this.#folder))
      .filter((name) => name.startsWith(FLEET))
      .map((name) => decodeURIComponent(name.slice(FLEET.length)));
  }

  #toFolder(usdot: string): string {
    return join(this.#folder, `${FLEET}${encodeURIComponent(usdot)}`);
  }

  #toPath(usdot: string, throughMs: number): string {
    return join(this.#toFolder(usdot), `${throughMs}.${EXTENSION}`);
  }
}
