import { afterEach, beforeEach, expect, it } from 'vitest';
import { FencedError, requireFence } from '@/lib/recording/history-repository';
import { LEASES_PART, openDatabase } from '@/lib/database/database';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { createDatabaseLeases } from './database-leases';
import type { OwnLease } from './lease-store';

const USDOT = '1000001';
const quiet = { warn: () => undefined, debug: () => undefined };

let database: TestDatabase;
const stores: ReturnType<typeof createDatabaseLeases>[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await database.drop();
});

const openPool = () => openDatabase(database.databaseUrl, LEASES_PART, quiet).pool;
const createServer = (server: string) => {
  const store = createDatabaseLeases(async () => openPool());
  stores.push(store);
  const report = { name: server, app: '1', build: null, uptimeMs: 0, lagMs: null, echoMs: null };
  return {
    beat: (leases: OwnLease[] = []) =>
      store.beat(server, { wanted: [USDOT], watched: server === 'a' ? [USDOT] : [], leases, report }),
    acquire: async (fence = 1) => (await store.acquire(server, [{ usdot: USDOT, fence }]))[0] ?? null,
    release: (fence: number, polledAgoMs: number | null) =>
      store.release(server, { usdot: USDOT, fence }, polledAgoMs),
  };
};

/** As if the servers had been silent for this long. */
const pass = (ms: number): Promise<unknown> =>
  database.query(
    `WITH s AS (UPDATE linehaul.sharing_servers SET beat_at = beat_at - $1 * interval '1 ms')
     UPDATE linehaul.fleet_leases SET taken_at = taken_at - $1 * interval '1 ms'`,
    [ms],
  );

it('gives a fleet to one of the servers that take it at once, and to the next one with a greater number', async () => {
  const servers = ['a', 'b', 'c', 'd'].map(createServer);
  await Promise.all(servers.map(({ beat }) => beat()));
  const taken = await Promise.all(servers.map(({ acquire }) => acquire()));
  const owner = taken.findIndex((lease) => lease !== null);
  expect(taken.filter((lease) => lease !== null)).toHaveLength(1);
  const { fence, polledAgoMs } = taken[owner]!;
  expect(polledAgoMs).toBeNull();
  expect(fence % 2).toBe(1);
  const view = await servers[(owner + 1) % 4]!.beat();
  expect(view.fleets.get(USDOT)).toEqual({ isWatched: true, owner: 'abcd'[owner], fence });
  expect(view.servers.map(({ id, report }) => [id, report?.name]).sort()).toEqual(
    [...'abcd'].map((id) => [id, id]),
  );

  // Handed over, with the time of its last poll.
  await servers[owner]!.release(fence, 700);
  const next = (await servers[(owner + 1) % 4]!.acquire())!;
  expect(next.fence).toBeGreaterThan(fence);
  expect(next.polledAgoMs).toBeGreaterThanOrEqual(700);
  expect((await servers[owner]!.beat([{ usdot: USDOT, fence }])).kept).toEqual([]);
});

it('keeps a lease as long as its server beats, and frees it after its silence', async () => {
  const [a, b] = [createServer('a'), createServer('b')];
  await a.beat();
  const { fence } = (await a.acquire())!;
  await pass(3000);
  await a.beat([{ usdot: USDOT, fence }]);
  await pass(3000);
  await b.beat();
  expect(await b.acquire()).toBeNull();
  await pass(2000);
  expect((await b.beat()).fleets.get(USDOT)).toEqual({ isWatched: false, owner: null, fence });
  const taken = (await b.acquire())!;
  expect((await a.beat([{ usdot: USDOT, fence }])).kept).toEqual([]);
  // A release that comes too late ends no lease of another server.
  await a.release(fence, null);
  expect((await b.beat([taken])).kept).toEqual([USDOT]);
});

it('takes a lease over that was taken elsewhere with a greater number, and none with a smaller one', async () => {
  const [a, b] = [createServer('a'), createServer('b')];
  await Promise.all([a.beat(), b.beat()]);
  const { fence } = (await a.acquire())!;
  expect((await b.beat([{ usdot: USDOT, fence: fence - 1 }])).kept).toEqual([]);
  expect((await b.beat([{ usdot: USDOT, fence: fence + 1 }])).kept).toEqual([USDOT]);
  expect((await a.beat([{ usdot: USDOT, fence }])).kept).toEqual([]);
});

it('gives a number with which the fleet can be recorded, and no lease before it', async () => {
  const [a, b] = [createServer('a'), createServer('b')];
  const pool = openPool();
  const recorded = Date.now() + 3_600_000;
  await requireFence(pool, USDOT, recorded);
  await Promise.all([a.beat(), b.beat()]);
  const first = (await a.acquire())!;
  expect(first.fence).toBeGreaterThan(recorded);
  await a.release(first.fence, null);
  const second = (await b.acquire(first.fence + 1000))!;
  expect(second.fence).toBeGreaterThanOrEqual(first.fence + 1000);
  await requireFence(pool, USDOT, second.fence);
  await expect(requireFence(pool, USDOT, first.fence)).rejects.toThrow(FencedError);
  await pool.end();
});
