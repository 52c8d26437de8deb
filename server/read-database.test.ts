import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseEnv } from '@/lib/config/env';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { readRuntime, type Runtime } from '@/server/runtime';
import { readTaggedUnits } from '@/lib/access/unit-limit';
import { MANAGER, insertViewer } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { changesOf, openPool } from '@/testing/history/recording';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { openRuntime } from './open-runtime';

const USDOT = '9100001';
const UNIT = 'a-unit';
const SEEN_MS = Date.now() - 60_000;

let primary: TestDatabase;
let copy: TestDatabase;
let provider: FaultyProvider;
let opened: Awaited<ReturnType<typeof openRuntime>>;
let runtime: Runtime;

/** Each database has another fix, so that an answer shows where it was read. */
const recordIn = async ({ databaseUrl }: TestDatabase, fixMs: number): Promise<void> => {
  const pool = openPool(databaseUrl);
  const entry = { usdot: USDOT, fence: null, seenMs: SEEN_MS, statusCounts: null, visits: [], alerts: [] };
  const [fromMs, toMs] = [SEEN_MS - 1000, SEEN_MS];
  await new HistoryRepository(pool).write({
    ...entry,
    changes: changesOf(SEEN_MS, [{ unit: UNIT, fixMs }]),
    coverage: [{ fromMs, toMs, state: 'answered', problem: null }],
  });
  await pool.end();
};

beforeAll(async () => {
  [primary, copy] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  provider = await startFaultyProvider({ account: { companyName: 'Own', companyId: 'own', usdot: USDOT } });
  await recordIn(primary, SEEN_MS - 20_000);
  await recordIn(copy, SEEN_MS - 30_000);
  // As a hot standby does, it refuses every write.
  const name = new URL(copy.databaseUrl).pathname.slice(1);
  await copy.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  opened = await openRuntime(
    parseEnv({
      ...provider.variables,
      DATABASE_URL: primary.databaseUrl,
      DATABASE_READ_URL: copy.databaseUrl,
      AUTH_SECRET: 'signs-the-sessions-of-the-test-of-a-copy',
      LOG_LEVEL: 'error',
    }),
    fetch,
  );
  await opened.start();
  runtime = readRuntime();
});
afterAll(async () => {
  await opened.close();
  await provider.close();
  await Promise.all([primary.drop(), copy.drop()]);
});

it('reads the recorded past from the copy', async () => {
  const { reader } = runtime.history!;
  const [fromMs, toMs] = [SEEN_MS - 60_000, SEEN_MS];
  const trail = await reader.readTrail(USDOT, UNIT, fromMs, toMs);
  expect(trail.map(({ fixAtMs }) => fixAtMs)).toEqual([SEEN_MS - 30_000]);
  expect(await reader.countFixes(USDOT, { fromMs, toMs })).toBe(1);
});

it('reads rights, and what a feed starts with, from the database itself', async () => {
  await insertViewer(primary, MANAGER);
  const { orm } = await runtime.database.open();
  await primary.query("INSERT INTO linehaul.unit_tags (usdot, unit, tag) VALUES ($1, $2, 'night')", [
    USDOT,
    UNIT,
  ]);
  expect([...(await readTaggedUnits(orm, USDOT, ['night']))]).toEqual([UNIT]);
  const newest = await runtime.history!.recorder.readNewest(USDOT);
  // The time in hexadecimal begins a fix.
  const hex = (SEEN_MS - 20_000).toString(16).padStart(16, '0');
  expect(newest!.fixes.get(UNIT)).toMatch(new RegExp(`^${hex}`, 'i'));
  const used = await copy.query(
    'SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  expect(used.map(({ name }) => name)).toEqual(['linehaul-history']);
});
