/** Three servers that share their fleets through one PostgreSQL and one Redis. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { z } from 'zod';
import type { toPublicSharing } from '@/lib/ops/health';
import type { ServerStatus } from '@/lib/status/schema';
import type { User } from '@/lib/users/schema';
import type { madeWallScreenSchema } from '@/lib/wall-screens/schema';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { toFlags } from '@/lib/motion/status';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { SESSION_SECRET } from './support/application';
import { startCountingProvider, type CountingProvider } from './support/counting-provider';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { findFreePorts } from '@/testing/ports';
import { expectLive, pill } from './support/fleet-page';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { MANAGER, addSession, sendAsPage, signIn } from './support/session';

const FLEETS = ['1000001', '1000002', '1000003', '1000004', '1000005', '1000006'];
const INTERVAL_MS = 1000;
const VIN = '1M8GDM9AXKP042788';
/** Of a truck that has not reported: VIN is not on the roster. */
const ROSTER_VIN = '1M8GDM9A1KP042789';
const PASSWORD = 'of the users of three servers';

type PublicServer = NonNullable<ReturnType<typeof toPublicSharing>['servers']>[number];

/** The newest version of a fleet on one server, and when its provider last answered. */
const readFleet = async ({ url }: Server, usdot: string) => {
  const { managerCookie: cookie } = readSharedPostgres();
  const response = await fetch(`${url}/api/fleets/${usdot}/live`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const answer = fromLiveBytes(new Uint8Array(await response.arrayBuffer()));
  const { version, identities, columns, feed } = applyLiveAnswer(null, answer);
  const row = identities.findIndex((identity) => identity?.vin === VIN);
  return {
    version,
    fetchedAtMs: feed.fetchedAtMs ?? 0,
    /** Of the truck; null where it is not shown. */
    flags: row < 0 ? null : toFlags(columns.flags[row]!),
  };
};

/** Sends a change as the manager, which must succeed, and returns the answer. */
const send = async <T>({ url }: Server, method: string, path: string, body: unknown = {}): Promise<T> => {
  const response = await sendAsPage(url, path, body, readSharedPostgres().managerCookie, method);
  const text = await response.text();
  expect(response.ok, `${path}: ${text}`).toBe(true);
  return (text === '' ? null : JSON.parse(text)) as T;
};

const read = async <T>({ url }: Server, path: string): Promise<T> => {
  const response = await fetch(`${url}${path}`, { headers: { cookie: readSharedPostgres().managerCookie } });
  return (await response.json()) as T;
};

/** The answer to a request with this cookie is 200 before a change, and within a second after it this status. */
const expectRefused = async (
  { url }: Server,
  path: string,
  cookie: string,
  { after, status }: { after: () => Promise<unknown>; status: number },
): Promise<void> => {
  const readStatus = async () => (await fetch(`${url}${path}`, { headers: { cookie } })).status;
  expect(await readStatus(), path).toBe(200);
  await after();
  await expect.poll(readStatus, { timeout: 1000, intervals: [50] }).toBe(status);
};

/** @param enterMs for how long a truck must be missing on the roster until that is flagged */
const setThreshold = (server: Server, enterMs: number): Promise<unknown> =>
  send(server, 'PATCH', '/api/settings', { flags: { notOnRoster: { enterMs, leaveMs: 360_000 } } });

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
let provider: CountingProvider;
let servers: Server[] = [];

test.beforeAll(async ({}, testInfo) => {
  const [port] = (await findFreePorts(1)) as [number];
  redis = await startRedis(port);
  provider = await startCountingProvider(VIN, { rosterVin: ROSTER_VIN });
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

test('three servers share six fleets', async ({ page }) => {
  test.setTimeout(180_000);
  await setThreshold(servers[0]!, 82_800_000);
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

  await test.step('each server shows all of them, with fleets, lag and version', async () => {
    const toPort = (name: string | undefined): string => name?.split(':').at(-1) ?? '';
    const ports = servers.map(({ url }) => new URL(url).port).sort();
    const { app, build } = (await read<ServerStatus>(servers[0]!, '/api/status')).versions;
    await addSession(page.context(), servers[0]!.url, readSharedPostgres().managerCookie);
    for (const server of servers) {
      const { port } = new URL(server.url);
      const readReady = () => read<{ servers: PublicServer[] }>(server, '/api/health/ready');
      // Each server reports itself once in some seconds, at first before it has an answer.
      await expect
        .poll(async () => (await readReady()).servers.map(({ lagMs }) => typeof lagMs))
        .toEqual(servers.map(() => 'number'));
      const ready = await readReady();
      expect(ready.servers.map(({ isThis }) => isThis).sort()).toEqual([false, false, true]);
      expect(ready.servers.reduce((sum, { fleets }) => sum + fleets, 0)).toBe(FLEETS.length);
      for (const each of ready.servers) expect(each).toMatchObject({ isSameVersion: true });

      const { sharing } = await read<ServerStatus>(server, '/api/status');
      expect(sharing!.servers.flatMap(({ usdots }) => usdots).sort()).toEqual(FLEETS);
      expect(sharing!.servers.map(({ report }) => toPort(report?.name)).sort()).toEqual(ports);
      expect(toPort(sharing!.servers.find(({ isThis }) => isThis)?.report?.name)).toBe(port);
      for (const { report } of sharing!.servers)
        expect(report).toMatchObject({ app, build, lagMs: expect.any(Number) });

      await page.goto(`${server.url}/status`);
      const rows = page.getByRole('table', { name: 'Servers' }).getByRole('row');
      await expect(rows).toHaveCount(1 + servers.length);
      await expect(rows.filter({ hasText: 'This server' })).toContainText(`:${port}`);
    }
  });

  await test.step('a threshold that changes on one server counts for the fleets of all', async () => {
    const readFlagged = async () => {
      const shown = await Promise.all(FLEETS.map((usdot) => readFleet(servers[1]!, usdot)));
      return shown.map(({ flags }) => flags?.includes('notOnRoster'));
    };
    expect(await readFlagged()).toEqual(FLEETS.map(() => false));
    await setThreshold(servers[0]!, 0);
    // A second for the message, and the poll after it.
    await expect
      .poll(readFlagged, { timeout: 1000 + 2 * INTERVAL_MS, intervals: [100] })
      .toEqual(FLEETS.map(() => true));
  });

  await test.step('what is taken away on one server is refused by another within a second', async () => {
    const [first, second] = servers as [Server, Server];
    const cookie = (await signIn(first.url, MANAGER.email, MANAGER.password))!;
    const signOut = async () =>
      expect((await sendAsPage(first.url, '/api/auth/sign-out', {}, cookie)).ok).toBe(true);
    await expectRefused(second, '/api/account', cookie, { after: signOut, status: 401 });

    const user = { email: 'dispatcher@linehaul.test', role: 'dispatcher', tags: null };
    const { link } = await send<{ link: string }>(first, 'POST', '/api/invitations', {
      ...user,
      usdots: FLEETS,
      days: 1,
    });
    const token = new URL(link, first.url).hash.slice(1);
    await sendAsPage(first.url, '/api/join', { token, name: 'Dispatcher', password: PASSWORD });
    const { users } = await read<{ users: User[] }>(first, '/api/users');
    const { id } = users.find(({ email }) => email === user.email)!;
    const own = (await signIn(first.url, user.email, PASSWORD))!;
    const narrow = () => send(first, 'PATCH', `/api/users/${id}`, { usdots: [FLEETS[0]] });
    await expectRefused(second, `/api/fleets/${FLEETS[1]}/live`, own, { after: narrow, status: 404 });
    const disable = () => send(first, 'PATCH', `/api/users/${id}`, { isDisabled: true });
    await expectRefused(second, `/api/fleets/${FLEETS[0]}/live`, own, { after: disable, status: 401 });

    const made = await send<z.infer<typeof madeWallScreenSchema>>(first, 'POST', '/api/screens', {
      name: 'Wall',
      usdots: null,
    });
    const opened = await sendAsPage(first.url, '/api/screen', { token: made.token });
    const screen = opened.headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const takeAway = () => send(first, 'DELETE', `/api/screens/${made.screen.id}`);
    await expectRefused(second, `/api/fleets/${FLEETS[0]}/live`, screen, { after: takeAway, status: 401 });
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

  await test.step('without Redis the owner of a fleet goes on, and the other shows what it has, with its age; with it again, all is live within 10 s', async () => {
    const { sharing } = await read<ServerStatus>(servers[0]!, '/api/status');
    const isOwner = sharing!.servers.find(({ isThis }) => isThis)!.usdots.includes(FLEETS[0]!);
    await page.goto(`${servers[isOwner ? 1 : 0]!.url}/fleets/${FLEETS[0]}`);
    await expectLive(page);
    await redis.stop();
    for (const server of servers)
      for (const usdot of FLEETS) expect((await readFleet(server, usdot)).flags).not.toBeNull();
    const readAgeS = async () => Number(/(\d+) s ago/.exec((await pill(page).textContent()) ?? '')?.[1]);
    // Longer than a lease of 4 s: PostgreSQL has it too.
    await expect.poll(readAgeS, { timeout: 30_000 }).toBeGreaterThan(8);
    const before = provider.counts.get(FLEETS[0]!)!;
    await expect.poll(() => provider.counts.get(FLEETS[0]!)).toBeGreaterThan(before + 2);
    await redis.start();
    await untilLive(servers, Date.now(), 10_000);
    await expect.poll(readAgeS).toBeLessThan(5);
    expect(provider.mostInFlight()).toBe(1);
  });

  await test.step('a server that stops hands its fleets over before its leases would have ended', async () => {
    const [stopped, left] = servers as [Server, Server];
    await stopProgram(stopped.program);
    servers = [left];
    // The killed one is listed for ten minutes, as silent.
    const readShares = async () =>
      (await read<{ servers: PublicServer[] }>(left, '/api/health/ready')).servers
        .filter(({ silentMs }) => silentMs < 10_000)
        .map(({ fleets }) => fleets);
    await expect.poll(readShares, { timeout: 3000, intervals: [100] }).toEqual([FLEETS.length]);
    await untilLive([left], Date.now(), 10_000);
    expect(provider.mostInFlight()).toBe(1);
  });

  for (const { log } of servers) expect(readFileSync(log, 'utf8')).not.toContain('planted-');
});
