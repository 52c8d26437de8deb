import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WatchStart } from '@/lib/rules/fleet-watch';
import type { AlertCondition, AlertRule } from '@/lib/rules/alert-rule';
import type { Renamed } from '@/lib/rules/poll-step';
import type { Site, SiteVisit } from '@/lib/rules/site';
import { applyLiveAnswer } from '@/lib/wire/live';
import type { Fleet } from '@/lib/wire/fleet';
import { createFakeClient } from '@/testing/live/fake-client';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { minutesPassed, pass, readWhole, watchFor } from '@/testing/live/watched-feed';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import { systemClock } from '@/lib/base/clock';
import { PolledFeeds, type Feed } from '../feeds';

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

const watchOf = (sites: Site[], visits: SiteVisit[] = [], rules: AlertRule[] = []): WatchStart => ({
  config: { sites, rules, tags: {} },
  visits,
  alerts: [],
});

/** A feed whose one unit drives 1 km north a minute for ten minutes, stands for twenty, and drives on. */
const setUp = (visits: SiteVisit[] = [], rules: AlertRule[] = [], sites: Site[] = [siteAt(7, 10_000)]) => {
  const { provider, client } = createFakeClient(() => Date.now());
  provider.units = async () => {
    const minutes = minutesPassed();
    const driven = minutes < 10 ? minutes : minutes < 30 ? 10 : minutes - 20;
    return [unitAt('TRUCK', minutes, driven * 1000)];
  };
  const recorded: SiteVisit[] = [];
  const alerts: string[] = [];
  const renamed: Renamed[] = [];
  let start = watchOf(sites, visits, rules);
  let reading = Promise.resolve();
  const setReading = (read: Promise<void>): void => {
    read.catch(() => undefined);
    reading = read;
  };
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: 10_000,
    random: () => 0.5,
    readStart: async () => {
      await reading;
      return { units: null, watch: start };
    },
    onPolled: (_, _changes, watched) => {
      recorded.push(...(watched?.visits ?? []));
      renamed.push(...(watched?.renamed ?? []));
      alerts.push(
        ...(watched?.alerts ?? []).map(({ kind, unit, atMs }) => `${toMinute(atMs)} ${kind} ${unit}`),
      );
    },
  });
  const setSites = (sites: Site[]): void => {
    const open = new Map(visits.map((visit) => [`${visit.siteId} ${visit.arrivedMs}`, visit]));
    for (const visit of recorded) open.set(`${visit.siteId} ${visit.arrivedMs}`, visit);
    start = watchOf(
      sites,
      [...open.values()].filter(({ leftMs }) => leftMs === null),
      rules,
    );
    feeds.reloadWatch(USDOT);
  };
  return { provider, feeds, feed: feeds.feed(USDOT), setSites, setReading, recorded, alerts, renamed };
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
  const { feed, setSites, recorded } = setUp([before]);
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(7);
  expect(recorded).toEqual([]);
  setSites([siteAt(7, 10_000), siteAt(8, 10_000, 100)]);
  await watchFor(feed, 3 * MINUTE_MS);
  // Of two sites the smaller one.
  expect(await readSiteId(feed)).toBe(8);
  setSites([]);
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(0);
  await pass(0);
});

test('a watch that began before its sites were made takes over the visits that are open there', async () => {
  const before: SiteVisit = {
    ...{ siteId: 7, unit: 'TRUCK', arrivedAfterMs: START_MS + 9 * MINUTE_MS },
    ...{ arrivedMs: START_MS + 10 * MINUTE_MS, leftMs: null, leftByMs: null },
  };
  vi.setSystemTime(START_MS + 15 * MINUTE_MS);
  const { feed, setSites, recorded } = setUp([before], [], []);
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(0);
  setSites([siteAt(7, 10_000)]);
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(7);
  await watchFor(feed, 15 * MINUTE_MS);
  expect(recorded.map(({ arrivedMs, leftMs }) => [toMinute(arrivedMs), toMinute(leftMs)])).toEqual([
    [10, 30],
  ]);
});

test('nothing is judged by a watch that cannot be read, and what came meanwhile is judged once it is', async () => {
  const { feed, setSites, recorded, setReading } = setUp([], [], []);
  setReading(Promise.reject(new Error('The database is away.')));
  await watchFor(feed, 12 * MINUTE_MS);
  expect(recorded).toEqual([]);
  setReading(Promise.resolve());
  setSites([siteAt(7, 10_000)]);
  await watchFor(feed, 3 * MINUTE_MS);
  expect(recorded).toHaveLength(1);
  let end = (): void => undefined;
  setReading(new Promise((resolve) => (end = resolve)));
  setSites([siteAt(7, 10_000)]);
  await watchFor(feed, 4 * MINUTE_MS);
  setSites([siteAt(7, 10_000), siteAt(8, 10_000, 100)]);
  expect(await readSiteId(feed)).toBe(7);
  end();
  await watchFor(feed, MINUTE_MS);
  expect(await readSiteId(feed)).toBe(8);
});

test('a watch that is being read for minutes goes on as it was, and what is read then is read again', async () => {
  const { feed, setSites, recorded, setReading } = setUp();
  await watchFor(feed, 15 * MINUTE_MS);
  expect(recorded).toHaveLength(1);
  let end = (): void => undefined;
  setReading(new Promise((resolve) => (end = resolve)));
  setSites([siteAt(7, 10_000), siteAt(8, 10_000, 100)]);
  await watchFor(feed, 17 * MINUTE_MS);
  expect(recorded.map(({ leftMs }) => toMinute(leftMs))).toEqual([null, 30]);
  setSites([siteAt(7, 10_000), siteAt(8, 10_000, 100)]);
  end();
  await watchFor(feed, MINUTE_MS);
  expect(recorded).toHaveLength(2);
});

test('a truck whose VIN becomes known at a site has one visit and arrives once', async () => {
  const { provider, feed, recorded, alerts, renamed } = setUp(
    [],
    [ruleOf({ kind: 'arrives', siteIds: null })],
  );
  const { units } = provider;
  provider.units = async () => {
    const isKnown = minutesPassed() >= 15;
    const names = { deviceId: '7', truckNumber: '104' };
    const identity = identityOf(isKnown ? '1FUJHHDR6SLAP5397' : 'device:7', names);
    return (await units()).map((unit) => ({ ...unit, identity }));
  };
  await watchFor(feed, 35 * MINUTE_MS);
  expect(renamed).toEqual([['device:7', '1FUJHHDR6SLAP5397']]);
  expect(
    recorded.map(({ unit, arrivedMs, leftMs }) => [unit, toMinute(arrivedMs), toMinute(leftMs)]),
  ).toEqual([
    ['device:7', 10, null],
    ['1FUJHHDR6SLAP5397', 10, 30],
  ]);
  expect(alerts).toEqual(['11 opened device:7', '34 closed 1FUJHHDR6SLAP5397']);
});

const ruleOf = (condition: AlertCondition): AlertRule => ({
  id: 1,
  name: 'Rule',
  condition,
  units: { type: 'all' },
  schedule: null,
  severity: 'warning',
  coolDownMin: 0,
  isEnabled: true,
  isOwn: false,
  madeBy: 'manager',
});

test('a provider that fails for long enough opens an alert of the feed', async () => {
  const { provider, feed, alerts } = setUp([], [ruleOf({ kind: 'feedFails', forMin: 5 })]);
  await watchFor(feed, MINUTE_MS);
  provider.units = () => Promise.reject(new Error('The provider is down.'));
  await watchFor(feed, 5 * MINUTE_MS);
  expect(alerts).toEqual([]);
  await watchFor(feed, 3 * MINUTE_MS);
  // With the next attempt after these five minutes: they are two minutes apart by then.
  expect(alerts).toEqual(['8 opened ']);
});
