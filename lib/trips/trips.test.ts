import { expect, test } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { DEFAULT_MOTION_SETTINGS as settings } from '@/lib/motion/settings';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { START_MS, fixAt } from '@/testing/motion/fixes';
import type { CoverageInterval as Coverage } from './coverage';
import type { RecordedFix } from './trail';
import { toDay, type Day } from './trips';
import { MINUTE_MS } from '@/lib/base/time';

/** A mile a minute. */
const MILE = METERS_PER_MILE;
const at = (minutes: number): number => START_MS + minutes * MINUTE_MS;

/** A fix each minute, from one minute to another, each so many meters further. */
const report = (from: number, to: number, fromM: number, stepM: number): RecordedFix[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    ...fixAt(from + i, fromM + i * stepM),
    isByReceipt: false,
  }));
const stand = (from: number, to: number, northM: number) => report(from, to, northM, 0);

const answered = (from: number, to: number): Coverage => ({
  fromMs: at(from),
  toMs: at(to),
  state: 'answered',
  problem: null,
});

interface Range {
  from?: number;
  to?: number;
  now?: number;
  coverage?: Coverage[];
}

const dayOf = (
  fixes: RecordedFix[],
  { from = 0, to = 180, now = 1000, coverage = [answered(-120, 1000)] }: Range = {},
): Day => toDay({ fixes, coverage, fromMs: at(from), toMs: at(to), nowMs: at(now) }, settings);

const toMinutes = (ms: number): number => Math.round((ms - START_MS) / MINUTE_MS);
const bar = ({ segments }: Day): string =>
  segments.map(({ kind, fromMs, toMs }) => `${kind} ${toMinutes(fromMs)}-${toMinutes(toMs)}`).join(', ');
const list = ({ entries }: Day): string =>
  entries
    .map((each) => `${each.kind}${each.kind === 'stop' ? each.number : ''} ${toMinutes(each.toMs)}`)
    .join(', ');

/** Stands for an hour, drives for an hour, and stands again. */
const TRIP = [...stand(-30, 60, 0), ...report(61, 120, MILE, MILE), ...stand(121, 240, 60 * MILE)];

test('cuts a day into stops and trips, by the times that the live status gives', () => {
  const day = dayOf(TRIP);
  expect(bar(day)).toBe('stopped 0-60, moving 60-120, stopped 120-180');
  expect(list(day)).toBe('stop1 60, trip 120, stop2 180');
  const [first, trip, second] = day.entries;
  expect(first).toMatchObject({ hasArrival: false, hasDeparture: true });
  expect(second).toMatchObject({ hasArrival: true, hasDeparture: false });
  expect(trip).toMatchObject({ fixes: 61, bridgedM: 0, movingMs: 60 * MINUTE_MS });
  expect(day.totals.drivenM / MILE).toBeCloseTo(60, 1);
  expect(day.totals).toMatchObject({ stops: 2, fixes: 180, silentMs: 0, notRecordedMs: 0 });
});

test('counts the part of a line that is within the range', () => {
  const day = dayOf(TRIP, { from: 90.5, to: 100 });
  expect(bar(day)).toBe('moving 91-100');
  expect(day.totals.drivenM / MILE).toBeCloseTo(9.5, 2);
});

test('the minutes of a day add up to it, with what has not come yet', () => {
  for (const now of [-10, 0, 30, 90, 150, 500]) {
    const { totals, segments } = dayOf(
      TRIP.filter(({ fixAtMs }) => fixAtMs <= at(now)),
      { now },
    );
    const { movingMs, stoppedMs, silentMs, notRecordedMs, aheadMs } = totals;
    expect(movingMs + stoppedMs + silentMs + notRecordedMs + aheadMs).toBe(180 * MINUTE_MS);
    expect(segments[0]!.fromMs).toBe(at(0));
    expect(aheadMs).toBe(Math.min(180, Math.max(0, 180 - now)) * MINUTE_MS);
  }
});

test('a truck that reports nothing is silent from its last fix on, and the line over it is counted apart', () => {
  const day = dayOf([...TRIP.slice(0, 100), ...TRIP.slice(142)]);
  expect(bar(day)).toBe('stopped 0-60, moving 60-69, silent 69-112, moving 112-120, stopped 120-180');
  expect(list(day)).toBe('stop1 60, trip 69, silent 112, trip 120, stop2 180');
  expect(day.totals.bridgedM / MILE).toBeCloseTo(43, 1);
  expect(day.totals.drivenM / MILE).toBeCloseTo(17, 1);
});

test('names why nothing was recorded', () => {
  const fixes = [...TRIP.slice(0, 100), ...TRIP.slice(142)];
  const interval = (from: number, to: number, state: Coverage['state'], problem: string | null = null) => ({
    ...{ fromMs: at(from), toMs: at(to) },
    ...{ state, problem },
  });
  const reasons = (coverage: Coverage[]) =>
    dayOf(fixes, { coverage }).segments.flatMap((each) =>
      each.kind === 'notRecorded'
        ? [`${each.reason.state} ${toMinutes(each.fromMs)}-${toMinutes(each.toMs)}`]
        : [],
    );
  const around = (...outage: Coverage[]) => [
    answered(-120, toMinutes(outage[0]!.fromMs)),
    ...outage,
    answered(toMinutes(outage[outage.length - 1]!.toMs), 1000),
  ];
  expect(reasons(around(interval(70, 112, 'notRunning')))).toEqual(['notRunning 69-112']);
  expect(reasons(around(interval(70, 90, 'failing', 'timeout')))).toEqual(['failing 69-90']);
  expect(
    reasons(around(interval(70, 90, 'failing', 'timeout'), interval(90, 111, 'lost', 'database'))),
  ).toEqual(['failing 69-90', 'lost 90-112']);
  // Too short to explain the silence.
  expect(reasons(around(interval(80, 82, 'failing')))).toEqual([]);
  // While the truck's reports went on, nothing is missing.
  expect(reasons(around(interval(20, 22, 'failing')))).toEqual([]);
});

test('before the recording began, and after the server stopped, nothing was recorded', () => {
  const day = dayOf(TRIP.slice(60, 90), { coverage: [answered(30, 60)], now: 120 });
  expect(bar(day)).toBe('notRecorded 0-30, stopped 30-59, notRecorded 59-120, ahead 120-180');
  expect(dayOf([], { coverage: [] }).segments).toEqual([
    { kind: 'notRecorded', fromMs: at(0), toMs: at(180), reason: { state: 'before', problem: null } },
  ]);
});

test('a unit without a fix is silent while its provider answered', () => {
  expect(bar(dayOf([]))).toBe('silent 0-180');
});

test('a short stop and a short silence are part of the trip, but shown on the bar', () => {
  const fixes = [
    ...report(-10, 30, 0, MILE),
    ...stand(31, 33, 40 * MILE),
    ...report(34, 60, 41 * MILE, MILE),
    ...report(64, 90, 71 * MILE, MILE),
  ];
  const day = dayOf(fixes, { to: 90 });
  expect(bar(day)).toBe('moving 0-30, stopped 30-33, moving 33-60, silent 60-64, moving 64-90');
  expect(list(day)).toBe('trip 90');
  expect(day.entries[0]).toMatchObject({ movingMs: 83 * MINUTE_MS });
});

test('a stop that goes on after a gap keeps its number', () => {
  const fixes = [...stand(-10, 40, 0), ...stand(100, 120, 0), ...report(121, 180, MILE, MILE)];
  const day = dayOf(fixes);
  expect(list(day)).toBe('stop1 40, silent 100, stop1 120, trip 180');
  expect(day.entries[2]).toMatchObject({ isContinued: true, hasArrival: false });
  expect(day.totals).toMatchObject({ stops: 1, bridgedM: 0 });
});

test('a truck that reports more seldom where it stands is not silent there', () => {
  const seldom = [130, 140, 150, 160, 170, 180].flatMap((minute) => stand(minute, minute, 60 * MILE));
  const day = dayOf([...TRIP.filter(({ fixAtMs }) => fixAtMs <= at(120)), ...seldom]);
  expect(bar(day)).toBe('stopped 0-60, moving 60-120, stopped 120-180');
});

test('a position out of reach is left out, and one that is confirmed is no driven line', () => {
  const jump = stand(30, 30, 500 * MILE);
  expect(dayOf([...stand(-10, 29, 0), ...jump, ...stand(31, 200, 0)]).totals.bridgedM).toBe(0);
  const moved = dayOf([...stand(-10, 29, 0), ...stand(30, 200, 500 * MILE)]);
  expect(moved.totals.drivenM).toBe(0);
  expect(moved.totals.bridgedM / MILE).toBeCloseTo(500, 0);
});

/** A truck that reports each minute while it drives, and each `beatMin` minutes while it stands. */
const withHeartbeats = (beatMin: number, awayM: number): RecordedFix[] => {
  const beats = Array.from({ length: Math.floor(60 / beatMin) + 1 }, (_, i) => i * beatMin);
  const leftMin = beats[beats.length - 1]! + beatMin - 1;
  return [
    ...report(-30, -1, -30 * MILE, MILE),
    ...beats.flatMap((minute) => stand(minute, minute, 0)),
    ...report(leftMin, leftMin + 20, awayM, MILE),
  ];
};

test.each(
  [5, 10, 15].flatMap((beatMin) => [900, 2500, 6000, 24_000].map((awayM) => [beatMin, awayM] as const)),
)(
  'counts the way from the last heartbeat of %i min to the first fix on the road, %i m on',
  (beatMin, awayM) => {
    // Faster than any truck it would be a jump.
    const fixes = withHeartbeats(beatMin, Math.min(awayM, beatMin * 1500));
    const day = dayOf(fixes, { from: -30, to: 150, now: 150 });
    const first = fixes.find(({ fixAtMs }) => fixAtMs >= at(-30))!;
    const wayM = distanceM(first, fixes[fixes.length - 1]!);
    expect((day.totals.drivenM + day.totals.bridgedM) / wayM).toBeCloseTo(1, 3);
    const lastBeatMs = at(beatMin * Math.floor(60 / beatMin));
    expect(day.segments.find(({ kind }) => kind === 'stopped')!.toMs).toBeLessThanOrEqual(lastBeatMs);
  },
);

test('a truck that drives when it first appears has no stop before', () => {
  const fixes = Array.from({ length: 100 }, (_, i) => ({ ...fixAt(i / 12, i * 125), isByReceipt: false }));
  const day = dayOf(fixes, { to: 8 });
  expect(bar(day)).toBe('moving 0-8');
  expect(day.totals.drivenM).toBeCloseTo(8 * 12 * 125, 0);
});

test('of a city with its stops less than a percent of the way is lost', () => {
  const fixes: RecordedFix[] = [];
  let northM = 0;
  for (let second = 0; second < 3600; second += 10) {
    // Each five minutes: three on the road at up to 40 km/h, two at a door.
    const atS = second % 300;
    northM += 10 * Math.min(11, Math.max(0, Math.min(atS, 180 - atS)));
    fixes.push({ ...fixAt(second / 60, northM), isByReceipt: false });
  }
  const day = dayOf(fixes, { to: 60 });
  expect(day.totals.drivenM / northM).toBeGreaterThan(0.99);
  expect(day.segments.filter(({ kind }) => kind === 'stopped')).toHaveLength(12);
});

test('one fix after a long silence is neither a drive nor a stop', () => {
  const day = dayOf([...TRIP.filter(({ fixAtMs }) => fixAtMs <= at(90)), ...stand(158, 158, 60 * MILE)], {
    now: 180,
  });
  expect(bar(day)).toBe('stopped 0-60, moving 60-90, silent 90-180');
  // A trailer that reports once a day is where it was.
  const daily = dayOf([...stand(-1000, -1000, 0), ...stand(158, 158, 30)], { now: 180 });
  expect(daily.segments.at(-1)).toMatchObject({ kind: 'stopped', fromMs: at(158) });
});

test('nor is one of a truck that reports once an hour', () => {
  const hourly = Array.from({ length: 6 }, (_, i) => stand(i * 60 - 180, i * 60 - 180, i * 50 * MILE)).flat();
  expect(bar(dayOf(hourly, { to: 142, now: 142 }))).toBe('silent 0-142');
});

test('a confirmed jump ends a stop and begins another one', () => {
  const day = dayOf([...stand(-10, 29, 0), ...stand(30, 200, 500 * MILE)]);
  expect(day.entries.filter(({ kind }) => kind === 'stop')).toMatchObject([
    { number: 1, toMs: at(29), at: { lat: stand(0, 0, 0)[0]!.lat } },
    { number: 2, fromMs: at(30) },
  ]);
});

test.each([1, 30, 119])('an outage of %i s within a silence leaves it the truck’s', (outageS) => {
  const fixes = [...TRIP.slice(0, 100), ...TRIP.slice(110)];
  for (let offS = 0; offS + outageS <= 660; offS += 37) {
    const fromMs = at(69) + offS * 1000;
    const outage = { fromMs, toMs: fromMs + outageS * 1000, state: 'failing', problem: 'timeout' } as const;
    const coverage = [
      { ...answered(-120, 0), toMs: outage.fromMs },
      outage,
      { ...answered(0, 1000), fromMs: outage.toMs },
    ];
    expect(bar(dayOf(fixes, { coverage }))).toBe(
      'stopped 0-60, moving 60-69, silent 69-80, moving 80-120, stopped 120-180',
    );
  }
});

test('a provider that fails every other minute does not hide a silence', () => {
  const fixes = [...TRIP.slice(0, 100), ...TRIP.slice(142)];
  const coverage = Array.from({ length: 600 }, (_, i): Coverage[] => [
    { fromMs: at(i - 120), toMs: at(i - 120), state: 'answered', problem: null },
    { fromMs: at(i - 120), toMs: at(i - 119), state: 'failing', problem: 'timeout' },
  ]).flat();
  expect(bar(dayOf(fixes, { coverage }))).toContain('silent 69-112');
});
