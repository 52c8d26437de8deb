import { distanceM } from './distance';
import { toKph } from './leg';
import type { FrozenRun } from './memory';
import type { MotionSettings } from './settings';
import { countFixes, fixOf, newestOf } from './track';
import type { Fix, Track } from './track';

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
 * The run of frozen fixes after one more fix; `track` has those held before it. Coordinates with a step of
 * `stepM` repeat while a truck drives, so that they prove nothing.
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
