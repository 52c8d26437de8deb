import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AlertCondition } from '@/lib/rules/alert-rule';
import { systemClock } from '@/lib/base/clock';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { createFakeClient } from '@/testing/live/fake-client';
import { unitAt } from '@/testing/live/tracked-units';
import { minutesPassed, pass } from '@/testing/live/watched-feed';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import { siteOf } from '@/testing/sites/watched-units';
import { PolledFeeds } from '../feeds';

const USDOT = '9000001';
const LAST_MIN = 70;
const KM = 1000;
const RADIUS_M = 200;
/** A yard, and a no-go area 10 km behind it, with a margin of 75 m. */
const SITES = (['yard', 'noGo'] as const).map((kind, i) => {
  const { lat, lng } = fixAt(0, (i + 1) * 10 * KM);
  return siteOf(i + 1, 0, { kind, shape: { type: 'circle', lat, lng, radiusM: RADIUS_M } });
});

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the provider has of a truck after some minutes: how far north its newest fix is; null: it does not list the truck. */
type Truck = (min: number) => { northM: number; fixMin?: number; more?: Partial<TrackedUnit> } | null;

/** Drives 1 km a minute up to a place, stands there for some minutes, and drives on. */
const via =
  (atKm: number, standsMin: number): Truck =>
  (min) => ({ northM: KM * (min < atKm + standsMin ? Math.min(min, atKm) : min - standsMin) });
/** Drives 1 km a minute, with two stops of some minutes and a minute between them. */
const twoStops =
  (standsMin: number): Truck =>
  (min) => {
    const first = Math.max(0, Math.min(standsMin, min - 5));
    const second = Math.max(0, Math.min(standsMin, min - 6 - standsMin));
    return { northM: KM * (min - first - second) };
  };
/** Drives 1 km a minute, and reports nothing between two minutes. */
const quiet =
  (fromMin: number, toMin: number): Truck =>
  (min) => {
    const fixMin = min > fromMin && min < toMin ? fromMin : min;
    return { northM: fixMin * KM, fixMin };
  };
/** Drives at so many km a minute. */
const drives =
  (kmPerMin: number): Truck =>
  (min) => ({ northM: min * kmPerMin * KM });
const until =
  (lastMin: number, truck: Truck): Truck =>
  (min) =>
    min > lastMin ? null : truck(min);
/** Drives to the yard, and after 10 minutes there stands just beyond its edge, within the margin. */
const movesInMargin: Truck = (min) => ({
  northM: min < 20 ? Math.min(min, 10) * KM : 10 * KM + RADIUS_M + 50,
});
const parked: Truck = () => ({ northM: 5 * KM });
const withoutPosition =
  (fromMin: number, toMin: number): Truck =>
  (min) => {
    const flags = [{ flag: 'noPosition' as const, text: 'It has no coordinates.' }];
    return { northM: min * KM, more: min >= fromMin && min < toMin ? { position: null, flags } : {} };
  };

/** What the alerts of a rule do with two trucks, of which no browser looks at the fleet: "minute kind truck". */
const watch = async (condition: AlertCondition, trucks: { HITS: Truck; NEAR: Truck }): Promise<string[]> => {
  const rule = {
    ...{ id: 1, name: 'Rule', condition, units: { type: 'all' as const }, schedule: null },
    ...{ severity: 'warning' as const, coolDownMin: 0, isEnabled: true, isOwn: false, madeBy: 'manager' },
  };
  const { provider, client } = createFakeClient(() => Date.now());
  provider.units = async () => {
    const min = minutesPassed();
    return Object.entries(trucks).flatMap(([key, truck]) => {
      const shown = truck(min);
      return shown === null ? [] : [unitAt(key, shown.fixMin ?? min, shown.northM, shown.more)];
    });
  };
  provider.vins = async () => Object.keys(trucks);
  const found: string[] = [];
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: 10_000,
    random: () => 0.5,
    settings: { carrierPauseMs: null },
    readStart: async () => ({
      units: null,
      watch: { config: { sites: SITES, rules: [rule], tags: {} }, visits: [], alerts: [] },
    }),
    onPolled: (_, _changes, watched) => {
      for (const { kind, unit, atMs } of watched?.alerts ?? [])
        found.push(`${Math.round((atMs - START_MS) / MINUTE_MS)} ${kind} ${unit}`);
    },
  });
  for (let min = 0; min <= LAST_MIN; min++) {
    await feeds.feed(USDOT).pollOnce();
    await pass(MINUTE_MS);
  }
  await feeds.close();
  return found;
};

/** The hours end 20 minutes after the start, which is a Tuesday at 9:00 in Chicago. */
const HOURS = {
  timeZone: 'America/Chicago',
  days: [{ weekdays: [2], fromMin: 8 * 60, toMin: 9 * 60 + 20 }],
};

test.each<[AlertCondition, Truck, Truck, string[]]>([
  [{ kind: 'arrives', siteIds: [1] }, via(10, 20), via(9.6, 20), ['11 opened HITS', '34 closed HITS']],
  [{ kind: 'leaves', siteIds: [1] }, via(10, 20), movesInMargin, ['32 opened HITS', '32 closed HITS']],
  [
    { kind: 'stays', siteIds: [1], forMin: 15 },
    via(10, 20),
    via(10, 10),
    ['25 opened HITS', '34 closed HITS'],
  ],
  [{ kind: 'entersNoGo' }, via(20, 20), via(10, 20), ['21 opened HITS', '44 closed HITS']],
  [{ kind: 'silent', forMin: 20 }, quiet(10, 40), quiet(10, 29), ['30 opened HITS', '42 closed HITS']],
  [{ kind: 'vanishes' }, until(15, drives(1)), until(15, parked), ['17 opened HITS']],
  [{ kind: 'late' }, quiet(10, 20), quiet(10, 13), ['13 opened HITS', '22 closed HITS']],
  [{ kind: 'standsOutside', forMin: 15 }, via(5, 25), via(5, 12), ['20 opened HITS', '33 closed HITS']],
  [
    { kind: 'standsOutside', forMin: 3 },
    twoStops(6),
    twoStops(2),
    ['8 opened HITS', '14 closed HITS', '15 opened HITS', '21 closed HITS'],
  ],
  [{ kind: 'movesOutsideHours', hours: HOURS }, until(30, drives(1)), via(15, 99), ['20 opened HITS']],
  [{ kind: 'exceeds', speedMph: 70 }, drives(1.95), drives(1.8), ['1 opened HITS']],
  [
    { kind: 'flagged', flags: ['noPosition'] },
    withoutPosition(10, 20),
    drives(1),
    ['10 opened HITS', '23 closed HITS'],
  ],
  [{ kind: 'reportsAgain' }, quiet(10, 45), quiet(10, 35), ['45 opened HITS', '45 closed HITS']],
])('%j fires once, and not for a near miss, without a browser', async (condition, HITS, NEAR, expected) => {
  expect(await watch(condition, { HITS, NEAR })).toEqual(expected);
});
