import type { LatLng } from '@/lib/geo/units';
import { bearingDeg, distanceM, toKph } from '@/lib/geo/geodesy';
import {
  NO_WANDER,
  observeResolution,
  observeWander,
  toFirstWanderM,
  toLongStepM,
  toRadii,
  type Radii,
} from './accuracy';
import { findDrive } from './drive';
import { observeFrozen, findLeg, impliedKph } from './leg';
import { NO_MOTION, type Leg, type MotionMemory, type MotionState } from './motion-state';
import {
  findPlaces,
  growPlace,
  isInside,
  isStanding,
  placeOfNewest,
  toExtentM,
  toPlace,
  isWide,
  toStillMs,
  withoutApproach,
  withFixInPlace,
  type Place,
} from './place';
import { changeTimeBase } from './rebase';
import { toGapLimitMs, toLateAfterMs, toUsualIntervalMs } from './rhythm';
import type { MotionSettings } from './settings';
import { countFixes, fixOf, newestOf, NO_TRACK, withNewest, type Fix, type Track } from './track';

/** A position as reported; `fixAtMs` is null where it has no time. */
interface TimedPosition extends LatLng {
  fixAtMs: number | null;
  /** `fixAtMs` is when the position was received. */
  isByReceipt?: boolean;
  /** The most by which it may have been made later after the fix before than its time gives, ms. */
  slackMs?: number;
}

/** Whether a time is usable at `nowMs`: present, not in the future, and not from before the GPS week rollover. */
export const isUsableTime = (
  fixAtMs: number | null,
  nowMs: number,
  settings: MotionSettings,
): fixAtMs is number =>
  fixAtMs !== null && fixAtMs <= nowMs + settings.futureMs && fixAtMs >= nowMs - settings.pastMs;

/** The recent fixes with one more, within the bounds of the settings; the newest few stay however old. */
const withFix = (track: Track, fix: Fix, settings: MotionSettings): Track => {
  const KEPT_HOWEVER_OLD = 3;
  const count = countFixes(track);
  let from = Math.max(0, count + 1 - settings.trackFixes);
  const last = count - KEPT_HOWEVER_OLD;
  while (from < last && fixOf(track, from).fixAtMs < fix.fixAtMs - settings.trackMs) from++;
  return withNewest(track, from, fix);
};

/** A unit at a position with nothing to compare: its first fix, or the first after a jump. */
const beginAt = (fix: Fix, state: MotionState): MotionState => {
  const track = withNewest(NO_TRACK, 0, fix);
  return {
    ...state,
    phase: 'once',
    track,
    place: toPlace(fix),
    leg: null,
    resolution: observeResolution(state.resolution, track),
    unconfirmed: null,
    frozen: null,
  };
};

/** A unit as of a fix before which it has moved or stood for some time. */
export const resumeAt = (
  fix: Fix,
  { phase, sinceMs, intervalsMs, restsMs }: Omit<MotionMemory, 'fixAtMs'>,
  { rhythmLeast }: MotionSettings,
): MotionState => ({
  ...beginAt(fix, NO_MOTION),
  ...{ phase, intervalsMs, restsMs },
  usualIntervalMs: toUsualIntervalMs(intervalsMs, rhythmLeast),
  ...(phase === 'moving' ? { movingSinceMs: sinceMs } : { place: { ...toPlace(fix), firstAtMs: sinceMs } }),
});

/** The motion that a unit can resume from; null where it shows none, or has no times of its own. */
export const toMemory = (state: MotionState): MotionMemory | null => {
  const { phase, place, movingSinceMs, intervalsMs, restsMs, isByReceipt } = state;
  const newest = newestOf(state.track);
  if (!newest || !place || isByReceipt || (phase !== 'moving' && phase !== 'stopped')) return null;
  const sinceMs = phase === 'moving' ? movingSinceMs : place.firstAtMs;
  return { phase, sinceMs, fixAtMs: newest.fixAtMs, intervalsMs, restsMs };
};

/** A unit that stands, with one more fix of its place. */
const stay = (next: MotionState, before: Place, grown: Place, settings: MotionSettings): MotionState => {
  const place = before.fixes === 2 ? withoutApproach(next.track, grown, settings) : grown;
  const restMs = place.lastAtMs - before.lastAtMs;
  if (restMs >= settings.lateAtLeastMs) next.restsMs = [...next.restsMs, restMs].slice(-settings.lateRests);
  if (next.wanderM !== NO_WANDER) next.wanderM = observeWander(next.wanderM, next.track);
  return stop(next, place, settings);
};

/** A unit that stands at a place. */
const stop = (next: MotionState, place: Place, settings: MotionSettings): MotionState => {
  if (place.fixes >= settings.wanderFixes && next.wanderM === NO_WANDER)
    next.wanderM = toFirstWanderM(next.track, place.fixes, settings);
  next.phase = 'stopped';
  next.leg = null;
  next.place = place;
  return next;
};

/** A unit whose fixes show neither motion nor standing. */
const show = (next: MotionState, phase: 'once' | 'unclear', place: Place, leg: Leg | null): MotionState => {
  next.phase = phase;
  next.leg = leg;
  next.place = place;
  return next;
};

/** Since when a unit that has left its place has been on its way, Unix ms: the last of its fixes before a long step. */
const toDepartureMs = ({ track, wanderM }: MotionState, place: Place): number => {
  const leastM = toLongStepM(wanderM);
  let i = countFixes(track) - 1;
  while (i > 0) {
    const [from, to] = [fixOf(track, i - 1), fixOf(track, i)];
    if (from.fixAtMs < place.firstAtMs || (to.fixAtMs <= place.lastAtMs && distanceM(from, to) < leastM))
      break;
    i--;
  }
  return Math.min(place.lastAtMs, fixOf(track, i).fixAtMs);
};

/** A unit that moves, with `leg` as evidence. */
const move = (next: MotionState, sinceMs: number, place: Place, leg: Leg): MotionState => {
  if (next.phase !== 'moving') next.movingSinceMs = sinceMs;
  next.phase = 'moving';
  next.leg = leg;
  next.place = place;
  return next;
};

/** How far apart two fixes of a unit must be to show motion: before it has stood, its wander is not known. */
const toLegM = ({ phase, wanderM }: MotionState, { placeM, jitterM }: Radii): number =>
  wanderM === NO_WANDER && phase !== 'moving' ? placeM : jitterM;

/** The leg from the place that a unit has left to its newest fix, where the track does not reach back far enough. */
const toLegFrom = (
  place: Place,
  fix: Fix,
  jitterM: number,
  { impossibleKph }: MotionSettings,
): Leg | null => {
  const from = { lat: place.lat, lng: place.lng, fixAtMs: (place.firstAtMs + place.lastAtMs) / 2 };
  const apartM = distanceM(from, fix);
  const spanMs = fix.fixAtMs - from.fixAtMs;
  const speedKph = toKph(apartM, spanMs);
  if (apartM < jitterM || speedKph > impossibleKph) return null;
  return { distanceM: apartM, spanMs, fixes: place.fixes + 1, speedKph, headingDeg: bearingDeg(from, fix) };
};

/** Whether a unit came to its newest fix faster than its receiver wanders. */
const isLongStep = ({ track, wanderM }: MotionState, { movingKph }: MotionSettings): boolean => {
  const [from, to] = [fixOf(track, countFixes(track) - 2), fixOf(track, countFixes(track) - 1)];
  const stepM = distanceM(from, to);
  return stepM >= toLongStepM(wanderM) && toKph(stepM, to.fixAtMs - from.fixAtMs) >= movingKph;
};

/** A unit that drives although it has not left its place; null where it does not. */
const drive = (
  next: MotionState,
  fix: Fix,
  pauseMs: number,
  radii: Radii,
  settings: MotionSettings,
): MotionState | null => {
  // From one square of coarse coordinates to the next is no step of a drive.
  if (radii.stepM > 0) return null;
  // One that wanders by a third of a yard shows a drive only by leaving.
  if (radii.jitterM > 1.5 * settings.jitterM) return null;
  const sinceMs = findDrive(next.track, pauseMs, radii, settings);
  const leg = sinceMs === null ? null : findLeg(next.track, radii.jitterM, settings);
  if (sinceMs === null || leg === null || leg.speedKph < settings.keepMovingKph) return null;
  next.drivenAtMs = fix.fixAtMs;
  return move(next, sinceMs, toPlace(fix), leg);
};

/** The place that holds the fixes of a track from one index to before another. */
const placeOf = (track: Track, from: number, to: number): Place => {
  let place = toPlace(fixOf(track, from));
  for (let i = from + 1; i < to; i++) place = withFixInPlace(place, fixOf(track, i));
  return place;
};

/** The way of a unit from the middle of its earlier fixes to that of its later ones: a receiver's wander cancels out. */
const toWay = (track: Track): Leg => {
  const fixes = countFixes(track);
  const [earlier, later] = [placeOf(track, 0, fixes >> 1), placeOf(track, fixes >> 1, fixes)];
  const spanMs = (later.firstAtMs + later.lastAtMs - earlier.firstAtMs - earlier.lastAtMs) / 2;
  const apartM = distanceM(earlier, later);
  const speedKph = toKph(apartM, spanMs);
  return { distanceM: apartM, spanMs, fixes, speedKph, headingDeg: bearingDeg(earlier, later) };
};

/**
 * A unit that was first seen some minutes ago and reports often, by its way so far; null where it is not so new, or where
 * its coordinates are too coarse to tell.
 */
const judgeFirst = (next: MotionState, settings: MotionSettings): MotionState | null => {
  const { track, usualIntervalMs } = next;
  const count = countFixes(track);
  const [first, newest] = [fixOf(track, 0), fixOf(track, count - 1)];
  const spanMs = newest.fixAtMs - first.fixAtMs;
  // A full track does not reach back to the first fix.
  if (count >= settings.trackFixes || spanMs < settings.firstAtLeastMs || spanMs > settings.firstAtMostMs)
    return null;
  if (usualIntervalMs === null || usualIntervalMs > settings.firstRhythmMs) return null;
  const { stepM, placeM } = toRadii({ resolution: next.resolution, wanderM: next.wanderM }, settings);
  const all = placeOf(track, 0, count);
  const isCoarse = stepM > settings.leaveM;
  if (isCoarse) return toExtentM(all) === 0 ? stop(next, all, settings) : null;
  const way = toWay(track);
  if (way.speedKph < settings.keepMovingKph)
    return toExtentM(all) <= placeM ? stop(next, all, settings) : null;
  // Where coordinates are rounded, a receiver that wanders goes from one square to the next.
  if (way.speedKph > settings.impossibleKph || way.distanceM < stepM) return null;
  return move(next, first.fixAtMs, toPlace(newest), way);
};

/** The memory of a unit that has left its place, from its current fixes. */
const judge = (
  next: MotionState,
  before: Place,
  fix: Fix,
  isSoon: boolean,
  radii: Radii,
  settings: MotionSettings,
): MotionState => {
  const isMoving = next.phase === 'moving';
  const leastMs = isMoving ? settings.stopAfterMs : settings.settleMs;
  const { widest, standing } = findPlaces(next.track, next.drivenAtMs, leastMs, radii, settings);
  const grown = next.phase === 'stopped' ? null : growPlace(before, fix, radii.placeM);
  // Where the track reaches back beyond the place, it shows all of it.
  const isWhole = widest.fixes === countFixes(next.track);
  const stands =
    (next.phase === 'stopped' && isLongStep(next, settings) ? null : standing) ??
    (grown && isWhole && isStanding(grown, leastMs, radii, settings) ? grown : null);
  if (stands)
    return (isSoon ? drive(next, fix, leastMs, radii, settings) : null) ?? stop(next, stands, settings);
  if (!isSoon) return show(next, 'once', toPlace(fix), null);
  const legM = toLegM(next, radii);
  const leg =
    findLeg(next.track, legM, settings) ?? (grown ? next.leg : toLegFrom(before, fix, legM, settings));
  const isStill = radii.stepM > 0 && toStillMs(next.track, settings.stillM) >= settings.movingWindowMs;
  if (leg && !isStill && leg.speedKph >= (isMoving ? settings.keepMovingKph : settings.movingKph)) {
    return move(next, before.lastAtMs, grown ?? widest, leg);
  }
  const driven = isMoving ? null : drive(next, fix, leastMs, radii, settings);
  if (driven) return driven;
  // A leg kept from before counts other fixes than the newest.
  const isSlow = leg && leg !== next.leg && leg.speedKph < settings.keepMovingKph;
  const slow = isSlow ? placeOfNewest(next.track, leg.fixes) : null;
  if (slow && toExtentM(slow) <= radii.placeM) return stop(next, slow, settings);
  return (isMoving ? null : judgeFirst(next, settings)) ?? show(next, 'unclear', grown ?? widest, leg);
};

/** The place where a unit stands with one more fix; null where that is not in it. */
const toPlaceWith = (place: Place, fix: Fix, { leaveM, placeM }: Radii): Place | null => {
  if (isInside(place, fix)) return withFixInPlace(place, fix);
  return distanceM(place, fix) <= leaveM ? growPlace(place, fix, Math.max(placeM, leaveM)) : null;
};

/** The last intervals with one more; the same list object while the interval is steady. */
const withInterval = (
  intervalsMs: readonly number[],
  gapMs: number,
  { rhythmIntervals }: MotionSettings,
): readonly number[] => {
  const from = Math.max(0, intervalsMs.length + 1 - rhythmIntervals);
  if (from === 1 && intervalsMs.every((intervalMs) => intervalMs === gapMs)) return intervalsMs;
  return intervalsMs.slice(from).concat([gapMs]);
};

/** The state of a unit after its next fix: `fix` is newer than all held and within reach of this unit. */
const advance = (
  state: MotionState,
  held: Fix,
  place: Place,
  fix: Fix,
  settings: MotionSettings,
): MotionState => {
  const gapMs = fix.fixAtMs - held.fixAtMs;
  const intervalsMs = withInterval(state.intervalsMs, gapMs, settings);
  const track = withFix(state.track, fix, settings);
  const resolution = observeResolution(state.resolution, track);
  const radii = toRadii({ resolution, wanderM: state.wanderM }, settings, fix);
  // Spelled out instead of spread, because it runs for every unit that moves.
  const next: MotionState = {
    phase: state.phase,
    movingSinceMs: state.movingSinceMs,
    drivenAtMs: state.drivenAtMs,
    track,
    place,
    leg: state.leg,
    intervalsMs,
    usualIntervalMs:
      intervalsMs === state.intervalsMs
        ? state.usualIntervalMs
        : toUsualIntervalMs(intervalsMs, settings.rhythmLeast),
    restsMs: state.restsMs,
    resolution,
    wanderM: state.wanderM,
    unconfirmed: null,
    frozen: observeFrozen(state.frozen, state.track, fix, radii.stepM, settings),
    untimed: state.untimed,
    heldPlace: state.heldPlace,
    isByReceipt: state.isByReceipt,
  };
  const isSoon =
    gapMs <= toLateAfterMs(state.usualIntervalMs, settings) || gapMs < toGapLimitMs(state, settings);
  if (next.phase !== 'stopped') return judge(next, place, fix, isSoon, radii, settings);
  const inPlace = toPlaceWith(place, fix, radii);
  if (inPlace) {
    const driven =
      isSoon && isWide(inPlace, radii) ? drive(next, fix, settings.settleMs, radii, settings) : null;
    return driven ?? stay(next, place, inPlace, settings);
  }
  const leg = isSoon ? findLeg(track, toLegM(next, radii), settings) : null;
  // A leg from before the stop is the approach to it.
  const isSinceStop = leg !== null && leg.spanMs <= fix.fixAtMs - place.firstAtMs;
  if (isSinceStop && leg.speedKph >= settings.movingKph)
    return move(next, toDepartureMs(next, place), toPlace(fix), leg);
  const shuffled = growPlace(place, fix, radii.placeM);
  return shuffled ? stay(next, place, shuffled, settings) : judge(next, place, fix, isSoon, radii, settings);
};

/** The first of the newest fixes that repeat one position; null for none, or where the unit stands. */
const toFirstOfRepeats = (track: Track, { movingWindowMs }: MotionSettings): Fix | null => {
  const newest = newestOf(track);
  let at = countFixes(track) - 1;
  while (at > 0 && fixOf(track, at - 1).lat === newest!.lat && fixOf(track, at - 1).lng === newest!.lng) at--;
  if (newest === null || at === countFixes(track) - 1) return null;
  const first = fixOf(track, at);
  return newest.fixAtMs - first.fixAtMs <= movingWindowMs ? first : null;
};

/** Whether a unit can have gone from one fix to the next, dated by the same clock. */
const isWithinReach = (
  from: Fix,
  fix: Fix,
  state: MotionState,
  settings: MotionSettings,
  lateMs: number,
): boolean => {
  const slackMs = state.isByReceipt ? settings.receiptSlackMs : lateMs;
  return impliedKph(from, fix, toRadii(state, settings, fix).jitterM, slackMs) <= settings.impossibleKph;
};

/**
 * The motion state of a unit after one more position; the same object when it added nothing new.
 *
 * - A fix that is not newer than the one held never replaces it, so answers may arrive in any order.
 * - A time later than now + `futureMs`, before now - `pastMs` or missing is unusable: such a position is
 *   kept aside as `untimed`, is never the newest, and stays refused when the clock has caught up with it.
 * - A fix out of reach (`impossibleKph`) is `unconfirmed` and the old position is held, until the next one is
 *   nearer to the unconfirmed one and within its reach (confirmed: the unit starts over there) or within reach
 *   of the held one (the unconfirmed one is dropped).
 * - A fix that is dated by another clock than those held is not compared with them (`changeTimeBase`).
 */
export const observeFix = (
  state: MotionState,
  position: TimedPosition,
  nowMs: number,
  settings: MotionSettings,
): MotionState => {
  const { lat, lng, fixAtMs, isByReceipt = false, slackMs = 0 } = position;
  const { untimed, unconfirmed } = state;
  if (!isUsableTime(fixAtMs, nowMs, settings)) {
    const isKnown = untimed?.lat === lat && untimed.lng === lng && untimed.claimedAtMs === fixAtMs;
    return isKnown ? state : { ...state, untimed: { lat, lng, claimedAtMs: fixAtMs } };
  }
  if (fixAtMs === untimed?.claimedAtMs) return state;

  const fix: Fix = { lat, lng, fixAtMs };
  const held = newestOf(state.track);
  if (!held || !state.place) return { ...beginAt(fix, state), isByReceipt };
  if (isByReceipt !== state.isByReceipt) return changeTimeBase(state, fix, settings);
  if (fixAtMs <= held.fixAtMs || fixAtMs === unconfirmed?.fixAtMs) return state;

  if (
    unconfirmed &&
    fixAtMs > unconfirmed.fixAtMs &&
    isWithinReach(unconfirmed, fix, state, settings, slackMs)
  ) {
    if (distanceM(unconfirmed, fix) < distanceM(held, fix)) {
      return advance(beginAt(unconfirmed, state), unconfirmed, toPlace(unconfirmed), fix, settings);
    }
  }
  // A fix from before the unconfirmed one neither confirms it nor returns from it, in whatever order they came.
  const stillUnconfirmed = unconfirmed && fixAtMs < unconfirmed.fixAtMs ? unconfirmed : null;
  if (!isWithinReach(held, fix, state, settings, slackMs)) {
    const first = toFirstOfRepeats(state.track, settings);
    if (first !== null && isWithinReach(first, fix, state, settings, slackMs)) {
      const heldPlace = { untilMs: fixAtMs, spanMs: fixAtMs - first.fixAtMs };
      return advance({ ...beginAt(first, state), heldPlace }, first, toPlace(first), fix, settings);
    }
    return stillUnconfirmed ? state : { ...state, unconfirmed: fix };
  }
  const next = advance(state, held, state.place, fix, settings);
  next.unconfirmed = stillUnconfirmed;
  return next;
};
