import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLockHolder } from '@/lib/base/process/lock.mjs';
import { removePostgres } from '@/lib/database/embedded/embedded-postgres';

const MAKING_TAKES_MS = 10 * 60_000;

/** A new data folder for one run. As root, PostgreSQL runs as another user, who must be able to enter it. */
export const createScratchFolder = (prefix: string): string => {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  return folder;
};

/** Removes a run's data folder with its database, which must have been stopped or have lost its owner. */
export const removeScratchFolder = async (dataFolder: string): Promise<void> => {
  // The database may be elsewhere if the folder was out of its user's reach.
  await removePostgres({ root: dataFolder, dataFolder });
  rmSync(dataFolder, { recursive: true, force: true });
};

/** A young folder without a lock file will have one soon; an old one was left half removed. */
const isBeingMade = (dataFolder: string, lock: string): boolean => {
  const changedAtMs = statSync(dataFolder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
  return !existsSync(lock) && Date.now() - changedAtMs < MAKING_TAKES_MS;
};

/** Removes the data folders and ends the databases of earlier runs that were killed before their cleanup. */
export const sweepScratchFolders = async (prefix: string): Promise<void> => {
  for (const name of readdirSync(tmpdir())) {
    const dataFolder = join(tmpdir(), name);
    const lock = join(dataFolder, 'postgres', 'lock');
    if (!name.startsWith(prefix) || isBeingMade(dataFolder, lock) || readLockHolder(lock)) continue;
    try {
      await removeScratchFolder(dataFolder);
    } catch (error) {
      console.warn(`${dataFolder} of an earlier run stays: ${(error as Error).message}`);
    }
  }
};
