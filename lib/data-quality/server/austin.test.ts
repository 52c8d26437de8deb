import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { makePartitions } from '@/lib/recording/partitions';
import { ReportThreads } from '@/lib/reports/server/report-threads';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { dayRange } from '@/lib/trips/days';
import { toDay } from '@/lib/trips/trips';
import { clockOf } from '@/testing/clock';
import { changesOf, setUpRecording, type RecordedFix } from '@/testing/history/recording';
import type { QualityGroup, QualityRow } from '../quality';
import { DataQuality } from './data-quality';

const traces = process.env.LINEHAUL_TRACES;
const held = setUpRecording();
const threads = new ReportThreads();
afterEach(() => threads.close());

const USDOT = '9000001';
const ZONE = 'America/Chicago';
const POLL_MS = 5 * MINUTE_MS;

/** A fix with when it came, as the test makes it come. */
type Seen = Required<Pick<RecordedFix, 'unit' | 'fixMs' | 'lat' | 'lng'>> & { seenMs: number };

const readCsv = (name: string): Record<string, string>[] =>
  parse(readFileSync(join(traces!, name)), { columns: true });

/** It comes with the next poll but one of each 50, which is held back for an hour and some. */
const toSeen = (fixMs: number, i: number): number =>
  Math.ceil((fixMs + 1 + (i % 50 === 7 ? HOUR_MS + 1000 * i : 0)) / POLL_MS) * POLL_MS;

/** As recorded: to 1 m, and each time of a unit once, the one that came first. */
const toRecorded = (fixes: readonly Seen[]): Map<string, Seen[]> => {
  const units = new Map<string, Seen[]>();
  for (const fix of [...fixes].sort((a, b) => a.seenMs - b.seenMs)) {
    const own = units.get(fix.unit) ?? [];
    units.set(fix.unit, own);
    if (!own.some(({ fixMs }) => fixMs === fix.fixMs)) own.push(fix);
  }
  for (const own of units.values()) own.sort((a, b) => a.fixMs - b.fixMs);
  return units;
};

const toAustin = (): Seen[] =>
  readCsv('austin-buses-2017-03-21.csv')
    .filter(({ latitude }) => Number(latitude) !== 0)
    .map((row, i) => {
      const fixMs = Date.parse(row.timestamp!);
      return {
        ...{ unit: row.vehicle_id!, fixMs, seenMs: toSeen(fixMs, i) },
        ...{ lat: Number(row.latitude), lng: Number(row.longitude) },
      };
    });

/** Its times have no zone and no seconds. */
const toTruck = (): Seen[] =>
  readCsv('us-truck-2016-02.csv').map((row, i) => {
    const [, month, day, year, hour, minute] = /^(\d+)\/(\d+)\/(\d+) (\d+):(\d+)$/.exec(row.timestamp!)!;
    const fixMs = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour) + 6, Number(minute));
    return { unit: 'T', fixMs, seenMs: toSeen(fixMs, i), lat: Number(row.y), lng: Number(row.x) };
  });

/** Records them poll by poll, hour by hour, and archives what is due. */
const record = async (fixes: readonly Seen[], coverage: CoverageInterval[]): Promise<void> => {
  const polls = new Map<number, Seen[]>();
  for (const fix of fixes) polls.set(fix.seenMs, [...(polls.get(fix.seenMs) ?? []), fix]);
  const seen = [...polls.keys()].sort((a, b) => a - b);
  let hour = -1;
  for (const [i, seenMs] of seen.entries()) {
    if (Math.floor(seenMs / HOUR_MS) !== hour) await makePartitions(held.pool, seenMs);
    hour = Math.floor(seenMs / HOUR_MS);
    await held.write({
      ...{ usdot: USDOT, seenMs, coverage: i === 0 ? coverage : [] },
      changes: changesOf(seenMs, polls.get(seenMs)!),
    });
  }
  expect(await held.archive(seen.at(-1)! + HOUR_MS)).toEqual([]);
};

const read = async (from: string, to: string, by: QualityGroup, nowMs: number): Promise<QualityRow[]> => {
  const { reader, folder, scratch } = held;
  const log = { warn: (fields: object) => expect(fields).toBeUndefined() };
  const quality = new DataQuality({ reader, folder, scratch, threads, log, clock: clockOf(() => nowMs) });
  const range = { fromMs: dayRange(from, ZONE).fromMs, toMs: dayRange(to, ZONE).toMs };
  const query = { ...range, zone: ZONE, by, each: 'range', chosen: null } as const;
  const names = { providerAt: () => 'api.example.com', tagsOf: () => [] };
  let rows: QualityRow[] = [];
  for await (const line of quality.read(USDOT, query, names, new AbortController().signal)) rows = line.rows;
  return rows;
};

/** The nearest rank of sorted numbers. */
const rank = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((percent * values.length) / 100) - 1]!;

const quantiles = (values: readonly number[]) =>
  values.length === 0
    ? null
    : {
        ...{ fixes: values.length, p50S: rank(values, 50), p95S: rank(values, 95), p99S: rank(values, 99) },
      };

/** Beyond ten minutes, rounded up to full ones. */
const rounded = (seconds: number): number => (seconds > 600 ? 60 * Math.ceil(seconds / 60) : seconds);

const METERS = 6_371_008.8;
const RADIANS = Math.PI / 180;
/** By the spherical law of cosines, in place of the haversine formula. */
const apartM = (a: { lat: number; lng: number }, b: { lat: number; lng: number }): number =>
  METERS *
  Math.acos(
    Math.min(
      1,
      Math.sin(a.lat * RADIANS) * Math.sin(b.lat * RADIANS) +
        Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * Math.cos((a.lng - b.lng) * RADIANS),
    ),
  );

interface Expected {
  fixes: number;
  delays: number[];
  unwatched: number;
  intervals: number[];
  drivenM: number;
  missedM: number;
}

/** One unit's figures by loops over its fixes and the parts that its page shows of each day. */
const compute = (
  fixes: readonly Seen[],
  coverage: readonly CoverageInterval[],
  days: readonly string[],
  nowMs: number,
): Expected => {
  const found: Expected = { fixes: 0, delays: [], unwatched: 0, intervals: [], drivenM: 0, missedM: 0 };
  const recorded = fixes.map(({ fixMs, lat, lng }) => ({
    ...{ fixAtMs: fixMs, isByReceipt: false },
    ...{ lat: Math.round(lat * 1e5) / 1e5, lng: Math.round(lng * 1e5) / 1e5 },
  }));
  for (const day of days) {
    const { fromMs, toMs } = dayRange(day, ZONE);
    const isOwn = (ms: number): boolean => ms >= fromMs && ms < toMs;
    for (const { fixMs, seenMs } of fixes.filter((fix) => isOwn(fix.fixMs))) {
      found.fixes++;
      const isAway = coverage.some(
        (each) => each.state === 'notRunning' && each.toMs > fixMs && each.fromMs < seenMs,
      );
      if (isAway || fixMs < coverage[0]!.fromMs) found.unwatched++;
      else found.delays.push(rounded((seenMs - (seenMs % 1000) - (fixMs - (fixMs % 1000))) / 1000));
    }
    const about = recorded.filter(
      ({ fixAtMs }) => fixAtMs >= fromMs - 2 * HOUR_MS && fixAtMs < toMs + 30 * MINUTE_MS,
    );
    const near = coverage
      .filter((each) => each.toMs >= fromMs - 2 * HOUR_MS && each.fromMs <= toMs + 30 * MINUTE_MS)
      .map((each) => ({
        ...each,
        fromMs: Math.max(each.fromMs, fromMs - 2 * HOUR_MS),
        toMs: Math.min(each.toMs, toMs + 30 * MINUTE_MS),
      }));
    const page = toDay({ fixes: about, coverage: near, fromMs, toMs, nowMs }, DEFAULT_MOTION_SETTINGS);
    const { points } = page.trail;
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1]!, points[i]!];
      // Of a line over midnight, the part of this day.
      const middleMs = (Math.max(a.fixAtMs, fromMs) + Math.min(b.fixAtMs, toMs)) / 2;
      const part = page.segments.find((each) => each.fromMs <= middleMs && middleMs < each.toMs);
      const meters = apartM(a, b);
      const share = (Math.min(b.fixAtMs, toMs) - Math.max(a.fixAtMs, fromMs)) / (b.fixAtMs - a.fixAtMs);
      if (
        b.link === 'seen' &&
        part?.kind === 'moving' &&
        (meters > 0.2 || a.lat !== b.lat || a.lng !== b.lng)
      ) {
        if (isOwn(b.fixAtMs)) found.intervals.push(rounded(Math.round((b.fixAtMs - a.fixAtMs) / 1000)));
        if (share > 0) found.drivenM += share * meters;
      }
    }
    // Lines over gaps are as the page has them.
    found.missedM += page.totals.bridgedM;
    for (const part of page.segments)
      if (part.kind === 'notRecorded' && part.reason.state !== 'failing')
        found.missedM -= page.distances.bridged(part);
  }
  return found;
};

const expectRow = (row: QualityRow, expected: Expected): void => {
  const { delay, interval, ...rest } = row;
  expect(rest).toMatchObject({ fixes: expected.fixes, unwatched: expected.unwatched });
  expect(delay).toEqual(
    expected.delays.length === 0
      ? null
      : { leastS: Math.min(...expected.delays), ...quantiles(expected.delays) },
  );
  expect(interval).toEqual(quantiles(expected.intervals));
};

const TESTS = [
  { name: '329 buses of Austin', days: ['2017-03-21'], make: toAustin, least: 40_000 },
  {
    name: 'a truck through four states',
    days: ['2016-02-01', '2016-02-02', '2016-02-03'],
    make: toTruck,
    least: 250,
  },
];

test.skipIf(!traces).each(TESTS)(
  'the figures of $name are those of loops over its fixes',
  async ({ days, make, least }) => {
    const fixes = make();
    const fromMs = Math.min(...fixes.map(({ fixMs }) => fixMs)) + 30 * MINUTE_MS;
    const toMs = Math.max(...fixes.map(({ seenMs }) => seenMs)) + POLL_MS;
    const outage = { fromMs: fromMs + 90 * MINUTE_MS, toMs: fromMs + 100 * MINUTE_MS };
    const coverage: CoverageInterval[] = [
      { fromMs, toMs: outage.fromMs, state: 'answered', problem: null },
      { ...outage, state: 'notRunning', problem: null },
      { fromMs: outage.toMs, toMs, state: 'answered', problem: null },
    ];
    await record(fixes, coverage);
    const nowMs = toMs + 40 * HOUR_MS;
    const recorded = toRecorded(fixes);
    const byTruck = await read(days[0]!, days.at(-1)!, 'truck', nowMs);
    const expected = new Map([...recorded].map(([unit, own]) => [unit, compute(own, coverage, days, nowMs)]));
    const all = [...expected.values()];
    expect(byTruck.map(({ key }) => key).sort()).toEqual([...recorded.keys()].sort());
    for (const row of byTruck) expectRow(row, expected.get(row.key)!);
    const [provider, ...others] = await read(days[0]!, days.at(-1)!, 'provider', nowMs);
    expect(others).toEqual([]);
    expectRow(provider!, {
      fixes: all.reduce((sum, each) => sum + each.fixes, 0),
      unwatched: all.reduce((sum, each) => sum + each.unwatched, 0),
      delays: all.flatMap((each) => each.delays),
      intervals: all.flatMap((each) => each.intervals),
      ...{ drivenM: 0, missedM: 0 },
    });
    const sum = (of: 'drivenM' | 'missedM'): number => all.reduce((total, each) => total + each[of], 0);
    expect(provider!.fixes).toBeGreaterThan(least);
    expect(provider!.unwatched).toBeGreaterThan(0);
    expect(provider!.units).toBe(recorded.size);
    expect(provider!.drivenM / sum('drivenM')).toBeCloseTo(1, 3);
    expect(provider!.missedM / sum('missedM')).toBeCloseTo(1, 3);
    // Once more, from the days that were kept.
    expect(await read(days[0]!, days.at(-1)!, 'truck', nowMs)).toEqual(byTruck);
  },
);
