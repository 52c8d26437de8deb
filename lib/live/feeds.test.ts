import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS, START_MS } from '@/lib/motion/testing/fixes';
import { pass, readWhole, setUpFeed } from './testing/watched-feed';

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

  test('stop all at once when they are closed', async () => {
    const { provider, feeds, feed } = setUpFeed();
    await readWhole(feed);
    feeds.close();
    await pass(5 * MINUTE_MS);
    expect(provider.calls.units).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
