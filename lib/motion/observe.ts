import type { LatLng } from '@/lib/wire/units';
import { distanceM } from './distance';
import { observeFrozen } from './frozen';
import { findLeg, impliedKph } from './leg';
import type { Place, UnitMemory } from './memory';
import { toUsualIntervalMs } from './rhythm';
import type { MotionSettings } from './settings';
import { countFixes, fixOf, newestOf, NO_TRACK, withNewest } from './track';
import type { Fix, Track } from './track';

/** A position as it was told; `fixAtMs` is null where no time came with it. */
export interface TimedPosition extends LatLng {
  fixAtMs: number | null;
}

/** How long a unit may be without a fix before it is late, in ms; before it has a rhythm it never is. */
export const toLateAfterMs = (usualIntervalMs: number | null, settings: MotionSettings): number =>
  usualIntervalMs === null
    ? settings.silentAfterMs
    : Math.max(settings.lateAtLeastMs, settings.lateIntervals * usualIntervalMs);

/**
 * How long before it is late now, in ms. A unit that paused lately is not called late again for a shorter
 * pause than that, else one that reports in bursts would be late, and not, every few minutes. Many trackers
 * report more seldom where the truck stands: one that has done so before is not late at each of its stops.
 */
export const toLateLimitMs = (
  { phase, usualIntervalMs, intervalsMs, restsMs }: UnitMemory,
  settings: MotionSettings,
): number => {
  let limitMs = toLateAfterMs(usualIntervalMs, settings);
  for (const intervalMs of intervalsMs) limitMs = Math.max(limitMs, settings.lateAgain * intervalMs);
  if (phase === 'stopped' && restsMs.length >= settings.lateRests) {
    limitMs = Math.max(limitMs, settings.lateAgain * Math.min(...restsMs));
  }
  return limitMs;
};

/** Whether a time can be believed at `nowMs`: not missing, not ahead, not before GPS began to count anew. */
export const isUsableTime = (
  fixAtMs: number | null,
  nowMs: number,
  settings: MotionSettings,
): fixAtMs is number =>
  fixAtMs !== null && fixAtMs <= nowMs + settings.futureMs && fixAtMs >= nowMs - settings.pastMs;

const toPlace = ({ lat, lng, fixAtMs }: Fix): Place => ({
  lat,
  lng,
  firstAtMs: fixAtMs,
  lastAtMs: fixAtMs,
  fixes: 1,
  spreadM: 0,
});

/** The recent fixes with one more, within the bounds of the settings; the newest few stay however old. */
const withFix = (track: Track, fix: Fix, settings: MotionSettings): Track => {
  const KEPT_HOWEVER_OLD = 3;
  const count = countFixes(track);
  let from = Math.max(0, count + 1 - settings.trackFixes);
  const last = count - KEPT_HOWEVER_OLD;
  while (from < last && fixOf(track, from).fixAtMs < fix.fixAtMs - settings.trackMs) from++;
  return withNewest(track, from, fix);
};

/** A unit at a place with nothing to compare it with: its first fix, or the first after a jump. */
const beginAt = (fix: Fix, memory: UnitMemory): UnitMemory => ({
  ...memory,
  phase: 'once',
  track: withNewest(NO_TRACK, 0, fix),
  place: toPlace(fix),
  leg: null,
  doubtful: null,
  frozen: null,
});

/** One more fix in the place where the unit already is. */
const stay = (
  next: UnitMemory,
  place: Place,
  fix: Fix,
  apartM: number,
  settings: MotionSettings,
): UnitMemory => {
  next.place = {
    ...place,
    lastAtMs: fix.fixAtMs,
    fixes: place.fixes + 1,
    spreadM: Math.max(place.spreadM, apartM),
  };
  const restMs = fix.fixAtMs - place.lastAtMs;
  if (restMs >= settings.lateAtLeastMs) next.restsMs = [...next.restsMs, restMs].slice(-settings.lateRests);
  const stoodMs = fix.fixAtMs - place.firstAtMs;
  if (next.phase === 'moving' && stoodMs < settings.stopAfterMs) {
    next.leg = findLeg(next.track, settings);
  } else if (next.phase !== 'once' || stoodMs >= settings.settleMs) {
    next.phase = 'stopped';
    next.leg = null;
  }
  return next;
};

/** A fix away from the place where the unit was: motion if it came soon and went fast enough. */
const leave = (
  next: UnitMemory,
  place: Place,
  fix: Fix,
  isSoon: boolean,
  settings: MotionSettings,
): UnitMemory => {
  const leg = findLeg(next.track, settings);
  const enoughKph = next.phase === 'moving' ? settings.keepMovingKph : settings.movingKph;
  if (isSoon && leg && leg.speedKph >= enoughKph) {
    if (next.phase !== 'moving') next.movingSinceMs = place.lastAtMs;
    next.phase = 'moving';
  } else if (!isSoon || distanceM(place, fix) > settings.shuffleM) {
    next.phase = 'once';
  }
  next.place = toPlace(fix);
  next.leg = next.phase === 'moving' ? leg : null;
  return next;
};

/** What the next fix of a unit says: `fix` is newer than all held and within reach of them. */
const advance = (
  memory: UnitMemory,
  held: Fix,
  place: Place,
  fix: Fix,
  settings: MotionSettings,
): UnitMemory => {
  const gapMs = fix.fixAtMs - held.fixAtMs;
  const intervalsMs = [...memory.intervalsMs, gapMs].slice(-settings.rhythmIntervals);
  const next: UnitMemory = {
    ...memory,
    track: withFix(memory.track, fix, settings),
    intervalsMs,
    usualIntervalMs: toUsualIntervalMs(intervalsMs, settings.rhythmLeast),
    doubtful: null,
    frozen: observeFrozen(memory.frozen, memory.track, fix, settings),
  };
  const apartM = distanceM(place, fix);
  const isSamePlace = apartM <= (memory.phase === 'stopped' ? settings.leaveM : settings.jitterM);
  return isSamePlace
    ? stay(next, place, fix, apartM, settings)
    : leave(next, place, fix, gapMs <= toLateAfterMs(memory.usualIntervalMs, settings), settings);
};

/**
 * What is remembered of a unit after one more position; the very same object when it said nothing new.
 *
 * - A fix that is not newer than the one held never replaces it, so answers may arrive in any order.
 * - A time later than now + `futureMs`, before now - `pastMs` or missing is no time: such a position is
 *   kept aside as `untimed`, never wins "newest", and stays refused when the clock has caught up with it.
 * - A fix out of reach (`impossibleKph`) is `doubtful` and the old place is held, until the next one is
 *   nearer to the doubtful one and within its reach (confirmed: the unit begins anew there) or within
 *   reach of the held one (the doubtful one is dropped).
 */
export const observeFix = (
  memory: UnitMemory,
  position: TimedPosition,
  nowMs: number,
  settings: MotionSettings,
): UnitMemory => {
  const { lat, lng, fixAtMs } = position;
  const { untimed, doubtful } = memory;
  if (!isUsableTime(fixAtMs, nowMs, settings)) {
    const isKnown = untimed?.lat === lat && untimed.lng === lng && untimed.claimedAtMs === fixAtMs;
    return isKnown ? memory : { ...memory, untimed: { lat, lng, claimedAtMs: fixAtMs } };
  }
  if (fixAtMs === untimed?.claimedAtMs) return memory;

  const fix: Fix = { lat, lng, fixAtMs };
  const held = newestOf(memory.track);
  if (!held || !memory.place) return beginAt(fix, memory);
  if (fixAtMs <= held.fixAtMs || fixAtMs === doubtful?.fixAtMs) return memory;

  const isWithinReach = (from: Fix): boolean => impliedKph(from, fix, settings) <= settings.impossibleKph;
  if (doubtful && fixAtMs > doubtful.fixAtMs && isWithinReach(doubtful)) {
    if (distanceM(doubtful, fix) < distanceM(held, fix)) {
      return advance(beginAt(doubtful, memory), doubtful, toPlace(doubtful), fix, settings);
    }
  }
  // A fix from before the doubtful one neither confirms it nor returns from it, in whatever order they came.
  const stillDoubtful = doubtful && fixAtMs < doubtful.fixAtMs ? doubtful : null;
  if (!isWithinReach(held)) return { ...memory, doubtful: stillDoubtful ?? fix };
  return { ...advance(memory, held, memory.place, fix, settings), doubtful: stillDoubtful };
};
