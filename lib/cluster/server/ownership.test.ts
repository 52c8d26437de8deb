import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { startTcpProxy } from '@/testing/tcp-proxy';
import { ClusterConnection } from './connection';
import type { LeaseStore, LeaseView, ServerReport } from './lease-store';
import { Ownership } from './ownership';
import { createRedisLeases } from './redis-leases';

const FLEETS = ['1000001', '1000002', '1000003', '1000004', '1000005', '1000006'];
const SOON = { timeout: 12_000, interval: 50 };
const log = { warn: () => undefined, info: () => undefined };

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis((await findFreePorts(1))[0]!);
}, 20_000);
afterAll(() => redis.stop());

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await redis.stop();
  await redis.start();
});

const toReport = (name: string): ServerReport => ({
  ...{ name, app: '0.1.0', build: 'b', uptimeMs: 5000, lagMs: 0, echoMs: 1 },
});

/** A server that notes what it polls. */
const startServer = (member: string, url = redis.url, spreadMs = 100) => {
  const connection = new ClusterConnection({ url, secret: 'a secret', clock: systemClock, log });
  const polled = new Map<string, number>();
  const openedAtMs: number[] = [];
  const ownership = new Ownership({
    ...{ stores: [createRedisLeases(connection)], member, clock: systemClock, log, spreadMs },
    onReleased: (usdot) => void connection.publish({ kind: 'released', usdot }),
    toIntervalMs: () => 0,
    polledAgoMs: () => null,
    report: () => toReport(`machine-${member}`),
    onOpened: (usdot, fence) => {
      polled.set(usdot, fence);
      openedAtMs.push(systemClock.monotonicMs());
    },
    onReleasing: async (usdot) => void polled.delete(usdot),
    onLost: (usdot) => void polled.delete(usdot),
  });
  connection.listen(({ message }) => void (message.kind === 'released' && ownership.hurry()));
  connection.open();
  for (const usdot of FLEETS) ownership.want(usdot);
  ownership.start();
  cleanups.push(() => connection.close());
  return { connection, ownership, polled, openedAtMs, fleets: () => [...polled.keys()].sort() };
};

const union = (...servers: ReturnType<typeof startServer>[]) =>
  servers.flatMap(({ fleets }) => fleets()).sort();

it('shares the fleets with a server that comes, and takes them over from one that leaves', async () => {
  const a = startServer('a');
  await expect.poll(a.fleets, SOON).toEqual(FLEETS);
  const fences = new Map(a.polled);
  const b = startServer('b');
  await expect.poll(() => b.fleets().length, SOON).toBeGreaterThan(0);
  await expect.poll(() => union(a, b), SOON).toEqual(FLEETS);
  for (const [usdot, fence] of b.polled) expect(fence).toBeGreaterThan(fences.get(usdot)!);

  const leftAtMs = Date.now();
  b.polled.clear();
  await b.ownership.close();
  await expect.poll(a.fleets, SOON).toEqual(FLEETS);
  // By the message, not by the end of a lease.
  expect(Date.now() - leftAtMs).toBeLessThan(3500);
}, 40_000);

it('begins fleets that it takes together one after another', async () => {
  const a = startServer('a', redis.url, 1200);
  await expect.poll(a.fleets, SOON).toEqual(FLEETS);
  const [first, last] = [a.openedAtMs.at(0)!, a.openedAtMs.at(-1)!];
  // Five of the six wait for 200 ms more each; a busy machine may begin the first one late.
  expect(last - first).toBeGreaterThan(600);
}, 20_000);

it('takes over from a server that is cut off, which stops when its leases end', async () => {
  const proxy = await startTcpProxy(Number(new URL(redis.url).port));
  cleanups.push(() => proxy.close());
  const a = startServer('a');
  const b = startServer('b', `redis://127.0.0.1:${proxy.port}`);
  await expect.poll(() => b.fleets().length, SOON).toBeGreaterThan(0);
  await expect.poll(() => union(a, b), SOON).toEqual(FLEETS);
  await proxy.cut();
  await expect.poll(a.fleets, SOON).toEqual(FLEETS);
  expect(b.fleets().filter((usdot) => b.ownership.isOwner(usdot))).toEqual([]);
  await expect.poll(b.fleets, SOON).toEqual([]);
}, 40_000);

it('keeps its fleets over a short loss of Redis with all of its data', async () => {
  const a = startServer('a');
  await expect.poll(a.fleets, SOON).toEqual(FLEETS);
  const before = new Map(a.polled);
  await redis.stop();
  await redis.start();
  await expect.poll(() => a.connection.isFollowing(), SOON).toBe(true);
  await expect.poll(() => FLEETS.every((usdot) => a.ownership.isOwner(usdot)), SOON).toBe(true);
  for (const [usdot, fence] of a.polled) expect(fence).toBeGreaterThanOrEqual(before.get(usdot)!);
}, 40_000);

it('lists every server with what it states and its fleets, also one that gives no sign, and none that has left', async () => {
  const proxy = await startTcpProxy(Number(new URL(redis.url).port));
  cleanups.push(() => proxy.close());
  const [a, b, c] = [startServer('a'), startServer('b', `redis://127.0.0.1:${proxy.port}`), startServer('c')];
  const fleetsOf = (id: string) =>
    a.ownership
      .servers()
      .find((server) => server.id === id)
      ?.usdots.toSorted();
  await expect.poll(() => union(a, b, c), SOON).toEqual(FLEETS);
  await expect.poll(() => fleetsOf('b'), SOON).toEqual(b.fleets());
  const isSilent = ({ silentMs }: { silentMs: number }): boolean => silentMs >= 4000;
  await expect.poll(() => a.ownership.servers().some(isSilent), SOON).toBe(false);
  const [self, ...others] = a.ownership.servers();
  expect(self).toEqual({
    ...{
      id: 'a',
      isThis: true,
      silentMs: 0,
      usdots: expect.any(Array),
      report: { ...toReport('machine-a'), redisForMs: expect.any(Number) },
    },
  });
  expect(others.map(({ id, isThis, report }) => [id, isThis, report?.name]).sort()).toEqual([
    ['b', false, 'machine-b'],
    ['c', false, 'machine-c'],
  ]);
  // As of the heartbeat, and from then on.
  for (const { silentMs, report } of others) expect(report!.uptimeMs).toBe(5000 + silentMs);

  await proxy.cut();
  await c.ownership.close();
  await expect.poll(a.fleets, SOON).toEqual(FLEETS);
  expect(a.ownership.servers().map(({ id }) => id)).toEqual(['a', 'b']);
  expect(a.ownership.servers()[1]).toMatchObject({ usdots: [] });
  expect(a.ownership.servers()[1]!.silentMs).toBeGreaterThanOrEqual(4000);
  expect(b.connection.readAwayMs()).toBeGreaterThan(0);
  expect(a.connection.readAwayMs()).toBeNull();
  expect(a.connection.readEchoMs()).toBeLessThan(1000);
}, 40_000);

it('opens no fleet that it took while it was closed', async () => {
  const timers: (() => void)[] = [];
  const onOpened = vi.fn();
  let closed: Promise<void> | null = null;
  const view: LeaseView = {
    ...{ kept: [], isSettled: true, servers: [{ id: 'a', silentMs: 0, report: null }] },
    fleets: new Map([[FLEETS[0]!, { isWatched: false, owner: null, fence: 0 }]]),
  };
  const store: LeaseStore = {
    name: 'redis',
    beat: async () => view,
    acquire: async () => {
      closed = ownership.close();
      return [{ usdot: FLEETS[0]!, fence: 1, polledAgoMs: null }];
    },
    release: async () => undefined,
    leave: async () => undefined,
  };
  const ownership = new Ownership({
    ...{ stores: [store], member: 'a', report: () => toReport('a'), log, onOpened },
    ...{ onReleased: () => undefined, toIntervalMs: () => 0, polledAgoMs: () => null },
    clock: { ...systemClock, setTimer: (run) => (timers.push(run), () => undefined) },
    onReleasing: async () => undefined,
    onLost: () => undefined,
  });
  ownership.start();
  timers.shift()!();
  await expect.poll(() => closed).not.toBeNull();
  await closed;
  for (const run of timers) run();
  expect(ownership.owned()).toEqual([]);
  expect(onOpened).not.toHaveBeenCalled();
});
