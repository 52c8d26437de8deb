import { expect, it } from 'vitest';
import { RECORDED_COLUMNS, MOTION_COLUMNS } from '@/lib/wire/fleet';
import { NO_HISTORIES, type UnitHistories } from '@/lib/fleet/recorded-units';
import { FleetHour } from './fleet-hour';
import { FORGOTTEN } from '@/lib/recording/recorded-fleet';
import { HOUR_MS } from '@/lib/base/time';

const HOUR = 100 * HOUR_MS;
const HOUR_END = HOUR + HOUR_MS - 1;

/** Rows of one unit each: when each was seen, ms since the hour, and its first column; all others are the same, 7 by default. */
const toHistories = (
  width: number,
  units: Record<string, [seenMs: number, first: number, others?: number][]>,
): UnitHistories => ({
  units: Object.keys(units),
  counts: Object.values(units).map((rows) => rows.length),
  values: Int32Array.from(
    Object.values(units).flatMap((rows) =>
      rows.flatMap(([seenMs, first, others = 7]) => [
        seenMs,
        first,
        ...Array<number>(width - 2).fill(others),
      ]),
    ),
  ),
});

const createHour = (untilMs = HOUR_END): FleetHour =>
  new FleetHour(
    { hourMs: HOUR, untilMs, stamp: '' },
    {
      states: toHistories(1 + RECORDED_COLUMNS.length, {
        A: [
          [5000, 51],
          [1000, 11],
          [9000, 91],
        ],
        B: [
          [1000, 12],
          [6000, FORGOTTEN, FORGOTTEN],
          [8000, 82],
        ],
        C: [[7000, 73]],
      }),
      shown: toHistories(1 + MOTION_COLUMNS.length, {
        B: [[2000, 22]],
        A: [
          [3000, 33, 9],
          [3000, 31, 8],
        ],
      }),
    },
  );

/** The first column of each unit. */
const firstOf = (hour: FleetHour, sinceMs: number) => {
  const fleet = hour.at(HOUR + sinceMs);
  return (
    fleet &&
    (['states', 'shown'] as const).map((name) => {
      const { units, values } = fleet[name];
      const width = values.length / units.length;
      return Object.fromEntries(units.map((unit, i) => [unit, values[i * width + 1]]));
    })
  );
};

it('has the newest rows of a moment, in whatever order they come, and no unit while it is forgotten', () => {
  const hour = createHour();
  expect(firstOf(hour, 1000)).toEqual([{ A: 11, B: 12 }, {}]);
  expect(firstOf(hour, 4999)).toEqual([
    { A: 11, B: 12 },
    { A: 33, B: 22 },
  ]);
  expect(firstOf(hour, 6500)).toEqual([{ A: 51 }, { A: 33, B: 22 }]);
  expect(firstOf(hour, HOUR_MS - 1)).toEqual([
    { A: 91, B: 82, C: 73 },
    { A: 33, B: 22 },
  ]);
});

it('has no moment before its first poll or where more may come, and after its end is as it was then', () => {
  expect(firstOf(createHour(), 999)).toBeNull();
  expect(createHour().isBefore(HOUR + 999)).toBe(true);
  expect(firstOf(createHour(), HOUR_MS)).toEqual(firstOf(createHour(), HOUR_MS - 1));
  const open = createHour(HOUR + 6000);
  expect(firstOf(open, 6000)).not.toBeNull();
  expect(firstOf(open, 6001)).toBeNull();
  expect(firstOf(open, HOUR_MS)).toBeNull();
});

it('says nothing of its first poll where it was not read', () => {
  const hour = new FleetHour(
    { hourMs: HOUR, untilMs: HOUR_END, stamp: '' },
    { states: NO_HISTORIES, shown: NO_HISTORIES },
  );
  expect(hour.isBefore(HOUR + 999)).toBe(false);
  expect(hour.at(HOUR + 999)).toBeNull();
});
