import { METERS_PER_DEGREE, RADIANS_PER_DEGREE, toKph } from '@/lib/geo/geodesy';
import type { Radii } from './accuracy';
import type { MotionSettings } from './settings';
import { countFixes, type Track } from './track';

/** The most of the newest steps that are looked at, and the least that show a drive. */
const MOST_STEPS = 30;
const LEAST_STEPS = 4;
/** A rest of up to this long between two steps leaves them one drive: deliveries, a refuse truck. */
const REST_MS = 5 * 60_000;

/**
 * The mean product of neighboring steps, as complex numbers and as a share of their mean square, is 1 on a straight road,
 * turned by the angle of its turns around a block, 0 on a random walk, and -0.5 where each fix is off for itself. Of n
 * scattered steps one set in a thousand is farther from that than `LEAST_DEVIATION` divided by the root of n.
 */
const SCATTER = -0.5;
const LEAST_DEVIATION = 2.6;
/** The least turning to one side of steps that go back as often as forth and are no scatter. */
const LEAST_TURNING = 0.4;

/** Within a place that a unit does not leave it takes turns, and not faster; a receiver that jumps does. */
const MOST_KPH = 40;
const STRAIGHT = 0.6;

/** Steps of a drive are at least this part of the distance that shows motion. */
const STEP_SHARE = 1 / 4;

/** Meters to the north and to the east from one fix of a track to another. */
const toStep = (track: Track, from: number, to: number): [northM: number, eastM: number] => {
  const [lat, lng] = [track[3 * from]!, track[3 * from + 1]!];
  const mPerLng = METERS_PER_DEGREE * Math.cos(lat * RADIANS_PER_DEGREE);
  return [
    (track[3 * to]! - lat) * METERS_PER_DEGREE,
    (((track[3 * to + 1]! - lng + 540) % 360) - 180) * mPerLng,
  ];
};

/** The sums over the newest steps of a track that tell a drive from the scatter of a receiver. */
interface Steps {
  count: number;
  pathM: number;
  squares: number;
  products: number;
  turns: number;
  farM: number;
  fastestKph: number;
}

const isDirected = ({ count, squares, products, turns, fastestKph }: Steps): boolean => {
  // There is one pair less than steps.
  const pairs = (squares * (count - 1)) / count;
  const [along, aside] = [products / pairs, turns / pairs];
  if (along < SCATTER && Math.abs(aside) < LEAST_TURNING) return false;
  if (fastestKph > MOST_KPH && along < STRAIGHT) return false;
  return Math.hypot(along - SCATTER, aside) * Math.sqrt(count) >= LEAST_DEVIATION;
};

/**
 * Since when a unit drives within a place, as around a block or in a yard, Unix ms; null where its fixes show none. It
 * does not drive now after `pauseMs` within a step of its newest fix.
 */
export const findDrive = (
  track: Track,
  pauseMs: number,
  { jitterM, placeM }: Radii,
  settings: MotionSettings,
): number | null => {
  const last = countFixes(track) - 1;
  const newestMs = track[3 * last + 2]!;
  const leastM = STEP_SHARE * jitterM;
  const steps: Steps = { count: 0, pathM: 0, squares: 0, products: 0, turns: 0, farM: 0, fastestKph: 0 };
  let [at, northM, eastM, runMs] = [last, 0, 0, newestMs];
  let isRun = true;
  let sinceMs: number | null = null;
  for (let i = last - 1; i >= 0 && steps.count < MOST_STEPS; i--) {
    const restMs = track[3 * at + 2]! - track[3 * i + 5]!;
    if (restMs >= (steps.count === 0 ? pauseMs : REST_MS)) break;
    const [north, east] = toStep(track, i, at);
    const square = north * north + east * east;
    if (square < leastM * leastM) continue;
    const farM = Math.hypot(...toStep(track, i, last));
    if (farM > placeM) break;
    // It has driven since its last rest that is a stop.
    isRun &&= steps.count === 0 || restMs < settings.stopAfterMs;
    const hopM = Math.hypot(...toStep(track, i, i + 1));
    steps.fastestKph = Math.max(steps.fastestKph, toKph(hopM, track[3 * i + 5]! - track[3 * i + 2]!));
    steps.farM = Math.max(steps.farM, farM);
    steps.count++;
    steps.pathM += Math.sqrt(square);
    steps.squares += square;
    steps.products += north * northM + east * eastM;
    steps.turns += north * eastM - east * northM;
    [at, northM, eastM] = [i, north, east];
    if (isRun) runMs = track[3 * i + 2]!;
    const isFar = steps.count >= LEAST_STEPS && steps.farM >= jitterM;
    if (
      isFar &&
      toKph(steps.pathM, newestMs - track[3 * i + 2]!) >= settings.keepMovingKph &&
      isDirected(steps)
    )
      sinceMs = runMs;
  }
  return sinceMs;
};
