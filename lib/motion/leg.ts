import type { LatLng } from '@/lib/geo/units';
import { KPH_PER_M_PER_MS, bearingDeg, distanceM, toKph } from '@/lib/geo/geodesy';
import type { Leg, FrozenRun } from './motion-state';
import type { MotionSettings } from './settings';
import { countFixes, fixOf, newestOf, type Fix, type Track } from './track';

/** The speed, km/h, that two fixes imply beyond `jitterM`; up to `slackMs` more may have passed between them. */
export const impliedKph = (from: Fix, to: Fix, jitterM: number, slackMs = 0): number =>
  toKph(Math.max(0, distanceM(from, to) - jitterM), to.fixAtMs - from.fixAtMs + slackMs);

/** Whether no truck drives from `a` to `b` in `spanMs`, in either direction, even with `slackM` meters of error. */
export const isOutOfReach = (
  a: LatLng,
  b: LatLng,
  spanMs: number,
  slackM: number,
  { impossibleKph }: MotionSettings,
): boolean => distanceM(a, b) > slackM + (impossibleKph * Math.abs(spanMs)) / KPH_PER_M_PER_MS;

/**
 * The leg to the newest fix from the nearest one that is `jitterM` and `baselineMs` away, at a possible speed; null:
 * none.
 */
export const findLeg = (track: Track, jitterM: number, settings: MotionSettings): Leg | null => {
  const last = countFixes(track) - 1;
  if (last < 1) return null;
  const newest = fixOf(track, last);
  for (let i = last - 1; i >= 0; i--) {
    const from = fixOf(track, i);
    const spanMs = newest.fixAtMs - from.fixAtMs;
    if (spanMs < settings.baselineMs) continue;
    const apartM = distanceM(from, newest);
    const speedKph = toKph(apartM, spanMs);
    if (apartM < jitterM || speedKph > settings.impossibleKph) continue;
    return { distanceM: apartM, spanMs, fixes: last - i + 1, speedKph, headingDeg: bearingDeg(from, newest) };
  }
  return null;
};

const isSamePlace = (a: Fix, b: Fix): boolean => a.lat === b.lat && a.lng === b.lng;

/** The speed at which a unit drove into its newest fix without slowing down, km/h; null where it did not. */
const toUnslowedKph = (track: Track, settings: MotionSettings): number | null => {
  const last = countFixes(track) - 1;
  if (last < settings.frozenLegs) return null;
  let fastestKph = 0;
  let lastKph = 0;
  for (let i = last - settings.frozenLegs; i < last; i++) {
    const from = fixOf(track, i);
    const to = fixOf(track, i + 1);
    const spanMs = to.fixAtMs - from.fixAtMs;
    if (spanMs > settings.frozenLegMs) return null;
    lastKph = toKph(distanceM(from, to), spanMs);
    if (lastKph < settings.frozenFromKph) return null;
    fastestKph = Math.max(fastestKph, lastKph);
  }
  return lastKph >= settings.frozenKept * fastestKph ? lastKph : null;
};

/**
 * The run of frozen fixes after one more, which `track` does not hold yet; coarse coordinates (`stepM`) prove nothing.
 */
export const observeFrozen = (
  run: FrozenRun | null,
  track: Track,
  fix: Fix,
  stepM: number,
  settings: MotionSettings,
): FrozenRun | null => {
  if (stepM > 0) return null;
  const held = newestOf(track);
  if (!held || !isSamePlace(held, fix)) return null;
  if (run) return { ...run, lastAtMs: fix.fixAtMs, fixes: run.fixes + 1 };
  const count = countFixes(track);
  // One comparison is enough for a parked unit whose receiver repeats its position.
  if (count < 2 || isSamePlace(fixOf(track, count - 2), held)) return null;
  const speedKph = toUnslowedKph(track, settings);
  return speedKph === null ? null : { sinceMs: held.fixAtMs, lastAtMs: fix.fixAtMs, fixes: 2, speedKph };
};
