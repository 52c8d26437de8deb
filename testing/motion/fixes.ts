import { NO_MOTION, type MotionState } from '@/lib/motion/motion-state';
import { observeFix } from '@/lib/motion/observe';
import { DEFAULT_MOTION_SETTINGS, type MotionSettings } from '@/lib/motion/settings';
import type { Fix } from '@/lib/motion/track';

/** Position and time at which the tests' histories begin: Amarillo, Texas. */
export const START_MS = Date.UTC(2026, 2, 10, 14, 0, 0);
export const MINUTE_MS = 60_000;

const DEGREES_PER_M = 1 / 111_195.08;

/** A fix the given minutes after the start and the given meters north of it. */
export const fixAt = (minutes: number, northM: number): Fix => ({
  lat: 35 + northM * DEGREES_PER_M,
  // More decimals than a coarse position has.
  lng: -101.00437,
  fixAtMs: START_MS + minutes * MINUTE_MS,
});

/** The state after these fixes, each observed when it is made. */
export const observeAll = (
  fixes: readonly Fix[],
  settings: MotionSettings = DEFAULT_MOTION_SETTINGS,
  from: MotionState = NO_MOTION,
): MotionState => fixes.reduce((state, fix) => observeFix(state, fix, fix.fixAtMs, settings), from);

/** Random numbers in [0, 1), the same in every run: a linear congruential generator. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** The list in another order, by the Fisher–Yates shuffle. */
export const shuffled = <T>(list: readonly T[], random: () => number): T[] => {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
};
