import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Site, SiteVisit } from '@/lib/sites/schema';
import { applyLiveAnswer } from '@/lib/wire/live';
import type { Fleet } from '@/lib/wire/fleet';
import { createFakeClient } from '@/testing/live/fake-client';
import { unitAt } from '@/testing/live/tracked-units';
import { minutesPassed, pass, readWhole, watchFor } from '@/testing/live/watched-feed';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import { systemClock } from '@/lib/clock';
import { PolledFeeds } from '../feeds';
import type { Feed } from '../feeds';

const USDOT = '9000001';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const siteAt = (id: number, northM: number, radiusM = 400): Site => ({
  id,
  name: `Site ${id}`,
  kind: 'yard',
  color: '#2f7de1',
  notes: '',
  openingHours: null,
  marginM: 75,
  shape: { type: 'circle', ...fixAt(0, northM), radiusM } as Site['shape'],
});

/** A feed whose one unit drives 1 km north a minute for ten minutes, stands for twenty, and drives on. */
const setUp = (visits: SiteVisit[] = []) => {
  const { provider, client } = createFakeClient(() => Date.now());
  provider.units = async () => {
    const minutes = minutesPassed();
    const driven = minutes < 10 ? minutes : minutes < 30 ? 10 : minutes - 20;
    return [unitAt('TRUCK', minutes, driven * 1000)];
  };
  const recorded: SiteVisit[] = [];
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: 10_000,
    random: () => 0.5,
    readStart: async () => ({ units: null, watch: { sites: [siteAt(7, 10_000)], visits } }),
    onPolled: (_, _changes, watched) => recorded.push(...(watched?.visits ?? [])),
  });
  return { feeds, feed: feeds.feed(USDOT), recorded };
};

const readSiteId = async (feed: Feed): Promise<number> => {
  const fleet: Fleet = applyLiveAnswer(null, await readWhole(feed));
  return fleet.columns.siteId[0]!;
};

const toMinute = (ms: number | null): number | null =>
  ms === null ? null : Math.round((ms - START_MS) / MINUTE_MS);

test('a unit that arrives at a site, stands there and leaves has its id meanwhile, and one visit', async () => {
  const { feed, recorded } = setUp();
  await watchFor(feed, 5 * MINUTE_MS);
  expect(await readSiteId(feed)).toBe(0);
  await watchFor(feed, 10 * MINUTE_MS);
  expect(await readSiteId(feed)).toBe(7);
  await watchFor(feed, 20 * MINUTE_MS);
  expect(await readSiteId(feed)).toBe(0);
  expect(recorded.map(({ arrivedMs, leftMs }) => [toMinute(arrivedMs), toMinute(leftMs)])).toEqual([
    [10, null],
    [10, 30],
  ]);
});

test('sites that change are judged from the next answer on; an open visit goes on after a restart', async () => {
  const before: SiteVisit = {
    siteId: 7,
    unit: 'TRUCK',
    arrivedAfterMs: null,
    arrivedMs: START_MS - 60 * MINUTE_MS,
    leftMs: null,
    leftByMs: null,
  };
  vi.setSystemTime(START_MS + 15 * MINUTE_MS);
  const { feeds, feed, recorded } = setUp([before]);
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(7);
  expect(recorded).toEqual([]);
  feeds.setWatch(USDOT, { sites: [siteAt(7, 10_000), siteAt(8, 10_000, 100)], visits: [] });
  await watchFor(feed, 3 * MINUTE_MS);
  // Of two sites the smaller one.
  expect(await readSiteId(feed)).toBe(8);
  feeds.setWatch(USDOT, { sites: [], visits: [] });
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(0);
  await pass(0);
});
