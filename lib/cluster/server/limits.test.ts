import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyLimit } from '@/lib/auth/server/attempt-limit';
import { systemClock } from '@/lib/clock';
import { findFreePorts } from '@/testing/ports';
import { startRedis } from '@/testing/redis-server';
import type { RedisServer } from '@/testing/redis-server';
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
  const connection = new ClusterConnection({ url: redis.url, clock: systemClock, log });
  connections.push(connection);
  connection.open();
  await expect.poll(() => connection.isFollowing(), { timeout: 5000 }).toBe(true);
  return createKeyLimit(LIMIT, { store: connection.limits, name: 'test' });
};

it('counts attempts over two servers, and gives them back, and goes on without Redis', async () => {
  const [one, two] = await Promise.all([startServer(), startServer()]);
  expect(await one.take('key')).toBe(0);
  expect(await two.take('key')).toBe(0);
  expect(await one.take('key')).toBeGreaterThan(1700);
  await two.forget('key');
  expect(await one.take('key')).toBe(0);
  await one.giveBack('key');
  expect(await one.take('key')).toBe(0);
  expect(await two.take('key')).toBe(0);
  expect(await two.take('key')).toBeGreaterThan(0);

  await redis.stop();
  expect(await one.take('key')).toBe(0);
  expect(await one.take('key')).toBe(0);
  expect(await one.take('key')).toBeGreaterThan(0);
}, 20_000);
