import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { Publisher, createEpoch } from '@/lib/wire/server/publisher';
import type { Feed, MovableFeeds } from '@/lib/feeds/feeds';
import { UNREAD_FEED } from '@/lib/wire/fleet';
import { applyLiveAnswer, createColumns } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import type { UnitDetail } from '@/lib/wire/unit';
import { identityOf } from '@/testing/live/tracked-units';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { ClusterConnection } from './connection';
import { ClusterFeeds } from './cluster-feeds';
import { KEY_PREFIX, toMessageText } from './messages';
import { toLiveKey } from './redis-leases';

const USDOT = '1000001';
const SOON = { timeout: 10_000, interval: 20 };
const UNIT = identityOf('A');

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

/** Feeds that publish what a test says. */
const createLocalFeeds = (onPublished: () => void) => {
  const publisher = new Publisher({ versionsKept: 12, slackMs: 250, clock: systemClock });
  let epoch: string | null = null;
  let latE5 = 0;
  let fetchedAtMs: number | null = null;
  const publish = (): void => {
    const columns = createColumns(1);
    columns.latE5.fill(++latE5);
    fetchedAtMs = Date.now();
    publisher.publish({
      ...{ usdot: USDOT, version: `${epoch}.${latE5}`, rows: 1, identities: [UNIT], columns },
      ...{ feed: { ...UNREAD_FEED, fetchedAtMs }, account: null, nextDueAtMs: 0 },
    });
    onPublished();
  };
  const feed = {
    answer: async (since, accept) => {
      if (fetchedAtMs === null) publish();
      return publisher.answer(since, accept);
    },
    detail: async (key) => ({ version: key }) as UnitDetail,
    pollOnce: async () => (fetchedAtMs === null ? publish() : undefined),
    state: () => ({ ...UNREAD_FEED, fetchedAtMs }),
    refusedForMs: () => 0,
    salvage: () => null,
    problems: () => [],
  } as Partial<Feed> as Feed;
  const feeds = {
    feed: () => feed,
    setEpoch: (_, atMs) => void (epoch = createEpoch(atMs, 0)),
    extend: () => undefined,
    closeFeed: async () => void (fetchedAtMs = null),
    close: async () => undefined,
  } as Partial<MovableFeeds> as MovableFeeds;
  return { feeds, publish };
};

const startServer = async () => {
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => void warnings.push(message), info: () => undefined };
  const connection = new ClusterConnection({ url: redis.url, secret: 'a secret', clock: systemClock, log });
  const local = createLocalFeeds(() => shared.notePublished(USDOT));
  const shared = new ClusterFeeds({
    ...{ connection, leases: null, local: local.feeds, clock: systemClock, log },
    ...{ pollIntervalMs: 100, recordIntervalMs: null, maxFleets: 4, recorder: null },
    about: () => ({ name: 'server', app: '1', build: 'b', uptimeMs: 0 }),
  });
  connection.open();
  await vi.waitUntil(() => connection.isFollowing(), { timeout: 5000 });
  shared.start();
  cleanups.push(async () => {
    await shared.close();
    connection.close();
  });
  const feed = shared.feed(USDOT);
  const read = async (since: string | null = null) => {
    const { status, body, version } = await feed.answer(since, 'identity');
    return { status, version, decoded: body && fromLiveBytes(body) };
  };
  return { ...local, shared, connection, feed, read, warnings };
};

/** Two servers whose browsers show the fleet, of which one owns it. */
const startBoth = async () => {
  const client = createClient({ url: redis.url });
  await client.connect();
  client.on('error', () => undefined);
  cleanups.push(() => client.destroy());
  const [one, two] = [await startServer(), await startServer()];
  // Both know of each other before the fleet is wanted, so it is not handed over.
  await expect.poll(() => client.zCard(`${KEY_PREFIX}members`), SOON).toBe(2);
  await Promise.all([one.read(), two.read()]);
  await expect.poll(() => [one, two].filter(({ shared }) => shared.fenceOf(USDOT)).length, SOON).toBe(1);
  const [owner, other] = one.shared.fenceOf(USDOT) === null ? [two, one] : [one, two];
  await expect
    .poll(async () => {
      const [a, b] = [(await owner.read()).version, (await other.read()).version];
      return a === b && a !== '0.0';
    }, SOON)
    .toBe(true);
  return { client, owner, other };
};

it('answers a version that it does not know with everything, the one before with the change, and the newest with nothing', async () => {
  const { owner, other } = await startBoth();
  const first = await other.read();
  const held = applyLiveAnswer(null, first.decoded!);
  expect(await other.read(first.version)).toMatchObject({ status: 304, version: first.version });

  owner.publish();
  await expect.poll(async () => (await other.read()).version, SOON).not.toBe(first.version);
  const next = await other.read(first.version);
  expect(next.decoded!.since).toBe(first.version);
  expect(applyLiveAnswer(held, next.decoded!).columns).toEqual(
    applyLiveAnswer(null, (await owner.read()).decoded!).columns,
  );

  owner.publish();
  await expect.poll(async () => (await other.read()).version, SOON).not.toBe(next.version);
  // Two versions back: the change from it was not kept.
  expect((await other.read(first.version)).decoded!.since).toBeNull();
  expect((await other.read('mzzzzzzzabcd.1')).status).toBe(304);
  // From memory: Redis is read once for each version, however many browsers there are.
  const { readVersions } = other.shared.readServers().counts;
  for (let browser = 0; browser < 5; browser++)
    expect((await other.read('00000000abcd.1')).decoded!.since).toBeNull();
  expect(other.shared.readServers().counts.readVersions).toBe(readVersions);
}, 40_000);

it('never goes back to an older version that comes late, nor takes one of another version of Linehaul', async () => {
  const { client, owner, other } = await startBoth();
  const late = (await owner.connection.readBytes(toLiveKey(USDOT)))!;
  const { version: before } = await other.read();
  owner.publish();
  await expect.poll(async () => (await other.read()).version, SOON).not.toBe(before);
  const { version } = await other.read();

  const tell = async (bytes: Buffer): Promise<void> => {
    await client.set(toLiveKey(USDOT), bytes);
    await client.publish(`${KEY_PREFIX}all`, toMessageText('someone', { kind: 'published', usdot: USDOT }));
  };
  await tell(Buffer.from(late.toString('latin1').replace('{"v":"1', '{"v":"2'), 'latin1'));
  await expect.poll(() => other.warnings, SOON).toContain('The newest version of a fleet cannot be read.');
  await tell(late);
  for (const text of ['no JSON', '{}', toMessageText('x', { kind: 'echo' }).replace('"v":1', '"v":2')])
    await client.publish(`${KEY_PREFIX}all`, text);
  // Messages arrive in order: after this one is taken, so are those before it.
  owner.publish();
  await expect.poll(async () => (await other.read()).version, SOON).not.toBe(version);
  expect((await other.read(version)).decoded!.since).toBe(version);
}, 40_000);

it('answers what it has without waiting where Redis hangs before it has been read again', async () => {
  const { other } = await startBoth();
  const { version } = await other.read();
  await redis.stop();
  await redis.start();
  // It follows no fleet until it reads it again.
  await new Promise<void>((resolve) => cleanups.push(other.connection.onReturn(resolve)));
  redis.pause();
  cleanups.push(() => redis.resume());
  const askedAtMs = performance.now();
  expect((await other.read()).version).toBe(version);
  expect(performance.now() - askedAtMs).toBeLessThan(3000);
}, 40_000);

it('lets a browser keep what it has where this server has nothing yet', async () => {
  const { connection, read } = await startServer();
  connection.close();
  const version = `${createEpoch(Date.now(), 0)}.7`;
  await expect.poll(() => connection.isFollowing(), SOON).toBe(false);
  expect(await read(version)).toMatchObject({ status: 304, version });
  // A page that opens gets the reason.
  expect((await read()).decoded).toMatchObject({ rows: 0, feed: { problem: { kind: 'internal' } } });
});

it('asks the owner about a unit, and says that the fleet moves where there is none', async () => {
  const { owner, other } = await startBoth();
  // The other server knows the owner with its next beat, and waits for it.
  expect(await other.feed.detail('a-unit')).toMatchObject({ version: 'a-unit' });
  expect(await owner.feed.detail('a-unit')).toMatchObject({ version: 'a-unit' });
  await redis.stop();
  await expect.poll(() => owner.shared.fenceOf(USDOT), SOON).toBeNull();
  await expect(other.feed.detail('a-unit')).rejects.toMatchObject({ code: 'fleet-moving' });
  // What was there stays.
  expect((await other.read()).decoded!.rows).toBe(1);
  await redis.start();
}, 40_000);
