import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { createRandom } from '@/testing/motion/fixes';
import { ArrivalGrades, LEADS_MS, leadClass, type Grade } from './grades';

const ESTIMATE = { by: 'roads', isStanding: false, stops: 0, expectedMs: HOUR_MS } as const;

/** Shows a window before each arrival, and grades it: the share of arrivals in their window. */
const liveThrough = (grades: ArrivalGrades, arrivals: readonly number[]): number => {
  let held = 0;
  for (const actualMs of arrivals) {
    const { low, high } = grades.factorsFor(ESTIMATE);
    const was: Grade['was'] =
      actualMs < low * HOUR_MS ? 'before' : actualMs > high * HOUR_MS ? 'after' : 'within';
    if (was === 'within') held += 1;
    grades.add({ ...ESTIMATE, actualMs, was });
  }
  return held / arrivals.length;
};

/** Times around an hour, with a long tail of late ones. */
const arrivalsWith = (seed: number, spread: number, count: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => HOUR_MS * Math.exp(spread * (random() + random() ** 3 - 0.6)));
};

describe('ArrivalGrades', () => {
  it('is wide without grades', () => {
    const { low, high, grades } = new ArrivalGrades().factorsFor(ESTIMATE);
    expect([low, high, grades]).toEqual([expect.closeTo(0.7), expect.closeTo(1.7), 0]);
  });

  it.each([0.1, 0.5, 1.5])('holds 8 of 10 arrivals whose times vary by %d', (spread) => {
    const grades = new ArrivalGrades();
    liveThrough(grades, arrivalsWith(7, spread, 100));
    const share = liveThrough(grades, arrivalsWith(8, spread, 2000));
    expect(share).toBeGreaterThan(0.78);
    expect(share).toBeLessThan(0.82);
  });

  it('holds 8 of 10 again after arrivals have become later', () => {
    const grades = new ArrivalGrades();
    liveThrough(grades, arrivalsWith(1, 0.3, 400));
    const later = arrivalsWith(2, 0.6, 1200).map((actualMs) => actualMs * 1.4);
    liveThrough(grades, later.slice(0, 200));
    const share = liveThrough(grades, later.slice(200));
    expect(share).toBeGreaterThan(0.78);
    expect(share).toBeLessThan(0.82);
  });

  it('keeps kinds of ways, lead times and standing trucks apart, but does not start a lead time from nothing', () => {
    const grades = new ArrivalGrades();
    liveThrough(grades, arrivalsWith(3, 0.1, 200));
    expect(grades.factorsFor({ ...ESTIMATE, by: 'line' }).grades).toBe(0);
    const other = grades.factorsFor({ ...ESTIMATE, expectedMs: 4 * HOUR_MS });
    expect(other.grades).toBe(200);
    expect(other.high).toBeLessThan(1.2);
  });

  it('counts no grade twice, and is the same from its grades', () => {
    const grades = new ArrivalGrades();
    const arrivals = arrivalsWith(5, 0.4, 50);
    liveThrough(grades, arrivals);
    const again = new ArrivalGrades();
    liveThrough(again, arrivals);
    expect(again.factorsFor(ESTIMATE)).toEqual(grades.factorsFor(ESTIMATE));
  });
});

it('puts each lead time into its own class, and what lies between into the next by ratio', () => {
  expect(LEADS_MS.map((leadMs) => leadClass(leadMs))).toEqual([0, 1, 2, 3, 4]);
  expect([MINUTE_MS, 29 * MINUTE_MS, 31 * MINUTE_MS, 24 * HOUR_MS].map((ms) => leadClass(ms))).toEqual([
    0, 0, 1, 4,
  ]);
});
