import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { TrackingError } from '@/lib/tracking/errors';
import { applyLiveAnswer } from '@/lib/wire/live';
import { DEFAULT_LIVE_SETTINGS, type LiveSettings } from '@/lib/fleet/settings';
import { ACCOUNT } from '@/testing/live/fake-client';
import { POLL_MS, pass, readWhole, setUpFeed, watchFor } from '@/testing/live/watched-feed';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const hang = <T>() => new Promise<T>(() => {});
const down = async (): Promise<never> => {
  throw new TrackingError('network', 'GET /api/units/9000001: the tracking API could not be reached.', {
    cause: Object.assign(new Error('connect to 10.0.0.7 with key s3cret'), { code: 'ECONNREFUSED' }),
  });
};

describe('a provider that fails', () => {
  test('leaves the last good snapshot, with since when and why', async () => {
    const { provider, feed, problems } = setUpFeed();
    await watchFor(feed, 3 * MINUTE_MS);
    const good = applyLiveAnswer(null, await readWhole(feed));
    const failedAtMs = Date.now() + POLL_MS;
    provider.units = down;
    await watchFor(feed, 20 * MINUTE_MS);
    const stale = applyLiveAnswer(null, await readWhole(feed));
    // Our copy is stale: units do not become late or silent because the provider is away.
    expect(stale.columns).toEqual(good.columns);
    expect(stale.version).not.toBe(good.version);
    expect(stale.feed.fetchedAtMs).toBe(good.feed.fetchedAtMs);
    expect(stale.feed.staleSinceMs).toBeLessThanOrEqual(failedAtMs);
    expect(stale.feed.problem).toEqual({
      kind: 'network',
      message: 'The tracking provider cannot be reached.',
      detail:
        'TrackingError [network]: GET /api/units/9000001: the tracking API could not be reached. (ECONNREFUSED)',
      sinceMs: stale.feed.staleSinceMs,
    });
    expect(problems.length).toBeGreaterThan(3);
  });

  test('is polled less and less often, and as usual once it answers again', async () => {
    const { provider, feed } = setUpFeed();
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

  test('is not polled for as long as its Retry-After requires', async () => {
    const { provider, feed } = setUpFeed();
    provider.units = async () => {
      throw new TrackingError('rateLimit', 'GET /api/units/9000001: answered with status 429.', {
        status: 429,
        retryAfterMs: 7 * MINUTE_MS,
      });
    };
    expect((await readWhole(feed)).feed.problem).toMatchObject({ kind: 'rateLimit' });
    await watchFor(feed, 7 * MINUTE_MS - POLL_MS);
    expect(provider.calls.units).toBe(1);
    await watchFor(feed, 2 * POLL_MS);
    expect(provider.calls.units).toBe(2);
  });

  test.each([
    ['knows no such fleet', new TrackingError('notFound', 'GET /api/units/9000001: not found.')],
    [
      'does not let this server see it',
      new TrackingError('forbidden', 'GET /api/units/9000001: 403.', { status: 403 }),
    ],
  ])('is left alone for minutes where it %s, unless it has shown the fleet before', async (_, error) => {
    const refuse = async (): Promise<never> => {
      throw error;
    };
    const { provider, feeds, feed: refused } = setUpFeed();
    const { units } = provider;
    provider.units = refuse;
    await watchFor(refused, DEFAULT_LIVE_SETTINGS.refusedRetryMs);
    expect(provider.calls.units).toBe(1);
    provider.units = units;
    const feed = feeds.feed('9000001');
    await watchFor(feed, 2 * POLL_MS);
    expect((await readWhole(feed)).feed).toMatchObject({ problem: null, activeUnits: 2 });
    provider.units = refuse;
    const before = provider.calls.units;
    await watchFor(feed, 2 * MINUTE_MS);
    expect(provider.calls.units - before).toBeGreaterThan(3);
  });

  test('is reported at once to the first request, with an empty fleet', async () => {
    const { provider, feed } = setUpFeed();
    provider.units = down;
    const answer = await readWhole(feed);
    expect(answer).toMatchObject({ rows: 0, feed: { fetchedAtMs: null, staleSinceMs: START_MS } });
    expect(answer.feed.problem?.kind).toBe('network');
  });

  test('and that does not answer at all is reported after some seconds', async () => {
    const { provider, feed } = setUpFeed();
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

  test('to give a roster leaves the units without one, and is retried after a minute', async () => {
    const { provider, feed } = setUpFeed();
    provider.vins = down;
    expect((await readWhole(feed)).feed).toMatchObject({ rosterVins: null, problem: null, activeUnits: 2 });
    await watchFor(feed, MINUTE_MS + POLL_MS);
    expect(provider.calls.vins).toBe(2);
  });

  test('to give a roster in time does not delay the units', async () => {
    const { provider, feed } = setUpFeed();
    provider.vins = hang;
    const answer = readWhole(feed);
    await pass(DEFAULT_LIVE_SETTINGS.sideGraceMs);
    expect(await answer).toMatchObject({ rows: 2, account: ACCOUNT, feed: { rosterVins: null } });
  });

  test('to give its account leaves the carrier unnamed', async () => {
    const { provider, feed } = setUpFeed();
    provider.account = down;
    expect(await readWhole(feed)).toMatchObject({ account: null, feed: { problem: null, rosterVins: 3 } });
  });
});

const DAY_MS = 24 * 60 * MINUTE_MS;
const busyForADay = async (): Promise<never> => {
  throw new TrackingError('rateLimit', 'GET /api/units/9000001: answered with status 429.', {
    status: 429,
    retryAfterMs: DAY_MS,
  });
};

describe('units never wait for', () => {
  const expectUnitsEveryPoll = async (
    side: 'vins' | 'account' | 'carrier',
    settings: Partial<LiveSettings> = {},
  ) => {
    const { provider, feed } = setUpFeed(settings);
    provider[side] = hang;
    // The first answer waits a moment for the roster and the account.
    const first = feed.answer(null, 'identity');
    await pass(POLL_MS);
    await first;
    await watchFor(feed, 10 * MINUTE_MS - POLL_MS);
    expect(provider.calls.units).toBe(1 + 10 * 6);
    const { fetchedAtMs, problem } = (await readWhole(feed)).feed;
    expect({ fetchedAtMs, problem }).toEqual({ fetchedAtMs: Date.now(), problem: null });
    return provider.calls[side];
  };

  test('a roster that never comes, of which one request is open at a time', async () => {
    expect(await expectUnitsEveryPoll('vins')).toBe(1);
  });

  test('an account that never comes, of which one request is open at a time', async () => {
    expect(await expectUnitsEveryPoll('account')).toBe(1);
  });

  test('the carrier of a VIN that never comes', async () => {
    const asked = await expectUnitsEveryPoll('carrier', { carrierPauseMs: 1000 });
    expect(asked).toBeGreaterThan(1);
  });

  test('a roster that hangs after it was read once, and it is taken when it comes', async () => {
    const { provider, feed } = setUpFeed();
    await readWhole(feed);
    let answer = (_: string[]) => {};
    provider.vins = () => new Promise((resolve) => (answer = resolve));
    await watchFor(feed, 6 * MINUTE_MS);
    expect(provider.calls).toMatchObject({ units: 1 + 6 * 6, vins: 2 });
    answer(['DRIVES', 'STANDS', 'GHOST', 'NEW']);
    await pass(POLL_MS);
    expect((await readWhole(feed)).feed).toMatchObject({ rosterVins: 4, problem: null });
  });
});

describe('a Retry-After of a day is limited to the longest pause of the settings', () => {
  test.each(['units', 'vins', 'account'] as const)('of %s', async (call) => {
    const { provider, feed } = setUpFeed({ maxRetryAfterMs: 5 * MINUTE_MS });
    provider[call] = busyForADay;
    await watchFor(feed, 5 * MINUTE_MS - POLL_MS);
    expect(provider.calls[call]).toBe(1);
    await watchFor(feed, 2 * POLL_MS);
    expect(provider.calls[call]).toBe(2);
  });
});

describe('a long wait for the next attempt', () => {
  const setUpWaiting = async () => {
    const { provider, feed } = setUpFeed();
    const units = provider.units;
    provider.units = busyForADay;
    await readWhole(feed);
    return { provider, feed, heal: () => (provider.units = units) };
  };

  test('is shown with its end, and ends with the first answer', async () => {
    const { feed, heal } = await setUpWaiting();
    const hourMs = DEFAULT_LIVE_SETTINGS.maxRetryAfterMs;
    expect(feed.state().nextAttemptAtMs).toBe(START_MS + hourMs);
    await watchFor(feed, 10 * MINUTE_MS);
    heal();
    expect(await feed.tryNow()).toBe(0);
    expect(feed.state()).toMatchObject({ nextAttemptAtMs: null, problem: null, staleSinceMs: null });
  });

  test('is not shown where it is short', async () => {
    const { provider, feed } = setUpFeed();
    provider.units = down;
    await readWhole(feed);
    expect(feed.state().nextAttemptAtMs).toBeNull();
  });

  test('can be cut short once in ten seconds, however many ask, and each attempt is one request', async () => {
    const { provider, feed } = await setUpWaiting();
    expect(await feed.tryNow()).toBe(POLL_MS);
    expect(provider.calls.units).toBe(1);
    await pass(POLL_MS);
    const waits = await Promise.all(Array.from({ length: 20 }, () => feed.tryNow()));
    expect(provider.calls.units).toBe(2);
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(1);
    expect(provider.mostInFlight.units).toBe(1);
    // The provider sent the whole Retry-After again.
    expect(feed.state().nextAttemptAtMs).toBe(Date.now() + DEFAULT_LIVE_SETTINGS.maxRetryAfterMs);
    await watchFor(feed, 5 * MINUTE_MS);
    expect(provider.calls.units).toBe(2);
  });

  test('resumes the usual interval after being cut short once the provider answers', async () => {
    const { provider, feed, heal } = await setUpWaiting();
    heal();
    await pass(POLL_MS);
    await feed.tryNow();
    await watchFor(feed, MINUTE_MS);
    expect(provider.calls.units).toBe(2 + 6);
  });

  test('an attempt that hangs is not awaited, and no second one is started beside it', async () => {
    const { provider, feed } = await setUpWaiting();
    provider.units = hang;
    await pass(POLL_MS);
    const tried = feed.tryNow();
    await pass(DEFAULT_LIVE_SETTINGS.firstAnswerMs);
    expect(await tried).toBe(0);
    await pass(POLL_MS);
    void feed.tryNow();
    await pass(POLL_MS);
    expect(provider.calls.units).toBe(2);
  });

  test('does not exist without a failure: no request is sent', async () => {
    const { provider, feed } = setUpFeed();
    await readWhole(feed);
    await pass(POLL_MS / 2);
    expect(await feed.tryNow()).toBe(0);
    expect(provider.calls.units).toBe(1);
  });
});

test('names only the class of an internal error', async () => {
  const { provider, feed } = setUpFeed();
  provider.units = async () => {
    throw new TypeError('Header s3cret is not a header.');
  };
  expect((await readWhole(feed)).feed.problem).toMatchObject({ kind: 'internal', detail: 'TypeError' });
});
