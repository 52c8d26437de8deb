/** What a server with REDIS_URL shows of the servers that share its fleets. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { ClusterConnection } from '@/lib/cluster/server/connection';
import { createDatabaseLeases } from '@/lib/cluster/server/database-leases';
import {
  STORE,
  createRedisLeases,
  toLeaseKey,
  toLeaseValue,
  toLiveKey,
} from '@/lib/cluster/server/redis-leases';
import { Ownership } from '@/lib/cluster/server/ownership';
import { toPublishedBytes } from '@/lib/cluster/server/published-fleet';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import type { PollReport } from '@/lib/fleet/poll-report';
import { UNREAD_FEED } from '@/lib/wire/fleet';
import { parseEnv } from '@/lib/config/env';
import { readRuntime } from '@/server/runtime';
import { LEASES_PART, openDatabase } from '@/lib/database/database';
import { readServerStatus } from '@/lib/status/server/server-status';
import { openRuntime, type OpenedRuntime } from '@/server/open-runtime';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';
import { GET as readReadiness } from './health/ready/route';

const FLEETS = ['1000001', '1000002', '1000003', '1000004', '1000005', '1000006'];
/** It comes first by its name. */
const OTHER = {
  name: '0-other-machine:3000',
  app: '9.9.9',
  build: 'b',
  uptimeMs: 1000,
  lagMs: 40,
  echoMs: 2,
};
const SOON = { timeout: 15_000 };
const OTHER_ID = 'member-of-the-other';
const quiet = { warn: () => undefined, info: () => undefined, debug: () => undefined };

let redis: RedisServer;
let provider: TestProvider;
let database: TestDatabase;
let opened: OpenedRuntime;
let other: Ownership;
let leases: ReturnType<typeof createDatabaseLeases>;
let connection: ClusterConnection;

beforeAll(async () => {
  redis = await startRedis((await findFreePorts(1))[0]!);
  database = await createTestDatabase();
  provider = await startProvider((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ units: [] }));
  });
  const env = parseEnv({
    DATABASE_URL: database.databaseUrl,
    REDIS_URL: redis.url,
    AUTH_SECRET: 'planted-auth-secret-of-32-characters-9e04',
    METRICS_TOKEN: 'planted-metrics-token-5f21',
    TRACKING_BASE_URL: provider.baseUrl,
    TRACKING_API_KEY: 'planted-api-key-31c7',
    TRACKING_PROVIDER_TOKEN: 'planted-provider-token-88d0',
  });
  opened = await openRuntime(env, fetch);
  await opened.start();
  connection = new ClusterConnection({ url: redis.url, secret: 'a secret', clock: systemClock, log: quiet });
  connection.open();
  leases = createDatabaseLeases(async () => openDatabase(database.databaseUrl, LEASES_PART, quiet).pool);
  other = new Ownership({
    ...{ member: OTHER_ID, report: () => OTHER, clock: systemClock, log: quiet },
    ...{ stores: [leases, createRedisLeases(connection)] },
    ...{ onReleased: () => undefined, toIntervalMs: () => 0, polledAgoMs: () => null },
    ...{ onOpened: () => undefined, onReleasing: async () => undefined, onLost: () => undefined },
  });
  for (const usdot of FLEETS) other.want(usdot);
  other.start();
}, 60_000);
afterAll(async () => {
  connection.close();
  await leases.close();
  await opened.close();
  await redis.stop();
  await provider.close();
  await database.drop();
});

const readReady = async () => {
  const response = await readReadiness(new Request('http://127.0.0.1:3000/api/health/ready'), {
    params: Promise.resolve({} as never),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown> };
};
const readStatus = (usdots: string[] | null = null) => readServerStatus(readRuntime(), { usdots }).sharing!;

it('names every server to anyone, without machines, carriers and versions', async () => {
  await expect.poll(() => readStatus().servers.map(({ fleets }) => fleets > 0), SOON).toEqual([true, true]);
  const { status, text, json } = await readReady();
  expect(status).toBe(200);
  const numbers = { fleets: expect.any(Number), uptimeMs: expect.any(Number), echoMs: expect.any(Number) };
  expect(json).toEqual({
    ...{ ready: true, notReady: [], accountsDatabase: 'ok', redisAwayMs: null },
    servers: expect.arrayContaining([
      {
        ...numbers,
        id: expect.stringMatching(/^.{8}$/),
        isThis: true,
        silentMs: 0,
        isSameVersion: true,
        lagMs: expect.toSatisfy((ms) => ms === null || ms >= 0),
      },
      {
        ...numbers,
        id: 'member-o',
        isThis: false,
        silentMs: expect.any(Number),
        isSameVersion: false,
        lagMs: 40,
      },
    ]),
  });
  expect(json.servers).toHaveLength(2);
  const { app, build } = readRuntime().versions;
  for (const secret of [OTHER.name, OTHER.app, app, build ?? app, ...FLEETS, 'planted-', redis.url])
    expect(text).not.toContain(secret);
});

it('shows managers the name and version of each server, and the fleets that they may see', async () => {
  const find = (isThis: boolean, usdots?: string[]) =>
    readStatus(usdots).servers.find((server) => server.isThis === isThis)!;
  expect(find(true).report).toMatchObject({
    app: readRuntime().versions.app,
    name: expect.stringMatching(/:3000$/),
  });
  expect(find(false).report).toMatchObject({ name: OTHER.name, app: OTHER.app });
  expect([...find(true).usdots, ...find(false).usdots].sort()).toEqual(FLEETS);
  const [first] = find(false).usdots as [string];
  expect(find(false, [first])).toMatchObject({ usdots: [first], fleets: find(false).fleets });
  expect(find(true, [first])).toMatchObject({ usdots: [], fleets: find(true).fleets });
});

const readMetric = async (name: string): Promise<number> => {
  const { text } = await opened.metrics!.render(readRuntime());
  return Number(new RegExp(`^linehaul_${name} (.*)$`, 'm').exec(text)?.[1]);
};

it('counts what it publishes for the others, and what it reads of them', async () => {
  const find = (isThis: boolean) => readStatus().servers.find((server) => server.isThis === isThis)!;
  expect(await readMetric('servers')).toBe(2);
  expect(await readMetric('fleets_owned')).toBe(find(true).fleets);
  expect(await readMetric('fleets_watched')).toBe(0);
  const watch = (usdot: string) => readRuntime().fleets.feed(usdot, DEMO_VIEWER).answer(null, 'br');
  await watch(find(true).usdots[0]!);
  await expect.poll(() => readMetric('published_versions_total'), SOON).toBeGreaterThan(0);
  expect(await readMetric('published_bytes_total')).toBeGreaterThan(100);
  // The fleets without a viewer are polled too.
  const polled = `polls_total\\{usdot="${find(true).usdots.at(-1)}",outcome="ok"\\}`;
  await expect.poll(() => readMetric(polled), SOON).toBeGreaterThan(0);

  const bytes = toPublishedBytes({
    ...{ version: '9000000000000-1', state: UNREAD_FEED, salvage: null, problems: [], refusedForMs: 0 },
    ...{ snapshot: { body: Buffer.from('snapshot'), encoding: 'br' }, delta: null },
  });
  let usdot = '';
  // On a busy machine a lease may end before its next beat, and is taken again under another number.
  const publish = async (): Promise<unknown> => {
    usdot = find(false).usdots[0] ?? '';
    const lease = toLeaseValue(OTHER_ID, other.fenceOf(usdot) ?? 0);
    return connection.eval(STORE, [toLeaseKey(usdot), toLiveKey(usdot)], [lease, bytes, '60000']);
  };
  await expect.poll(publish, SOON).toBe(1);
  expect(await readMetric('read_versions_total')).toBe(0);
  expect((await watch(usdot)).version).toBe('9000000000000-1');
  expect(await readMetric('read_versions_total')).toBe(1);
  expect(await readMetric('read_bytes_total')).toBe(bytes.length);
});

it('says that Redis is away, and stays ready', async () => {
  expect(await readMetric('redis_connected')).toBe(1);
  await redis.stop();
  await expect.poll(() => readStatus().redisAwayMs ?? 0, SOON).toBeGreaterThan(3000);
  const { status, json } = await readReady();
  expect(status).toBe(200);
  expect(json.redisAwayMs).toBeGreaterThan(3000);
  expect(await readMetric('redis_connected')).toBe(0);
  // PostgreSQL has the leases too.
  expect(await readMetric('leases_lost_total')).toBe(0);
  expect(readStatus().servers.map(({ fleets }) => fleets > 0)).toEqual([true, true]);
  await redis.start();
  await expect.poll(async () => (await readReady()).json.redisAwayMs, SOON).toBeNull();
});

it('keeps the newest poll of more fleets than a server polls that is alone', () => {
  const { journal } = readRuntime();
  const usdots = Array.from({ length: 33 }, (_, index) => String(2_000_001 + index));
  for (const usdot of usdots) journal.notePoll({ usdot } as PollReport, null);
  expect(journal.usdots()).toEqual(expect.arrayContaining(usdots));
});
