import 'server-only';
import { distanceM } from '@/lib/geo/geodesy';
import type { FrozenRun, MotionState } from '@/lib/motion/motion-state';
import { newestOf } from '@/lib/motion/track';
import { toUtcText } from '@/lib/tracking/normalize/time';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { MINUTE_MS } from '@/lib/base/time';

const HOURS_PER_MS = 1 / 3_600_000;
const KPH_PER_MPH = METERS_PER_MILE / 1000;

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const toSpanText = (ms: number): string =>
  ms < MINUTE_MS ? `${whole(ms / 1000)} s` : `${whole(ms / MINUTE_MS)} min`;

/** Describes a jump: how far, how soon, how fast. */
export const toJumpText = ({ track, unconfirmed }: MotionState): string => {
  const held = newestOf(track);
  if (!held || !unconfirmed) return '';
  const miles = distanceM(held, unconfirmed) / METERS_PER_MILE;
  const spanMs = unconfirmed.fixAtMs - held.fixAtMs;
  const mph = whole(miles / (spanMs * HOURS_PER_MS));
  return `A fix lies ${whole(miles)} mi from the one ${toSpanText(spanMs)} before: ${mph} mph.`;
};

/** Describes the evidence of a frozen position. */
export const toFrozenText = (run: FrozenRun | null): string => {
  if (!run) return '';
  const lasted = toSpanText(run.lastAtMs - run.sinceMs);
  const mph = whole(run.speedKph / KPH_PER_MPH);
  return `New fixes come, but their place has been the same to the last digit since ${toUtcText(run.sinceMs)}: ${run.fixes} fixes in ${lasted}. Up to then it drove ${mph} mph and did not slow down.`;
};
