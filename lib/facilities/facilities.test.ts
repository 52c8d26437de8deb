import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { createRandom } from '@/testing/motion/fixes';
import { ALL_KEY, isInTime, toFacilities, toFacilitiesCsv, type Appointed, type Stay } from './facilities';
import { besideFleetText, inTimeText, moneyText, ofArrivalsText, weekdaysText } from './text';

const ZONE = 'America/Chicago';
/** A Monday. */
const FROM_MS = Date.parse('2026-11-02T06:00:00Z');
const TO_MS = Date.parse('2026-12-01T06:00:00Z');
const RANGE = { fromMs: FROM_MS, toMs: TO_MS, zone: ZONE, each: 'range', nowMs: TO_MS } as const;

const stayOf = (key: string, hour: number, minutes: number | null, isKnown = true): Stay => {
  const arrivedMs = FROM_MS + hour * HOUR_MS;
  const leftMs = minutes === null ? null : arrivedMs + minutes * MINUTE_MS;
  return {
    ...{ key, name: `Site ${key}`, arrivedMs, leftMs },
    arrivedAfterMs: isKnown ? arrivedMs - MINUTE_MS : null,
    leftByMs: leftMs === null ? null : leftMs + MINUTE_MS,
  };
};

const appointedOf = (key: string, hour: number, arrival: Appointed['arrival']): Appointed => {
  const toMs = FROM_MS + hour * HOUR_MS;
  return { key, name: `Site ${key}`, appointment: { fromMs: toMs - HOUR_MS, toMs }, arrival };
};

const arrivalOf = (hour: number, afterMin: number | null, byMin: number): Appointed['arrival'] => ({
  arrivedAfterMs: afterMin === null ? null : FROM_MS + hour * HOUR_MS + afterMin * MINUTE_MS,
  arrivedMs: FROM_MS + hour * HOUR_MS + byMin * MINUTE_MS,
});

it('has visits, stays, arrivals and what was billed of each site and of the fleet', () => {
  const { rows, all } = toFacilities(
    {
      stays: [
        ...[30, 60, 90, 120].map((minutes, i) => stayOf('1', 10 + 24 * i, minutes)),
        // Of these no fix shows how long they lasted.
        ...[stayOf('1', 20, 600, false), stayOf('1', 600, null)],
        ...[stayOf('2', 10, 240), stayOf('2', -1, 60), stayOf('2', 30 * 24, 60)],
      ],
      appointed: [
        ...[appointedOf('1', 10, arrivalOf(10, -20, -10)), appointedOf('1', 34, arrivalOf(34, -5, 5))],
        ...[appointedOf('1', 58, arrivalOf(58, 5, 15)), appointedOf('1', 82, null)],
      ],
      billed: [{ key: '1', name: 'Site 1', arrivedMs: FROM_MS, amountCents: 12_050 }],
    },
    RANGE,
  );
  expect(rows.map(({ key, visits, open, stays }) => [key, visits, open, stays])).toEqual([
    ['1', 6, 1, 4],
    ['2', 1, 0, 1],
  ]);
  const [one, two] = rows;
  expect([one!.medianMs, one!.p90Ms]).toEqual([HOUR_MS, 2 * HOUR_MS]);
  expect(one).toMatchObject({
    inTime: 1,
    maybeInTime: 1,
    late: 1,
    notSeen: 1,
    billedCents: 12_050,
    statements: 1,
  });
  expect(inTimeText(one!)).toBe('33–67%');
  expect(ofArrivalsText(one!)).toBe('of 3 arrivals, 1 not seen');
  expect(inTimeText(two!)).toBeNull();
  const [fleet, ...others] = all;
  expect(others).toEqual([]);
  expect(fleet).toMatchObject({ key: ALL_KEY, visits: 7, stays: 5, medianMs: 1.5 * HOUR_MS });
  expect(besideFleetText(two!, fleet)).toBe('2.7×');
  expect(moneyText(one!.billedCents!)).toBe('$120.50');
  expect(toFacilitiesCsv(rows, 'site').split('\r\n')[1]).toContain(
    'Site 1,2026-11-02,6,1,4,60,120,3,1,1,1,1,1,120.50',
  );
});

it('an arrival of which no fix shows that the truck was still outside after the appointment is not late', () => {
  const appointment = { fromMs: 0, toMs: 1000 };
  expect(isInTime(appointment, { arrivedAfterMs: null, arrivedMs: 1000 })).toBe(true);
  expect(isInTime(appointment, { arrivedAfterMs: 1000, arrivedMs: 1001 })).toBeNull();
  expect(isInTime(appointment, { arrivedAfterMs: null, arrivedMs: 2000 })).toBeNull();
  expect(isInTime(appointment, { arrivedAfterMs: 1001, arrivedMs: 2000 })).toBe(false);
});

it('hours by weekday are those of each minute of the stays, by the clock of the zone', () => {
  const random = createRandom(44);
  const stays = Array.from({ length: 40 }, () =>
    stayOf('1', Math.floor(random() * 24 * 28), Math.floor(random() * 3000)),
  );
  const [row] = toFacilities({ stays, appointed: [], billed: null }, RANGE).rows;
  const minutes = Array.from({ length: 7 }, () => 0);
  const format = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, weekday: 'short' });
  for (const { arrivedMs, leftMs } of stays)
    for (let atMs = arrivedMs; atMs < Math.min(leftMs!, TO_MS); atMs += MINUTE_MS)
      minutes[['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(format.format(atMs))]!++;
  expect(row!.weekdayMs.map((ms) => ms / MINUTE_MS)).toEqual(minutes);
  expect(row!.billedCents).toBeNull();
  expect(weekdaysText({ weekdayMs: [0, 2 * HOUR_MS, 0, 0, 0, 0, 60_000] })).toBe('Tue 2 h, Sun 1 h');
});

it('months are those of the zone, and a stay counts where it began', () => {
  const stays = [stayOf('1', -25, 6000), stayOf('1', 0, 60)];
  const range = { ...RANGE, fromMs: FROM_MS - 10 * 24 * HOUR_MS, each: 'month' } as const;
  const { rows } = toFacilities(
    { stays: [...stays, stayOf('1', -24 * 4, 5)], appointed: [], billed: null },
    range,
  );
  expect(rows.map(({ period, visits }) => [period, visits])).toEqual([
    ['2026-10-01', 1],
    ['2026-11-01', 2],
  ]);
});
