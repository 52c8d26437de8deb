import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Accounts } from '@/lib/auth/server/accounts';
import type { Viewer } from '@/lib/auth/viewer';
import { systemClock } from '@/lib/clock';
import { ClusterConnection } from '@/lib/cluster/server/connection';
import { createLog, createSecretRedactor } from '@/lib/ops/log';
import {
  MANAGER,
  PASSWORD,
  ask,
  createTestAccounts,
  insertViewer,
  signIn,
  toClient,
  usersOf,
} from '@/testing/auth/accounts';
import { createTestDatabase } from '@/testing/database';
import type { TestDatabase } from '@/testing/database';
import { findFreePorts } from '@/testing/ports';
import { startRedis } from '@/testing/redis-server';
import type { RedisServer } from '@/testing/redis-server';
import { startTcpProxy } from '@/testing/tcp-proxy';
import type { TcpProxy } from '@/testing/tcp-proxy';
import { followChanges } from './shared-changes';

const log = createLog(createSecretRedactor(), 'error');
const POLLED = '1000009';
const BY = { viewer: MANAGER, address: '203.0.113.7' };

let database: TestDatabase;
let redis: RedisServer;
let proxy: TcpProxy;
let one: Server;
let two: Server;
const cleanups: (() => unknown)[] = [];
/** The fleets whose sites and alert rules were read again, by either server. */
const reloaded: string[] = [];
/** How often either server read the source of the fleets again. */
let sourceReadings = 0;

type Server = Awaited<ReturnType<typeof startServer>>;

/** Accounts whose caches do not grow old: the clock stands still, and only changes empty them. */
const startServer = async (redisPort: number) => {
  const url = `redis://127.0.0.1:${redisPort}`;
  const connection = new ClusterConnection({ url, clock: systemClock, log });
  const { accounts } = createTestAccounts(database.databaseUrl, {
    others: { announce: (change) => void connection.announce(change), limits: connection.limits },
  });
  const reload = async (): Promise<void> => void (sourceReadings += 1);
  const watch = { reload: (usdot: string) => void reloaded.push(usdot) };
  const stop = followChanges(connection, { accounts, watch, listPolled: () => [POLLED], reload, log });
  cleanups.push(async () => {
    stop();
    connection.close();
    await accounts.close();
  });
  connection.open();
  await accounts.start();
  await vi.waitUntil(() => connection.isFollowing(), { timeout: 5000 });
  return accounts;
};

beforeAll(async () => {
  const [port] = (await findFreePorts(1)) as [number];
  [database, redis, proxy] = await Promise.all([createTestDatabase(), startRedis(port), startTcpProxy(port)]);
  [one, two] = [await startServer(proxy.port), await startServer(port)];
  await insertViewer(database, MANAGER);
}, 30_000);

afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await proxy.close();
  await redis.stop();
  await database.drop();
});

const readViewer = async (accounts: Accounts, cookie: string) => {
  const found = await accounts.authenticate(toClient(cookie));
  return found && { usdots: found.viewer.usdots, needsSecondFactor: found.needsSecondFactor };
};

let users = 0;
/** A user who has signed in. */
const createUser = async (role: Viewer['role'] = 'dispatcher') => {
  const email = `user-${users++}@carrier.test`;
  const { id } = await usersOf(one).create({
    ...{ name: email, email, role, tags: null, password: PASSWORD },
    usdots: ['1000001', '1000002'],
  });
  return { id, cookie: await signIn(one, email) };
};

const createScreen = async () => {
  const { screen, token } = await one.screens.create({ name: 'Wall', usdots: null }, MANAGER, toClient());
  return { id: screen.id, cookie: (await one.screens.open(token, toClient())).split(';', 1)[0]! };
};

interface Case {
  what: string;
  create: () => Promise<{ id: string; cookie: string }>;
  /** On the first server. */
  change: (made: { id: string; cookie: string }) => Promise<unknown>;
  /** On the second one. */
  after: unknown;
}

const CASES: Case[] = [
  {
    what: 'a disabled user',
    create: createUser,
    change: ({ id }) => one.userAdmin.change(id, { isDisabled: true }, BY),
    after: null,
  },
  {
    what: 'a narrowed scope',
    create: createUser,
    change: ({ id }) => one.userAdmin.change(id, { usdots: ['1000001'] }, BY),
    after: { usdots: ['1000001'], needsSecondFactor: false },
  },
  {
    what: 'a session that has ended',
    create: createUser,
    change: ({ cookie }) => ask(one, '/api/auth/sign-out', {}, toClient(cookie)),
    after: null,
  },
  {
    what: 'a revoked wall screen',
    create: createScreen,
    change: ({ id }) => one.screens.revoke(id, MANAGER, toClient()),
    after: null,
  },
  {
    what: 'a setting for all managers',
    create: () => createUser('manager'),
    change: () => one.settings.change({ isSecondFactorRequired: true }, BY),
    after: { usdots: ['1000001', '1000002'], needsSecondFactor: true },
  },
];

const expectOnOther = async ({ create, change, after }: Case, withinMs: number): Promise<void> => {
  const made = await create();
  const before = await readViewer(two, made.cookie);
  expect(before).not.toBeNull();
  expect(before).not.toEqual(after);
  await change(made);
  await expect.poll(() => readViewer(two, made.cookie), { timeout: withinMs, interval: 20 }).toEqual(after);
};

describe('on another server', () => {
  it.each(CASES)('$what holds within 1 s', async (each) => {
    await expectOnOther(each, 1000);
  });

  describe('while the server of the change is cut off from Redis', () => {
    beforeAll(async () => {
      await one.settings.change({ isSecondFactorRequired: false }, BY);
      await proxy.cut();
    });
    it.each(CASES)(
      '$what holds within 5 s',
      async (each) => {
        await expectOnOther(each, 5000);
      },
      10_000,
    );

    it('reads the source of the fleets and their sites and alert rules again once messages arrive again', async () => {
      reloaded.length = 0;
      sourceReadings = 0;
      await proxy.restore();
      await expect.poll(() => reloaded, { timeout: 5000 }).toEqual([POLLED]);
      expect(sourceReadings).toBe(1);
    }, 10_000);
  });
});
