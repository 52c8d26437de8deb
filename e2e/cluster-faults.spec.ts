/**
 * What several servers do when a part fails: the frames of a browser that asks another server each time, the recording and
 * the alerts. e2e/cluster.spec.ts has the short forms, server/shared-changes.test.ts the changes of rights.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import type { AlertCondition } from '@/lib/rules/alert-rule';
import type { toPublicSharing } from '@/lib/ops/health';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { startTcpProxy, throughProxy, type TcpProxy } from '@/testing/tcp-proxy';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import {
  SITE,
  VINS,
  startMovingProvider,
  toMovingFleet,
  toRound,
  type MovingProvider,
} from './support/moving-provider';
import { stopProgram } from './support/programs';
import { createNextVersion, startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';
import { watchFleet } from './support/watched-fleet';

const USDOT = '1000001';
const LIVE_WITHIN_MS = 10_000;
/** Shorter than an outage. On a quiet machine no gap is longer than a lease (lib/cluster/server/ownership.property.test.ts). */
const GAP_MS = 12_000;
const OUTAGE_MS = 15_000;
/** Opens an alert at each arrival at the site. */
const RULE = 'In the yard';

test.describe.configure({ mode: 'serial' });
test.setTimeout(240_000);

type Ready = ReturnType<typeof toPublicSharing>;

let redis: RedisServer;
let provider: MovingProvider;
let databaseUrl: string;
let database: pg.Client;
let toDatabase: TcpProxy;
/** The way of each server to Redis. */
let toRedis: TcpProxy[] = [];
let servers: Server[] = [];
let clockFiles: string[];
let variables: Record<string, string>;

const { managerCookie: cookie } = process.env.E2E_POSTGRES ? readSharedPostgres() : { managerCookie: '' };

const start = async (
  index: number,
  log: string,
  next?: ReturnType<typeof createNextVersion>,
): Promise<Server> => {
  const server = await startServer(
    {
      ...variables,
      REDIS_URL: `redis://127.0.0.1:${toRedis[index]!.port}`,
      SET_CLOCK_FILE: clockFiles[index]!,
    },
    log,
    next,
  );
  // A busy machine may have taken too long to open the database at once: a balancer waits for this too.
  await expect.poll(async () => (await fetch(`${server.url}/api/health/ready`)).status).toBe(200);
  return server;
};

const post = async ({ url }: Server, path: string, body: unknown): Promise<void> => {
  const response = await sendAsPage(url, `/api/fleets/${USDOT}/${path}`, body, cookie);
  expect(response.status, await response.text()).toBeLessThan(300);
};

const createRule = (server: Server, name: string, condition: AlertCondition): Promise<void> =>
  post(server, 'alert-rules', {
    ...{ name, condition, units: { type: 'all' }, schedule: null, severity: 'info', coolDownMin: 0 },
    ...{ isEnabled: true, isOwn: false },
  });

test.beforeAll(async ({}, testInfo) => {
  const [port] = (await findFreePorts(1)) as [number];
  databaseUrl = await createDatabase(TEMPLATE);
  toDatabase = await startTcpProxy(Number(new URL(databaseUrl).port));
  [redis, provider] = [await startRedis(port), await startMovingProvider(USDOT)];
  toRedis = await Promise.all([0, 1, 2].map(() => startTcpProxy(port)));
  clockFiles = [0, 1, 2].map((index) => testInfo.outputPath(`clock-${index}`));
  for (const file of clockFiles) writeFileSync(file, '0');
  variables = {
    DATABASE_URL: throughProxy(databaseUrl, toDatabase),
    ...toMovingFleet(provider.baseUrl, USDOT, testInfo.outputPath('history')),
    NODE_OPTIONS: `--require "${resolve('e2e/support/set-clock.cjs')}"`,
  };
  // The first one migrates the tables.
  servers = [await start(0, testInfo.outputPath('server-0.log'))];
  servers.push(
    ...(await Promise.all([1, 2].map((index) => start(index, testInfo.outputPath(`server-${index}.log`))))),
  );
  database = new pg.Client(databaseUrl);
  await database.connect();
  const { lat, lng, radiusM } = SITE;
  await post(servers[1]!, 'sites', {
    ...{ name: 'Yard', kind: 'yard', color: '#336699', notes: '', openingHours: null, marginM: 0 },
    shape: { type: 'circle', lat, lng, radiusM },
  });
  const { rows } = await database.query<{ id: number }>('SELECT id FROM linehaul.sites');
  await createRule(servers[1]!, RULE, { kind: 'arrives', siteIds: [rows[0]!.id] });
});

test.afterAll(async () => {
  // One that a failed test has left stopped does not end otherwise.
  for (const { program } of servers) program.kill('SIGCONT');
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  await database?.end();
  await provider?.close();
  await redis?.stop();
  for (const proxy of [toDatabase, ...toRedis]) await proxy?.close();
});

/** The time of the newest fix that one server shows, Unix s. */
const readNewestS = async (server: Server): Promise<number> => {
  const seen = watchFleet([server], USDOT, cookie);
  await expect.poll(seen.fixS, { timeout: LIVE_WITHIN_MS }).toBeGreaterThan(0);
  await seen.stop();
  return seen.fixS();
};

/** Until each of the servers shows fixes that are newer than now. */
const untilLive = async (of: Server[], withinMs = LIVE_WITHIN_MS): Promise<void> => {
  const nowS = Math.floor(Date.now() / 1000);
  await Promise.all(
    of.map((server) =>
      expect.poll(() => readNewestS(server), { timeout: withinMs, intervals: [200] }).toBeGreaterThan(nowS),
    ),
  );
};

const readRecordedS = async (): Promise<number> => {
  const { rows } = await database.query<{ s: number }>(
    'SELECT coalesce(max(fix_ms), 0)::float8 / 1000 AS s FROM linehaul.fixes',
  );
  return rows[0]!.s;
};

/** Until fixes that are newer than now are recorded. */
const untilRecorded = async (withinMs = LIVE_WITHIN_MS): Promise<void> => {
  const nowS = Date.now() / 1000;
  await expect.poll(readRecordedS, { timeout: withinMs, intervals: [200] }).toBeGreaterThan(nowS);
};

/** No fix is recorded twice, and no truck has two alerts of one arrival. */
const expectNothingTwice = async (): Promise<void> => {
  const { rows: fixes } = await database.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM linehaul.fixes GROUP BY unit, fix_ms HAVING count(*) > 1`,
  );
  expect(fixes).toEqual([]);
  const { rows: alerts } = await database.query<{ unit: string; fix: number }>(
    `SELECT unit, (facts->>'fixAtMs')::float8 / 1000 AS fix FROM linehaul.alerts WHERE rule_name = $1 ORDER BY id`,
    [RULE],
  );
  const arrivals = alerts.map(({ unit, fix }) => {
    const truck = VINS.findIndex((vin) => unit.includes(vin));
    return `${unit} ${toRound(truck, fix)}`;
  });
  expect(arrivals).toEqual([...new Set(arrivals)]);
};

/** Watches the fleet through all servers while `work` runs; each frame must be right and newer than the one before. */
const watching = async (work: (watch: ReturnType<typeof watchFleet>) => Promise<void>): Promise<void> => {
  const watch = watchFleet(servers, USDOT, cookie);
  try {
    await work(watch);
  } finally {
    await watch.stop();
  }
  expect(watch.faults).toEqual([]);
  expect(watch.polls()).toBeGreaterThan(10);
};

test('PostgreSQL is away for 20 s: the map goes on, and what was polled meanwhile is recorded afterward', async () => {
  await untilLive(servers, 30_000);
  await untilRecorded();
  await watching(async () => {
    await toDatabase.cut();
    const cutS = Math.floor(Date.now() / 1000);
    for (const atMs of [5000, 10_000]) {
      await expect
        .poll(() => Date.now() / 1000 - cutS, { timeout: atMs + 1000 })
        .toBeGreaterThan(atMs / 1000);
      await untilLive(servers);
    }
    expect(await readRecordedS()).toBeLessThanOrEqual(cutS + 1);
    await toDatabase.restore();
    const restoredS = Math.floor(Date.now() / 1000);
    await untilLive(servers);
    await untilRecorded();
    const { rows } = await database.query<{ n: number }>(
      'SELECT count(DISTINCT fix_ms)::int AS n FROM linehaul.fixes WHERE fix_ms BETWEEN $1 AND $2',
      [cutS * 1000, restoredS * 1000],
    );
    // A poll each second, of which some have missed a second's fix.
    expect(rows[0]!.n).toBeGreaterThan((restoredS - cutS) * 0.6);
  });
  await expectNothingTwice();
});

const readReady = (): Promise<Ready[]> =>
  Promise.all(
    servers.map(async ({ url }) => (await (await fetch(`${url}/api/health/ready`)).json()) as Ready),
  );

/** The number of the server that polls the fleet. */
const findOwner = async (): Promise<number> =>
  (await readReady()).findIndex(({ servers: all }) =>
    all!.some(({ isThis, fleets }) => isThis && fleets === 1),
  );

/** The longest time between two fixes in a row that are recorded, ms; a poll each second records one. */
const readLongestGapMs = async (fromMs: number, toMs: number): Promise<number> => {
  const { rows } = await database.query<{ ms: number }>(
    `SELECT coalesce(max(ms), 1e9)::float8 AS ms FROM (
      SELECT fix_ms - lag(fix_ms) OVER (ORDER BY fix_ms) AS ms
      FROM (SELECT DISTINCT fix_ms FROM linehaul.fixes WHERE fix_ms BETWEEN $1 AND $2)) AS gaps`,
    [fromMs, toMs],
  );
  return rows[0]!.ms;
};

const readRules = async (): Promise<string[]> => {
  const { rows } = await database.query<{ name: string }>(
    'SELECT DISTINCT rule_name AS name FROM linehaul.alerts',
  );
  return rows.map(({ name }) => name);
};

test('Redis is away for 30 s and longer: recording, alerts and the map of the owner go on', async () => {
  await untilLive(servers, 30_000);
  await untilRecorded();
  const owner = servers[await findOwner()]!;
  const fromMs = Date.now();
  await watching(async () => {
    await redis.stop();
    await sleep(30_000);
    await untilLive([owner]);
    await untilRecorded();
    const name = 'Made while Redis is away';
    await createRule(owner, name, { kind: 'exceeds', speedMph: 10 });
    await expect.poll(readRules, { timeout: 60_000 }).toContain(name);
    await redis.start();
    await untilLive(servers);
    await untilRecorded();
  });
  expect(await readLongestGapMs(fromMs, Date.now())).toBeLessThan(GAP_MS);
  await expectNothingTwice();
});

test('Redis and PostgreSQL go away by turns, and the recording has no gap of an outage', async () => {
  await untilLive(servers, 30_000);
  const fromMs = Date.now();
  await watching(async () => {
    for (let turn = 0; turn < 2; turn++) {
      await redis.stop();
      await sleep(OUTAGE_MS);
      await redis.start();
      await toDatabase.cut();
      await sleep(OUTAGE_MS);
      await toDatabase.restore();
    }
    await untilLive(servers, 20_000);
    await untilRecorded();
  });
  expect(await readLongestGapMs(fromMs, Date.now())).toBeLessThan(GAP_MS);
  await expectNothingTwice();
});

test('the provider gets one request an interval while the owner is replaced', async ({}, testInfo) => {
  await untilLive(servers, 30_000);
  await watching(async () => {
    const owner = await findOwner();
    const from = provider.polledAtMs.length;
    await stopProgram(servers[owner]!.program);
    const rest = servers.filter((_, index) => index !== owner);
    await untilLive(rest);
    servers[owner] = await start(owner, testInfo.outputPath('again.log'));
    await untilLive(servers, 20_000);
    const polledAtMs = provider.polledAtMs.slice(from);
    const intervals = polledAtMs.slice(1).map((atMs, index) => atMs - polledAtMs[index]!);
    // 1 s; a busy machine may begin one late and the next one in time.
    expect(intervals.filter((ms) => ms < 700)).toEqual([]);
  });
  await expectNothingTwice();
});

for (const lose of ['cut', 'stall'] as const)
  test(`a server loses its way to Redis (${lose}) and finds it again`, async () => {
    await untilLive(servers, 30_000);
    await watching(async () => {
      await toRedis[0]![lose]();
      await untilLive(servers.slice(1));
      await untilRecorded();
      await toRedis[0]!.restore();
      await untilLive(servers);
    });
    await expectNothingTwice();
  });

test('Redis hangs with its connections open, and goes on', async () => {
  await untilLive(servers, 30_000);
  await watching(async (watch) => {
    redis.pause();
    const readAway = async () => (await readReady()).map(({ redisAwayMs }) => Number(redisAwayMs) > 3000);
    await expect.poll(readAway, { timeout: 15_000 }).toEqual([true, true, true]);
    // No browser waited for Redis.
    expect(watch.refused()).toBe(0);
    redis.resume();
    await untilLive(servers);
    await untilRecorded();
  });
  await expectNothingTwice();
});

test('an alert rule that is created while a server is cut off from Redis counts within 5 s of its return', async () => {
  await watching(async () => {
    const condition = { kind: 'exceeds', speedMph: 10 } as const;
    // From then on each new rule of this condition opens alerts with the next poll.
    await createRule(servers[0]!, 'Made before', condition);
    await expect.poll(readRules, { timeout: 60_000 }).toContain('Made before');
    for (const isOwnerCut of [true, false]) {
      // Too short for its lease to end: an owner that is cut off misses the message and goes on.
      const owner = await findOwner();
      const other = (owner + 1) % servers.length;
      const cut = toRedis[isOwnerCut ? owner : other]!;
      const name = isOwnerCut ? 'Made elsewhere' : 'Made without Redis';
      await cut.cut();
      await createRule(servers[other]!, name, condition);
      await cut.restore();
      await expect.poll(readRules, { timeout: 5000, intervals: [100] }).toContain(name);
    }
  });
});

test('two servers, one after the other, are stopped for 60 s and resumed', async () => {
  await watching(async () => {
    const [first, ...others] = servers as [Server, Server, Server];
    for (const server of [first, others[0]!]) {
      server.program.kill('SIGSTOP');
      await untilLive(servers.filter((each) => each !== server));
      await untilRecorded();
      await sleep(60_000);
      server.program.kill('SIGCONT');
      await untilLive(servers);
      await untilRecorded();
    }
  });
  await expectNothingTwice();
});

test('the clocks of the servers are a minute apart, while the fleet moves from one to another', async () => {
  writeFileSync(clockFiles[0]!, '30000');
  writeFileSync(clockFiles[1]!, '-30000');
  await watching(async () => {
    await untilLive(servers, 20_000);
    for (const server of servers) {
      server.program.kill('SIGSTOP');
      await untilLive(
        servers.filter((each) => each !== server),
        20_000,
      );
      await untilRecorded(20_000);
      server.program.kill('SIGCONT');
      await untilLive(servers, 20_000);
    }
  });
  await expectNothingTwice();
  for (const file of clockFiles) writeFileSync(file, '0');
});

test('servers are replaced one by one by servers of another version of messages', async ({}, testInfo) => {
  const folder = createScratchFolder('linehaul-next-version-');
  try {
    const version = createNextVersion(folder);
    // The watcher takes the servers as they are.
    await watching(async (watch) => {
      for (const index of [0, 1, 2]) {
        const next = await start(index, testInfo.outputPath(`next-${index}.log`), version);
        const [old] = servers.splice(index, 1, next);
        await untilLive([next], 20_000);
        await stopProgram(old!.program);
        await untilLive(servers, 20_000);
        await untilRecorded(30_000);
        const nowS = Math.floor(Date.now() / 1000);
        await expect.poll(watch.fixS, { timeout: 20_000 }).toBeGreaterThan(nowS);
      }
      await untilRecorded();
    });
    await expectNothingTwice();
  } finally {
    await removeScratchFolder(folder);
  }
});
