import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { ScratchFolder, makeFolder } from './scratch';

let history: string;
beforeEach(() => (history = createScratchFolder('linehaul-scratch-')));
afterEach(() => removeScratchFolder(history));

const listAll = (): string[] => readdirSync(history, { recursive: true, encoding: 'utf8' }).sort();

it('is made with the folders that it is in, and the reason is that of the disk', async () => {
  const path = join(history, 'a', 'b', 'c');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(history, 'a', 'd'))]);
  expect(listAll()).toEqual(['a', 'a/b', 'a/b/c', 'a/d']);
  writeFileSync(join(history, 'file'), '');
  await expect(makeFolder(join(history, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  // A file system that takes no folder says so each time.
  await expect(makeFolder('/proc/none/history')).rejects.toMatchObject({ code: 'ENOENT' });
});

it('has the files of its process, none of which stays', async () => {
  const scratch = new ScratchFolder(history);
  const path = await scratch.write('csv', async (each) => {
    writeFileSync(each, 'a');
    return each;
  });
  expect(readFileSync(path, 'utf8')).toBe('a');
  await scratch.delete(path);
  await scratch.delete(path);
  expect(listAll().filter((name) => name.endsWith('.csv'))).toEqual([]);
  await scratch.renew();
  await scratch.close();
  expect(listAll()).toEqual(['.tmp']);
});

it('deletes a file that could not be written, and has the reason until another one was', async () => {
  const scratch = new ScratchFolder(history);
  const write = (error: Error | null, signal?: AbortSignal) =>
    scratch.write(
      'parquet',
      async (path) => {
        writeFileSync(path, 'a');
        if (error !== null) throw error;
      },
      signal,
    );
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  await expect(write(full)).rejects.toBe(full);
  expect(scratch.readFailure()).toBe(full.message);
  await write(null);
  expect(scratch.readFailure()).toBeNull();
  const ofDuckDb = new Error('IO Error: Could not write file "a": No space left on device');
  await expect(write(ofDuckDb, AbortSignal.abort())).rejects.toBe(ofDuckDb);
  expect(scratch.readFailure()).toBeNull();
  await expect(write(ofDuckDb)).rejects.toBe(ofDuckDb);
  expect(scratch.readFailure()).toBe(ofDuckDb.message);
  await write(null);
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  await expect(write(lost)).rejects.toBe(lost);
  expect(scratch.readFailure()).toBeNull();
  // The two that were written.
  expect(listAll().filter((name) => name.endsWith('.parquet'))).toHaveLength(2);
});

it('is marked by another file each time, for which a full disk has no room', async () => {
  const scratch = new ScratchFolder(history);
  await scratch.renew();
  const before = statSync(join(scratch.path, 'in-use')).ino;
  await scratch.renew();
  expect(statSync(join(scratch.path, 'in-use')).ino).not.toBe(before);
  expect(readdirSync(scratch.path)).toEqual(['in-use']);
  await rm(join(scratch.path, 'in-use'));
  await symlink('/dev/full', join(scratch.path, 'in-use.new'));
  await expect(scratch.renew()).rejects.toThrow('ENOSPC');
  expect(readdirSync(scratch.path)).toEqual([]);
});

it('deletes what processes left that have ended, at once on this machine and after some time on others', async () => {
  const own = new ScratchFolder(history);
  await own.renew();
  const [ownMark] = listAll().filter((name) => name.endsWith('in-use'));
  const mark = JSON.parse(readFileSync(join(history, ownMark!), 'utf8')) as object;
  const { pid } = spawnSync(process.execPath, ['--version']);
  const leave = (name: string, marked: object | null, agoMs: number): void => {
    const folder = join(history, '.tmp', name);
    mkdirSync(folder);
    const paths = [join(folder, 'rows.csv')];
    if (marked !== null) paths.push(join(folder, 'in-use'));
    for (const path of paths) writeFileSync(path, marked === null ? '' : JSON.stringify(marked));
    const atS = (Date.now() - agoMs) / 1000;
    for (const path of [...paths, folder]) utimesSync(path, atS, atS);
  };
  leave('crashed', { ...mark, pid }, 0);
  leave('running', { ...mark, pid: process.ppid }, 0);
  leave('elsewhere', { machine: 'another', pid }, 14 * 60_000);
  leave('lost', { machine: 'another', pid }, 16 * 60_000);
  leave('starting', null, 0);
  leave('unmarked', null, 16 * 60_000);
  await own.renew();
  const left = readdirSync(join(history, '.tmp')).filter((name) => !ownMark!.includes(name));
  expect(left.sort()).toEqual(['elsewhere', 'running', 'starting']);
  expect(existsSync(join(history, ownMark!))).toBe(true);
});
