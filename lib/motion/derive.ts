import type { Reason, Status } from './status';
import { toCoarseM } from './accuracy';
import type { MotionState } from './motion-state';
import { toLateLimitMs } from './rhythm';
import { toExtentM } from './place';
import type { MotionSettings } from './settings';
import { newestOf, type Fix } from './track';
import { MINUTE_MS } from '@/lib/base/time';

/** Whether the provider lists a unit as active, and since when that is so (Unix ms). */
interface Listing {
  isListed: boolean;
  sinceMs: number;
}

/** The evidence of a status: how far apart its fixes are, over how long, and their number. */
interface Evidence {
  distanceM: number;
  spanMs: number;
  fixes: number;
}

/**
 * The status of a unit and its evidence; `sinceMs` null: not known. Speed and heading are those of the last leg, also
 * while it is late or silent; null without one.
 */
export interface DerivedStatus {
  status: Status;
  reason: Reason;
  sinceMs: number | null;
  speedKph: number | null;
  headingDeg: number | null;
  evidence: Evidence;
  /** Once its newest fix is this old, the status is given with that fix's time, ms. */
  datedAfterMs: number;
  /** Position error, m; 0 where it is about a receiver's. */
  coarseM: number;
}

const toEvidence = ({ phase, leg, place }: MotionState): Evidence => {
  if (leg && (phase === 'moving' || phase === 'unclear'))
    return { distanceM: leg.distanceM, spanMs: leg.spanMs, fixes: leg.fixes };
  if (place && (phase === 'stopped' || phase === 'unclear'))
    return {
      distanceM: toExtentM(place),
      spanMs: place.lastAtMs - place.firstAtMs,
      fixes: place.fixes,
    };
  return { distanceM: 0, spanMs: 0, fixes: phase === 'none' ? 0 : 1 };
};

const toWholeMinutes = (ms: number): number => Math.round(ms / MINUTE_MS) * MINUTE_MS;

/** The age of the newest fix, ms, from which a status is given with that fix's time: above the usual interval. */
const toDatedAfterMs = ({ phase, leg, usualIntervalMs }: MotionState, settings: MotionSettings): number => {
  const rhythmMs =
    usualIntervalMs === null
      ? settings.datedUnknownMs
      : toWholeMinutes(settings.datedIntervals * usualIntervalMs);
  const limitMs = Math.min(Math.max(rhythmMs, settings.datedAtLeastMs), settings.datedAtMostMs);
  if (phase !== 'moving' || !leg) return limitMs;
  return Math.max(0, Math.min(limitMs, toWholeMinutes(settings.movingWindowMs - leg.spanMs - MINUTE_MS / 2)));
};

type StatusCause = Pick<DerivedStatus, 'status' | 'reason' | 'sinceMs'>;

const AFTER_PHASE = {
  none: 'vanished',
  once: 'vanished',
  unclear: 'vanished',
  moving: 'vanishedMoving',
  stopped: 'vanishedStopped',
} as const satisfies Record<MotionState['phase'], Reason>;

const toFixCause = (
  { phase, place, movingSinceMs }: MotionState,
  { heldPlaceMs }: MotionSettings,
): StatusCause => {
  if (phase === 'none' || !place) return { status: 'unknown', reason: 'noFix', sinceMs: null };
  if (phase === 'moving') return { status: 'moving', reason: 'displaced', sinceMs: movingSinceMs };
  const isHeld = heldPlaceMs > 0 && place.lastAtMs - place.firstAtMs <= heldPlaceMs && toExtentM(place) === 0;
  if (phase === 'stopped' && isHeld)
    return { status: 'unknown', reason: 'unclear', sinceMs: place.firstAtMs };
  if (phase === 'stopped') return { status: 'stopped', reason: 'inPlace', sinceMs: place.firstAtMs };
  return { status: 'unknown', reason: phase === 'unclear' ? 'unclear' : 'oneFix', sinceMs: place.firstAtMs };
};

const toPhaseCause = (state: MotionState, settings: MotionSettings): StatusCause => {
  const cause = toFixCause(state, settings);
  return state.isByReceipt ? { ...cause, reason: 'byReceipt' } : cause;
};

const toDeadlines = (newest: Fix, state: MotionState, settings: MotionSettings) => ({
  silentAtMs: newest.fixAtMs + settings.silentAfterMs,
  lateAtMs: newest.fixAtMs + toLateLimitMs(state, settings) + (state.isByReceipt ? 0 : settings.usualDelayMs),
});

const toCause = (
  state: MotionState,
  nowMs: number,
  listing: Listing,
  settings: MotionSettings,
): StatusCause => {
  const newest = newestOf(state.track);
  if (!newest) {
    if (listing.isListed) return toPhaseCause(state, settings);
    return state.untimed
      ? { status: 'silent', reason: AFTER_PHASE.none, sinceMs: listing.sinceMs }
      : { status: 'silent', reason: 'neverSeen', sinceMs: null };
  }
  const { silentAtMs, lateAtMs } = toDeadlines(newest, state, settings);
  if (!listing.isListed) {
    return {
      status: 'silent',
      reason: AFTER_PHASE[state.phase],
      sinceMs: Math.min(silentAtMs, listing.sinceMs),
    };
  }
  if (nowMs >= silentAtMs) return { status: 'silent', reason: 'quiet', sinceMs: silentAtMs };
  if (nowMs >= lateAtMs) return { status: 'late', reason: 'overdue', sinceMs: lateAtMs };
  return toPhaseCause(state, settings);
};

/** When the status becomes late or silent without further news, Unix ms; Infinity when only news can change it. */
export const toNextStatusMs = (
  state: MotionState,
  nowMs: number,
  listing: Listing,
  settings: MotionSettings,
): number => {
  const newest = newestOf(state.track);
  if (!newest || !listing.isListed) return Infinity;
  const { silentAtMs, lateAtMs } = toDeadlines(newest, state, settings);
  if (nowMs < Math.min(lateAtMs, silentAtMs)) return Math.min(lateAtMs, silentAtMs);
  return nowMs < silentAtMs ? silentAtMs : Infinity;
};

/**
 * The status of a unit at `nowMs`, from its motion state and whether the provider lists it.
 *
 * - silent: not listed (`vanished…`, or `neverSeen` when it never was), or no fix for `silentAfterMs`
 * - late: no fix for `lateIntervals` usual intervals, at least `lateAtLeastMs`, and longer than its last
 *   pauses
 * - else moving, stopped or unknown, as its fixes show
 */
export const deriveStatus = (
  state: MotionState,
  nowMs: number,
  listing: Listing,
  settings: MotionSettings,
): DerivedStatus => {
  const leg = state.phase === 'moving' ? state.leg : null;
  const { status, reason, sinceMs } = toCause(state, nowMs, listing, settings);
  // Spelled out, because a spread of several shapes takes half of the time for each of 100,000 units.
  return {
    status,
    reason,
    sinceMs,
    // The delay of records varies, so that receipt times give no speed.
    speedKph: state.isByReceipt ? null : (leg?.speedKph ?? null),
    headingDeg: leg?.headingDeg ?? null,
    evidence: toEvidence(state),
    datedAfterMs: toDatedAfterMs(state, settings),
    coarseM: toCoarseM(state, settings),
  };
};
