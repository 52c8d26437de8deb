import { bearingDeg } from './bearing';
import { distanceM } from './distance';
import type { Leg } from './memory';
import type { MotionSettings } from './settings';
import { countFixes, fixOf } from './track';
import type { Fix, Track } from './track';

/** Kilometres per hour in one metre per millisecond. */
const KPH_PER_M_PER_MS = 3600;

/** The speed that two fixes imply beyond what jitter alone explains, in km/h; `to` is the later one. */
export const impliedKph = (from: Fix, to: Fix, settings: MotionSettings): number =>
  (Math.max(0, distanceM(from, to) - settings.jitterM) / (to.fixAtMs - from.fixAtMs)) * KPH_PER_M_PER_MS;

/**
 * The newest fix against the nearest earlier one that is far enough away, in space and in time, for a
 * speed and a heading to mean something; null where no held fix is.
 */
export const findLeg = (track: Track, settings: MotionSettings): Leg | null => {
  const last = countFixes(track) - 1;
  if (last < 1) return null;
  const newest = fixOf(track, last);
  for (let i = last - 1; i >= 0; i--) {
    const from = fixOf(track, i);
    const spanMs = newest.fixAtMs - from.fixAtMs;
    if (spanMs < settings.baselineMs) continue;
    const apartM = distanceM(from, newest);
    if (apartM < settings.jitterM) continue;
    return {
      distanceM: apartM,
      spanMs,
      fixes: last - i + 1,
      speedKph: (apartM / spanMs) * KPH_PER_M_PER_MS,
      headingDeg: bearingDeg(from, newest),
    };
  }
  return null;
};
