import { METERS_PER_DEGREE, RADIANS_PER_DEGREE, toKph } from './geodesy';
import type { Radii } from './accuracy';
import type { MotionSettings } from './settings';
import { countFixes } from './track';
import type { Track } from './track';

/** How far back the steps of a drive within a place are looked at; farther where the receiver may wander. */
const WINDOW_MS = 150_000;
const WINDOW_OF_UNSTEADY_MS = 240_000;
/** Steps that show a drive: with fewer, a receiver that wanders takes steps in one direction too. */
const STEPS = 3;
const STEPS_OF_UNSTEADY = 7;
/**
 * Each step of a drive goes on in about the direction of the one before, whereas a receiver that scatters comes back: the
 * sum of the products of neighboring steps, as a share of the sum of their squares, is about 1 on a straight road, 0.7
 * around a block, 0 on a random walk and -0.5 where each fix is off for itself.
 */
const LEAST_COHERENCE = 0.2;
const LEAST_OF_UNSTEADY = 0.3;
/** With few fixes around a block the direction turns by a right angle and more, but always to the same side. */
const LEAST_TURNING = 0.6;
const STEPS_TURNING = 5;

/** Within a place that a unit does not leave it takes turns, and not faster; a receiver that jumps does. */
const MOST_KPH = 40;
const STRAIGHT = 0.6;

/**
 * Since when a unit drives within a place that it does not leave, Unix ms: around a block, or back and forth in a yard.
 * Null where its newest fixes show none. `isSteady`: its receiver is known not to wander. `pauseMs`: so long within a step
 * of its newest fix it does not drive now.
 */
export const findDrive = (
  track: Track,
  pauseMs: number,
  isSteady: boolean,
  { jitterM }: Radii,
  settings: MotionSettings,
): number | null => {
  const last = countFixes(track) - 1;
  const [newestLat, newestLng, newestMs] = [track[3 * last]!, track[3 * last + 1]!, track[3 * last + 2]!];
  const mPerLng = METERS_PER_DEGREE * Math.cos(newestLat * RADIANS_PER_DEGREE);
  const leastM = jitterM / 3;
  const leastSteps = isSteady ? STEPS : STEPS_OF_UNSTEADY;
  const leastCoherence = isSteady ? LEAST_COHERENCE : LEAST_OF_UNSTEADY;
  const windowMs = isSteady ? WINDOW_MS : WINDOW_OF_UNSTEADY_MS;
  let [lat, lng, atMs] = [newestLat, newestLng, newestMs];
  let [eastM, northM] = [0, 0];
  let [steps, pathM, squares, products, turns, farM, fastestKph] = [0, 0, 0, 0, 0, 0, 0];
  let sinceMs: number | null = null;
  for (let i = last - 1; i >= 0; i--) {
    const limitMs = steps === 0 ? pauseMs : settings.stopAfterMs;
    if (atMs - track[3 * i + 5]! >= limitMs) break;
    const fixAtMs = track[3 * i + 2]!;
    if (newestMs - fixAtMs > windowMs) break;
    const north = (lat - track[3 * i]!) * METERS_PER_DEGREE;
    const east = (((lng - track[3 * i + 1]! + 540) % 360) - 180) * mPerLng;
    const square = north * north + east * east;
    if (square < leastM * leastM) continue;
    const hop = Math.hypot(
      (track[3 * i + 3]! - track[3 * i]!) * METERS_PER_DEGREE,
      (track[3 * i + 4]! - track[3 * i + 1]!) * mPerLng,
    );
    fastestKph = Math.max(fastestKph, toKph(hop, track[3 * i + 5]! - fixAtMs));
    steps++;
    pathM += Math.sqrt(square);
    squares += square;
    products += north * northM + east * eastM;
    turns += north * eastM - east * northM;
    [lat, lng, atMs, northM, eastM] = [track[3 * i]!, track[3 * i + 1]!, fixAtMs, north, east];
    farM = Math.max(
      farM,
      Math.hypot((newestLat - lat) * METERS_PER_DEGREE, (((newestLng - lng + 540) % 360) - 180) * mPerLng),
    );
    if (steps >= leastSteps && toKph(pathM, newestMs - atMs) < settings.movingKph) break;
    const isDirected =
      steps >= leastSteps &&
      (products >= leastCoherence * squares ||
        (steps >= STEPS_TURNING && Math.abs(turns) >= LEAST_TURNING * squares));
    const isPlausible = fastestKph <= MOST_KPH || products >= STRAIGHT * squares;
    if (isDirected && isPlausible && farM >= jitterM) sinceMs = atMs;
    else if (sinceMs !== null) break;
  }
  return sinceMs;
};
