import { expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { UsualWays } from './usual-ways';

/** A drive over cells 1, 2, 3 … with a kilometer and so many minutes for each. */
const driveOf = (cells: number, minutes: number) => ({
  cells: Array.from({ length: cells }, (_, i) => ({
    cell: i + 1,
    atM: i * 1000,
    atMs: i * minutes * MINUTE_MS,
    seenMs: i * minutes * MINUTE_MS,
  })),
});

it('says what drives to a stop had left from a cell, by the mean of their logarithms', () => {
  const ways = new UsualWays();
  ways.learn('yard', driveOf(11, 1));
  ways.learn('yard', driveOf(11, 4));
  const left = ways.leftTo('yard', 6)!;
  expect(left.distM).toBe(5000);
  expect(left.driveMs / MINUTE_MS).toBeCloseTo(10);
  expect(ways.leftTo('yard', 20)).toBeNull();
  expect(ways.leftTo('dock', 6)).toBeNull();
});

it('forgets the stop that was reached the longest time ago', () => {
  const ways = new UsualWays(25);
  for (const stop of ['a', 'b', 'a', 'c']) ways.learn(stop, driveOf(10, 1));
  expect(['a', 'b', 'c'].map((stop) => ways.knows(stop))).toEqual([true, false, true]);
});
