import 'server-only';
import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@/lib/base/clock';
import { HOUR_MS } from '@/lib/base/time';

/** Folder in HISTORY_DIR for what only a running process needs. */
export const TEMPORARY = '.tmp';

/** In the folder of a process: who it is, written again and again while it runs. */
const MARK = 'in-use';
/** A mark takes a block, so that it cannot be written to a full disk. */
const MARK_BYTES = 4096;
/** A folder whose process may run elsewhere is abandoned after this time without a mark. */
const ABANDONED_AFTER_MS = 15 * 60_000;
/** A failure is shown for this long where nothing is written after it. */
const FAILURE_SHOWN_MS = HOUR_MS;

const DISK_CODES = new Set([
  ...['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOSPC', 'ENOTDIR'],
  ...['EPERM', 'EROFS', 'ESTALE'],
]);
/** DuckDB has no codes; its limit is the space that the disk had. */
const DISK_TEXT =
  /no space left|read-only file system|quota exceeded|could not write|not a directory|max_temp_directory_size/i;

const isDiskError = (error: unknown): error is Error =>
  error instanceof Error &&
  (DISK_CODES.has((error as NodeJS.ErrnoException).code ?? '') || DISK_TEXT.test(error.message));

/** Processes with one text see each other by their ids: containers on one machine do not. */
const readMachine = (): string => {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Only Linux has it.
    return hostname();
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Returns false where the folder that it would be in is missing, unless that was made before. */
const makeOne = async (path: string, isParentMade: boolean): Promise<boolean> => {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isParentMade) return false;
    if (code !== 'EEXIST') throw error;
  }
  return true;
};

/** Makes a folder, and those that it is in. The option `recursive` of Node.js hides that a disk is read-only. */
export const makeFolder = async (path: string): Promise<void> => {
  if (await makeOne(path, false)) return;
  await makeFolder(dirname(path));
  await makeOne(path, true);
};

/** The folder of one process in HISTORY_DIR for files that it needs for a while, and that no later process needs. */
export class ScratchFolder {
  readonly #temporary: string;
  readonly #machine = readMachine();
  readonly #name = randomBytes(6).toString('hex');
  readonly path: string;
  #failure: { reason: string; untilMs: number } | null = null;

  constructor(historyFolder: string) {
    this.#temporary = join(historyFolder, TEMPORARY);
    this.path = join(this.#temporary, this.#name);
  }

  /** Why the last temporary file could not be written; null: it could, or that was long ago. */
  readFailure(): string | null {
    if (this.#failure === null || systemClock.monotonicMs() > this.#failure.untilMs) return null;
    return this.#failure.reason;
  }

  /**
   * Runs what writes a new file, which is deleted where that fails.
   * @param signal ends the writing, which is then no failure
   */
  async write<T>(extension: string, act: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const path = join(this.path, `${randomBytes(6).toString('hex')}.${extension}`);
    try {
      await makeFolder(this.path);
      const result = await act(path);
      this.#failure = null;
      return result;
    } catch (error) {
      if (signal?.aborted !== true) this.note(error);
      await this.delete(path);
      throw error;
    }
  }

  /** Notes a failure for the status page, if the disk is its cause. */
  note(error: unknown): void {
    if (isDiskError(error))
      this.#failure = {
        reason: error.message.split('\n', 1)[0]!,
        untilMs: systemClock.monotonicMs() + FAILURE_SHOWN_MS,
      };
  }

  /** Deletes a file. Never rejects: what cannot be deleted now is deleted once this process has ended. */
  async delete(path: string): Promise<void> {
    await rm(path, { force: true }).catch(() => undefined);
  }

  /** Marks this folder as in use, and deletes those of processes that ended. @throws if the disk is full or read-only */
  async renew(): Promise<void> {
    await this.#deleteAbandoned();
    await makeFolder(this.path);
    const mark = join(this.path, MARK);
    const text = JSON.stringify({ machine: this.#machine, pid: process.pid });
    // A file of its own: one that is written again takes the space that it had, also on a full disk.
    const fresh = `${mark}.new`;
    try {
      await writeFile(fresh, text.padEnd(MARK_BYTES), { flush: true });
      await rename(fresh, mark);
    } catch (error) {
      await this.delete(fresh);
      throw error;
    }
  }

  async close(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  async #deleteAbandoned(): Promise<void> {
    const names = await readdir(this.#temporary).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const path = join(this.#temporary, name);
      if (name !== this.#name && (await this.#isAbandoned(path)))
        await rm(path, { recursive: true, force: true });
    }
  }

  async #isAbandoned(path: string): Promise<boolean> {
    const mark = join(path, MARK);
    const { machine, pid } = await readFile(mark, 'utf8').then(
      (text) => JSON.parse(text) as { machine: string; pid: number },
      // Not written yet, cut off by a crash, or of a version that had none.
      () => ({ machine: null, pid: 0 }),
    );
    if (machine === this.#machine && !isRunning(pid)) return true;
    const found = (await stat(mark).catch(() => null)) ?? (await stat(path).catch(() => null));
    return found !== null && systemClock.nowMs() - found.mtimeMs > ABANDONED_AFTER_MS;
  }
}
