import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A running process holds the lock: `pid` and its purpose. */
export class LockHeldError extends Error {
  constructor(path, { pid, purpose }) {
    super(`${path} is held by process ${pid} (${purpose}).`);
    this.name = 'LockHeldError';
    this.pid = pid;
    this.purpose = purpose;
  }
}

const readText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: the process ended while its file in /proc was being read.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
};

const readLinuxStart = (pid) => {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // proc(5): the name in brackets may hold spaces; the state follows it, the start time is field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()}/${fields[19]}`;
};

const isAnswering = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** When a process started, as a text that tells it from a later one with its number; null: it does not run. */
export const readProcessStart = (pid) => {
  if (process.platform === 'linux') return readLinuxStart(pid);
  if (!isAnswering(pid)) return null;
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
};

/** The text of a lock file, or null for one that no process of ours can have written. */
export const parseHolder = (text) => {
  try {
    const { pid, start, purpose } = JSON.parse(text);
    return Number.isInteger(pid) && typeof start === 'string'
      ? { pid, start, purpose: String(purpose) }
      : null;
  } catch {
    return null;
  }
};

/** Whether the process that wrote a lock still runs. */
export const isHolderAlive = (holder, readStart = readProcessStart) =>
  holder !== null && readStart(holder.pid) === holder.start;

/** Who holds the lock at `path` now; null when it is free. */
export const readLockHolder = (path) => {
  const text = readText(path);
  const holder = text === null ? null : parseHolder(text);
  return isHolderAlive(holder) ? holder : null;
};

const tryLink = (from, to) => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
};

/** Takes a stale lock away, unless it was replaced by a fresh one since it was read as `text`. */
const removeStale = (path, text, spare) => {
  try {
    renameSync(path, spare);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readText(spare) !== text) tryLink(spare, path);
  rmSync(spare, { force: true });
};

/**
 * Takes the lock at `path` for this process, also from a holder that no longer runs.
 *
 * @throws LockHeldError while another process (or this one) holds it.
 */
export const acquireLock = (path, purpose) => {
  const own = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const text = JSON.stringify({ pid: process.pid, start: readProcessStart(process.pid), purpose });
  // Written elsewhere and linked into place, so that half a lock is never read.
  writeFileSync(own, text);
  try {
    while (!tryLink(own, path)) {
      const found = readText(path);
      if (found === null) continue;
      const holder = parseHolder(found);
      if (isHolderAlive(holder)) throw new LockHeldError(path, holder);
      removeStale(path, found, `${own}.stale`);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return {
    release: () => {
      if (readText(path) === text) rmSync(path, { force: true });
    },
  };
};
