import type { Reason, Status } from '@/lib/wire/status';
import { toCoarseM } from './accuracy';
import type { UnitMemory } from './memory';
import { toLateLimitMs } from './observe';
import { toExtentM } from './place';
import type { MotionSettings } from './settings';
import { newestOf } from './track';
import type { Fix } from './track';

/** Whether the provider lists a unit as active, and since when it does or does not (Unix ms). */
export interface Listing {
  isListed: boolean;
  sinceMs: number;
}

/** What a status was derived from: how far its fixes lie apart, over how long, and how many they are. */
export interface Evidence {
  distanceM: number;
  spanMs: number;
  fixes: number;
}

/**
 * What a unit is doing and how one can tell. `sinceMs` is null where nothing says since when. Speed and
 * heading are those of its last leg: current while it moves, the last known while it is late or silent,
 * null where its fixes do not say.
 */
export interface DerivedStatus {
  status: Status;
  reason: Reason;
  sinceMs: number | null;
  speedKph: number | null;
  headingDeg: number | null;
  evidence: Evidence;
  /** From this age of its newest fix on the status is given with that fix's time, ms. */
  datedAfterMs: number;
  /** How far off its positions are, m; 0 where they are about as good as a receiver's. */
  coarseM: number;
}

const toEvidence = ({ phase, leg, place }: UnitMemory): Evidence => {
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

/** From which age of its newest fix on a status gives that fix's time: older than the unit's own rhythm, ms. */
const toDatedAfterMs = ({ phase, leg, usualIntervalMs }: UnitMemory, settings: MotionSettings): number => {
  const rhythmMs =
    usualIntervalMs === null
      ? settings.datedUnknownMs
      : toWholeMinutes(settings.datedIntervals * usualIntervalMs);
  const limitMs = Math.min(Math.max(rhythmMs, settings.datedAtLeastMs), settings.datedAtMostMs);
  if (phase !== 'moving' || !leg) return limitMs;
  return Math.max(0, Math.min(limitMs, toWholeMinutes(settings.movingWindowMs - leg.spanMs - MINUTE_MS / 2)));
};

const MINUTE_MS = 60_000;

type Saying = Pick<DerivedStatus, 'status' | 'reason' | 'sinceMs'>;

const AFTER_PHASE = {
  none: 'vanished',
  once: 'vanished',
  unclear: 'vanished',
  moving: 'vanishedMoving',
  stopped: 'vanishedStopped',
} as const satisfies Record<UnitMemory['phase'], Reason>;

const toOwnSaying = ({ phase, place, movingSinceMs }: UnitMemory): Saying => {
  if (phase === 'none' || !place) return { status: 'unknown', reason: 'noFix', sinceMs: null };
  if (phase === 'moving') return { status: 'moving', reason: 'displaced', sinceMs: movingSinceMs };
  if (phase === 'stopped') return { status: 'stopped', reason: 'inPlace', sinceMs: place.firstAtMs };
  return { status: 'unknown', reason: phase === 'unclear' ? 'unclear' : 'oneFix', sinceMs: place.firstAtMs };
};

const sayPhase = (memory: UnitMemory): Saying => {
  const saying = toOwnSaying(memory);
  return memory.isByReceipt ? { ...saying, reason: 'byReceipt' } : saying;
};

const toDeadlines = (newest: Fix, memory: UnitMemory, settings: MotionSettings) => ({
  silentAtMs: newest.fixAtMs + settings.silentAfterMs,
  lateAtMs: newest.fixAtMs + toLateLimitMs(memory, settings),
});

const say = (memory: UnitMemory, nowMs: number, listing: Listing, settings: MotionSettings): Saying => {
  const newest = newestOf(memory.track);
  if (!newest) {
    if (listing.isListed) return sayPhase(memory);
    return memory.untimed
      ? { status: 'silent', reason: AFTER_PHASE.none, sinceMs: listing.sinceMs }
      : { status: 'silent', reason: 'neverSeen', sinceMs: null };
  }
  const { silentAtMs, lateAtMs } = toDeadlines(newest, memory, settings);
  if (!listing.isListed) {
    return {
      status: 'silent',
      reason: AFTER_PHASE[memory.phase],
      sinceMs: Math.min(silentAtMs, listing.sinceMs),
    };
  }
  if (nowMs >= silentAtMs) return { status: 'silent', reason: 'quiet', sinceMs: silentAtMs };
  if (nowMs >= lateAtMs) return { status: 'late', reason: 'overdue', sinceMs: lateAtMs };
  return sayPhase(memory);
};

/**
 * When the status becomes another although nothing more is heard of the unit, in Unix ms: it becomes late
 * or silent. Infinity when only news can change it.
 */
export const toNextStatusMs = (
  memory: UnitMemory,
  nowMs: number,
  listing: Listing,
  settings: MotionSettings,
): number => {
  const newest = newestOf(memory.track);
  if (!newest || !listing.isListed) return Infinity;
  const { silentAtMs, lateAtMs } = toDeadlines(newest, memory, settings);
  if (nowMs < Math.min(lateAtMs, silentAtMs)) return Math.min(lateAtMs, silentAtMs);
  return nowMs < silentAtMs ? silentAtMs : Infinity;
};

/**
 * The status of a unit at `nowMs`, from what is remembered of it and whether the provider lists it.
 *
 * - silent: not listed (`vanished…`, or `neverSeen` when it never was), or no fix for `silentAfterMs`
 * - late: no fix for `lateIntervals` usual intervals, at least `lateAtLeastMs`, and longer than its last pauses
 * - else moving, stopped or unknown, as its fixes say
 */
export const deriveStatus = (
  memory: UnitMemory,
  nowMs: number,
  listing: Listing,
  settings: MotionSettings,
): DerivedStatus => {
  const leg = memory.phase === 'moving' ? memory.leg : null;
  const { status, reason, sinceMs } = say(memory, nowMs, listing, settings);
  // Spelled out, because a spread of several shapes takes half of the time for each of 100,000 units.
  return {
    status,
    reason,
    sinceMs,
    // How long a record took to arrive differs from one to the next, so that receipt times give no speed.
    speedKph: memory.isByReceipt ? null : (leg?.speedKph ?? null),
    headingDeg: leg?.headingDeg ?? null,
    evidence: toEvidence(memory),
    datedAfterMs: toDatedAfterMs(memory, settings),
    coarseM: toCoarseM(memory, settings),
  };
};
