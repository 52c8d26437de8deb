import { describe, expect, test } from 'vitest';
import {
  aroundBlock,
  backAndForth,
  driveUp,
  parkedAt,
  seenInTheOpen,
  toFix,
  wandering,
  workAlong,
  type Moment,
} from '@/testing/motion/work';
import { START_MS } from '@/testing/motion/fixes';
import { NO_MOTION, type MotionState } from './motion-state';
import { observeFix } from './observe';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';

const HOUR_S = 3600;

/** What is shown with each fix from the start of the tests on. */
const statesOf = (moments: readonly Moment[]): MotionState[] => {
  const states: MotionState[] = [];
  let state = NO_MOTION;
  for (const fix of moments.map(toFix)) {
    state = observeFix(state, fix, fix.fixAtMs, settings);
    if (fix.fixAtMs >= START_MS) states.push(state);
  }
  return states;
};

const shareMoving = (states: readonly MotionState[]): number =>
  states.filter(({ phase }) => phase === 'moving').length / states.length;

/** Parked for half an hour, then a drive of five minutes to the origin. */
const comeFromDepot = (everyS: number): Moment[] => [
  ...parkedAt(0, -3000, { fromS: -2400, forS: 2100, everyS }),
  ...driveUp(36, 300, everyS, 0),
];

describe('a truck that works within a few streets', () => {
  const blocks = [5, 10, 15, 30].flatMap((everyS) =>
    [120, 180, 240].flatMap((sideM) => [8, 14, 25].map((kph) => [sideM, kph, everyS] as const)),
  );

  // A fix each 30 s has 2.3 places on a lap of 480 m at 25 km/h: what turns back by more than it goes on is scatter.
  test.each(blocks.filter(([sideM, kph, everyS]) => sideM !== 120 || kph !== 25 || everyS !== 30))(
    'moves around a block of %i m at %i km/h, a fix each %i s',
    (sideM, kph, everyS) => {
      const work = aroundBlock(sideM, kph, { fromS: 0, forS: 1200, everyS });
      const states = statesOf(seenInTheOpen([...comeFromDepot(everyS), ...work]));
      expect(shareMoving(states)).toBeGreaterThan(0.97);
      for (const { phase, leg } of states)
        if (phase === 'moving') expect(leg!.speedKph).toBeGreaterThanOrEqual(settings.keepMovingKph);
    },
  );

  test('moves around a block of 180 m of which nothing is known before', () => {
    const work = aroundBlock(180, 14, { fromS: 0, forS: 1200, everyS: 15 });
    expect(shareMoving(statesOf(seenInTheOpen(work)))).toBeGreaterThan(0.9);
  });

  test.each([
    [200, 5],
    [200, 15],
    [133, 20],
    [120, 5],
    [80, 5],
  ])('moves back and forth over %i m in a yard, a fix each %i s', (lengthM, everyS) => {
    const work = backAndForth(lengthM, 12, 30, { fromS: 0, forS: 1800, everyS });
    expect(shareMoving(statesOf(seenInTheOpen([...comeFromDepot(everyS), ...work])))).toBeGreaterThan(0.8);
  });

  test('has parked since it came to rest, not since it came to the block', () => {
    const everyS = 15;
    const work = aroundBlock(180, 14, { fromS: 0, forS: 1200, everyS });
    const { eastM, northM } = work[work.length - 1]!;
    const rest = parkedAt(eastM, northM, { fromS: 1200, forS: 600, everyS });
    const last = statesOf(seenInTheOpen([...work, ...rest])).at(-1)!;
    expect(last.phase).toBe('stopped');
    expect(Math.abs(last.place!.firstAtMs - START_MS - 1200 * 1000)).toBeLessThanOrEqual(2 * everyS * 1000);
  });
});

describe('a parked receiver', () => {
  const kinds = (['scatter', 'walk', 'jumps'] as const).flatMap((kind) =>
    [20, 60, 90].flatMap((byM) => [10, 30, 60, 300].map((everyS) => [kind, byM, everyS] as const)),
  );

  test.each(kinds)(
    'stands still, although it wanders (%s) by up to %i m, a fix each %i s',
    (kind, byM, everyS) => {
      const [alone, arrived]: [MotionState[], MotionState[]] = [[], []];
      for (let seed = 1; seed <= 3; seed++) {
        const forS = everyS <= 10 ? HOUR_S : 8 * HOUR_S;
        const parked = wandering(kind, byM, { fromS: 0, forS, everyS }, seed);
        alone.push(...statesOf(parked));
        // The first minutes after a drive are not of a parked truck.
        arrived.push(...statesOf([...comeFromDepot(everyS), ...parked]).slice(Math.ceil(300 / everyS)));
      }
      expect(shareMoving(alone)).toBeLessThan(0.002);
      expect(shareMoving(arrived)).toBeLessThan(0.02);
    },
  );
});

test.each([10, 30, 60])(
  'a bus that moves up in a queue at its terminal stands, a fix each %i s',
  (everyS) => {
    const pace = { fromS: 0, forS: 1800, everyS };
    for (let seed = 1; seed <= 5; seed++) {
      const queue = workAlong((alongM) => ({ eastM: alongM, northM: 0 }), 5, [12, 120], pace);
      const states = statesOf(seenInTheOpen([...comeFromDepot(everyS), ...queue], seed, 5));
      expect(shareMoving(states.slice(Math.ceil(300 / everyS)))).toBe(0);
    }
  },
);
