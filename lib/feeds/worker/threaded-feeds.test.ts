import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import type { Feeds } from '../feeds';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import type { FeedProblem } from '@/lib/wire/fleet';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { ThreadedFeeds } from './threaded-feeds';
import { DEFAULT_FLAG_SETTINGS, parseFlagSettings } from '@/lib/config/flags';
import type { ProviderAccount } from '@/lib/config/providers';

type Provider = Omit<ProviderAccount, 'usdot'> & { usdot?: string };

const USDOT = '9000001';
const VIN = '1M8GDM9AXKP042788';
const CREDENTIALS = { apiKey: 'planted-key', providerToken: 'planted-token' };

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const toBody = (path: string): unknown => {
  if (path === '/api/carrier') return { companyName: 'Prairie Star', companyId: 'ps', usdot: USDOT };
  if (path === `/api/vin-numbers/${USDOT}`) return [VIN];
  const unixTimestamp = Math.floor(Date.now() / 1000);
  return { units: [{ vin: VIN, coordinates: { lat: 35, lng: -101 }, unixTimestamp }] };
};

/** A provider on a port of its own, and the requests that it received. */
const serveProvider = async (
  status: number | ((path: string) => number) = 200,
  answerTo = toBody,
): Promise<{ baseUrl: string; asked: string[] }> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers['x-api-key']} ${request.url}`);
    response.writeHead(typeof status === 'number' ? status : status(request.url ?? ''), {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(answerTo(request.url ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

const setUp = (
  providers: Provider[],
  fetch = async () => new Response(),
  pollIntervalMs = 60_000,
  flagSettings = DEFAULT_FLAG_SETTINGS,
) => {
  const problems: { problem: FeedProblem; error: unknown }[] = [];
  const lost: Error[] = [];
  /** How many answers the thread made in each poll. */
  const encodedIn: number[] = [];
  const changes: (PollChanges | null)[] = [];
  const feeds: Feeds = new ThreadedFeeds({
    config: {
      providers: providers.map((provider) => ({ usdot: null, ...provider })),
      pollIntervalMs,
      isRecorded: true,
      isRouted: false,
      limits: DEFAULT_ANSWER_LIMITS,
      maxFleets: 4,
      isPublicOnly: false,
      isShared: false,
      feedSettings: {},
      carrierPauseMs: null,
      flagSettings,
    },
    fetch,
    clock: systemClock,
    onProblem: (_, problem, error) => problems.push({ problem, error }),
    onPolled: (_, { encodeMs }, polled) => {
      encodedIn.push(encodeMs.length);
      changes.push(polled);
    },
    onLost: (error) => lost.push(error),
  });
  cleanups.push(() => feeds.close());
  return { feed: feeds.feed(USDOT), feeds, problems, lost, encodedIn, changes };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const parse = (body: Uint8Array | null) => fromLiveBytes(body!);

describe('threaded feeds', () => {
  it('polls the provider from its thread, and answers as a feed does', async () => {
    const { baseUrl, asked } = await serveProvider();
    const { feed } = setUp([{ baseUrl, ...CREDENTIALS }]);
    const answer = await feed.answer(null, 'identity');
    expect(parse(answer.body)).toMatchObject({
      usdot: USDOT,
      rows: 1,
      named: { identities: [{ vin: VIN }] },
    });
    expect(asked).toContain(`planted-key /api/units/${USDOT}`);
    expect(feed.state()).toMatchObject({ activeUnits: 1, problem: null });
    expect(feed.salvage()).toMatchObject({ dropped: 0 });
    expect(await feed.detail(VIN)).toMatchObject({ identity: { vin: VIN }, status: 'unknown' });
    expect(await feed.detail('UNKNOWN')).toBeNull();
  });

  it('passes on the new fixes of a poll that no browser requested', async () => {
    const { baseUrl } = await serveProvider();
    const { feed, changes } = setUp([{ baseUrl, ...CREDENTIALS }]);
    await feed.pollOnce();
    await expect.poll(() => changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ fixes: { count: 1 } });
    expect(Buffer.from(changes[0]!.fixes!.columns[0]!).toString('latin1')).toContain(VIN);
  });

  it('keeps the refusals of a provider apart from the fleets that it polls', async () => {
    const { baseUrl, asked } = await serveProvider((path) =>
      path.endsWith(USDOT) || path.endsWith('carrier') ? 200 : 404,
    );
    const { feed, feeds } = setUp([{ baseUrl, ...CREDENTIALS }]);
    await feed.answer(null, 'identity');
    const refused = ['101', '102', '103', '104', '105', '106'];
    for (const usdot of refused) {
      const answer = () => feeds.feed(usdot).answer(null, 'identity');
      const text = 'The tracking provider does not know this fleet.';
      expect(parse((await answer()).body)).toMatchObject({ rows: 0, feed: { problem: { message: text } } });
      expect(parse((await answer()).body)).toMatchObject({ feed: { problem: { message: text } } });
    }
    for (const usdot of refused) expect(feeds.feed(usdot).refusedForMs()).toBeGreaterThan(0);
    expect(asked.filter((path) => path.includes('/api/units/10'))).toHaveLength(refused.length);
    expect(feed.refusedForMs()).toBe(0);
    expect(feed.state()).toMatchObject({ activeUnits: 1, problem: null });
  });

  it('repeats an answer from its cache, and gives 304 to a holder of the newest version', async () => {
    const { baseUrl } = await serveProvider();
    const { feed } = setUp([{ baseUrl, ...CREDENTIALS }]);
    const { version } = await feed.answer(null, 'identity');
    await expect.poll(async () => (await feed.answer(version, 'gzip')).status).toBe(304);
    const [first, second] = await Promise.all([feed.answer('old', 'gzip'), feed.answer('old', 'gzip')]);
    expect(parse(first.body)).toMatchObject({ since: null, rows: 1 });
    expect(second).toBe(first);
  });

  it('serves a new version without waiting: it is announced once the step to it is ready', async () => {
    const { baseUrl } = await serveProvider();
    const { feed } = setUp([{ baseUrl, ...CREDENTIALS }], undefined, 250);
    let { version } = await feed.answer(null, 'br');
    await expect.poll(async () => (await feed.answer(version, 'br')).status).toBe(304);
    const STEPS = 5;
    let waited = 0;
    for (let steps = 0; steps < STEPS; await nextTurn()) {
      const asked = feed.answer(version, 'br');
      const atOnce = await Promise.race([asked, nextTurn().then(() => null)]);
      if (atOnce === null) waited++;
      const answer = await asked;
      if (answer.status === 304) continue;
      expect(parse(answer.body)).toMatchObject({ since: version });
      version = answer.version;
      steps++;
    }
    // Not zero: where this process is delayed, two versions arrive without a request in between.
    expect(waited).toBeLessThan(STEPS / 2);
  });

  it('encodes no step in advance without requests, so that a fleet without viewers comes to rest', async () => {
    const { baseUrl } = await serveProvider();
    const { feed, encodedIn } = setUp([{ baseUrl, ...CREDENTIALS }], undefined, 50);
    const { version } = await feed.answer(null, 'br');
    await expect.poll(async () => (await feed.answer(version, 'br')).status).toBe(304);
    const polls = encodedIn.length;
    await expect.poll(() => encodedIn.length).toBeGreaterThan(polls + 7);
    // One more step is made for the last client; then none.
    expect(encodedIn.slice(polls + 4).every((answers) => answers === 0)).toBe(true);
  });

  /** Whether a unit has a flag after one fix without a position, and after two more with one, 10 s apart. */
  const flagAfterEach = async (FLAG_THRESHOLDS: string) => {
    const firstAt = Math.floor(Date.now() / 1000) - 60;
    let fixes = 1;
    const { baseUrl } = await serveProvider(200, (path) => {
      if (path !== `/api/units/${USDOT}`) return toBody(path);
      const coordinates = fixes === 1 ? null : { lat: 35, lng: -101 };
      return { units: [{ vin: VIN, coordinates, unixTimestamp: firstAt + fixes * 10 }] };
    });
    const { flagSettings } = parseFlagSettings({ FLAG_THRESHOLDS });
    const { feed } = setUp([{ baseUrl, ...CREDENTIALS }], undefined, 50, flagSettings);
    await feed.answer(null, 'identity');
    const isFlagged = async () => (await feed.detail(VIN))!.flags.length > 0;
    const seen = [await isFlagged()];
    for (fixes = 2; fixes <= 3; fixes++) {
      await expect.poll(async () => (await feed.detail(VIN))!.track.length).toBe(fixes - 1);
      seen.push(await isFlagged());
    }
    return seen;
  };

  it.each([
    ['by default', '', [true, true, true]],
    ['where it leaves sooner', '{"noPosition":{"leaveMs":10000}}', [true, true, false]],
    ['where it enters later', '{"noPosition":{"enterMs":1000}}', [false, false, false]],
  ])(
    'puts a flag up and takes it down by the thresholds that it was given: %s',
    async (_, thresholds, seen) => {
      expect(await flagAfterEach(thresholds)).toEqual(seen);
    },
  );

  it('applies other thresholds while it runs', async () => {
    const { baseUrl } = await serveProvider(200, (path) =>
      path.includes('/vin-numbers/') ? ['1FUJGLDR0NLM12041'] : toBody(path),
    );
    const { feed, feeds } = setUp([{ baseUrl, ...CREDENTIALS }], undefined, 50);
    await feed.answer(null, 'identity');
    expect((await feed.detail(VIN))!.flags).toEqual([]);
    feeds.setFlagSettings(
      parseFlagSettings({ FLAG_THRESHOLDS: '{"notOnRoster":{"enterMs":0}}' }).flagSettings,
    );
    await expect.poll(async () => (await feed.detail(VIN))!.flags).toMatchObject([{ flag: 'notOnRoster' }]);
  });

  it('sends its requests through the main thread where it has no provider, and holds no secret then', async () => {
    const seen: Request[] = [];
    const { feed } = setUp([], (async (request: Request) => {
      seen.push(request);
      return Response.json(toBody(new URL(request.url).pathname));
    }) as () => Promise<Response>);
    const { body } = await feed.answer(null, 'identity');
    expect(parse(body).account).toMatchObject({ usdot: USDOT });
    expect(new URL(seen[0]!.url).pathname).toBe(`/api/units/${USDOT}`);
    expect(seen[0]!.headers.get('x-api-key')).toBe('none');
  });

  it('caches in its thread which carrier a VIN is registered to, and flags the unit by it', async () => {
    const { baseUrl } = await serveProvider();
    const { feed, feeds } = setUp([{ baseUrl, ...CREDENTIALS }]);
    const carrier = { vin: VIN, mcNumber: 'MC-990002', usdot: '9000002', requestedAtMs: Date.now() };
    expect(await feeds.knownCarrier(USDOT, VIN)).toBeNull();
    feeds.learnCarrier(USDOT, carrier);
    expect(await feeds.knownCarrier(USDOT, VIN)).toEqual(carrier);
    await feed.answer(null, 'identity');
    expect((await feed.detail(VIN))?.flags).toMatchObject([{ flag: 'wrongCarrier' }]);
  });

  it('polls each of several fleets with its own account, and no fleet that none has', async () => {
    const own = await serveProvider();
    const other = await serveProvider();
    const { feed, feeds } = setUp([
      { baseUrl: own.baseUrl, ...CREDENTIALS, usdot: USDOT },
      { baseUrl: other.baseUrl, apiKey: 'planted-other', providerToken: 'planted-other', usdot: '9000002' },
    ]);
    await Promise.all([feed, feeds.feed('9000002')].map((each) => each.answer(null, 'identity')));
    const units = ({ asked }: typeof own) => asked.filter((line) => line.includes('/units/'));
    expect(units(own)).toEqual([`planted-key /api/units/${USDOT}`]);
    expect(units(other)).toEqual(['planted-other /api/units/9000002']);
    const carrier = { vin: VIN, mcNumber: null, usdot: '9000002', requestedAtMs: Date.now() };
    feeds.learnCarrier('9000002', carrier);
    expect(await feeds.knownCarrier('9000002', VIN)).toEqual(carrier);
    expect(await feeds.knownCarrier(USDOT, VIN)).toBeNull();
    await expect(feeds.feed('9000003').answer(null, 'identity')).rejects.toThrow('No such fleet');
  });

  it('reports a failing provider as state, with the message of the error', async () => {
    const { baseUrl } = await serveProvider(500);
    const { feed, problems } = setUp([{ baseUrl, ...CREDENTIALS }]);
    const { body } = await feed.answer(null, 'identity');
    expect(parse(body).feed.problem).toMatchObject({ kind: 'status' });
    expect(feed.problems()).toMatchObject([{ kind: 'status', times: 1, untilMs: null }]);
    expect(problems[0]!.error).toMatchObject({ name: 'TrackingError', kind: 'status', status: 500 });
    expect(String((problems[0]!.error as Error).stack)).not.toContain('planted');
  });

  it('ends the wait for a failing provider, at most once in ten seconds', async () => {
    const { baseUrl, asked } = await serveProvider(500);
    const { feed } = setUp([{ baseUrl, ...CREDENTIALS }]);
    await feed.answer(null, 'identity');
    expect(feed.state().nextAttemptAtMs).toBeGreaterThan(Date.now());
    const waitMs = await feed.tryNow();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(10_000);
    expect(asked.filter((line) => line.includes('/units/'))).toHaveLength(1);
  });

  it('rejects waiting requests when the thread dies, reports it, and starts another', async () => {
    // No header can carry this: the client that the thread makes of it throws.
    const { feed, lost } = setUp([{ baseUrl: 'http://127.0.0.1:1', apiKey: 'a\nb', providerToken: 'token' }]);
    await expect(feed.answer(null, 'identity')).rejects.toMatchObject({ code: 'feeds-unavailable' });
    expect(lost).toHaveLength(1);
    await expect(feed.answer(null, 'identity')).rejects.toThrow('API key');
    expect(lost).toHaveLength(2);
  });

  it('rejects every request once it is closed, and starts no other thread', async () => {
    const { baseUrl, asked } = await serveProvider();
    const { feed, feeds } = setUp([{ baseUrl, ...CREDENTIALS }]);
    const waiting = expect(feed.answer(null, 'br')).rejects.toMatchObject({ code: 'feeds-unavailable' });
    await feeds.close();
    await waiting;
    asked.length = 0;
    for (const request of [feed.answer(null, 'br'), feed.pollOnce(), feeds.knownCarrier(USDOT, VIN)])
      await expect(request).rejects.toMatchObject({ code: 'feeds-unavailable' });
    expect(asked).toEqual([]);
  });
});
