import type { MotionState } from './motion-state';
import type { MotionSettings } from './settings';

/**
 * A unit's usual interval, ms: the median of its last ones, which no dead zone changes; null for fewer than `least`.
 */
export const toUsualIntervalMs = (intervalsMs: readonly number[], least: number): number | null => {
  if (intervalsMs.length === 0 || intervalsMs.length < least) return null;
  const sorted = intervalsMs.slice();
  // They are a few, and this runs for each fix: sort() is slower.
  for (let i = 1; i < sorted.length; i++) {
    const each = sorted[i]!;
    let at = i;
    for (; at > 0 && sorted[at - 1]! > each; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = each;
  }
  const upper = sorted[sorted.length >> 1]!;
  return sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
};

/** How long a unit may be without a fix before it is late, in ms; never before its usual interval is known. */
export const toLateAfterMs = (usualIntervalMs: number | null, settings: MotionSettings): number =>
  usualIntervalMs === null
    ? settings.silentAfterMs
    : Math.max(settings.lateAtLeastMs, settings.lateIntervals * usualIntervalMs);

/**
 * How long before it is late now, ms: longer after a pause lately, so that bursts do not flap, and where it has
 * reported more seldom at a stop before.
 */
export const toLateLimitMs = (
  { phase, usualIntervalMs, intervalsMs, restsMs }: MotionState,
  settings: MotionSettings,
): number => {
  let limitMs = toLateAfterMs(usualIntervalMs, settings);
  for (const intervalMs of intervalsMs) limitMs = Math.max(limitMs, settings.lateAgain * intervalMs);
  if (phase === 'stopped' && restsMs.length >= settings.lateRests) {
    limitMs = Math.max(limitMs, settings.lateAgain * Math.min(...restsMs));
  }
  return limitMs;
};

/** How long after its newest fix the next one comes after a gap, ms: the unit was late or silent by then. */
export const toGapLimitMs = (state: MotionState, settings: MotionSettings): number =>
  Math.min(settings.silentAfterMs, toLateLimitMs(state, settings));
