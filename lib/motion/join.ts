import { distanceM } from './distance';
import type { UnitMemory } from './memory';
import { toLateAfterMs } from './observe';
import { centerOf, joinPlaces } from './place';
import type { MotionSettings } from './settings';
import { NO_TRACK, fixOf, newestOf, toFixes, withNewest } from './track';

/**
 * The motion memory of one unit whose fixes were taken for two units': `older` up to some moment, `newer`
 * from `startedAtMs` (Unix ms) on. Where the two connect, its stop or motion keeps the older one's start.
 */
export const joinMemories = (
  older: UnitMemory,
  newer: UnitMemory,
  startedAtMs: number,
  settings: MotionSettings,
): UnitMemory => {
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
  const joined: UnitMemory = { ...newer, track };
  const { place } = newer;
  const hasStood = newer.phase !== 'moving' && place.firstAtMs <= startedAtMs;
  if (hasStood && older.phase === 'stopped') {
    const isOnePlace = distanceM(centerOf(older.place), centerOf(place)) <= settings.leaveM;
    if (isOnePlace) joined.phase = 'stopped';
    if (isOnePlace) joined.place = joinPlaces(older.place, place);
  }
  const isSoon = first.fixAtMs - last.fixAtMs <= toLateAfterMs(older.usualIntervalMs, settings);
  if (newer.phase === 'moving' && older.phase === 'moving' && isSoon && newer.movingSinceMs <= startedAtMs) {
    joined.movingSinceMs = older.movingSinceMs;
  }
  return joined;
};
