import { expect, test } from 'vitest';
import { createFleet } from '@/testing/map/create-fleet';
import { LiveTails } from './live-tails';
import type { Fleet } from '@/lib/wire/fleet';

const START_S = 1_795_000_000;
const MINUTE_S = 60;
const ALL = { visible: null, selectedRow: null };

/** A fleet at a minute: a unit that drives, and one that stands. */
const fleetAt = (minute: number): Fleet => {
  const fixAtS = START_S + minute * MINUTE_S;
  const at = { latE5: 3_500_000, lngE5: -10_100_000, fixAtS };
  const fleet = createFleet([{ ...at, lngE5: at.lngE5 + minute * 1000 }, at], `a.${minute}`);
  return { ...fleet, feed: { ...fleet.feed, fetchedAtMs: fixAtS * 1000 } };
};

const linesOf = (tails: LiveTails, shown: Parameters<LiveTails['forEachLine']>[0] = ALL) => {
  const lines: { to: number; age: number; isGap: boolean }[] = [];
  tails.forEachLine(shown, (_fromX, _fromY, toX, _toY, age, isGap) =>
    lines.push({ to: Math.round((toX * 360 - 180 + 101) * 100) + 0, age, isGap }),
  );
  return lines;
};

test('a tail grows with each version, up to the fix before the newest, and is forgotten beyond its length', () => {
  const tails = new LiveTails(10);
  const first = fleetAt(0);
  tails.grow(first);
  const key = first.identities[0]!.key;
  tails.take(
    new Map([
      [
        key,
        {
          fixS: [START_S - 780, START_S - 120],
          latE5: [3_500_000, 3_500_000],
          lngE5: [-10_113_000, -10_102_000],
        },
      ],
    ]),
    [34, -102, 36, -100],
  );
  tails.grow(first);
  expect(linesOf(tails)).toEqual([{ to: -2, age: 0.2, isGap: true }]);
  for (const minute of [1, 2, 3]) tails.grow(fleetAt(minute));
  const driving = { ...ALL, visible: Uint8Array.of(1, 0) };
  expect(linesOf(tails, driving).map(({ to, isGap }) => [to, isGap])).toEqual([
    [0, false],
    [1, false],
    [2, false],
  ]);
  expect(linesOf(tails, { ...driving, selectedRow: 0 })).toEqual([]);
  expect(linesOf(tails, { ...ALL, visible: Uint8Array.of(0, 0) })).toEqual([]);
  tails.grow(fleetAt(60));
  expect(linesOf(tails, driving)).toEqual([]);
});

test('a truck that starts after a stop has no gap there', () => {
  const tails = new LiveTails(60);
  tails.take(new Map(), [34, -102, 36, -100]);
  // It stands for 20 minutes, and drives.
  for (let minute = 0; minute <= 23; minute++) {
    const fleet = fleetAt(minute);
    fleet.columns.lngE5[0] = -10_100_000 + Math.max(0, minute - 20) * 1000;
    tails.grow(fleet);
  }
  expect(
    linesOf(tails, { ...ALL, visible: Uint8Array.of(1, 0) }).map(({ to, isGap }) => [to, isGap]),
  ).toEqual([
    [0, true],
    [1, false],
    [2, false],
  ]);
  tails.take(new Map(), null);
  tails.grow(fleetAt(24));
  expect(linesOf(tails)).toEqual([]);
});
