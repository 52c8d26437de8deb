import { describe, expect, test } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { DEFAULT_MOTION_SETTINGS as settings } from '@/lib/motion/settings';
import { IS_LONG } from '@/testing/long';
import { START_MS } from '@/testing/motion/fixes';
import {
  blockOf,
  driveUp,
  parkedAt,
  seenInTheOpen,
  throughStreets,
  toFix,
  WITHOUT_REST,
  workAlong,
  yardOf,
  type Moment,
  type Route,
} from '@/testing/motion/work';
import { replayRange } from './segments';

const WORK_S = 1800;
const SIZES_M = IS_LONG ? [80, 110, 133, 180, 240, 300] : [80, 180, 300];
const SPEEDS_KPH = IS_LONG ? [5, 8, 12, 14, 18, 25] : [5, 12, 25];
const RHYTHMS_S = [5, 10, 15, 20, 30, 60];
const OFF_M = IS_LONG ? [2, 3.5, 5] : [4];

/** A truck is known to have a good receiver: it has parked, and drove up or begins where it stood. */
const BEFORE = [
  (everyS: number) => parkedAt(0, 0, { fromS: -1800, forS: 1800, everyS }),
  (everyS: number) => [
    ...parkedAt(0, -3000, { fromS: -2400, forS: 2100, everyS }),
    ...driveUp(36, 300, everyS, 0),
  ],
];

/** The driven meters of a work, as a share of the meters between its fixes. */
const toDrivenShare = (
  before: readonly Moment[],
  work: readonly Moment[],
  offM: number,
  seed: number,
): number => {
  const moments = seenInTheOpen([...before, ...work], seed, offM);
  const fixes = moments.map((moment) => ({ ...toFix(moment), isByReceipt: false }));
  const [fromMs, toMs] = [START_MS, START_MS + WORK_S * 1000];
  const { distances } = replayRange({ fixes, coverage: [], fromMs, toMs, nowMs: toMs }, settings);
  const seen = fixes.slice(before.length);
  let lineM = 0;
  for (let i = 1; i < work.length; i++) {
    const isMove = work[i]!.eastM !== work[i - 1]!.eastM || work[i]!.northM !== work[i - 1]!.northM;
    if (isMove) lineM += distanceM(seen[i - 1]!, seen[i]!);
  }
  return distances.driven({ fromMs, toMs: seen[seen.length - 1]!.fixAtMs }) / lineM;
};

interface Work {
  route: (sizeM: number, seed: number) => Route;
  /** How far it goes between two rests, and how long it rests, s. */
  rests?: (sizeM: number) => readonly [number, number];
  /** The longest way between two fixes, as a part of the size. */
  stepShare: number;
  /** The mean share that is driven, and that of all but one in ten. */
  mean: number;
  nearlyAll: number;
}

/** Each is measured where its fixes are near enough together; the numbers are what holds, and decision 73 has the rest. */
const WORKS: Record<string, Work> = {
  'around a block': { route: blockOf, stepShare: 1, mean: 0.98, nearlyAll: 0.97 },
  'around a block, with a rest of 20 s each 30 m': {
    ...{ route: blockOf, rests: () => [30, 20] },
    ...{ stepShare: 1, mean: 0.8, nearlyAll: 0 },
  },
  'around a block, with a rest of a minute each 150 m': {
    ...{ route: blockOf, rests: () => [150, 60] },
    ...{ stepShare: 1, mean: 0.85, nearlyAll: 0.5 },
  },
  'back and forth without a rest': { route: yardOf, stepShare: 1 / 4, mean: 0.97, nearlyAll: 0.9 },
  'back and forth with a rest of 30 s at either end': {
    ...{ route: yardOf, rests: (sizeM) => [sizeM, 30] },
    ...{ stepShare: 1 / 2, mean: 0.95, nearlyAll: 0.8 },
  },
  'through a few streets': { route: throughStreets, stepShare: 1 / 2, mean: 0.95, nearlyAll: 0.8 },
  'through a few streets, with a rest of a minute each 150 m': {
    ...{ route: throughStreets, rests: () => [150, 60] },
    ...{ stepShare: 1 / 2, mean: 0.7, nearlyAll: 0.3 },
  },
};

describe('work within 80 to 300 m, at 5 to 25 km/h, each 5 to 60 s', () => {
  test.each(Object.entries(WORKS))('%s: the way between the fixes is driven', (_, work) => {
    const { route, rests = () => WITHOUT_REST, stepShare, mean, nearlyAll } = work;
    const shares: number[] = [];
    for (const sizeM of SIZES_M)
      for (const kph of SPEEDS_KPH)
        for (const everyS of RHYTHMS_S)
          for (const [i, offM] of OFF_M.entries()) {
            if ((kph / 3.6) * everyS > stepShare * sizeM) continue;
            const seed = 7 * sizeM + 131 * kph + 17 * everyS + i;
            const moments = workAlong(route(sizeM, seed), kph, rests(sizeM), {
              fromS: 0,
              forS: WORK_S,
              everyS,
            });
            for (const before of IS_LONG ? BEFORE : [BEFORE[seed % 2]!])
              shares.push(toDrivenShare(before(everyS), moments, offM, seed));
          }
    shares.sort((a, b) => a - b);
    const measured = {
      mean: shares.reduce((sum, share) => sum + share, 0) / shares.length,
      nearlyAll: shares[Math.floor(shares.length / 10)]!,
    };
    expect(measured.mean, JSON.stringify(measured)).toBeGreaterThanOrEqual(mean);
    expect(measured.nearlyAll, JSON.stringify(measured)).toBeGreaterThanOrEqual(nearlyAll);
  });

  test.each([
    ['around a block of 180 m at 14 km/h, a fix each 60 s', blockOf(180), 14, 60, WITHOUT_REST],
    ['back and forth over 133 m at 12 km/h, a fix each 20 s', yardOf(133), 12, 20, WITHOUT_REST],
    ['a refuse truck around a block of 180 m, a fix each 15 s', blockOf(180), 10, 15, [30, 20]],
    ['a refuse truck around a block of 180 m, a fix each 60 s', blockOf(180), 20, 60, [30, 20]],
  ] as const)('%s: is driven', (_, route, kph, everyS, rests) => {
    for (const before of BEFORE)
      for (let seed = 1; seed <= 4; seed++) {
        const moments = workAlong(route, kph, rests, { fromS: 0, forS: WORK_S, everyS });
        expect(toDrivenShare(before(everyS), moments, 2.5, seed)).toBeGreaterThan(0.9);
      }
  });
});
