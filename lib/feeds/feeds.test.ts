import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_MOTION_SETTINGS, type FlagThreshold } from '@/lib/motion/settings';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { TrackingError } from '@/lib/tracking/errors';
import { createEpoch } from '@/lib/wire/server/publisher';
import { readHrMs } from './feeds';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { unitAt } from '@/testing/live/tracked-units';
import { EPOCH_AT_MS, POLL_MS, pass, readWhole, setUpFeed, watchFor } from '@/testing/live/watched-feed';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('feeds', () => {
  test('keep one feed a fleet, and read the account once for all', async () => {
    const { provider, feeds, feed } = setUpFeed();
    expect(feeds.feed('9000001')).toBe(feed);
    await readWhole(feed);
    await readWhole(feeds.feed('9000002'));
    expect(provider.calls).toEqual({ units: 2, vins: 2, account: 1, carrier: 0 });
  });

  test('close the fleet that was requested longest ago, and stop its polling', async () => {
    const { provider, feeds, feed } = setUpFeed({ maxFleets: 2 });
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

  test('apply other thresholds from the next answer on, also to units without news', async () => {
    const { provider, feeds, feed } = setUpFeed();
    provider.units = async () => [unitAt('A', 0, 0)];
    provider.vins = async () => ['B'];
    const { flags, ...answers } = DEFAULT_MOTION_SETTINGS;
    const isFlagged = async () => (await feed.detail('A'))!.flags.length > 0;
    const judgeBy = (notOnRoster: FlagThreshold) =>
      feeds.setFlagSettings({ flags: { ...flags, notOnRoster }, ...answers });
    await watchFor(feed, 3 * POLL_MS);
    expect(await isFlagged()).toBe(false);
    judgeBy({ enterMs: 15_000, leaveMs: 1000 });
    expect(await isFlagged()).toBe(false);
    await watchFor(feed, POLL_MS);
    expect(await isFlagged()).toBe(true);
    // The feeds that are created later use them too.
    await readWhole(feeds.feed('9000002'));
    await pass(2 * POLL_MS);
    expect((await feeds.feed('9000002').detail('A'))!.flags).toMatchObject([{ flag: 'notOnRoster' }]);
  });

  describe('drop a fleet that the provider refuses and never answered for', () => {
    const REAL = '9000001';
    const setUpRefusing = () => {
      const { feeds, provider, client } = setUpFeed({ maxFleets: 2, refusalsKept: 3 });
      const requested: string[] = [];
      const { readUnits } = client;
      client.readUnits = async (usdot) => {
        requested.push(usdot);
        if (usdot === REAL) return readUnits(usdot);
        throw new TrackingError('notFound', `GET /api/units/${usdot}: not found.`);
      };
      return { feeds, provider, requested };
    };
    const REFUSED = {
      rows: 0,
      feed: { problem: { message: 'The tracking provider does not know this fleet.' } },
    };

    test('so that many of them keep no other from being polled', async () => {
      const { feeds, provider } = setUpRefusing();
      const real = feeds.feed(REAL);
      await readWhole(real);
      for (let i = 1; i <= 10; i++) expect(await readWhole(feeds.feed(`10${i}`))).toMatchObject(REFUSED);
      expect(feeds.feed(REAL)).toBe(real);
      await pass(MINUTE_MS);
      expect(provider.calls.units).toBe(1 + 6);
    });

    test('and answer for it from a bounded cache for minutes, without a request', async () => {
      const { feeds, requested } = setUpRefusing();
      const ask = async (usdot: string) => expect(await readWhole(feeds.feed(usdot))).toMatchObject(REFUSED);
      await ask('101');
      expect(feeds.feed('101').refusedForMs()).toBe(DEFAULT_LIVE_SETTINGS.refusedRetryMs);
      for (let passedMs = 0; passedMs < DEFAULT_LIVE_SETTINGS.refusedRetryMs; passedMs += MINUTE_MS) {
        await ask('101');
        await pass(MINUTE_MS);
      }
      expect(requested).toEqual(['101']);
      await ask('101');
      expect(requested).toEqual(['101', '101']);
      for (const usdot of ['102', '103', '104', '101']) await ask(usdot);
      expect(requested).toEqual(['101', '101', '102', '103', '104', '101']);
    });

    test('and request it again when a user asks for that, at most once in ten seconds', async () => {
      const { feeds, requested } = setUpRefusing();
      await readWhole(feeds.feed('101'));
      expect(await feeds.feed('101').tryNow()).toBe(DEFAULT_LIVE_SETTINGS.tryNowEveryMs);
      await pass(DEFAULT_LIVE_SETTINGS.tryNowEveryMs);
      const stale = feeds.feed('101');
      expect(await Promise.all([stale.tryNow(), stale.tryNow(), feeds.feed('101').tryNow()])).toContain(0);
      expect(requested).toEqual(['101', '101']);
      expect(await readWhole(feeds.feed('101'))).toMatchObject(REFUSED);
    });
  });

  test('stop all at once when they are closed', async () => {
    const { provider, feeds, feed } = setUpFeed();
    await readWhole(feed);
    feeds.close();
    await pass(5 * MINUTE_MS);
    expect(provider.calls.units).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('feeds of fleets that other servers may poll', () => {
  test('poll while they may, at versions that begin with the epoch that was set', async () => {
    const { provider, feeds, feed } = setUpFeed({}, true);
    feeds.extend(['9000001'], readHrMs() + POLL_MS * 1.5);
    expect((await readWhole(feed)).version).toBe(`${createEpoch(EPOCH_AT_MS, 0.5)}.1`);
    await watchFor(feed, POLL_MS);
    expect(provider.calls.units).toBe(2);
    await watchFor(feed, 5 * POLL_MS);
    expect(provider.calls.units).toBe(2);
    feeds.extend(['9000001'], readHrMs() + POLL_MS);
    await pass(500);
    expect(provider.calls.units).toBe(3);
  });

  test('end once their poll in flight has ended, and do not come back by a late request', async () => {
    const { provider, feeds, feed } = setUpFeed({}, true);
    feeds.extend(['9000001'], readHrMs() + 60 * POLL_MS);
    const units = await provider.units!();
    let answer: (given: typeof units) => void = () => undefined;
    provider.units = () => new Promise((resolve) => (answer = resolve));
    void feed.answer(null, 'identity').catch(() => undefined);
    await pass(0);
    let isClosed = false;
    const closing = feeds.closeFeed('9000001').then(() => (isClosed = true));
    await pass(1000);
    expect(isClosed).toBe(false);
    answer(units);
    await closing;
    expect(() => feeds.feed('9000001')).toThrow('not polled here');
  });
});
