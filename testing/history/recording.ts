import type { Pool } from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { toBools, toInt4s, toInt8s, toTexts } from '@/lib/history/server/poll-changes';
import type { PollChanges } from '@/lib/history/server/poll-changes';
import { HistoryReader } from '@/lib/history/server/history-reader';
import { HistoryRepository } from '@/lib/history/server/history-repository';
import type { PollEntry } from '@/lib/history/server/history-repository';
import { HISTORY_PART, openDatabase } from '@/lib/postgres/database';
import { createTestDatabase } from '@/testing/database';
import type { TestDatabase } from '@/testing/database';

export interface RecordedFix {
  unit: string;
  fixMs: number;
  lat?: number;
  lng?: number;
  isByReceipt?: boolean;
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
      toInt4s(fixes.map(() => -1)),
      toInt4s(fixes.map(() => -1)),
    ],
  },
  states: null,
  identities: null,
});

export const openPool = (databaseUrl: string): Pool =>
  openDatabase(databaseUrl, HISTORY_PART, { warn: () => undefined, debug: () => undefined }).pool;

/** A database of its own for each test, with the repository and the reader of its recording. */
export const setUpRecording = (): {
  database: TestDatabase;
  pool: Pool;
  history: HistoryRepository;
  reader: HistoryReader;
  write: (entry: Pick<PollEntry, 'usdot' | 'seenMs'> & Partial<PollEntry>) => Promise<void>;
} => {
  const held = {} as ReturnType<typeof setUpRecording>;
  beforeEach(async () => {
    held.database = await createTestDatabase();
    const { databaseUrl } = held.database;
    held.pool = openPool(databaseUrl);
    held.history = new HistoryRepository(held.pool);
    held.reader = new HistoryReader({ open: async () => openPool(databaseUrl) });
    held.write = (entry) => held.history.write({ changes: null, coverage: [], statusCounts: null, ...entry });
  });
  afterEach(async () => {
    await held.reader.close();
    await held.pool.end();
    await held.database.drop();
  });
  return held;
};
