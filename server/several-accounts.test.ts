import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import { createTestSignIn } from '@/testing/auth/sign-in';
import { PolledFeeds, requireAccount } from '@/lib/feeds/feeds';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { FAULT_NAMES, type Behavior } from '@/testing/tracking/faults';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { systemClock } from '@/lib/base/clock';
import { composeRuntime } from './compose';
import type { Runtime } from '@/server/runtime';
import { readVersions } from '@/lib/base/versions';
import { parseEnv, toPollIntervalMs } from '@/lib/config/env';
import { FeedJournal } from '@/lib/feeds/worker/health';
import { hasOtherFleets, readFleetList } from '@/lib/fleets/server/fleet-list';
import { readHealth } from '@/lib/ops/health';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { createPollLog } from '@/lib/feeds/feed/feed-problem';
import { createMetrics } from '@/lib/ops/metrics/metrics';
import { toProblem } from '@/lib/access/respond';
import { readServerStatus } from '@/lib/status/server/server-status';
import { createUpstream } from './service/upstream';
import { NO_SOURCES } from '@/testing/app/no-sources';

const FIRST = '9100001';
const SECOND = '9100002';
/** A viewer of every fleet. */
const EVERYTHING = { usdots: null };
const SECRETS = [
  { apiKey: 'planted-key-one-5d21', providerToken: 'planted-token-one-77ab' },
  { apiKey: 'planted-key-two-90fe', providerToken: 'planted-token-two-c3d8' },
] as const;
const FIRST_UNITS = createScriptedUnits(3, 20_000);
const SECOND_UNITS = createScriptedUnits(2, 30_000);
const FIRST_VIN = FIRST_UNITS[0]!.vin;
const SECOND_VIN = SECOND_UNITS[0]!.vin;

let providers: [FaultyProvider, FaultyProvider];
beforeAll(async () => {
  providers = [
    await startFaultyProvider({
      account: { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: FIRST },
      credentials: SECRETS[0],
    }),
    await startFaultyProvider({
      account: { companyName: 'Cedar Ridge Haulers', companyId: 'CRH-1', usdot: SECOND },
      credentials: SECRETS[1],
    }),
  ];
  providers[0].give(FIRST, FIRST_UNITS);
  providers[1].give(SECOND, SECOND_UNITS);
});
afterAll(() => Promise.all(providers.map(({ close }) => close())));

const running: Runtime[] = [];
afterEach(async () => {
  for (const runtime of running.splice(0)) await runtime.close();
  misbehave('good');
});

/** How both providers answer everything from now on. */
const misbehave = (behavior: Behavior): void => {
  for (const provider of providers) {
    provider.behaveForAccount(behavior);
    for (const subject of [FIRST, SECOND, FIRST_VIN, SECOND_VIN]) provider.behave(subject, behavior);
  }
};

/** Time limits for tests with a provider that never answers. */
const IMPATIENT = { TRACKING_TIMEOUT_MS: '200' };

const versions = readVersions();

const setUp = (variables: Record<string, string> = {}) => {
  const [one, two] = providers;
  const env = parseEnv({
    ...one.variables,
    TRACKING_USDOT: FIRST,
    TRACKING_2_BASE_URL: two.baseUrl,
    TRACKING_2_API_KEY: SECRETS[1].apiKey,
    TRACKING_2_PROVIDER_TOKEN: SECRETS[1].providerToken,
    TRACKING_2_USDOT: SECOND,
    ...variables,
    LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB: '1',
  });
  const lines: string[] = [];
  const keeper = createSecretRedactor();
  // The log's redaction is the last resort and must not be needed: here it is off.
  const log = createLog(createSecretRedactor(), 'debug', { write: (line) => void lines.push(line) });
  const upstream = createUpstream({
    fetch,
    env,
    reloadSource: NO_SOURCES.reload,
    clock: systemClock,
    log,
    redactor: keeper,
  });
  const journal = new FeedJournal(8);
  const metrics = createMetrics(versions);
  const feeds = new PolledFeeds({
    clientOf: (usdot) => requireAccount(upstream.accounts, usdot).client,
    clock: systemClock,
    pollIntervalMs: toPollIntervalMs(env),
    settings: { carrierPauseMs: null },
    onPolled: (report) => journal.notePoll(report, null),
    onProblem: createPollLog(log),
  });
  const database = { open: async () => ({ pool: { query: () => undefined } }) as never };
  const signIn = { ...createTestSignIn(null).app, database };
  const runtime = composeRuntime({
    secret: 'a secret of a test, long enough to sign with',
    env,
    sources: NO_SOURCES,
    versions,
    serviceWorker: null,
    log,
    upstream,
    signIn,
    feeds,
    journal,
    history: null,
    messages: null,
    readServers: () => null,
    readRouting: () => null,
    heldMails: new Map(),
    metrics,
    startedAtMs: 0,
  });
  running.push(runtime);
  for (const { received: asked } of providers) asked.length = 0;
  return { runtime, metrics, lines };
};

const problemOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => toProblem(error),
  );

const readLive = async (runtime: Runtime, usdot: string) =>
  fromLiveBytes((await runtime.fleets.feed(usdot, DEMO_VIEWER).answer(null, 'identity')).body!);

const subjectsOf = ({ received: asked }: FaultyProvider): string[] => [
  ...new Set(asked.map(({ resource, subject }) => `${resource}/${subject}`)),
];

describe('a server with several accounts', () => {
  it('reads each fleet, its roster, its units and the carriers of its VINs with its own account only', async () => {
    const { runtime } = setUp();
    // The account comes after the units, which do not wait for it.
    await expect
      .poll(() => readLive(runtime, FIRST))
      .toMatchObject({ rows: 3, account: { companyName: 'Mesa Verde Lines' } });
    await expect
      .poll(() => readLive(runtime, SECOND))
      .toMatchObject({ rows: 2, account: { companyName: 'Cedar Ridge Haulers' } });
    expect((await runtime.readRoster(SECOND)).vins).toEqual(SECOND_UNITS.map(({ vin }) => vin));
    expect(await runtime.readUnit(SECOND, SECOND_VIN)).toMatchObject({ outcome: 'unit' });
    expect(await runtime.readVinCarrier(SECOND, SECOND_VIN)).toMatchObject({ usdot: SECOND });
    expect(await runtime.readVinCarrier(FIRST, FIRST_VIN)).toMatchObject({ usdot: FIRST });
    const [one, two] = providers;
    expect(subjectsOf(one)).toEqual([
      `units/${FIRST}`,
      `vin-numbers/${FIRST}`,
      'carrier/',
      `carrier/${FIRST_VIN}`,
    ]);
    expect(subjectsOf(two)).toEqual([
      `units/${SECOND}`,
      `vin-numbers/${SECOND}`,
      'carrier/',
      `carrier/${SECOND_VIN}`,
    ]);
    for (const [index, { received: asked }] of providers.entries()) {
      expect(new Set(asked.map(({ headers }) => headers['x-api-key']))).toEqual(
        new Set([SECRETS[index]!.apiKey]),
      );
    }
  });

  it("does not use one provider's answer about a VIN for that of another", async () => {
    const { runtime } = setUp();
    expect(await runtime.readVinCarrier(FIRST, SECOND_VIN)).toMatchObject({ usdot: FIRST });
    expect(await runtime.readVinCarrier(SECOND, SECOND_VIN)).toMatchObject({ usdot: SECOND });
  });

  it('has no other fleet, and sends no provider a request for one', async () => {
    const { runtime } = setUp();
    const other = '9100003';
    const asks = [
      async () => runtime.fleets.feed(other, DEMO_VIEWER),
      () => runtime.readRoster(other),
      () => runtime.readUnit(other, FIRST_VIN),
      () => runtime.readVinCarrier(other, FIRST_VIN),
    ];
    for (const ask of asks)
      expect(await problemOf(ask())).toMatchObject({ status: 404, code: 'unknown-fleet' });
    expect([FIRST, SECOND, other].map(runtime.hasFleet)).toEqual([true, true, false]);
    expect(runtime.fleets.list()).toEqual([]);
    expect(providers.flatMap(subjectsOf)).toEqual([]);
  });

  it('shows one fleet while the account of another is refused, and reports which it is', async () => {
    const { runtime, metrics, lines } = setUp();
    providers[1].behaveForAccount('unauthorized');
    providers[1].behave(SECOND, 'unauthorized');
    await runtime.start();
    const fleets = () => readFleetList(runtime, EVERYTHING).fleets;
    const refused = "The tracking API refuses this server's credentials.";
    await expect.poll(fleets).toEqual([
      { usdot: FIRST, account: expect.objectContaining({ companyName: 'Mesa Verde Lines' }), problem: null },
      { usdot: SECOND, account: null, problem: refused },
    ]);
    expect(await readLive(runtime, FIRST)).toMatchObject({ rows: 3, feed: { problem: null } });
    expect((await readLive(runtime, SECOND)).feed.problem).toMatchObject({ kind: 'auth' });
    expect(readHealth(runtime)).toMatchObject({
      ready: true,
      status: 'degraded',
      accounts: [{ problem: null }, { problem: 'provider-credentials' }],
    });
    expect(readServerStatus(runtime, EVERYTHING).accounts).toMatchObject([
      { usdot: FIRST, problem: null },
      { usdot: SECOND, account: null, problem: refused },
    ]);
    const { text } = await metrics.render(runtime);
    expect(text).toContain(`linehaul_account_readable{account="1",usdot="${FIRST}"} 1\n`);
    expect(text).toContain(`linehaul_account_readable{account="2",usdot="${SECOND}"} 0\n`);
    expect(lines.filter((line) => line.includes('account of a provider'))).toHaveLength(1);
  });

  it("lists only the fleets in a viewer's scope", async () => {
    const { runtime } = setUp();
    const listTo = (usdots: string[]) => readFleetList(runtime, { usdots }).fleets.map(({ usdot }) => usdot);
    expect(listTo([SECOND])).toEqual([SECOND]);
    expect(listTo([SECOND, FIRST])).toEqual([FIRST, SECOND]);
    expect(listTo(['9100003'])).toEqual([]);
    expect(listTo([])).toEqual([]);
    const { env } = runtime;
    expect(hasOtherFleets(env, EVERYTHING)).toBe(true);
    expect(hasOtherFleets(env, { usdots: [SECOND, '9100003'] })).toBe(false);
    // With one account, a viewer limited to fleets can choose each of them.
    expect(hasOtherFleets({ providers: [] }, { usdots: [FIRST, SECOND] })).toBe(true);
    expect(hasOtherFleets({ providers: [] }, EVERYTHING)).toBe(false);
  });

  it('reports to a manager of some fleets the state of those, and nothing of others', async () => {
    const { runtime } = setUp();
    await Promise.all([readLive(runtime, FIRST), readLive(runtime, SECOND)]);
    await expect
      .poll(() => readServerStatus(runtime, EVERYTHING).accounts.map(({ account }) => account))
      .not.toContain(null);
    const status = readServerStatus(runtime, { usdots: [SECOND] });
    expect(status.feeds.map(({ usdot }) => usdot)).toEqual([SECOND]);
    expect(status.accounts.map(({ account }) => account?.usdot)).toEqual([SECOND]);
    expect(JSON.stringify(status)).not.toContain(FIRST);
    expect(JSON.stringify(status)).not.toContain('Mesa Verde Lines');
    expect(readServerStatus(runtime, { usdots: [] })).toMatchObject({ feeds: [], accounts: [] });
  });

  it('names no fleet after another carrier whose key it is read with', async () => {
    const other = { companyName: 'Cedar Ridge Haulers', companyId: 'CRH-1', usdot: SECOND };
    const [one, two] = providers;
    const swapped = await startFaultyProvider({ account: other, credentials: SECRETS[0] });
    try {
      providers = [swapped, two];
      const { runtime } = setUp();
      const named = async (usdots: string[] | null) => {
        const [fleet] = readFleetList(runtime, { usdots }).fleets;
        return fleet?.account ?? null;
      };
      await expect.poll(() => named(null)).toEqual(other);
      // Its own number is not the other account's number.
      expect(await named([FIRST])).toBeNull();
      expect(readServerStatus(runtime, { usdots: [FIRST] }).accounts).toMatchObject([
        { usdot: FIRST, account: null },
      ]);
      // All viewers of the fleet read the same bytes, before and after the account is read.
      await expect.poll(async () => (await readLive(runtime, FIRST)).feed.rosterVins).not.toBeNull();
      const later = await runtime.fleets.feed(FIRST, DEMO_VIEWER).answer(null, 'identity');
      expect(new TextDecoder().decode(later.body!)).not.toContain(other.companyName);
      expect(fromLiveBytes(later.body!).account).toBeNull();
    } finally {
      providers = [one, two];
      await swapped.close();
    }
  });

  it('reveals no secret of any account under any fault: not in answers, status, health, metrics or log', async () => {
    const said: string[] = [];
    const say = (what: unknown) => said.push(JSON.stringify(what) ?? '');
    for (const fault of FAULT_NAMES) {
      misbehave(fault);
      const { runtime, metrics, lines } = setUp(IMPATIENT);
      await Promise.all(
        [FIRST, SECOND].flatMap((usdot) => {
          const vin = usdot === FIRST ? FIRST_VIN : SECOND_VIN;
          const asked = [
            readLive(runtime, usdot),
            runtime.readRoster(usdot),
            runtime.readUnit(usdot, vin),
            runtime.readVinCarrier(usdot, vin),
            runtime.readAccount(),
          ];
          return asked.map((each) => each.then(say, (error: unknown) => say(toProblem(error))));
        }),
      );
      for (const answer of [
        readServerStatus(runtime, EVERYTHING),
        readHealth(runtime),
        readFleetList(runtime, EVERYTHING),
      ])
        say(answer);
      said.push((await metrics.render(runtime)).text, ...lines);
      await runtime.close();
    }
    const all = said.join('\n');
    expect(all).toContain('[hidden]');
    for (const { apiKey, providerToken } of SECRETS) {
      expect(all).not.toContain(apiKey);
      expect(all).not.toContain(providerToken);
    }
  }, 120_000);
});
