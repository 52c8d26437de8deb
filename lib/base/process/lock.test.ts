import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  LockHeldError,
  acquireLock,
  isHolderAlive,
  parseHolder,
  readLockHolder,
  readProcessStart,
} from './lock.mjs';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linehaul-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const holder = { pid: 4711, start: 'boot/100', purpose: 'npm start' };

test('a holder is alive while the process with its number started when it did', () => {
  expect(isHolderAlive(holder, () => 'boot/100')).toBe(true);
});

test('a holder whose number was given to a later process is dead', () => {
  expect(isHolderAlive(holder, () => 'boot/900')).toBe(false);
  expect(isHolderAlive(holder, () => null)).toBe(false);
  expect(isHolderAlive(null, () => 'boot/100')).toBe(false);
});

test('reads a holder, and nothing from a file that is not a lock', () => {
  expect(parseHolder(JSON.stringify(holder))).toEqual(holder);
  for (const text of ['', '{', 'null', '{"pid":"1","start":"x"}', '17']) expect(parseHolder(text)).toBeNull();
});

test('turns the second one away and says who the first is', () => {
  const lock = acquireLock(path, 'npm start');
  expect(() => acquireLock(path, 'npm run dev')).toThrow(LockHeldError);
  expect(() => acquireLock(path, 'npm run dev')).toThrow(`process ${process.pid} (npm start)`);
  expect(readLockHolder(path)).toMatchObject({ pid: process.pid, purpose: 'npm start' });
  lock.release();
  expect(readLockHolder(path)).toBeNull();
  acquireLock(path, 'npm run dev').release();
  expect(readdirSync(folder)).toEqual([]);
});

test('takes over from a holder that no longer runs', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, start: 'another time', purpose: 'a killed run' }));
  const lock = acquireLock(path, 'npm start');
  expect(readLockHolder(path)).toMatchObject({ purpose: 'npm start' });
  expect(readdirSync(folder)).toEqual(['lock']);
  lock.release();
});

test('releases only its own lock', () => {
  const lock = acquireLock(path, 'npm start');
  writeFileSync(path, JSON.stringify(holder));
  lock.release();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(holder);
});

test('knows when a process started, and that an ended one is gone', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const start = readProcessStart(child.pid!);
  expect(start).not.toBeNull();
  expect(readProcessStart(child.pid!)).toBe(start);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(readProcessStart(child.pid!)).toBeNull();
});
