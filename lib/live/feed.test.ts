import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/lib/motion/testing/fixes';
import { TrackingNetworkError, TrackingStatusError } from '@/lib/tracking/errors';
import type { FeedProblem, Fleet } from '@/lib/wire/fleet';
import { applyLiveAnswer } from '@/lib/wire/live';
import type { LiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { REASONS, STATUSES } from '@/lib/wire/status';
import { createFeeds } from './feeds';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { ACCOUNT, createFakeClient } from './testing/fake-client';
import { unitAt } from './testing/tracked-units';

const POLL_MS = 10_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const now = () => Date.now();
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const minutesPassed = () => (now() - START_MS) / MINUTE_MS;

const setUp = (settings = {}) => {
  const { provider, client } = createFakeClient(now);
  const problems: FeedProblem[] = [];
  provider.units = async () => [
    unitAt('DRIVES', minutesPassed(), minutesPassed() * 1500),
    unitAt('STANDS', minutesPassed(), 0),
  ];
  provider.vins = async () => ['DRIVES', 'STANDS', 'GHOST'];
  const feeds = createFeeds({
    client,
    now,
    pollIntervalMs: POLL_MS,
    random: () => 0.5,
    settings,
    onProblem: (_, problem) => problems.push(problem),
  });
  return { provider, feeds, feed: feeds.feed('9000001'), problems };
};

type TestFeed = ReturnType<typeof setUp>['feed'];

const read = async (feed: TestFeed, since: string | null = null): Promise<LiveAnswer | 304> => {
  const answer = await feed.answer(since, 'identity');
  if (answer.status === 304) return 304;
  expect(answer.encoding).toBeNull();
  return fromLiveBytes(answer.body!);
};

const readWhole = async (feed: TestFeed): Promise<LiveAnswer> => {
  const answer = await read(feed);
  if (answer === 304) throw new Error('Got 304 when everything is expected.');
  return answer;
};

/** Asks every poll, as a browser does, for so long. */
const watchFor = async (feed: TestFeed, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += POLL_MS) {
    await feed.answer(null, 'identity');
    await pass(POLL_MS);
  }
};

const hang = <T>() => new Promise<T>(() => {});
const down = async (): Promise<never> => {
  throw new TrackingNetworkError('GET /api/units/9000001: the tracking API could not be reached.', {
    cause: Object.assign(new Error('connect to 10.0.0.7 with key s3cret'), { code: 'ECONNREFUSED' }),
  });
};

describe('polling', () => {
  test('asks nobody before somebody asks it', async () => {
    const { provider } = setUp();
    await pass(10 * MINUTE_MS);
    expect(provider.calls).toEqual({ units: 0, vins: 0, account: 0 });
  });

  test('answers first with units, roster and account together', async () => {
    const { feed } = setUp();
    const answer = await readWhole(feed);
    expect(answer).toMatchObject({
      usdot: '9000001',
      since: null,
      rows: 3,
      account: ACCOUNT,
      nowMs: START_MS,
    });
    expect(answer.named.identities.map(({ key }) => key)).toEqual(['DRIVES', 'STANDS', 'GHOST']);
    expect(answer.feed).toEqual({
      fetchedAtMs: START_MS,
      staleSinceMs: null,
      problem: null,
      activeUnits: 2,
      rosterVins: 3,
      droppedRecords: 0,
      repairedFields: 0,
    });
  });

  test('asks the provider once an interval however many browsers watch', async () => {
    const { provider, feed } = setUp();
    for (let second = 0; second < 60; second++) {
      await Promise.all([feed.answer(null, 'identity'), feed.answer(null, 'identity')]);
      await pass(1000);
    }
    expect(provider.calls.units).toBe(7);
  });

  test('stops when nobody has asked for a while, and starts again with who asks next', async () => {
    const { provider, feed } = setUp();
    await readWhole(feed);
    await pass(10 * MINUTE_MS);
    const polls = provider.calls.units;
    expect(polls).toBeLessThan(10);
    expect(vi.getTimerCount()).toBe(0);
    const answer = await readWhole(feed);
    expect(provider.calls.units).toBe(polls + 1);
    expect(answer.feed.fetchedAtMs).toBe(START_MS + 10 * MINUTE_MS);
  });

  test('never has two requests under way, however slow the provider is', async () => {
    const { provider, feed } = setUp();
    const slow = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 25_000));
    const units = provider.units;
    provider.units = async () => slow(await units());
    provider.vins = () => slow(['DRIVES']);
    void feed.answer(null, 'identity');
    await pass(1000);
    for (let i = 0; i < 20; i++) {
      void feed.answer(null, 'identity');
      await pass(POLL_MS);
    }
    expect(provider.mostInFlight).toBe(1);
    expect(provider.calls.units).toBeGreaterThan(3);
  });

  test('leaves a slow provider alone for a moment between two polls', async () => {
    const { provider, feed } = setUp();
    provider.units = () => new Promise((resolve) => setTimeout(() => resolve([]), 15_000));
    void feed.answer(null, 'identity');
    await pass(15_000 + 999);
    expect(provider.calls.units).toBe(1);
    await pass(1);
    expect(provider.calls.units).toBe(2);
  });

  test('reads the roster every five minutes and the account once an hour', async () => {
    const { provider, feed } = setUp();
    await watchFor(feed, 11 * MINUTE_MS);
    expect(provider.calls).toMatchObject({ vins: 3, account: 1 });
    await watchFor(feed, 50 * MINUTE_MS);
    expect(provider.calls.account).toBe(2);
  });

  test('tells browsers to come back just after the next version is due', async () => {
    const { feed } = setUp();
    const first = await readWhole(feed);
    expect(first.nextPollMs).toBe(POLL_MS + DEFAULT_LIVE_SETTINGS.slackMs);
    await pass(first.nextPollMs);
    expect((await readWhole(feed)).version).not.toBe(first.version);
  });
});

describe('answers', () => {
  test('say 304 to a browser that holds the newest version', async () => {
    const { feed } = setUp();
    const { version } = await readWhole(feed);
    expect(await feed.answer(version, 'br')).toEqual({ status: 304, body: null, encoding: null, version });
  });

  test('say what changed since a version, and lead to what everything leads to', async () => {
    const { feed } = setUp();
    let held: Fleet = applyLiveAnswer(null, await readWhole(feed));
    for (let poll = 0; poll < 12; poll++) {
      await pass(POLL_MS);
      const change = await read(feed, held.version);
      if (change === 304) throw new Error('Got 304 when a change is expected.');
      expect(change.since).toBe(held.version);
      expect(change.named.identities).toEqual([]);
      held = applyLiveAnswer(held, change);
    }
    const whole = applyLiveAnswer(null, await readWhole(feed));
    expect(held).toEqual(whole);
    expect(STATUSES[whole.columns.status[0]!]).toBe('moving');
    expect(STATUSES[whole.columns.status[1]!]).toBe('stopped');
    expect(REASONS[whole.columns.reason[2]!]).toBe('neverSeen');
  });

  test('say everything to a browser that slept too long or comes from another process', async () => {
    const { feed } = setUp();
    const { version } = await readWhole(feed);
    await watchFor(feed, 3 * MINUTE_MS);
    for (const since of [version, 'elsewhere.3', 'nonsense']) {
      expect(await read(feed, since)).toMatchObject({ since: null, rows: 3 });
    }
  });

  test('carry what the provider sent that could not be used', async () => {
    const { provider, feed } = setUp();
    provider.report = { dropped: 2, repaired: 5, examples: ['units[3]: no VIN'] };
    expect((await readWhole(feed)).feed).toMatchObject({ droppedRecords: 2, repairedFields: 5 });
    expect(feed.salvage()?.examples).toEqual(['units[3]: no VIN']);
  });

  test('tell one unit from memory', async () => {
    const { feed } = setUp();
    expect(await feed.detail('DRIVES')).toBeNull();
    const { version } = await readWhole(feed);
    expect(await feed.detail('DRIVES')).toMatchObject({ version, status: 'unknown', reason: 'oneFix' });
  });
});

describe('a provider that fails', () => {
  test('leaves the last good snapshot, with since when and why', async () => {
    const { provider, feed, problems } = setUp();
    await watchFor(feed, 3 * MINUTE_MS);
    const good = applyLiveAnswer(null, await readWhole(feed));
    const failedAtMs = now() + POLL_MS;
    provider.units = down;
    await watchFor(feed, 20 * MINUTE_MS);
    const stale = applyLiveAnswer(null, await readWhole(feed));
    // We are stale, not they: nobody becomes late or silent because the provider is away.
    expect(stale.columns).toEqual(good.columns);
    expect(stale.version).not.toBe(good.version);
    expect(stale.feed.fetchedAtMs).toBe(good.feed.fetchedAtMs);
    expect(stale.feed.staleSinceMs).toBeLessThanOrEqual(failedAtMs);
    expect(stale.feed.problem).toEqual({
      kind: 'network',
      message: 'The tracking provider cannot be reached.',
      detail:
        'TrackingNetworkError: GET /api/units/9000001: the tracking API could not be reached. (ECONNREFUSED)',
      sinceMs: stale.feed.staleSinceMs,
    });
    expect(problems.length).toBeGreaterThan(3);
  });

  test('is asked less and less often, and as usual once it answers again', async () => {
    const { provider, feed } = setUp();
    await readWhole(feed);
    const units = provider.units;
    provider.units = down;
    await watchFor(feed, 10 * MINUTE_MS);
    // 10, 20, 40 and 80 s, then every two minutes.
    expect(provider.calls.units).toBe(1 + 5 + 3);
    provider.units = units;
    await watchFor(feed, 2 * MINUTE_MS);
    const answer = await readWhole(feed);
    expect(answer.feed).toMatchObject({ staleSinceMs: null, problem: null });
    const before = provider.calls.units;
    await watchFor(feed, MINUTE_MS);
    expect(provider.calls.units - before).toBe(6);
  });

  test('is left alone for as long as it asks', async () => {
    const { provider, feed } = setUp();
    provider.units = async () => {
      throw new TrackingStatusError('GET /api/units/9000001: answered with status 429.', 429, 7 * MINUTE_MS);
    };
    expect((await readWhole(feed)).feed.problem).toMatchObject({ kind: 'rateLimit' });
    await watchFor(feed, 7 * MINUTE_MS - POLL_MS);
    expect(provider.calls.units).toBe(1);
    await watchFor(feed, 2 * POLL_MS);
    expect(provider.calls.units).toBe(2);
  });

  test('says so at once to the first who asks, with an empty fleet', async () => {
    const { provider, feed } = setUp();
    provider.units = down;
    const answer = await readWhole(feed);
    expect(answer).toMatchObject({ rows: 0, feed: { fetchedAtMs: null, staleSinceMs: START_MS } });
    expect(answer.feed.problem?.kind).toBe('network');
  });

  test('and that does not answer at all is told after some seconds, not waited for', async () => {
    const { provider, feed } = setUp();
    provider.units = hang;
    const answer = readWhole(feed);
    await pass(DEFAULT_LIVE_SETTINGS.firstAnswerMs);
    expect(await answer).toMatchObject({
      rows: 0,
      feed: {
        fetchedAtMs: null,
        problem: { kind: 'timeout', message: 'The tracking provider has not answered yet.' },
      },
    });
    expect((await answer).nextPollMs).toBeLessThan(2000);
  });

  test('to give a roster leaves the units without one, and is asked again after a minute', async () => {
    const { provider, feed } = setUp();
    provider.vins = down;
    expect((await readWhole(feed)).feed).toMatchObject({ rosterVins: null, problem: null, activeUnits: 2 });
    await watchFor(feed, MINUTE_MS + POLL_MS);
    expect(provider.calls.vins).toBe(2);
  });

  test('to give a roster in time does not keep the units waiting', async () => {
    const { provider, feed } = setUp();
    provider.vins = hang;
    const answer = readWhole(feed);
    await pass(DEFAULT_LIVE_SETTINGS.sideGraceMs);
    expect(await answer).toMatchObject({ rows: 2, account: null, feed: { rosterVins: null } });
  });

  test('to give its account leaves the carrier unnamed', async () => {
    const { provider, feed } = setUp();
    provider.account = down;
    expect(await readWhole(feed)).toMatchObject({ account: null, feed: { problem: null, rosterVins: 3 } });
  });
});

test('tells an error of our own by its class alone', async () => {
  const { provider, feed } = setUp();
  provider.units = async () => {
    throw new TypeError('Header s3cret is not a header.');
  };
  expect((await readWhole(feed)).feed.problem).toMatchObject({ kind: 'internal', detail: 'TypeError' });
});

test('numbers a fleet anew when most of it has left, and tells everybody everything', async () => {
  const { provider, feed } = setUp({ emptyRowsLeast: 2 });
  const { version } = await readWhole(feed);
  provider.vins = async () => [];
  provider.units = async () => [unitAt('OTHER', minutesPassed(), 0)];
  await watchFor(feed, 125 * MINUTE_MS);
  const answer = await readWhole(feed);
  expect(answer.named.identities.map(({ key }) => key)).toEqual(['OTHER']);
  expect(answer.rows).toBe(1);
  expect(answer.version.split('.')[0]).not.toBe(version.split('.')[0]);
});

describe('feeds', () => {
  test('keep one feed a fleet, and read the account once for all', async () => {
    const { provider, feeds, feed } = setUp();
    expect(feeds.feed('9000001')).toBe(feed);
    await readWhole(feed);
    await readWhole(feeds.feed('9000002'));
    expect(provider.calls).toEqual({ units: 2, vins: 2, account: 1 });
  });

  test('let the fleet go that was asked for longest ago, and its polling with it', async () => {
    const { provider, feeds, feed } = setUp({ maxFleets: 2 });
    await readWhole(feed);
    feeds.feed('9000002');
    feeds.feed('9000001');
    feeds.feed('9000003');
    expect(feeds.feed('9000001')).toBe(feed);
    feeds.feed('9000002');
    feeds.feed('9000003');
    await pass(5 * MINUTE_MS);
    expect(provider.calls.units).toBe(1);
    expect(feeds.feed('9000001')).not.toBe(feed);
  });

  test('stop all at once when they are closed', async () => {
    const { provider, feeds, feed } = setUp();
    await readWhole(feed);
    feeds.close();
    await pass(5 * MINUTE_MS);
    expect(provider.calls.units).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
