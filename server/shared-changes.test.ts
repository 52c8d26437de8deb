import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SignIn } from '@/server/sign-in';
import type { Viewer } from '@/lib/base/viewer';
import { systemClock } from '@/lib/base/clock';
import { ClusterConnection } from '@/lib/cluster/server/connection';
import type { Envelope } from '@/lib/cluster/server/messages';
import { createLog, createSecretRedactor, type Log } from '@/lib/base/log';
import {
  MANAGER,
  PASSWORD,
  ask,
  createTestSignIn,
  insertViewer,
  signIn,
  toClient,
  usersOf,
} from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { startTcpProxy, throughProxy, type TcpProxy } from '@/testing/tcp-proxy';
import { followChanges } from './shared-changes';

const log = createLog(createSecretRedactor(), 'error');
const POLLED = '1000009';
const BY = { viewer: MANAGER, client: { address: '203.0.113.7' } };

let database: TestDatabase;
let redis: RedisServer;
/** The way of both servers to PostgreSQL. */
let toDatabase: TcpProxy;
/** The way of the first server to Redis. */
let proxy: TcpProxy;
let one: SignIn;
let two: SignIn;
/** Of the second server; time passes only where a test says so. */
let clock: TestClock;
const cleanups: (() => unknown)[] = [];
/** The fleets whose sites and alert rules were read again, by either server. */
const reloaded: string[] = [];
/** How often either server read the source of the fleets again. */
let sourceReadings = 0;

type TestClock = ReturnType<typeof createTestSignIn>['clock'];

/** Sign-in whose caches do not grow old: the clock stands still, and only changes empty them. */
const startServer = async (redisPort: number) => {
  const url = `redis://127.0.0.1:${redisPort}`;
  const connection = new ClusterConnection({ url, secret: 'a secret', clock: systemClock, log });
  const made = createTestSignIn(throughProxy(database.databaseUrl, toDatabase), {
    others: { announce: (change) => void connection.announce(change), limits: connection.limits },
  });
  const { app } = made;
  const reload = async (): Promise<void> => void (sourceReadings += 1);
  const watch = { reload: (usdot: string) => void reloaded.push(usdot) };
  const stop = followChanges(connection, {
    ...{
      applyChange: app.applyChange,
      watch,
      listPolled: () => [POLLED],
      reload,
      clock: systemClock,
      log,
    },
  });
  cleanups.push(async () => {
    stop();
    connection.close();
    await app.close();
  });
  connection.open();
  await app.start();
  await vi.waitUntil(() => connection.isFollowing(), { timeout: 5000 });
  return made;
};

beforeAll(async () => {
  const [port] = (await findFreePorts(1)) as [number];
  [database, redis, proxy] = await Promise.all([createTestDatabase(), startRedis(port), startTcpProxy(port)]);
  toDatabase = await startTcpProxy(Number(new URL(database.databaseUrl).port));
  one = (await startServer(proxy.port)).app;
  ({ app: two, clock } = await startServer(port));
  await insertViewer(database, MANAGER);
}, 30_000);

afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  for (const each of [proxy, toDatabase]) await each.close();
  await redis.stop();
  await database.drop();
});

const readViewer = async (app: SignIn, cookie: string) => {
  const found = await app.auth.authenticate(toClient(cookie));
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
  const { screen, token } = await one.screens.create(
    { name: 'Wall', usdots: null },
    { viewer: MANAGER, client: toClient() },
  );
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
    change: ({ id }) => one.users.change(id, { isDisabled: true }, BY),
    after: null,
  },
  {
    what: 'a narrowed scope',
    create: createUser,
    change: ({ id }) => one.users.change(id, { usdots: ['1000001'] }, BY),
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
    change: ({ id }) => one.screens.revoke(id, { viewer: MANAGER, client: toClient() }),
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

it('reads a changed source again after a failure, until that succeeds or the source is another one', async () => {
  const timers: (() => void)[] = [];
  const cancel = vi.fn();
  let receive!: (envelope: Envelope) => void;
  const cluster = {
    listen: (listener: typeof receive) => {
      receive = listener;
      return () => undefined;
    },
    onReturn: () => () => undefined,
    isOwn: () => false,
  } as unknown as ClusterConnection;
  const changed = { message: { kind: 'source' } } as Envelope;
  const away = new Error('PostgreSQL is away.');
  const reload = vi
    .fn(async () => undefined)
    .mockRejectedValueOnce(away)
    .mockRejectedValueOnce(away);
  const stop = followChanges(cluster, {
    ...{ applyChange: one.applyChange, watch: { reload: () => undefined }, listPolled: () => [], reload },
    clock: { ...systemClock, setTimer: (run) => (timers.push(run), cancel) },
    log: { error: () => undefined } as unknown as Log,
  });
  receive(changed);
  for (const tries of [1, 2]) {
    await expect.poll(() => timers.length).toBe(tries);
    expect(reload).toHaveBeenCalledTimes(tries);
    timers[tries - 1]!();
  }
  expect(reload).toHaveBeenCalledTimes(3);
  await reload.mock.results[2]!.value;
  expect(timers).toHaveLength(2);

  reload.mockRejectedValueOnce(away);
  receive(changed);
  stop();
  await expect(reload.mock.results[3]!.value).rejects.toThrow();
  expect(timers).toHaveLength(2);
});

describe('while PostgreSQL is away', () => {
  /** A session that the second server knows, as it may be used. */
  const createKnown = async () => {
    const user = await createUser();
    return { ...user, viewer: await readViewer(two, user.cookie) };
  };
  const readOrRefuse = (cookie: string) => readViewer(two, cookie).catch(() => 'refused');

  it('a session that was looked up soon after a start goes on, also without a request for a while', async () => {
    const user = await createUser();
    const { app } = await startServer(proxy.port);
    // The number of all changes is read at the start and each two seconds.
    await sleep(1000);
    const viewer = await readViewer(app, user.cookie);
    await sleep(1500);
    await toDatabase.cut();
    expect(await readViewer(app, user.cookie)).toEqual(viewer);
    await toDatabase.restore();
    // The next test needs connections that are not broken.
    await expect
      .poll(() =>
        createUser().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  }, 20_000);

  it('and Redis too, sessions go on and nothing more is granted; afterward changes apply within 5 s', async () => {
    const [kept, disabled, narrowed] = [await createKnown(), await createKnown(), await createKnown()];
    const [unknown, unread] = [await createUser(), await createKnown()];
    // Its message arrives before the next one, and no request reads it again until PostgreSQL is away.
    await one.users.change(unread.id, { isDisabled: true }, BY);
    await one.users.change(disabled.id, { isDisabled: true }, BY);
    await expect.poll(() => readViewer(two, disabled.cookie), { timeout: 1000, interval: 20 }).toBeNull();
    await one.users.change(narrowed.id, { usdots: ['1000001'] }, BY);
    const narrow = { ...narrowed.viewer, usdots: ['1000001'] };
    await expect
      .poll(() => readViewer(two, narrowed.cookie), { timeout: 1000, interval: 20 })
      .toEqual(narrow);
    const screen = await createScreen();
    expect(await readViewer(two, screen.cookie)).not.toBeNull();
    await one.screens.revoke(screen.id, { viewer: MANAGER, client: toClient() });
    await expect.poll(() => readOrRefuse(screen.cookie), { timeout: 1000, interval: 20 }).toBeNull();

    // No server announces this change: once it counts, the second server has seen the number of all changes.
    const last = await createKnown();
    await database.query('delete from linehaul.sessions where user_id = $1', [last.id]);
    await expect.poll(() => readViewer(two, last.cookie), { timeout: 5000, interval: 20 }).toBeNull();
    expect(await readViewer(two, kept.cookie)).toEqual(kept.viewer);
    expect(await readViewer(two, narrowed.cookie)).toEqual(narrow);

    await Promise.all([redis.stop(), toDatabase.cut()]);
    // Also after the time for which a session is not verified again.
    for (const passedMs of [0, 31_000, 600_000]) {
      clock.elapsedMs += passedMs;
      clock.nowMs += passedMs;
      for (let request = 0; request < 2; request++) {
        expect(await readViewer(two, kept.cookie)).toEqual(kept.viewer);
        expect(await readViewer(two, narrowed.cookie)).toEqual(narrow);
        for (const { cookie } of [disabled, unread, unknown, screen])
          expect(await readOrRefuse(cookie)).toBeOneOf([null, 'refused']);
      }
    }
    await expect(one.users.change(narrowed.id, { usdots: null }, BY)).rejects.toThrow();

    await Promise.all([redis.start(), toDatabase.restore()]);
    await expect
      .poll(() =>
        one.users.change(kept.id, { isDisabled: true }, BY).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(() => readViewer(two, kept.cookie), { timeout: 5000, interval: 20 }).toBeNull();
    expect(await readViewer(two, narrowed.cookie)).toEqual(narrow);
    for (const { cookie } of [disabled, unread, screen]) expect(await readViewer(two, cookie)).toBeNull();
  }, 30_000);
});
