import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetRows } from '@/lib/wire/fleet';
import { recordPolls } from '@/testing/alerts/last-minutes';
import { START_MS, createRandom, shuffled } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import type { AlertChange, HeldAlert } from './engine/rule-state';
import { FleetWatch, type LastMinutes, type WatchConfig } from './fleet-watch';
import { alertFactsSchema, type AlertCondition, type AlertRule, type UnitScope } from './alert-rule';
import { MINUTE_MS } from '@/lib/base/time';

/** Of a Tuesday, 9:00 in Chicago: START_MS. */
const START_S = START_MS / 1000;
const HOURS = (fromMin: number, toMin: number) => ({
  timeZone: 'America/Chicago',
  days: [{ weekdays: [2], fromMin, toMin }],
});

const ruleOf = (id: number, condition: AlertCondition, changes: Partial<AlertRule> = {}): AlertRule => ({
  id,
  name: `Rule ${id}`,
  condition,
  units: { type: 'all' },
  schedule: null,
  severity: 'warning',
  coolDownMin: 0,
  isEnabled: true,
  isOwn: false,
  madeBy: 'manager',
  ...changes,
});

let watch: FleetWatch;
let config: WatchConfig;
let rows: FleetRows;
let alerts: AlertChange[];

const setUp = (rules: AlertRule[], changes: Partial<WatchConfig> = {}): void => {
  watch = new FleetWatch();
  const sites = [siteOf(1, 0), siteOf(2, 10_000, { kind: 'noGo' })];
  config = { sites, rules, tags: {}, ...changes };
  watch.configure(config);
  rows = createTestFleet([]);
};
const toText = ({ kind, unit, ruleId, atMs }: AlertChange): string =>
  `${(atMs - START_MS) / MINUTE_MS} ${kind} ${ruleId}${unit && ` ${unit}`}`;
/** One poll so many minutes after the start, in words; its facts are in `alerts`. */
const poll = (min: number, units: (UnitFields | null)[]): string[] => {
  rows = createTestFleet(units);
  ({ alerts } = watch.observe(rows, { seenMs: START_MS + Math.round(min * MINUTE_MS), failure: null }));
  return alerts.map(toText);
};
const fail = (min: number): string[] => {
  ({ alerts } = watch.observe(rows, { seenMs: START_MS + min * MINUTE_MS, failure: 'timeout' }));
  return alerts.map(toText);
};
const factsOf = (change = alerts[0]) => {
  if (change?.kind !== 'opened') throw new Error('No alert was opened.');
  return alertFactsSchema.parse(change.facts);
};

/** A recording that ends with these polls, by their minutes. */
const pastOf = (polls: Record<number, (UnitFields | null)[]>): LastMinutes =>
  recordPolls(
    Object.entries(polls).map(([min, units]) => ({
      seenMs: START_MS + Number(min) * MINUTE_MS,
      rows: createTestFleet(units),
    })),
  );

/** One unit that each minute shows something else, from minute 0 on. */
const show = (each: readonly Partial<UnitFields & { northM: number }>[], from = 0): string[] =>
  each.flatMap((fields, i) => {
    const min = from + i;
    return poll(min, [fixedAt('A', { min, northM: 5000, ...fields })]);
  });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('arrives', () => {
  const drive = (northM: number[]) => show(northM.map((each) => ({ northM: each })));

  it('opens once at an arrival, and closes when the unit has left', () => {
    setUp([ruleOf(1, { kind: 'arrives', siteIds: [1] })]);
    expect(drive([5000, 0, 0, 0])).toEqual(['2 opened 1 A']);
    const stay = times(30, { northM: 10 });
    expect(show(stay, 4)).toEqual([]);
    expect(show([{ northM: 5000 }, ...times(4, { northM: 6000 })], 34)).toEqual(['36 closed 1 A']);
  });

  it('knows the site and between which fixes the unit came', () => {
    setUp([ruleOf(1, { kind: 'arrives', siteIds: null })]);
    poll(0, [fixedAt('A', { min: 0, northM: 3000, truckNumber: '116' })]);
    poll(30, [fixedAt('A', { min: 30, northM: 0, truckNumber: '116' })]);
    poll(31, [fixedAt('A', { min: 31, northM: 0, truckNumber: '116', speedKph: 10 })]);
    expect(factsOf()).toMatchObject({
      unitName: '116',
      siteId: 1,
      siteName: 'Site 1',
      sinceMs: START_MS + 30 * MINUTE_MS,
      betweenMs: [START_MS, START_MS + 30 * MINUTE_MS],
      fixAtMs: START_MS + 31 * MINUTE_MS,
      lat: 35,
      lng: -101,
      status: 'moving',
      speedMph: 6.2,
    });
  });

  it('does not open at other sites, nor for a unit that drives by or is there when the rule begins', () => {
    setUp([ruleOf(1, { kind: 'arrives', siteIds: [2] })]);
    expect(drive([5000, 0, 0, 0, 0])).toEqual([]);
    setUp([ruleOf(1, { kind: 'arrives', siteIds: [1] })]);
    expect(drive([5000, 260, 260, 260, 5000, 0, 5000])).toEqual([]);
    setUp([]);
    drive([0, 0, 0]);
    watch.configure({
      sites: [siteOf(1, 0)],
      rules: [ruleOf(1, { kind: 'arrives', siteIds: null })],
      tags: {},
    });
    expect(show(times(10, { northM: 0 }), 3)).toEqual([]);
  });

  it('does not open for a unit that stands where a site is drawn, until it has left and comes back', () => {
    const rules = [ruleOf(1, { kind: 'arrives', siteIds: null })];
    setUp(rules);
    drive([30_000, 30_000, 30_000]);
    watch.configure({ sites: [siteOf(1, 0), siteOf(3, 30_000)], rules, tags: {} });
    const stay = times(10, { northM: 30_000 });
    const leaveAndReturn = [...times(5, { northM: 20_000 }), ...times(3, { northM: 30_000 })];
    expect(show([...stay, ...leaveAndReturn], 3)).toEqual(['19 opened 1 A']);
  });

  it('an hour of a position that wanders over the edge is one visit and one alert', () => {
    setUp([
      ruleOf(1, { kind: 'arrives', siteIds: null }),
      ruleOf(2, { kind: 'leaves', siteIds: null }),
      ruleOf(3, { kind: 'stays', siteIds: null, forMin: 30 }),
    ]);
    const random = createRandom(11);
    const found: string[] = [];
    let visits = 0;
    for (let min = 0; min < 60; min += 0.25) {
      rows = createTestFleet([fixedAt('A', { min, northM: 200 + (random() - 0.5) * 140 })]);
      const watched = watch.observe(rows, { seenMs: START_MS + min * MINUTE_MS, failure: null });
      found.push(...watched.alerts.map((each) => `${each.kind} ${each.ruleId}`));
      visits += watched.visits.length;
    }
    expect([visits, found]).toEqual([1, ['opened 1', 'opened 3']]);
  });

  it('the next site after one that the unit has left opens the next alert at once', () => {
    setUp([ruleOf(1, { kind: 'arrives', siteIds: null })], { sites: [siteOf(1, 0), siteOf(3, 1600)] });
    expect(drive([0, 0, 1600, 1600, 1600])).toEqual(['1 opened 1 A', '3 closed 1 A', '3 opened 1 A']);
  });

  it('a site inside of another opens no second alert while the first one is open', () => {
    const city = siteOf(3, 0, { shape: { type: 'circle', lat: 35, lng: -101, radiusM: 2000 } });
    setUp([ruleOf(1, { kind: 'arrives', siteIds: null })], { sites: [siteOf(1, 0), city] });
    expect(drive([1500, 1500, 0, 0, 0, 1500, 1500])).toEqual(['1 opened 1 A']);
  });
});

describe('leaves', () => {
  beforeEach(() => setUp([ruleOf(1, { kind: 'leaves', siteIds: [1] })]));

  it('opens and closes at once', () => {
    expect(show([0, 0, 0, 5000, 5000, 5000].map((northM) => ({ northM })))).toEqual([
      '3 opened 1 A',
      '3 closed 1 A',
    ]);
    show(
      [0, 0, 5000].map((northM) => ({ northM })),
      10,
    );
    expect(factsOf()).toMatchObject({
      siteName: 'Site 1',
      sinceMs: START_MS + 11 * MINUTE_MS,
      betweenMs: [START_MS + 11 * MINUTE_MS, START_MS + 12 * MINUTE_MS],
    });
  });

  it('does not open for another site, a unit that leaves the fleet, or a site that is drawn elsewhere', () => {
    expect(show([10_000, 10_000, 5000, 5000].map((northM) => ({ northM })))).toEqual([]);
    show([{ northM: 0 }, { northM: 0 }], 10);
    expect(poll(12, [null])).toEqual([]);
    show([{ northM: 0 }, { northM: 0 }], 20);
    watch.configure({
      sites: [siteOf(1, 5000)],
      rules: [ruleOf(1, { kind: 'leaves', siteIds: [1] })],
      tags: {},
    });
    expect(show(times(5, { northM: 0 }), 22)).toEqual([]);
  });
});

describe('stays', () => {
  it('opens once the visit is long enough, and closes when the unit has left', () => {
    setUp([ruleOf(1, { kind: 'stays', siteIds: [1], forMin: 10 })]);
    const found = show([...times(15, { northM: 0 }), ...times(4, { northM: 5000 })]);
    expect(found).toEqual(['10 opened 1 A', '17 closed 1 A']);
  });

  it('does not open for a unit whose newest fix is beyond the margin, though its departure is not yet sure', () => {
    setUp([ruleOf(1, { kind: 'stays', siteIds: [1], forMin: 10 })]);
    const stay = times(10, { northM: 0 });
    expect(show([...stay, { northM: 817 }])).toEqual([]);
    // It reports no more.
    expect([11, 12, 60].flatMap((min) => poll(min, [fixedAt('A', { min: 10, northM: 817 })]))).toEqual([]);
    // It had not left.
    expect(poll(61, [fixedAt('A', { min: 10.5, northM: 0 })])).toEqual(['61 opened 1 A']);
  });

  it('is kept by a unit that may have left, and opens for the next site though that begins within two minutes', () => {
    const sites = [siteOf(1, 0), siteOf(3, 600)];
    setUp([ruleOf(1, { kind: 'stays', siteIds: null, forMin: 1 })], { sites });
    const found = show([...times(4, { northM: 0 }), { northM: 300 }, { northM: 0 }]);
    expect(found).toEqual(['1 opened 1 A']);
    expect(show(times(2, { northM: 600 }), 6)).toEqual(['7 closed 1 A', '7 opened 1 A']);
    expect(factsOf(alerts.at(-1))).toMatchObject({ siteId: 3 });
  });

  it('begins again with each visit', () => {
    setUp([ruleOf(1, { kind: 'stays', siteIds: [1], forMin: 10 })]);
    const visit = [...times(9, { northM: 0 }), { northM: 5000 }];
    expect(show([...visit, ...visit])).toEqual([]);
  });
});

it('entersNoGo opens in a no-go area and at no other site', () => {
  setUp([ruleOf(1, { kind: 'entersNoGo' })]);
  expect(show([0, 0, 0, 0].map((northM) => ({ northM })))).toEqual([]);
  const found = show(
    [5000, 10_000, 10_000, 10_000, 5000, 5000, 5000].map((northM) => ({ northM })),
    10,
  );
  expect(found).toEqual(['12 opened 1 A', '16 closed 1 A']);
});

it('entersNoGo opens for each of two areas that follow each other', () => {
  setUp([ruleOf(1, { kind: 'entersNoGo' })], {
    sites: [siteOf(1, 0, { kind: 'noGo' }), siteOf(2, 450, { kind: 'noGo' })],
  });
  const found = show([0, 0, 0, 450, 450, 450, 450].map((northM) => ({ northM })));
  expect(found).toEqual(['1 opened 1 A', '4 closed 1 A', '4 opened 1 A']);
  expect(show(times(5, { northM: 450 }), 7)).toEqual([]);
});

it('what begins again after a cool-down does not open for a unit that may have left', () => {
  const arrives: AlertCondition = { kind: 'arrives', siteIds: [2] };
  setUp([ruleOf(1, { kind: 'entersNoGo' }, { coolDownMin: 20 }), ruleOf(2, arrives, { coolDownMin: 20 })]);
  const visit = [...times(3, { northM: 10_000 }), ...times(5, { northM: 5000 })];
  expect(show(visit).sort()).toEqual(['1 opened 1 A', '1 opened 2 A', '5 closed 1 A', '5 closed 2 A']);
  expect(show(times(12, { northM: 10_000 }), 8)).toEqual([]);
  const away = { northM: 10_800 };
  expect(show([away], 20)).toEqual([]);
  expect([21, 22, 25].flatMap((min) => poll(min, [fixedAt('A', { min: 20, ...away })]))).toEqual([]);
  expect(poll(26, [fixedAt('A', { min: 20.5, northM: 10_000 })])).toHaveLength(2);
});

describe('silent', () => {
  beforeEach(() => setUp([ruleOf(1, { kind: 'silent', forMin: 30 })]));
  const since = (fixMin: number) => fixedAt('A', { min: fixMin, northM: 0, status: 'silent' });

  it('opens after so long without a fix, and closes once fixes come again', () => {
    const found = [34.9, 35, 36, 60].flatMap((min) => poll(min, [since(5)]));
    expect(found).toEqual(['35 opened 1 A']);
    expect([61, 62, 63, 64].flatMap((min) => poll(min, [since(min)]))).toEqual(['63 closed 1 A']);
  });

  it('is not shown by a unit that was never seen, nor while the feed fails', () => {
    expect(poll(0, [{ key: 'B', status: 'silent', reason: 'neverSeen' }, since(0)])).toEqual([]);
    expect([10, 29, 40, 60].flatMap(fail)).toEqual([]);
    expect(poll(61, [null, fixedAt('A', { min: 60, northM: 0 })])).toEqual([]);
  });
});

it('vanishes opens for a unit that left the list while it was moving, not for one that stood', () => {
  setUp([ruleOf(1, { kind: 'vanishes' })]);
  expect(show(times(5, { status: 'silent', reason: 'vanishedStopped' }))).toEqual([]);
  const gone = times(3, { status: 'silent', reason: 'vanishedMoving' } as const);
  expect(show([{}, ...gone, ...times(3, {})], 5)).toEqual(['6 opened 1 A', '11 closed 1 A']);
});

it('late opens for a late unit, stays open while that is silent, and does not open for one that only is silent', () => {
  setUp([ruleOf(1, { kind: 'late' })]);
  expect(show(times(3, { status: 'silent' }))).toEqual([]);
  const statuses = [
    'moving',
    'late',
    'late',
    'silent',
    'silent',
    'silent',
    'stopped',
    'stopped',
    'stopped',
  ] as const;
  expect(
    show(
      statuses.map((status) => ({ status })),
      3,
    ),
  ).toEqual(['4 opened 1 A', '11 closed 1 A']);
});

describe('standsOutside', () => {
  beforeEach(() => setUp([ruleOf(1, { kind: 'standsOutside', forMin: 20 })]));
  const stands = (northM: number) => ({ status: 'stopped', sinceS: START_S, northM }) as const;

  it('opens once a unit stood for so long, and stays open while that does not report', () => {
    expect(show(times(25, stands(5000)))).toEqual(['20 opened 1 A']);
    const found = show([...times(5, { ...stands(5000), status: 'silent' as const }), ...times(3, {})], 25);
    expect(found).toEqual(['32 closed 1 A']);
  });

  it('does not open at a site, before its time, or for a unit that moves or is silent', () => {
    expect(show(times(30, stands(0)))).toEqual([]);
    expect(show(times(30, { ...stands(5000), sinceS: START_S + 41 * 60 }), 30)).toEqual([]);
    expect(show(times(5, { sinceS: START_S }), 61)).toEqual([]);
    expect(show(times(5, { status: 'silent', sinceS: START_S }), 70)).toEqual([]);
  });

  it('opens for each of two stops with a minute of driving between them', () => {
    setUp([ruleOf(1, { kind: 'standsOutside', forMin: 3 })]);
    const standsFrom = (min: number) => ({ ...stands(5000), sinceS: START_S + min * 60 });
    const found = show([...times(5, standsFrom(0)), { northM: 6000 }, ...times(7, standsFrom(6))]);
    expect(found).toEqual(['3 opened 1 A', '7 closed 1 A', '9 opened 1 A']);
    setUp([ruleOf(1, { kind: 'standsOutside', forMin: 1 })]);
    const short = show([...times(3, standsFrom(0)), { northM: 6000 }, ...times(3, standsFrom(4))]);
    expect(short).toEqual(['1 opened 1 A', '5 closed 1 A', '5 opened 1 A']);
  });

  it('is one alert of a stop that is interrupted, and whose beginning is corrected', () => {
    setUp([ruleOf(1, { kind: 'standsOutside', forMin: 3 })]);
    const flaps = [...times(5, stands(5000)), {}, ...times(3, stands(5000))];
    expect(show(flaps)).toEqual(['3 opened 1 A']);
    expect(show(times(9, { ...stands(5000), sinceS: START_S + 360 }), 9)).toEqual([]);
  });

  it('does not open for a stop that began at a site, nor while the unit may have arrived at one', () => {
    setUp([ruleOf(1, { kind: 'standsOutside', forMin: 4 })]);
    const found = show([...times(10, stands(0)), ...times(9, stands(300))]);
    // It was beyond the margin from minute 10 on.
    expect(found).toEqual(['14 opened 1 A']);
    setUp([ruleOf(1, { kind: 'standsOutside', forMin: 4 })]);
    expect([20, 22, 24, 25].flatMap((min) => poll(min, [fixedAt('A', { min: 20, ...stands(0) })]))).toEqual(
      [],
    );
    expect(rows.columns.siteId[0]).toBe(1);
  });
});

describe('movesOutsideHours', () => {
  beforeEach(() => setUp([ruleOf(1, { kind: 'movesOutsideHours', hours: HOURS(8 * 60, 9 * 60 + 30) })]));

  it('opens for a unit that moves then, and closes when it stands', () => {
    expect(show(times(35, {}))).toEqual(['30 opened 1 A']);
    expect(show([{ status: 'late' }, ...times(4, { status: 'stopped' as const })], 35)).toEqual([
      '38 closed 1 A',
    ]);
  });

  it('does not open within the hours, or for a unit that stands', () => {
    expect(show(times(30, {}))).toEqual([]);
    expect(show(times(9, { status: 'stopped' as const }), 30)).toEqual([]);
  });

  it('does not open for a unit that moved with its last fix before the hours ended', () => {
    const moved = fixedAt('A', { min: 29.5, northM: 5000 });
    expect([29.5, 30, 31, 32].flatMap((min) => poll(min, [moved]))).toEqual([]);
    expect(poll(33, [fixedAt('A', { min: 32.9, northM: 6000 })])).toEqual(['33 opened 1 A']);
  });
});

it('exceeds opens above its speed, closes 5 mph below, and does not open at it or for a position in doubt', () => {
  setUp([ruleOf(1, { kind: 'exceeds', speedMph: 70 })]);
  const speeds = (each: number[], rest: Partial<UnitFields> = {}) =>
    each.map((speedKph) => ({ speedKph, ...rest }));
  // 70 mph are 112.65 km/h, 65 mph 104.6 km/h.
  expect(show(speeds([100, 112, 112]))).toEqual([]);
  expect(show(speeds([130, 130], { flags: ['impossibleJump'] }), 3)).toEqual([]);
  expect(show(speeds([130, 130], { status: 'silent' }), 5)).toEqual([]);
  expect(show(speeds([113, 105, 106, 113, 105]), 7)).toEqual(['7 opened 1 A']);
  expect(show(speeds([104, 104, 105, 104, 104, 104]), 12)).toEqual(['17 closed 1 A']);
});

it('flagged opens for one of its flags, and for no other', () => {
  setUp([ruleOf(1, { kind: 'flagged', flags: ['badVin', 'wrongCarrier'] })]);
  expect(show(times(3, { flags: ['noPosition'] }))).toEqual([]);
  poll(3, [fixedAt('A', { min: 3, northM: 0, flags: ['noPosition', 'wrongCarrier'] })]);
  expect(factsOf().flags).toEqual(['wrongCarrier']);
  expect(show(times(4, {}), 4)).toEqual(['6 closed 1 A']);
});

describe('reportsAgain', () => {
  beforeEach(() => setUp([ruleOf(1, { kind: 'reportsAgain' })]));
  const silent = (fixMin: number) => fixedAt('A', { min: fixMin, northM: 0, status: 'silent' });

  it('opens and closes at once with a fix after a silence', () => {
    poll(40, [silent(0)]);
    expect(poll(41, [fixedAt('A', { min: 41, northM: 0 })])).toEqual(['41 opened 1 A', '41 closed 1 A']);
    expect(factsOf().sinceMs).toBe(START_MS);
    expect(show([{}, {}], 42)).toEqual([]);
  });

  it('does not open for the first fix ever, for a late unit, or without a fix', () => {
    poll(0, [{ key: 'A', status: 'silent', reason: 'neverSeen' }]);
    expect(poll(1, [fixedAt('A', { min: 1, northM: 0 })])).toEqual([]);
    poll(20, [fixedAt('A', { min: 1, northM: 0, status: 'late' })]);
    expect(poll(21, [fixedAt('A', { min: 21, northM: 0 })])).toEqual([]);
    poll(60, [silent(21)]);
    expect(poll(61, [fixedAt('A', { min: 21, northM: 0, status: 'unknown' })])).toEqual([]);
  });

  it('does not open for a unit that reported again while nothing was watched', () => {
    setUp([], { sites: [] });
    watch.start({ config, visits: [], alerts: [], past: pastOf({ 40: [silent(0)] }) });
    show(times(3, { northM: 0 }), 41);
    watch.configure({ sites: [], rules: [ruleOf(1, { kind: 'reportsAgain' })], tags: {} });
    expect(show(times(3, { northM: 0 }), 44)).toEqual([]);
  });

  it('opens also where the unit has another row now, or was silent before a restart', () => {
    poll(40, [silent(0), fixedAt('B', { min: 40, northM: 0 })]);
    const units = [fixedAt('B', { min: 41, northM: 0 }), fixedAt('A', { min: 41, northM: 0 })];
    expect(poll(41, units)).toEqual(['41 opened 1 A', '41 closed 1 A']);
    setUp([ruleOf(1, { kind: 'reportsAgain' })]);
    watch.start({ config, visits: [], alerts: [], past: pastOf({ 40: [silent(0)] }) });
    expect(poll(41, units)).toEqual(['41 opened 1 A', '41 closed 1 A']);
    expect(poll(42, units)).toEqual([]);
  });
});

describe('feedFails', () => {
  beforeEach(() => setUp([ruleOf(1, { kind: 'feedFails', forMin: 10 })]));

  it('opens once the feed failed for so long, and closes when it has answered for two minutes', () => {
    poll(0, []);
    expect([1, 5, 10.5, 11, 12].flatMap(fail)).toEqual(['11 opened 1']);
    expect([poll(13, []), fail(14), poll(15, []), poll(16, []), poll(17, [])].flat()).toEqual([
      '17 closed 1',
    ]);
  });

  it('does not open where an answer comes in between', () => {
    expect([...[1, 5, 9].flatMap(fail), ...poll(10, []), ...[11, 15, 20].flatMap(fail)]).toEqual([]);
  });
});

describe('a schedule', () => {
  // 9:00 to 9:30.
  const schedule = HOURS(9 * 60, 9 * 60 + 30);

  it('opens nothing outside its hours, and closes as usual', () => {
    setUp([ruleOf(1, { kind: 'late' }, { schedule })]);
    expect(show([...times(2, {}), ...times(35, { status: 'late' as const }), ...times(3, {})])).toEqual([
      '2 opened 1 A',
      '39 closed 1 A',
    ]);
    expect(show(times(5, { status: 'late' as const }), 40)).toEqual([]);
  });

  it('does not open for an arrival before it begins', () => {
    setUp([ruleOf(1, { kind: 'arrives', siteIds: null }, { schedule: HOURS(9 * 60 + 5, 10 * 60) })]);
    expect(show(times(20, { northM: 0 }))).toEqual([]);
  });
});

describe('a cool-down', () => {
  const late = (rule: Partial<AlertRule>) => setUp([ruleOf(1, { kind: 'late' }, rule)]);
  const spell = [{ status: 'late' as const }, ...times(4, {})];

  it('allows one alert of a unit within its time', () => {
    late({ coolDownMin: 10 });
    expect(show([...spell, ...spell, ...spell])).toEqual([
      '0 opened 1 A',
      '3 closed 1 A',
      '10 opened 1 A',
      '13 closed 1 A',
    ]);
    late({ coolDownMin: 0 });
    expect(show([...spell, ...spell]).filter((text) => text.includes('opened'))).toHaveLength(2);
  });

  it('is of each unit apart', () => {
    late({ coolDownMin: 30 });
    const at = (min: number, keys: string) =>
      poll(
        min,
        [...keys].map((key) => fixedAt(key, { min, northM: 0, status: 'late' })),
      );
    expect([at(0, 'A'), at(1, 'AB')]).toEqual([['0 opened 1 A'], ['1 opened 1 B']]);
  });

  it('opens when it ends if the cause still holds', () => {
    late({ coolDownMin: 30 });
    expect(show([...spell, ...times(40, { status: 'late' as const })])).toEqual([
      '0 opened 1 A',
      '3 closed 1 A',
      '30 opened 1 A',
    ]);
  });

  it('is over an arrival: it opens afterward if the unit is still there, and not if it has left', () => {
    const rule = ruleOf(1, { kind: 'arrives', siteIds: null }, { coolDownMin: 30 });
    const visit = [0, 0, 5000, 5000, 5000].map((northM) => ({ northM }));
    setUp([rule]);
    expect(show([...visit, ...visit, ...times(30, {})])).toEqual(['1 opened 1 A', '4 closed 1 A']);
    setUp([rule]);
    expect(show([...visit, ...times(40, { northM: 0 })])).toEqual([
      '1 opened 1 A',
      '4 closed 1 A',
      '31 opened 1 A',
    ]);
  });

  it('holds for events', () => {
    setUp([ruleOf(1, { kind: 'leaves', siteIds: null }, { coolDownMin: 30 })]);
    const visit = [0, 0, 5000].map((northM) => ({ northM }));
    const opened = show([...visit, ...visit, ...times(30, {}), ...visit]).filter((text) =>
      text.includes('opened'),
    );
    expect(opened).toEqual(['2 opened 1 A', '38 opened 1 A']);
  });
});

it('a cause that is gone for less than two minutes closes nothing', () => {
  setUp([ruleOf(1, { kind: 'late' })]);
  const flaps = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
    status: i % 2 ? ('moving' as const) : ('late' as const),
  }));
  expect(show(flaps)).toEqual(['0 opened 1 A']);
});

describe('units of a rule', () => {
  const UNITS = [
    { key: 'A', make: 'Volvo', status: 'late' },
    { key: 'B', make: ' VOLVO', status: 'late' },
    { key: 'C', make: null, status: 'late' },
  ] as const;
  const openedFor = (units: UnitScope, condition: AlertCondition = { kind: 'late' }): string[] => {
    setUp([ruleOf(1, condition, { units })], { tags: { flatbeds: ['B', 'C'], none: [] } });
    poll(0, [...UNITS, null]);
    return alerts.map(({ unit }) => unit);
  };

  it('are all, or those by key, make or tag', () => {
    expect(openedFor({ type: 'all' })).toEqual(['A', 'B', 'C']);
    expect(openedFor({ type: 'units', units: ['C', 'X'] })).toEqual(['C']);
    expect(openedFor({ type: 'makes', makes: ['volvo'] })).toEqual(['A', 'B']);
    expect(openedFor({ type: 'tags', tags: ['flatbeds', 'unknown'] })).toEqual(['B', 'C']);
  });

  it('may be those with a status, as long as they have it', () => {
    setUp([
      ruleOf(
        1,
        { kind: 'flagged', flags: ['badVin'] },
        { units: { type: 'statuses', statuses: ['moving', 'late'] } },
      ),
    ]);
    const flags = ['badVin' as const];
    const found = show([
      { status: 'stopped', flags },
      { flags },
      { status: 'late', flags },
      ...times(4, { status: 'stopped' as const, flags }),
    ]);
    expect(found).toEqual(['1 opened 1 A', '5 closed 1 A']);
  });

  it('follow a make that is learned or corrected after the unit is known', () => {
    setUp([ruleOf(1, { kind: 'late' }, { units: { type: 'makes', makes: ['Volvo'] } })]);
    const late = (make: string | null) => [{ ...UNITS[0], key: 'A', status: 'late' as const, make }];
    expect([poll(0, late(null)), poll(1, late('volvo'))].flat()).toEqual(['1 opened 1 A']);
    expect([poll(2, late('Mack')), poll(4, late('Mack'))].flat()).toEqual(['4 closed 1 A']);
  });

  it('follow a change of tags, of rules and of names', () => {
    const rule = ruleOf(1, { kind: 'late' }, { units: { type: 'tags', tags: ['t'] } });
    setUp([rule], { tags: { t: ['A'] } });
    const units: (UnitFields | null)[] = [...UNITS];
    expect(poll(0, units)).toEqual(['0 opened 1 A']);
    watch.configure({
      sites: [],
      rules: [rule, ruleOf(2, { kind: 'late' }, { isEnabled: false })],
      tags: { t: ['B'] },
    });
    expect(poll(1, units)).toEqual(['1 opened 1 B']);
    expect(poll(3, units)).toEqual(['3 closed 1 A']);
    watch.configure({ sites: [], rules: [ruleOf(2, { kind: 'late' })], tags: {} });
    expect(poll(4, [units[0]!])).toEqual(['4 opened 2 A']);
    expect(poll(5, [{ ...UNITS[0], key: 'D' }])).toEqual(['5 closed 2 A', '5 opened 2 D']);
  });
});

it('a unit whose VIN becomes known or is corrected keeps its visit and its alerts, and does not arrive again', () => {
  const rules = [
    ruleOf(1, { kind: 'arrives', siteIds: null }),
    ruleOf(2, { kind: 'stays', siteIds: null, forMin: 5 }, { coolDownMin: 60 }),
    ruleOf(3, { kind: 'vanishes' }),
  ];
  /** The VIN has its row on the roster already; the old key is gone, or stays on the roster. */
  for (const left of [null, { key: 'OLD', status: 'silent', reason: 'neverSeen' } as const]) {
    setUp(rules);
    const onRoster = { key: 'NEW', status: 'silent', reason: 'neverSeen' } as const;
    for (let min = 0; min < 7; min++) poll(min, [fixedAt('OLD', { min, northM: 0 }), onRoster]);
    const rename = (min: number) => {
      rows = createTestFleet([left, fixedAt('NEW', { min, northM: 0 })]);
      const seenMs = START_MS + min * MINUTE_MS;
      return watch.observe(rows, { seenMs, failure: null, renamed: [['OLD', 'NEW']] });
    };
    expect(rename(7)).toEqual({ visits: [], alerts: [], renamed: [['OLD', 'NEW']] });
    expect(rows.columns.siteId[1]).toBe(1);
    const drive = [8, 9, 10, 11].flatMap((min) => poll(min, [left, fixedAt('NEW', { min, northM: 5000 })]));
    expect(drive.sort()).toEqual(['10 closed 1 NEW', '10 closed 2 NEW']);
  }
});

it('passes on another key of a unit where a fleet has neither sites nor rules', () => {
  setUp([], { sites: [] });
  const renamed: [string, string][] = [['OLD', 'NEW']];
  expect(watch.observe(rows, { seenMs: START_MS, failure: null, renamed }).renamed).toEqual(renamed);
});

it('a rule that lists a unit, or its tag, follows it to another key', () => {
  const late = (key: string, min: number) => fixedAt(key, { min, northM: 0, status: 'late' });
  const rules = [
    ruleOf(1, { kind: 'late' }, { units: { type: 'units', units: ['OLD'] } }),
    ruleOf(2, { kind: 'late' }, { units: { type: 'tags', tags: ['flatbed'] } }),
  ];
  setUp(rules, { tags: { flatbed: ['OLD'] } });
  for (let min = 0; min < 3; min++) poll(min, [fixedAt('OLD', { min, northM: 0 })]);
  rows = createTestFleet([null, fixedAt('NEW', { min: 3, northM: 0 })]);
  watch.observe(rows, { seenMs: START_MS + 3 * MINUTE_MS, failure: null, renamed: [['OLD', 'NEW']] });
  expect(poll(4, [null, late('NEW', 4)])).toEqual(['4 opened 1 NEW', '4 opened 2 NEW']);
  // Another truck that has the former key.
  expect(poll(5, [late('OLD', 5), late('NEW', 5)])).toEqual([]);
});

describe('a restart', () => {
  const held = (unit: string, changes: Partial<HeldAlert> = {}): HeldAlert => ({
    ...{ ruleId: 1, unit, openedMs: START_MS, closedMs: null, siteId: null, sinceMs: null },
    ...changes,
  });
  const restore = (...each: HeldAlert[]): void => watch.start({ config, visits: [], alerts: each });
  const late = (min: number, keys: string) =>
    [...keys].map((key) => fixedAt(key, { min, northM: 0, status: 'late' }));

  it('goes on with open alerts and cool-downs', () => {
    setUp([ruleOf(1, { kind: 'late' }, { coolDownMin: 60 })]);
    restore(held('A'), held('B'), held('C', { closedMs: START_MS + MINUTE_MS }), held('X', { ruleId: 9 }));
    const units = (min: number) => [...late(min, 'AC'), fixedAt('B', { min, northM: 0 })];
    expect(poll(10, units(10))).toEqual([]);
    expect(poll(12, units(12))).toEqual(['12 closed 1 B']);
    expect(poll(60, units(60))).toEqual(['60 opened 1 C']);
  });

  it('goes on with a visit and its alert', () => {
    setUp([ruleOf(1, { kind: 'arrives', siteIds: null })]);
    const visit = { siteId: 1, unit: 'A', arrivedAfterMs: null, arrivedMs: START_MS };
    watch.start({
      config,
      visits: [{ ...visit, leftMs: null, leftByMs: null }],
      alerts: [held('A', { siteId: 1 })],
      past: pastOf({ 9: [fixedAt('A', { min: 9, northM: 0 })] }),
    });
    expect(show([...times(5, { northM: 0 }), ...times(5, {})], 10)).toEqual(['17 closed 1 A']);
  });

  it('closes the alert of a unit that does not appear for two hours', () => {
    setUp([ruleOf(1, { kind: 'late' }), ruleOf(2, { kind: 'feedFails', forMin: 5 })]);
    restore(held('A'), held('B'), held('', { ruleId: 2 }));
    expect(poll(0, late(0, 'B'))).toEqual([]);
    expect(poll(2, late(2, 'B'))).toEqual(['2 closed 2']);
    expect(poll(119, late(119, 'B'))).toEqual([]);
    expect(poll(120, late(120, 'B'))).toEqual(['120 closed 1 A']);
  });
});

it('fixes that come late or out of order open and close nothing', () => {
  setUp([
    ruleOf(1, { kind: 'arrives', siteIds: null }),
    ruleOf(2, { kind: 'leaves', siteIds: null }),
    ruleOf(3, { kind: 'silent', forMin: 30 }),
    ruleOf(4, { kind: 'reportsAgain' }),
  ]);
  const seen = (min: number, fixMin: number, northM: number, status: UnitFields['status'] = 'stopped') =>
    poll(min, [fixedAt('A', { min: fixMin, northM, status })]);
  expect([seen(0, 0, 0), seen(1, 1, 0), seen(2, 2, 0)].flat()).toEqual(['1 opened 1 A']);
  // On the way to the site, and from before.
  expect([seen(3, 0.5, 5000), seen(4, -5, 9000), seen(5, 5, 0)].flat()).toEqual([]);
  expect([seen(35, 5, 0, 'silent'), seen(36, 6, 0, 'silent')].flat()).toEqual(['35 opened 3 A']);
  expect([seen(37, 4, 5000, 'unknown'), seen(38, 6, 0, 'silent')].flat()).toEqual([]);
  expect(seen(39, 39, 0)).toEqual(['39 opened 4 A', '39 closed 4 A']);
  expect([seen(40, 40, 0), seen(41, 41, 0)].flat()).toEqual(['41 closed 3 A']);
});

it('a clock that is set back by an hour neither opens nor keeps anything for longer', () => {
  setUp([ruleOf(1, { kind: 'late' }, { coolDownMin: 10 }), ruleOf(2, { kind: 'feedFails', forMin: 5 })]);
  const late = { status: 'late' as const };
  expect(show([{}, late, {}], 60)).toEqual(['61 opened 1 A']);
  expect(show([{}, {}, {}, late, ...times(9, {}), late], 2)).toEqual(['4 closed 1 A', '15 opened 1 A']);
  fail(80);
  expect([fail(20), fail(24), fail(25)].flat()).toEqual(['25 opened 2']);
});

const STATUSES_SHOWN = ['moving', 'late', 'silent', 'stopped'] as const;
const script = fc.array(fc.array(fc.constantFrom(...STATUSES_SHOWN), { minLength: 4, maxLength: 4 }), {
  maxLength: 30,
});

it('the order of rows makes no difference; each alert closes before the next one of its rule and unit opens', () => {
  const play = (
    polls: readonly (readonly (typeof STATUSES_SHOWN)[number][])[],
    random: (() => number) | null,
  ) => {
    setUp([
      ruleOf(1, { kind: 'late' }, { coolDownMin: 5 }),
      ruleOf(2, { kind: 'reportsAgain' }),
      ruleOf(3, { kind: 'standsOutside', forMin: 1 }, { units: { type: 'units', units: ['A', 'C'] } }),
    ]);
    return polls.map((statuses, min) => {
      const units = statuses.map((status, i) =>
        fixedAt('ABCD'[i]!, { min, northM: 5000, status, sinceS: START_S }),
      );
      return poll(min, random ? shuffled([...units, null], random) : units).sort();
    });
  };
  fc.assert(
    fc.property(script, fc.integer(), (polls, seed) => {
      const played = play(polls, null);
      expect(play(polls, createRandom(seed))).toEqual(played);
      const open = new Set<string>();
      for (const text of played.flat().filter((each) => !each.includes(' 2 '))) {
        const [, kind, rule, unit] = text.split(' ');
        expect(open.has(`${rule} ${unit}`)).toBe(kind === 'closed');
        if (kind === 'opened') open.add(`${rule} ${unit}`);
        else open.delete(`${rule} ${unit}`);
      }
    }),
  );
});
