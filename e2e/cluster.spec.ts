/** Three servers that share their fleets through one PostgreSQL and one Redis. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@playwright/test';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { startRedis } from '@/testing/redis-server';
import type { RedisServer } from '@/testing/redis-server';
import { startProvider } from '@/testing/tracking/provider';
import { SESSION_SECRET } from './support/application';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { findFreePorts } from '@/testing/ports';
import { stopProgram } from './support/programs';
import { startServer } from './support/servers';
import type { Server } from './support/servers';
import { MANAGER, sendAsPage, signIn } from './support/session';

const FLEETS = ['1000001', '1000002', '1000003', '1000004', '1000005', '1000006'];
const INTERVAL_MS = 1000;
const ANSWER_MS = 50;
const VIN = '1M8GDM9AXKP042788';

/** Counts the requests for the units of each fleet. */
const startCountingProvider = async () => {
  const inFlight = new Map<string, number>();
  const counts = new Map<string, number>();
  let most = 0;
  const send = (response: ServerResponse, body: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const provider = await startProvider((request, response) => {
    const [, , resource, usdot = ''] = (request.url ?? '').split('/');
    if (resource === 'carrier')
      return send(response, { companyName: 'Prairie Star', companyId: 'ps', usdot: FLEETS[0] });
    if (resource === 'vin-numbers') return send(response, [VIN]);
    const running = (inFlight.get(usdot) ?? 0) + 1;
    inFlight.set(usdot, running);
    counts.set(usdot, (counts.get(usdot) ?? 0) + 1);
    most = Math.max(most, running);
    response.on('close', () => inFlight.set(usdot, inFlight.get(usdot)! - 1));
    setTimeout(() => {
      const atS = Math.floor(Date.now() / 1000);
      const coordinates = { lat: 35 + (atS % 1000) / 1e4, lng: -101 };
      send(response, { units: [{ vin: VIN, coordinates, unixTimestamp: atS }] });
    }, ANSWER_MS);
  });
  return { ...provider, counts, mostInFlight: () => most };
};

/** The newest version of a fleet on one server, and when its provider last answered. */
const readFleet = async ({ url }: Server, usdot: string) => {
  const { managerCookie: cookie } = readSharedPostgres();
  const response = await fetch(`${url}/api/fleets/${usdot}/live`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const { version, rows, feed } = fromLiveBytes(new Uint8Array(await response.arrayBuffer()));
  return { version, rows, fetchedAtMs: feed.fetchedAtMs ?? 0 };
};

/** Until each server shows each fleet as of after `sinceMs`; returns how long that took. */
const untilLive = async (servers: Server[], sinceMs: number, withinMs: number): Promise<number> => {
  const startedAtMs = Date.now();
  for (const server of servers)
    for (const usdot of FLEETS)
      await expect
        .poll(async () => (await readFleet(server, usdot)).fetchedAtMs, {
          timeout: withinMs,
          intervals: [100],
        })
        .toBeGreaterThan(sinceMs);
  return Date.now() - startedAtMs;
};

let redis: RedisServer;
let provider: Awaited<ReturnType<typeof startCountingProvider>>;
let servers: Server[] = [];

test.beforeAll(async ({}, testInfo) => {
  const [port] = (await findFreePorts(1)) as [number];
  redis = await startRedis(port);
  provider = await startCountingProvider();
  const accounts = FLEETS.map((usdot, i) => {
    const prefix = i === 0 ? 'TRACKING' : `TRACKING_${i + 1}`;
    return {
      [`${prefix}_BASE_URL`]: provider.baseUrl,
      [`${prefix}_API_KEY`]: `planted-key-${i}`,
      [`${prefix}_PROVIDER_TOKEN`]: `planted-token-${i}`,
      [`${prefix}_USDOT`]: usdot,
    };
  });
  const variables: Record<string, string> = Object.assign(
    {
      DATABASE_URL: await createDatabase(TEMPLATE),
      REDIS_URL: redis.url,
      AUTH_SECRET: SESSION_SECRET,
      MAP_TILES_URL: 'none',
      POLL_INTERVAL_MS: String(INTERVAL_MS),
      RECORD_INTERVAL_MS: '5000',
      HISTORY_DIR: testInfo.outputPath('history'),
    },
    ...accounts,
  );
  // The first one migrates the tables.
  servers = [await startServer(variables, testInfo.outputPath('server-0.log'))];
  servers.push(
    ...(await Promise.all([1, 2].map((i) => startServer(variables, testInfo.outputPath(`server-${i}.log`))))),
  );
});

test.afterAll(async () => {
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  await redis.stop();
  await provider.close();
});

test('three servers share six fleets', async () => {
  test.setTimeout(180_000);
  await test.step('each server shows each fleet, at the same versions', async () => {
    await untilLive(servers, 0, 30_000);
    for (const usdot of FLEETS)
      await expect
        .poll(async () => {
          const shown = await Promise.all(servers.map((server) => readFleet(server, usdot)));
          return new Set(shown.map(({ version }) => version)).size;
        })
        .toBe(1);
  });

  await test.step('the provider gets one request for each fleet and interval', async () => {
    // Both ends of the measure are polls of the first fleet.
    const POLLS = 8;
    const before = new Map(provider.counts);
    const polls = (usdot: string) => provider.counts.get(usdot)! - before.get(usdot)!;
    await expect
      .poll(
        async () => {
          await Promise.all(servers.flatMap((server) => FLEETS.map((usdot) => readFleet(server, usdot))));
          return polls(FLEETS[0]!);
        },
        { timeout: 30_000, intervals: [300] },
      )
      .toBeGreaterThanOrEqual(POLLS);
    const first = polls(FLEETS[0]!);
    for (const usdot of FLEETS) expect(Math.abs(polls(usdot) - first), usdot).toBeLessThanOrEqual(1);
    expect(provider.mostInFlight()).toBe(1);
  });

  await test.step('the details of a unit come from every server', async () => {
    const { managerCookie: cookie } = readSharedPostgres();
    for (const { url } of servers)
      for (const usdot of FLEETS) {
        const response = await fetch(`${url}/api/fleets/${usdot}/live/${VIN}`, { headers: { cookie } });
        expect(response.status, `${url} ${usdot}`).toBe(200);
      }
  });

  await test.step('a session that ends on one server ends on the others within a second', async () => {
    const [first, second] = servers as [Server, Server];
    const cookie = (await signIn(first.url, MANAGER.email, MANAGER.password))!;
    const read = () => fetch(`${second.url}/api/account`, { headers: { cookie } });
    expect((await read()).status).toBe(200);
    expect((await sendAsPage(first.url, '/api/auth/sign-out', {}, cookie)).ok).toBe(true);
    await expect.poll(async () => (await read()).status, { timeout: 1000, intervals: [50] }).toBe(401);
  });

  await test.step('a paused server loses its fleets, and follows again when it is resumed', async () => {
    const [paused, ...others] = servers as [Server, Server, Server];
    paused.program.kill('SIGSTOP');
    await untilLive(others, Date.now(), 10_000);
    paused.program.kill('SIGCONT');
    await untilLive(servers, Date.now(), 10_000);
    expect(provider.mostInFlight()).toBe(1);
  });

  await test.step('after a killed server, the others show all fleets within 10 s', async () => {
    const [killed, ...left] = servers as [Server, Server, Server];
    killed.program.kill('SIGKILL');
    await untilLive(left, Date.now(), 10_000);
    servers = left;
    expect(provider.mostInFlight()).toBe(1);
  });

  await test.step('without Redis each server shows what it has; with it again, all is live within 10 s', async () => {
    await redis.stop();
    for (const server of servers)
      for (const usdot of FLEETS) expect((await readFleet(server, usdot)).rows).toBe(1);
    await redis.start();
    await untilLive(servers, Date.now(), 10_000);
    expect(provider.mostInFlight()).toBe(1);
  });

  for (const { log } of servers) expect(readFileSync(log, 'utf8')).not.toContain('planted-');
});
