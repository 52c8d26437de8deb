import { expect, test } from 'vitest';
import { normalizeText } from '@/lib/tracking/normalize/salvage';
import { unitName } from '@/lib/view/unit-name';
import { UNNAMED } from '@/lib/wire/fleet';
import { MOST_FIXES, decodeFixes, type TrailFix } from '../schema';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { exportSchema } from './queries';
import { readRecordedDays, readTrailAnswer, readTrailPieces } from './trail';
import { HOUR_MS } from '@/lib/base/time';

const NOON_MS = Date.parse('2026-11-17T17:00:00Z');

const fixAt = (fixAtMs: number, lat: number, isByReceipt = false): TrailFix => ({
  ...{ fixAtMs, seenAtMs: fixAtMs, lat, lng: -101.00437, isByReceipt },
  ...{ speedKph: null, headingDeg: null },
});

const readerOf = (fixes: TrailFix[], coverage: CoverageInterval[] = [], count = fixes.length) => {
  const ranges: number[][] = [];
  return {
    ranges,
    countTrail: async () => count,
    readTrail: async (_usdot: string, _unit: string, fromMs: number, toMs: number) => {
      ranges.push([fromMs, toMs]);
      return fixes;
    },
    readCoverage: async () => coverage,
  };
};

const read = (reader: ReturnType<typeof readerOf>, hours = 1) =>
  readTrailAnswer(reader, '9000001', 'VIN', { fromMs: NOON_MS, toMs: NOON_MS + hours * HOUR_MS }, NOON_MS);

test('a trail is sent as differences, with the fixes about its range', async () => {
  const fixes = [
    fixAt(NOON_MS, 30.26715),
    fixAt(NOON_MS + 61_500, -0.00001, true),
    fixAt(NOON_MS + 90_000, 0),
  ];
  const reader = readerOf(fixes);
  const answer = await read(reader);
  expect(reader.ranges).toEqual([[NOON_MS - 2 * HOUR_MS, NOON_MS + 1.5 * HOUR_MS]]);
  expect(decodeFixes(answer.fixes)).toEqual(
    fixes.map(({ fixAtMs, lat, lng, isByReceipt }) => ({ fixAtMs, lat, lng, isByReceipt })),
  );
});

test('a range of too many fixes is refused with what to do', async () => {
  const fixes = new Array<TrailFix>(MOST_FIXES + 1).fill(fixAt(NOON_MS, 30));
  const refusal = {
    code: 'range-too-long',
    detail: 'The range has more than 300,000 fixes. Choose a shorter range.',
  };
  await expect(read(readerOf(fixes))).rejects.toMatchObject(refusal);
  // Of a range that may have many they are counted before they are read.
  const reader = readerOf([], [], MOST_FIXES + 1);
  await expect(read(reader, 31 * 24)).rejects.toMatchObject(refusal);
  expect(reader.ranges).toEqual([]);
});

test('lists the days of a zone in which answers were recorded', async () => {
  const interval = (from: string, to: string, state: CoverageInterval['state']): CoverageInterval => ({
    ...{ fromMs: Date.parse(from), toMs: Date.parse(to) },
    ...{ state, problem: null },
  });
  const coverage = [
    interval('2026-11-16T03:00Z', '2026-11-16T06:00Z', 'answered'),
    interval('2026-11-16T06:00Z', '2026-11-19T06:00Z', 'notRunning'),
    interval('2026-11-19T06:00Z', '2026-11-19T07:00Z', 'answered'),
  ];
  const reader = readerOf([], coverage);
  expect(await readRecordedDays(reader, '9000001', 'America/New_York', NOON_MS)).toEqual({
    days: ['2026-11-15', '2026-11-16', '2026-11-19'],
  });
});

test('an export takes known formats and zones, and a name that a file can hold', () => {
  const query = { from: '0', to: '1', zone: 'America/New_York', format: 'gpx', name: 'Truck 116' };
  const accepts = (change: object) => exportSchema.safeParse({ ...query, ...change }).success;
  expect(accepts({})).toBe(true);
  // A name that is written from right to left is isolated.
  const longest = normalizeText('א'.repeat(200), 'truckNumber', () => undefined);
  expect(accepts({ name: unitName({ ...UNNAMED, key: '', truckNumber: longest }) })).toBe(true);
  const refused = [
    { zone: 'Mars/North' },
    { format: 'exe' },
    { name: 'a\u0001' },
    { name: '\ud800' },
    { to: '0' },
  ];
  expect(refused.filter(accepts)).toEqual([]);
});

test('a range is read day by day, and no further once the client has left', async () => {
  const ranges: [number, number][] = [];
  const readTrail = async (fromMs: number, toMs: number): Promise<TrailFix[]> => {
    ranges.push([fromMs, toMs]);
    return [fixAt(fromMs, 30)];
  };
  for await (const _ of readTrailPieces(readTrail, { fromMs: NOON_MS, toMs: NOON_MS + 31 * 24 * HOUR_MS }))
    break;
  expect(ranges).toEqual([[NOON_MS - 2 * HOUR_MS, NOON_MS + 22 * HOUR_MS]]);
});
