import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { ArchiveReader } from '@/lib/archive/archive-reader';
import { Archiver, type ArchiverOptions } from '@/lib/archive/archiver';
import { type ArchiveProblem, DamagedFiles } from '@/lib/archive/parquet-file';
import type { ScratchFolder } from '@/lib/archive/scratch';
import { DuckDb } from '@/lib/archive/duck-db';
import { NOT_SHOWN, toBools, toInt4s, toInt8s, toTexts, type PollChanges } from '@/lib/fleet/poll-changes';
import { HistoryReader } from '@/lib/past/server/history-reader';
import { HistoryRepository, type PollEntry } from '@/lib/recording/history-repository';
import { ARCHIVE_PART, HISTORY_PART, openDatabase } from '@/lib/database/database';
import { NOT_DERIVED } from '@/lib/wire/fleet';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { clockOf } from '@/testing/clock';

export interface RecordedFix {
  unit: string;
  fixMs: number;
  lat?: number;
  lng?: number;
  isByReceipt?: boolean;
  /** The map showed another position with it. */
  isLate?: boolean;
}

/** The changes of a poll that brought these fixes, none of which the map showed with a speed. */
export const changesOf = (seenMs: number, fixes: readonly RecordedFix[]): PollChanges => ({
  seenMs,
  fixes: {
    count: fixes.length,
    columns: [
      toTexts(fixes.map(({ unit }) => unit)),
      toInt8s(fixes.map(({ fixMs }) => fixMs)),
      toInt4s(fixes.map(({ lat = 35 }) => Math.round(lat * 1e5))),
      toInt4s(fixes.map(({ lng = -101 }) => Math.round(lng * 1e5))),
      toBools(fixes.map(({ isByReceipt = false }) => Number(isByReceipt))),
      ...[0, 1].map(() => toInt4s(fixes.map(({ isLate = false }) => (isLate ? NOT_SHOWN : NOT_DERIVED)))),
    ],
  },
  states: null,
  identities: null,
  motions: null,
});

/** The polls of a recording whose units drive, and of which one reports an hour late. */
export const POLL_MS = 5 * 60_000;
export const RECORDED_UNITS = ['A', 'B', 'C', 'D'];
export const fixesOfPoll = (poll: number, startMs: number): RecordedFix[] =>
  RECORDED_UNITS.map((unit, i) => ({
    unit,
    fixMs: startMs + poll * POLL_MS - (i === 3 ? 3_600_000 : 1000 * i),
    lat: 30 + (poll % 1000) / 1e3,
  }));

export const openPool = (databaseUrl: string, part = HISTORY_PART): Pool =>
  openDatabase(databaseUrl, part, { warn: () => undefined, debug: () => undefined }).pool;

const KEPT_DAYS = 400;

/** A database and a folder of its own for each test, with the repository, the archive and the reader of its recording. */
export const setUpRecording = (): {
  database: TestDatabase;
  pool: Pool;
  history: HistoryRepository;
  reader: HistoryReader;
  write: (entry: Pick<PollEntry, 'usdot' | 'seenMs'> & Partial<PollEntry>) => Promise<void>;
  /** HISTORY_DIR. */
  folder: string;
  scratch: ScratchFolder;
  createArchiver: (nowMs: number, options?: Partial<ArchiverOptions>) => Archiver;
  /** Archives what is due at a time, as a process that was just started; resolves to its problems. */
  archive: (nowMs: number) => Promise<ArchiveProblem[]>;
} => {
  const held = {} as ReturnType<typeof setUpRecording>;
  let duck: DuckDb;
  beforeEach(async () => {
    held.database = await createTestDatabase();
    const { databaseUrl } = held.database;
    held.folder = await mkdtemp(join(tmpdir(), 'linehaul-history-'));
    const { folder } = held;
    duck = new DuckDb({ folder, memoryMb: 256 });
    held.scratch = duck.scratch;
    held.pool = openPool(databaseUrl);
    held.history = new HistoryRepository(held.pool);
    const damaged = new DamagedFiles({ duck, folder });
    const archive = new ArchiveReader({ duck, folder, damaged });
    held.reader = new HistoryReader({ open: async () => openPool(databaseUrl), archive });
    held.write = async (entry) =>
      void (await held.history.write({ changes: null, coverage: [], statusCounts: null, ...entry }));
    held.createArchiver = (nowMs, options) =>
      new Archiver({
        open: async () => openPool(databaseUrl, ARCHIVE_PART),
        duck,
        damaged,
        folder,
        keptDays: KEPT_DAYS,
        clock: clockOf(() => nowMs),
        log: { warn: () => undefined },
        ...options,
      });
    held.archive = async (nowMs) => {
      const archiver = held.createArchiver(nowMs);
      await archiver.run();
      await archiver.close();
      return archiver.readProblems();
    };
  });
  afterEach(async () => {
    await held.reader.close();
    await duck.close();
    await held.pool.end();
    await held.database.drop();
    await rm(held.folder, { recursive: true });
  });
  return held;
};
