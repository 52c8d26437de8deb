import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { ARCHIVE_PART, APPLICATION_PART, openDatabase } from '@/lib/database/database';
import { openPostgres, type RunningPostgres } from '@/lib/database/embedded/embedded-postgres';
import { migrateDatabase } from '@/lib/database/migrate';
import { createRandom } from '@/service/simulator/random';
import { clockOf } from '@/testing/clock';
import { POLL_MS, RECORDED_UNITS, fixesOfPoll } from '@/testing/history/recording';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { openArchive } from './archive';
import { HOUR_MS } from '@/lib/base/time';

const ROUNDS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_123);
const WITHIN_MS = 300_000;
/** The process records and archives for this long before something is killed, at a random moment. */
const LEAST_MS = 300;
const MOST_MS = 1000;
const VICTIMS = ['process', 'database', 'both'] as const;
const START_MS = Date.UTC(2026, 2, 10);
const log = { warn: () => undefined, debug: () => undefined };

let dataFolder: string;
let folder: string;
let postgres: RunningPostgres;
/** Null from when it is killed until another one runs in its place. */
let postgresPid: number | null;
let child: ChildProcess | null = null;
/** The last poll that was acknowledged. */
let stored = -1;

beforeAll(async () => {
  dataFolder = createScratchFolder('linehaul-crash-');
  folder = join(dataFolder, 'history');
  mkdirSync(folder);
  const onStarted = (pid: number): void => {
    postgresPid = pid;
  };
  postgres = await openPostgres({
    root: dataFolder,
    dataFolder,
    purpose: 'a test',
    supervise: { onStarted },
  });
  postgresPid = postgres.pid;
  await migrateDatabase(postgres.databaseUrl, APPLICATION_PART);
}, WITHIN_MS);
afterAll(async () => {
  child?.kill('SIGKILL');
  await postgres.stop();
  await removeScratchFolder(dataFolder);
}, WITHIN_MS);

const untilDatabaseAnswers = async (): Promise<void> => {
  for (;;) {
    const client = new Client({ connectionString: postgres.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      if (postgresPid !== null) return;
    } catch {
      // It is being started again.
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
};

const startProcess = (): void => {
  if (child) return;
  const script = 'testing/history/archiving-process.ts';
  const values = [postgres.databaseUrl, folder, String(stored + 1), String(START_MS)];
  child = spawn(process.execPath, ['--conditions=react-server', '--import', 'tsx', script, ...values], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout! }).on('line', (line) => (stored = Number(line)));
};

const killProcess = async (): Promise<void> => {
  const closed = once(child!, 'close');
  child!.kill('SIGKILL');
  await closed;
  child = null;
};

const kill = async (victim: (typeof VICTIMS)[number]): Promise<void> => {
  if (victim !== 'process') {
    process.kill(postgresPid!, 'SIGKILL');
    postgresPid = null;
  }
  if (victim !== 'database') await killProcess();
};

const open = async () => openDatabase(postgres.databaseUrl, ARCHIVE_PART, log).pool;

const openReading = () => {
  const clock = clockOf(() => START_MS + stored * POLL_MS + 48 * HOUR_MS);
  const archive = openArchive({ open, folder, keptDays: 400, memoryMb: 256, clock, log });
  return { archive, reader: new HistoryReader({ open, archive: archive.reader }) };
};

/** Each acknowledged fix, and of those that were not at most the next poll's. */
const expectAllFixes = async (reader: HistoryReader, last: number, about: string): Promise<void> => {
  for (const unit of RECORDED_UNITS) {
    const trail = await reader.readTrail('1', unit, 0, Number.MAX_SAFE_INTEGER);
    const polls = Array.from({ length: Math.max(last + 1, trail.length) }, (_, poll) => poll);
    const expected = polls.map((poll) => fixesOfPoll(poll, START_MS).find((fix) => fix.unit === unit)!.fixMs);
    expect(
      trail.map(({ fixAtMs }) => fixAtMs),
      about,
    ).toEqual(expected);
  }
};

it(
  `has every recorded fix once after ${ROUNDS} kills while it is recorded, archived and merged`,
  async () => {
    const random = createRandom(SEED);
    const { archive, reader } = openReading();
    for (let round = 0; round < ROUNDS; round++) {
      const victim = random.pick(VICTIMS);
      const afterMs = random.between(LEAST_MS, MOST_MS);
      const before = stored;
      startProcess();
      await expect.poll(() => stored, { timeout: 60_000 }).toBeGreaterThan(before + 20);
      await sleep(afterMs);
      await kill(victim);
      await untilDatabaseAnswers();
      const about = `seed ${SEED}, round ${round}: ${victim} after ${Math.round(afterMs)} ms`;
      await expectAllFixes(reader, stored, about);
    }
    if (child) await killProcess();
    await archive.archiver.run();
    await archive.archiver.run();
    expect(archive.readProblems()).toEqual([]);
    await expectAllFixes(reader, stored, 'at the end');
    const pool = await open();
    const { rows: files } = await pool.query<{ path: string; rows: number; state: string }>(
      'SELECT path, rows::int, state FROM linehaul.archive_files ORDER BY path',
    );
    const { rows: open_ } = await pool.query('SELECT FROM linehaul.fixes');
    await pool.end();
    const trails = await Promise.all(RECORDED_UNITS.map((unit) => reader.readTrail('1', unit, 0, 1e15)));
    expect(open_.length + files.reduce((sum, { rows }) => sum + rows, 0)).toBe(trails.flat().length);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const found = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('.tmp'));
    expect(found.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort()).toEqual(
      files.map(({ path }) => path),
    );
    expect(files.length).toBeLessThan(stored / 12 / 5);
    await reader.close();
    await archive.close();
  },
  WITHIN_MS,
);
