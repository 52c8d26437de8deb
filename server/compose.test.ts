import { afterEach, describe, expect, it } from 'vitest';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import { createTestSignIn } from '@/testing/auth/sign-in';
import { systemClock } from '@/lib/base/clock';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { serverStatusSchema } from '@/lib/status/schema';
import { clockOf } from '@/testing/clock';
import { composeRuntime } from './compose';
import type { Runtime } from '@/server/runtime';
import { readVersions } from '@/lib/base/versions';
import type { DatabaseState } from '@/lib/database/database-health';
import { parseEnv } from '@/lib/config/env';
import { FeedJournal } from '@/lib/feeds/worker/health';
import { readHealth } from '@/lib/ops/health';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { createPollLog } from '@/lib/feeds/feed/feed-problem';
import { createMetrics } from '@/lib/ops/metrics/metrics';
import { readServerStatus } from '@/lib/status/server/server-status';
import { NO_SOURCES } from '@/testing/app/no-sources';

/** A viewer of every fleet. */
const EVERYTHING = { usdots: null };
const VIN = '1M8GDM9AXKP042788';
const UNIT = { vin: VIN, coordinates: { lat: 35, lng: -101 }, unixTimestamp: 1_772_366_370 };

const composed: Runtime[] = [];
afterEach(async () => {
  for (const runtime of composed.splice(0)) await runtime.close();
});

const versions = readVersions();

const PATHS: Record<string, unknown> = {
  '/api/carrier': { companyName: 'Prairie Star', companyId: 'ps', usdot: '9000001' },
  '/api/vin-numbers/9000001': [VIN],
  '/api/units/9000001': { units: [UNIT, null] },
  [`/api/units/9000001/${VIN}`]: UNIT,
  [`/api/carrier/${VIN}`]: { mcNumber: 'MC-990001', usDotNumber: '9000001' },
};

const notFound = (code: string) => Response.json({ code }, { status: 404 });

const setUp = (
  answer: (path: string) => unknown = (path) => PATHS[path] ?? notFound('unknown_vin'),
  variables: Record<string, string> = {},
  hasExtensions = false,
) => {
  /** `steppedMs`: the step of the wall clock. */
  const clock = { nowMs: 1_772_366_400_000, steppedMs: 0 };
  const asked: string[] = [];
  const now = () => clock.nowMs;
  const client = createTrackingClient({
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const answered = answer(pathname);
      return answered instanceof Response ? answered : Response.json(answered);
    },
    baseUrl: 'http://provider.example',
    credentials: { apiKey: 'key', providerToken: 'token' },
    clock: clockOf(now),
    limits: DEFAULT_ANSWER_LIMITS,
  });
  const lines: string[] = [];
  const log = createLog(createSecretRedactor(), 'debug', { write: (line) => void lines.push(line) });
  const metrics = createMetrics(versions);
  const database: DatabaseState = { state: 'ok', sinceMs: 0, code: null };
  const accountsDatabase = { isAway: false };
  const journal = new FeedJournal(32);
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: { ...systemClock, nowMs: now },
    pollIntervalMs: 10_000,
    onPolled: (report) => journal.notePoll(report, null),
    onProblem: createPollLog(log),
  });
  const runtime = composeRuntime({
    secret: 'a secret of a test, long enough to sign with',
    env: parseEnv(variables),
    sources: NO_SOURCES,
    versions,
    serviceWorker: null,
    log,
    journal,
    history: null,
    messages: null,
    readServers: () => null,
    readRouting: () => null,
    heldMails: new Map(),
    metrics,
    upstream: {
      accounts: [{ usdot: null, client, hasExtensions }],
      start: async () => {},
      forward: async () => new Response(),
      stored: null,
      names: null,
      serve: async () => new Response(),
      openAdmin: () => Promise.reject(new Error('There is no service here.')),
      holdsOnlyDemo: async () => true,
      readDatabase: () => database,
      readDatabaseVersion: () => null,
      close: async () => {},
    },
    signIn: {
      ...createTestSignIn(null).app,
      database: {
        open: async () => {
          if (accountsDatabase.isAway) throw new Error('It is away.');
          return { pool: { query: () => undefined } } as never;
        },
      },
    },
    feeds,
    startedAtMs: clock.nowMs,
    clock: { ...clockOf(now), monotonicMs: () => clock.nowMs - clock.steppedMs },
  });
  composed.push(runtime);
  return { asked, clock, lines, runtime, feeds, database, accountsDatabase };
};

describe('composeRuntime', () => {
  it('the demo is not ready before its fleet has answered, so that the first page has a complete map', async () => {
    const { asked, runtime } = setUp();
    await runtime.start();
    expect(asked).toContain('/api/units/9000001');
    expect(runtime.readNotReady()).toEqual([]);
  });

  it('shares one roster request among concurrent pages, and repeats it after some minutes', async () => {
    const { asked, clock, runtime } = setUp();
    const [roster] = await Promise.all([runtime.readRoster('9000001'), runtime.readRoster('9000001')]);
    expect(roster).toEqual({ usdot: '9000001', vins: [VIN], fetchedAtMs: clock.nowMs });
    clock.nowMs += 2 * 60_000;
    await runtime.readRoster('9000001');
    expect(asked).toHaveLength(1);
    clock.nowMs += 2 * 60_000;
    await runtime.readRoster('9000001');
    expect(asked).toHaveLength(2);
  });

  it('caches the carrier of a VIN, with the time of the request', async () => {
    const { asked, clock, runtime } = setUp();
    const first = await runtime.readVinCarrier('9000001', VIN);
    expect(first).toEqual({ vin: VIN, mcNumber: 'MC-990001', usdot: '9000001', requestedAtMs: clock.nowMs });
    clock.nowMs += 60_000;
    expect(await runtime.readVinCarrier('9000001', VIN)).toEqual(first);
    expect(asked).toHaveLength(1);
  });

  it('issues documents with the MC number that the provider has for a truck of the fleet, whatever becomes of the request', async () => {
    const { runtime, feeds, clock } = setUp();
    const issuer = { carrier: 'Prairie Star', usdot: '9000001', mc: 'MC-990001', installation: '' };
    expect(await runtime.proof.readIssuer('9000001', VIN)).toMatchObject(issuer);
    const [other, unknown] = ['11111111111111113', '11111111111111112'];
    const carrier = { vin: other, mcNumber: 'MC-7', usdot: '9000002', requestedAtMs: clock.nowMs };
    feeds.learnCarrier('9000001', carrier);
    expect((await runtime.proof.readIssuer('9000001', other)).mc).toBeNull();
    expect((await runtime.proof.readIssuer('9000001', unknown)).mc).toBeNull();
    expect((await runtime.proof.readIssuer('9000001', null)).mc).toBeNull();
  });

  it('requests no carrier that a feed has looked up, and passes its own answers to the feeds', async () => {
    const { asked, clock, runtime, feeds } = setUp();
    const carrier = { vin: VIN, mcNumber: null, usdot: '9000002', requestedAtMs: clock.nowMs - 3_600_000 };
    feeds.learnCarrier('9000001', carrier);
    expect(await runtime.readVinCarrier('9000001', VIN)).toEqual(carrier);
    expect(asked).toEqual([]);
    clock.nowMs += 24 * 3_600_000;
    const again = await runtime.readVinCarrier('9000001', VIN);
    expect(again).toMatchObject({ usdot: '9000001', requestedAtMs: clock.nowMs });
    expect(await feeds.knownCarrier('9000001', VIN)).toEqual(again);
  });

  it('accepts a VIN that the provider does not know as an answer', async () => {
    const { clock, runtime } = setUp();
    const vin = '11111111111111112';
    const requestedAtMs = clock.nowMs;
    expect(await runtime.readVinCarrier('9000001', vin)).toEqual({
      vin,
      mcNumber: null,
      usdot: null,
      requestedAtMs,
    });
    expect(await runtime.readUnit('9000001', vin)).toEqual({ outcome: 'unknown', requestedAtMs, unit: null });
  });

  it('distinguishes a VIN that has never reported from an unknown one', async () => {
    const { runtime } = setUp(() => notFound('never_reported'));
    expect((await runtime.readUnit('9000001', VIN)).outcome).toBe('neverReported');
  });

  it('requests one unit from the provider, and soon again', async () => {
    const { asked, clock, runtime } = setUp();
    const answer = await runtime.readUnit('9000001', VIN);
    expect(answer).toMatchObject({
      outcome: 'unit',
      unit: { identity: { vin: VIN }, position: { lat: 35, lng: -101 } },
    });
    clock.nowMs += 5000;
    await runtime.readUnit('9000001', VIN);
    expect(asked).toHaveLength(2);
  });

  it('adds what the device reported where the service is our own, and does without it where that fails', async () => {
    const reported = {
      timestamp: '2026-03-01T12:00:00.000Z',
      speedKph: 90,
      headingDeg: null,
      batteryPercent: 87,
      isIgnitionOn: true,
      odometerM: 612_345_000,
      alarm: null,
      reportsWithoutPosition: 2,
      heardWithoutPositionAt: null,
    };
    const paths: Record<string, unknown> = { ...PATHS, [`/extensions/units/9000001/${VIN}`]: reported };
    const own = setUp((path) => paths[path] ?? notFound('unknown_vin'), {}, true);
    expect((await own.runtime.readUnit('9000001', VIN)).reported).toEqual({
      fixAtMs: Date.UTC(2026, 2, 1, 12),
      speedKph: 90,
      headingDeg: null,
      batteryPercent: 87,
      isIgnitionOn: true,
      odometerM: 612_345_000,
      alarm: null,
      noPositionCount: 2,
      noPositionAtMs: null,
    });
    const failing = setUp((path) => PATHS[path] ?? new Response(null, { status: 500 }), {}, true);
    const answer = await failing.runtime.readUnit('9000001', VIN);
    expect([answer.outcome, answer.reported]).toEqual(['unit', undefined]);
  });

  it('forwards every other failure, and does not cache it', async () => {
    let isDown = true;
    const { runtime } = setUp((path) => (isDown ? new Response(null, { status: 500 }) : PATHS[path]));
    await expect(runtime.readAccount()).rejects.toHaveProperty('status', 500);
    await expect(runtime.readUnit('9000001', VIN)).rejects.toHaveProperty('status', 500);
    await expect(runtime.readVinCarrier('9000001', VIN)).rejects.toHaveProperty('status', 500);
    expect(await runtime.proof.readVinCarrier('9000001', VIN)).toBeNull();
    expect(await runtime.proof.readIssuer('9000001', VIN)).toMatchObject({
      carrier: 'USDOT 9000001',
      mc: null,
    });
    isDown = false;
    expect((await runtime.readAccount()).usdot).toBe('9000001');
  });

  it('limits the provider requests of pages, however many VINs they make up', async () => {
    const { asked, clock, runtime, feeds } = setUp(undefined, {
      LINEHAUL_TEST_TRACKING_PAGE_CALLS_PER_S: '1',
    });
    const vins = Array.from({ length: 50 }, (_, i) => `1FUJGLDR0NLM${10_000 + i}`);
    const settled = await Promise.allSettled(vins.map((vin) => runtime.readVinCarrier('9000001', vin)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(asked).toHaveLength(10);
    const refused = { code: 'too-many-calls', retryAfterS: 1 };
    await expect(runtime.readUnit('9000001', VIN)).rejects.toMatchObject(refused);
    await expect(runtime.readRoster('9000001')).rejects.toMatchObject(refused);
    await expect(runtime.readAccount()).rejects.toMatchObject(refused);
    // Cached answers do not count, and the feeds continue.
    expect(await runtime.readVinCarrier('9000001', vins[0]!)).toMatchObject({ usdot: null });
    const { status } = await feeds.feed('9000001').answer(null, 'identity');
    expect(status).toBe(200);
    clock.nowMs += 1000;
    expect((await runtime.readVinCarrier('9000001', VIN)).usdot).toBe('9000001');
  });

  it('polls at most the allowed number of fleets at once, until one has no viewer', async () => {
    const { clock, runtime } = setUp();
    const numbers = Array.from({ length: 33 }, (_, index) => String(index + 1));
    const feed = (usdot: string) => () => runtime.fleets.feed(usdot, { ...DEMO_VIEWER, usdots: numbers });
    for (const usdot of numbers.slice(0, 32)) feed(usdot)();
    expect(feed('33')).toThrow('Got USDOT 33 when 32 fleets are watched already.');
    expect(feed('7')).not.toThrow();
    clock.nowMs += 91_000;
    expect(feed('33')).not.toThrow();
    expect(runtime.fleets.list().map(({ usdot }) => usdot)).toEqual(['33']);
  });
});

describe('readHealth', () => {
  it("reports the age of each fleet's copy, and none of its content", async () => {
    const { clock, runtime } = setUp();
    expect(readHealth(runtime)).toMatchObject({ status: 'ok', source: 'demo', feeds: [] });
    await runtime.fleets.feed('9000001', DEMO_VIEWER).answer(null, 'identity');
    clock.nowMs += 3000;
    const health = readHealth(runtime);
    expect(health).toMatchObject({
      status: 'ok',
      uptimeMs: 3000,
      feeds: [{ ageMs: 3000, staleMs: null, problem: null }],
    });
    for (const name of ['9000001', VIN, 'Prairie']) expect(JSON.stringify(health)).not.toContain(name);
  });

  it('reports the uptime, also after the clock was set', () => {
    const { clock, runtime } = setUp();
    clock.nowMs += 5000;
    for (const stepMs of [3_600_000, -7_200_000]) {
      clock.nowMs += stepMs;
      clock.steppedMs += stepMs;
      expect(readHealth(runtime).uptimeMs).toBe(5000);
      expect(readServerStatus(runtime, EVERYTHING).startedAtMs).toBe(clock.nowMs - 5000);
    }
  });

  it('is degraded, and the log has the reason, while a fleet fails', async () => {
    const { lines, runtime } = setUp(() => new Response(null, { status: 401 }));
    await runtime.fleets.feed('9000001', DEMO_VIEWER).answer(null, 'identity');
    expect(readHealth(runtime)).toMatchObject({
      status: 'degraded',
      live: true,
      feeds: [{ ageMs: null, problem: 'auth' }],
    });
    expect(lines.join('')).toContain('A poll failed.');
  });

  it('is ready once it has started, whatever the provider does, and not while it stops', async () => {
    const { runtime } = setUp(() => new Response(null, { status: 500 }));
    expect(readHealth(runtime)).toMatchObject({ live: true, ready: false, notReady: ['starting'] });
    await runtime.start();
    await runtime.fleets.feed('9000001', DEMO_VIEWER).answer(null, 'identity');
    expect(readHealth(runtime)).toMatchObject({ ready: true, notReady: [], status: 'degraded' });
    await runtime.close();
    expect(readHealth(runtime)).toMatchObject({ live: true, ready: false, notReady: ['stopping'] });
  });

  it('is not ready while the embedded service has no database', async () => {
    const { runtime, database } = setUp();
    await runtime.start();
    database.state = 'away';
    expect(readHealth(runtime)).toMatchObject({ live: true, ready: false, notReady: ['noDatabase'] });
  });
});

it('an archive that cannot be written is a problem of the health, and of the status page of all viewers', async () => {
  const { runtime } = setUp();
  await runtime.start();
  const text = 'Archive: cannot be written now: ENOSPC: no space left on device.';
  const archive = { readProblems: () => [{ text, usdot: null }] };
  const history = { archive, recorder: { readSize: () => null } } as unknown as Runtime['history'];
  const expected = { ready: true, status: 'degraded', archiveProblems: 1 };
  expect(readHealth({ ...runtime, history })).toMatchObject(expected);
  const status = readServerStatus({ ...runtime, history }, { usdots: [] });
  expect(serverStatusSchema.parse(status).archiveProblems).toEqual([text]);
});

describe('an accounts database that is away', () => {
  const LATER_MS = 6000;

  it('is reported, and turns no viewer away from a server that knows its users', async () => {
    const { runtime, clock, accountsDatabase } = setUp();
    await runtime.start();
    expect(readHealth(runtime)).toMatchObject({ status: 'ok', accountsDatabase: { state: 'ok' } });
    accountsDatabase.isAway = true;
    clock.nowMs += LATER_MS;
    const expected = { ready: true, notReady: [], status: 'degraded', accountsDatabase: { state: 'away' } };
    await expect.poll(() => readHealth(runtime)).toMatchObject(expected);
    const status = serverStatusSchema.parse(readServerStatus(runtime, EVERYTHING));
    expect(status.accountsDatabase).toMatchObject({ state: 'away', sinceMs: clock.nowMs });
    accountsDatabase.isAway = false;
    clock.nowMs += LATER_MS;
    await expect.poll(() => readHealth(runtime)).toMatchObject({ status: 'ok' });
  });

  it('makes a server unready that has never reached it, until it is there', async () => {
    const { runtime, clock, accountsDatabase } = setUp();
    accountsDatabase.isAway = true;
    await runtime.start();
    expect(readHealth(runtime)).toMatchObject({ live: true, ready: false, notReady: ['noAccounts'] });
    accountsDatabase.isAway = false;
    clock.nowMs += LATER_MS;
    await expect.poll(() => readHealth(runtime)).toMatchObject({ ready: true, status: 'ok' });
  });
});

describe('readServerStatus', () => {
  it("reports a fleet's ages, what was left out of its answer, and its viewers", async () => {
    const { clock, runtime } = setUp();
    await runtime.start();
    const feed = runtime.fleets.feed('9000001', DEMO_VIEWER);
    runtime.viewers.record('9000001', new Headers({ 'x-linehaul-screen': 'a' }));
    runtime.viewers.record('9000001', new Headers({ 'x-linehaul-screen': 'b' }));
    await feed.answer(null, 'identity');
    const own = { usdot: null, problem: null };
    expect(readServerStatus(runtime, EVERYTHING).accounts).toEqual([{ ...own, account: null }]);
    await expect
      .poll(() => readServerStatus(runtime, EVERYTHING).accounts)
      .toMatchObject([{ ...own, account: { companyName: 'Prairie Star' } }]);
    const status = serverStatusSchema.parse(readServerStatus(runtime, EVERYTHING));
    expect(status.feeds).toMatchObject([
      {
        usdot: '9000001',
        isWatched: true,
        fetchedAtMs: clock.nowMs,
        newestFixAtMs: UNIT.unixTimestamp * 1000,
        activeUnits: 1,
        viewers: 2,
        salvage: { dropped: 1, examples: [expect.stringContaining('left out')] },
        problems: [],
      },
    ]);
    expect(status.versions).toMatchObject({ app: expect.stringMatching(/^\d+\.\d+\.\d+/) as string });
    expect(status.memory.residentBytes).toBeGreaterThan(1e6);
  });

  it('keeps the last problems of a fleet, also without viewers', async () => {
    const { clock, runtime } = setUp(() => new Response(null, { status: 503 }));
    await runtime.fleets.feed('9000001', DEMO_VIEWER).answer(null, 'identity');
    clock.nowMs += 91_000;
    const [feed] = serverStatusSchema.parse(readServerStatus(runtime, EVERYTHING)).feeds;
    expect(feed).toMatchObject({ usdot: '9000001', isWatched: false, fetchedAtMs: null, viewers: 0 });
    expect(feed!.problems).toMatchObject([{ kind: 'status', untilMs: null }]);
  });
});
