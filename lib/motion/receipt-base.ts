import { toRadii } from './accuracy';
import { distanceM } from './distance';
import type { UnitMemory } from './memory';
import { centerOf, isInside, toPlace, withFixInPlace } from './place';
import type { MotionSettings } from './settings';
import { NO_TRACK, shiftTrack, withNewest } from './track';
import type { Fix } from './track';

/**
 * The motion memory of a unit whose fixes are dated by another clock from this fix on. Fixes of two clocks
 * are not compared: its phase and its place are kept, its track and its speed begin with this fix.
 */
export const changeTimeBase = (memory: UnitMemory, fix: Fix, settings: MotionSettings): UnitMemory => {
  const { phase, place, movingSinceMs } = memory;
  const isStanding =
    phase === 'stopped' &&
    place !== null &&
    (isInside(place, fix) || distanceM(centerOf(place), fix) <= toRadii(memory, settings).leaveM);
  return {
    ...memory,
    phase: isStanding || phase === 'moving' ? phase : 'once',
    isByReceipt: !memory.isByReceipt,
    movingSinceMs: Math.min(movingSinceMs, fix.fixAtMs),
    track: withNewest(NO_TRACK, 0, fix),
    place: isStanding ? { ...withFixInPlace(place, fix), lastAtMs: fix.fixAtMs } : toPlace(fix),
    leg: null,
    doubtful: null,
    frozen: null,
    untimed: null,
  };
};

/** The motion memory of a unit that is dated by our clock, after that was set by `stepMs`. */
export const shiftTimes = (memory: UnitMemory, stepMs: number): UnitMemory => {
  const { place, doubtful, frozen } = memory;
  return {
    ...memory,
    movingSinceMs: memory.movingSinceMs + stepMs,
    track: shiftTrack(memory.track, stepMs),
    place: place && {
      ...place,
      firstAtMs: place.firstAtMs + stepMs,
      lastAtMs: place.lastAtMs + stepMs,
    },
    doubtful: doubtful && { ...doubtful, fixAtMs: doubtful.fixAtMs + stepMs },
    frozen: frozen && { ...frozen, sinceMs: frozen.sinceMs + stepMs, lastAtMs: frozen.lastAtMs + stepMs },
  };
};
