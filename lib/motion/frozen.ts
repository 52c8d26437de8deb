import { distanceM } from './distance';
import type { Fix, FrozenRun } from './memory';
import type { MotionSettings } from './settings';

/** Kilometres per hour in one metre per millisecond. */
const KPH_PER_M_PER_MS = 3600;

const isSamePlace = (a: Fix, b: Fix): boolean => a.lat === b.lat && a.lng === b.lng;

/** The speed at which a unit drove into its newest fix without slowing down, km/h; null where it did not. */
const toUnslowedKph = (fixes: readonly Fix[], settings: MotionSettings): number | null => {
  const last = fixes.length - 1;
  if (last < settings.frozenLegs) return null;
  let fastestKph = 0;
  let lastKph = 0;
  for (let i = last - settings.frozenLegs; i < last; i++) {
    const spanMs = fixes[i + 1]!.fixAtMs - fixes[i]!.fixAtMs;
    if (spanMs > settings.frozenLegMs) return null;
    lastKph = (distanceM(fixes[i]!, fixes[i + 1]!) / spanMs) * KPH_PER_M_PER_MS;
    if (lastKph < settings.frozenFromKph) return null;
    fastestKph = Math.max(fastestKph, lastKph);
  }
  return lastKph >= settings.frozenKept * fastestKph ? lastKph : null;
};

/** The run of frozen fixes after one more fix; `fixes` are those held before it, oldest first. */
export const observeFrozen = (
  run: FrozenRun | null,
  fixes: readonly Fix[],
  fix: Fix,
  settings: MotionSettings,
): FrozenRun | null => {
  const held = fixes[fixes.length - 1];
  if (!held || !isSamePlace(held, fix)) return null;
  if (run) return { ...run, lastAtMs: fix.fixAtMs, fixes: run.fixes + 1 };
  const before = fixes[fixes.length - 2];
  // A unit that stands with a receiver that repeats itself is told by one comparison.
  if (!before || isSamePlace(before, held)) return null;
  const speedKph = toUnslowedKph(fixes, settings);
  return speedKph === null ? null : { sinceMs: held.fixAtMs, lastAtMs: fix.fixAtMs, fixes: 2, speedKph };
};
