import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyLimit, createSharedLimiter } from '@/lib/base/rate-limits';
import { systemClock } from '@/lib/base/clock';
import { createClientLimit } from '@/lib/base/http/client-limit';
import { createRateLimit } from '@/service/access/auth';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { ClusterConnection } from './connection';

const LIMIT = { points: 2, durationS: 1800 };
const log = { warn: () => undefined, info: () => undefined };

let redis: RedisServer;
const connections: ClusterConnection[] = [];
beforeAll(async () => {
  redis = await startRedis((await findFreePorts(1))[0]!);
}, 20_000);
afterAll(async () => {
  for (const connection of connections) connection.close();
  await redis.stop();
});

const startServer = async () => {
  const connection = new ClusterConnection({ url: redis.url, secret: 'a secret', clock: systemClock, log });
  connections.push(connection);
  connection.open();
  await expect.poll(() => connection.isFollowing()).toBe(true);
  const { limits: store } = connection;
  return {
    connection,
    attempts: createKeyLimit(LIMIT, { store, name: 'test' }),
    requests: createClientLimit({
      requestsPerS: 10,
      clock: systemClock,
      shared: { store, name: 'requests' },
    }),
    takeOfKey: createRateLimit((window) => createSharedLimiter(store, 'key-requests', window)),
  };
};

it('counts the requests of a client over two servers, without making one wait', async () => {
  const [one, two] = await Promise.all([startServer(), startServer()]);
  const granted = { one: 0, two: 0 };
  // More than a bucket on both together, and less on each.
  for (let i = 0; i < 70; i++) {
    if (one.requests.take('office') === 0) granted.one++;
    if (two.requests.take('office') === 0) granted.two++;
    // Its commands are answered in order, so the counts before this one have come.
    await Promise.all([one.connection.readBytes('none'), two.connection.readBytes('none')]);
  }
  expect(granted.one + granted.two).toBeGreaterThanOrEqual(100);
  expect(granted.one + granted.two).toBeLessThan(115);
  const waitS = one.requests.take('office');
  expect(waitS).toBeGreaterThan(0);
  expect(waitS).toBeLessThanOrEqual(10);
  expect(one.requests.take('elsewhere')).toBe(0);
});

it('counts the requests of an API key over two servers', async () => {
  const [one, two] = await Promise.all([startServer(), startServer()]);
  expect(await one.takeOfKey('key', 2)).toMatchObject({ isGranted: true, remaining: 1 });
  expect(await two.takeOfKey('key', 2)).toMatchObject({ isGranted: true, remaining: 0 });
  const third = await one.takeOfKey('key', 2);
  expect(third).toMatchObject({ isGranted: false, remaining: 0 });
  expect(third.resetS).toBeGreaterThan(55);
  expect(third.resetS).toBeLessThanOrEqual(60);
  expect(await two.takeOfKey('another', 2)).toMatchObject({ isGranted: true });
});

it('keeps in Redis no e-mail address, client address or other text that is limited', async () => {
  const { connection, requests, attempts, takeOfKey } = await startServer();
  const texts = [
    'ann@carrier.test',
    '203.0.113.7',
    '2001:db8:0:1::/64',
    '203.0.113.7 ann@carrier.test',
    'key-id',
  ];
  for (const text of texts) {
    await attempts.take(text);
    await takeOfKey(text, 5);
    requests.take(text);
    for (let i = 0; i < 5; i++) requests.take(text);
  }
  const keys = (await connection.eval("return redis.call('KEYS', '*')", [], [])) as string[];
  for (const name of ['test', 'requests', 'key-requests'])
    expect(keys.filter((key) => key.includes(`limit:${name}:`)).length).toBeGreaterThanOrEqual(texts.length);
  for (const key of keys)
    for (const text of texts) {
      expect(key).not.toContain(text);
      // Nor a hash of it that can be looked up without the secret.
      for (const encoding of ['hex', 'base64url'] as const)
        expect(key).not.toContain(createHash('sha256').update(text).digest(encoding).slice(0, 16));
    }
});

it('counts attempts over two servers, and gives them back; without Redis each server counts for itself', async () => {
  const [one, two] = await Promise.all([startServer(), startServer()]);
  expect(await one.attempts.take('key')).toBe(0);
  expect(await two.attempts.take('key')).toBe(0);
  expect(await one.attempts.take('key')).toBeGreaterThan(1700);
  await two.attempts.forget('key');
  expect(await one.attempts.take('key')).toBe(0);
  await one.attempts.giveBack('key');
  expect(await one.attempts.take('key')).toBe(0);
  expect(await two.attempts.take('key')).toBe(0);
  expect(await two.attempts.take('key')).toBeGreaterThan(0);

  await redis.stop();
  expect(await one.attempts.take('key')).toBe(0);
  expect(await one.attempts.take('key')).toBe(0);
  expect(await one.attempts.take('key')).toBeGreaterThan(0);
  expect(await one.takeOfKey('key', 1)).toMatchObject({ isGranted: true });
  expect(await one.takeOfKey('key', 1)).toMatchObject({ isGranted: false });
  expect(one.requests.take('office')).toBe(0);
});
