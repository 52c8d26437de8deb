import { toRadii } from './accuracy';
import { distanceM } from '@/lib/geo/geodesy';
import type { MotionState } from './motion-state';
import { isInside, toPlace, withFixInPlace, joinPlaces } from './place';
import type { MotionSettings } from './settings';
import { NO_TRACK, shiftTrack, withNewest, fixOf, newestOf, toFixes, type Fix } from './track';
import { toLateAfterMs } from './rhythm';

/**
 * The motion state of a unit whose fixes are dated by another clock from this fix on. Fixes of two clocks
 * are not compared: its phase and its place are kept, its track and its speed begin with this fix.
 */
export const changeTimeBase = (state: MotionState, fix: Fix, settings: MotionSettings): MotionState => {
  const { phase, place, movingSinceMs } = state;
  const isStanding =
    phase === 'stopped' &&
    place !== null &&
    (isInside(place, fix) || distanceM(place, fix) <= toRadii(state, settings).leaveM);
  return {
    ...state,
    phase: isStanding || phase === 'moving' ? phase : 'once',
    isByReceipt: !state.isByReceipt,
    movingSinceMs: Math.min(movingSinceMs, fix.fixAtMs),
    drivenAtMs: 0,
    track: withNewest(NO_TRACK, 0, fix),
    place: isStanding ? { ...withFixInPlace(place, fix), lastAtMs: fix.fixAtMs } : toPlace(fix),
    leg: null,
    unconfirmed: null,
    frozen: null,
    untimed: null,
  };
};

/** The motion state of a unit that is dated by our clock, after that was set by `stepMs`. */
export const shiftTimes = (state: MotionState, stepMs: number): MotionState => {
  const { place, unconfirmed, frozen } = state;
  return {
    ...state,
    movingSinceMs: state.movingSinceMs + stepMs,
    drivenAtMs: state.drivenAtMs + stepMs,
    track: shiftTrack(state.track, stepMs),
    place: place && {
      ...place,
      firstAtMs: place.firstAtMs + stepMs,
      lastAtMs: place.lastAtMs + stepMs,
    },
    unconfirmed: unconfirmed && { ...unconfirmed, fixAtMs: unconfirmed.fixAtMs + stepMs },
    frozen: frozen && { ...frozen, sinceMs: frozen.sinceMs + stepMs, lastAtMs: frozen.lastAtMs + stepMs },
  };
};

/**
 * The motion state of one unit whose fixes were taken for two units': `older` up to some moment, `newer`
 * from `startedAtMs` (Unix ms) on. Where the two connect, its stop or motion keeps the older one's start.
 */
export const joinMotion = (
  older: MotionState,
  newer: MotionState,
  startedAtMs: number,
  settings: MotionSettings,
): MotionState => {
  const last = newestOf(older.track);
  if (!last || !older.place) return newer;
  if (newer.track.length === 0 || !newer.place) return { ...older, untimed: newer.untimed ?? older.untimed };
  const first = fixOf(newer.track, 0);
  const fixes = [
    ...toFixes(older.track).filter(({ fixAtMs }) => fixAtMs < first.fixAtMs),
    ...toFixes(newer.track),
  ];
  const track = fixes
    .slice(-settings.trackFixes)
    .reduce((before, fix) => withNewest(before, 0, fix), NO_TRACK);
  const joined: MotionState = { ...newer, track };
  const { place } = newer;
  const hasStood = newer.phase !== 'moving' && place.firstAtMs <= startedAtMs;
  if (hasStood && older.phase === 'stopped') {
    const isOnePlace = distanceM(older.place, place) <= settings.leaveM;
    if (isOnePlace) joined.phase = 'stopped';
    if (isOnePlace) joined.place = joinPlaces(older.place, place);
  }
  const isSoon = first.fixAtMs - last.fixAtMs <= toLateAfterMs(older.usualIntervalMs, settings);
  if (newer.phase === 'moving' && older.phase === 'moving' && isSoon && newer.movingSinceMs <= startedAtMs) {
    joined.movingSinceMs = older.movingSinceMs;
  }
  return joined;
};
