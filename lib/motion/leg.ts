import type { LatLng } from '@/lib/wire/units';
import { bearingDeg } from './bearing';
import { distanceM } from './distance';
import type { Leg } from './memory';
import type { MotionSettings } from './settings';
import { countFixes, fixOf } from './track';
import type { Fix, Track } from './track';

/** Kilometers per hour in one meter per millisecond. */
const KPH_PER_M_PER_MS = 3600;

/** The speed for a distance in meters and a time in milliseconds, km/h. */
export const toKph = (metres: number, spanMs: number): number => (metres / spanMs) * KPH_PER_M_PER_MS;

/**
 * The speed that two fixes imply beyond what `jitterM` alone explains, in km/h; `to` is the later one, and up
 * to `slackMs` more may have passed between the two.
 */
export const impliedKph = (from: Fix, to: Fix, jitterM: number, slackMs = 0): number =>
  toKph(Math.max(0, distanceM(from, to) - jitterM), to.fixAtMs - from.fixAtMs + slackMs);

/**
 * Whether no truck drives from `a` to `b` in `spanMs`, in either direction, even if each is off by up to
 * `slackM` meters in all.
 */
export const isOutOfReach = (
  a: LatLng,
  b: LatLng,
  spanMs: number,
  slackM: number,
  { impossibleKph }: MotionSettings,
): boolean => distanceM(a, b) > slackM + (impossibleKph * Math.abs(spanMs)) / KPH_PER_M_PER_MS;

/**
 * The leg from the nearest earlier fix that is far enough from the newest one, `jitterM` in space and
 * `baselineMs` in time, for a speed and a heading to be significant; null where no held fix is, or none at a
 * possible speed.
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
