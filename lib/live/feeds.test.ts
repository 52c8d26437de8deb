import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { FlagThreshold } from '@/lib/motion/settings';
import { MINUTE_MS, START_MS } from '@/lib/motion/testing/fixes';
import { unitAt } from './testing/tracked-units';
import { POLL_MS, pass, readWhole, setUpFeed, watchFor } from './testing/watched-feed';

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

  test('let the fleet go that was asked for longest ago, and its polling with it', async () => {
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

  test('judge by other thresholds from the next answer on, also units of which nothing new is heard', async () => {
    const { provider, feeds, feed } = setUpFeed();
    provider.units = async () => [unitAt('A', 0, 0)];
    provider.vins = async () => ['B'];
    const { flags, ...answers } = DEFAULT_MOTION_SETTINGS;
    const isFlagged = async () => (await feed.detail('A'))!.flags.length > 0;
    const judgeBy = (notOnRoster: FlagThreshold) =>
      feeds.judgeBy({ flags: { ...flags, notOnRoster }, ...answers });
    await watchFor(feed, 3 * POLL_MS);
    expect(await isFlagged()).toBe(false);
    judgeBy({ enterMs: 15_000, leaveMs: 1000 });
    expect(await isFlagged()).toBe(false);
    await watchFor(feed, POLL_MS);
    expect(await isFlagged()).toBe(true);
    // Those of which another feed is made later hold as well.
    await readWhole(feeds.feed('9000002'));
    await pass(2 * POLL_MS);
    expect((await feeds.feed('9000002').detail('A'))!.flags).toMatchObject([{ flag: 'notOnRoster' }]);
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
