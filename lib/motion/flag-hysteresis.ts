import { FLAGS, flagBit, type Flag } from './status';
import type { FlagThreshold } from './settings';

/** The hysteresis of one flag; immutable. */
export interface FlagTrack {
  flag: Flag;
  /** Since when it has been found, Unix ms. */
  sinceMs: number;
  /** Since when it has not been found any more; null while it is. */
  cleanSinceMs: number | null;
  /** Whether it is shown. */
  isUp: boolean;
  /** The evidence of the last finding; empty where the unit's current state still holds it. */
  text: string;
}

type FlagThresholds = Readonly<Record<Flag, FlagThreshold>>;

export const NO_TRACKS: readonly FlagTrack[] = [];

const find = (
  track: FlagTrack | null,
  flag: Flag,
  text: string,
  atMs: number,
  { enterMs }: FlagThreshold,
): FlagTrack => {
  if (track === null) return { flag, sinceMs: atMs, cleanSinceMs: null, isUp: enterMs === 0, text };
  const isUp = track.isUp || atMs - track.sinceMs >= enterMs;
  const isSame = isUp === track.isUp && track.cleanSinceMs === null && text === track.text;
  return isSame ? track : { ...track, cleanSinceMs: null, isUp, text };
};

const miss = (track: FlagTrack, atMs: number, { leaveMs }: FlagThreshold): FlagTrack | null => {
  if (!track.isUp) return null;
  const cleanSinceMs = track.cleanSinceMs ?? atMs;
  if (atMs - cleanSinceMs >= leaveMs) return null;
  return track.cleanSinceMs === null ? { ...track, cleanSinceMs } : track;
};

/**
 * The flags after one more look at `atMs` (Unix ms), or the same list; `found` is a mask, `textOf` gives the evidence.
 */
export const stepFlags = (
  tracks: readonly FlagTrack[],
  found: number,
  atMs: number,
  thresholds: FlagThresholds,
  textOf: (flag: Flag) => string = () => '',
): readonly FlagTrack[] => {
  if (found === 0 && tracks.length === 0) return tracks;
  const next: FlagTrack[] = [];
  let isSame = true;
  let rest = found;
  for (const track of tracks) {
    const { flag } = track;
    const bit = flagBit(flag);
    const stepped =
      found & bit
        ? find(track, flag, textOf(flag), atMs, thresholds[flag])
        : miss(track, atMs, thresholds[flag]);
    rest &= ~bit;
    isSame &&= stepped === track;
    if (stepped) next.push(stepped);
  }
  if (rest === 0) return isSame ? tracks : next;
  for (const flag of FLAGS)
    if (rest & flagBit(flag)) next.push(find(null, flag, textOf(flag), atMs, thresholds[flag]));
  return next;
};

/** The flags after the clock that dates them was set by `stepMs`. */
export const shiftTracks = (tracks: readonly FlagTrack[], stepMs: number): readonly FlagTrack[] =>
  tracks.map((track) => ({
    ...track,
    sinceMs: track.sinceMs + stepMs,
    cleanSinceMs: track.cleanSinceMs === null ? null : track.cleanSinceMs + stepMs,
  }));

/** The mask of the flags that are shown. */
export const toUpMask = (tracks: readonly FlagTrack[]): number => {
  let mask = 0;
  for (const { flag, isUp } of tracks) if (isUp) mask |= flagBit(flag);
  return mask;
};

/** When a flag is next raised or cleared if the findings stay as they are, Unix ms; Infinity when none is. */
export const toNextFlagMs = (tracks: readonly FlagTrack[], thresholds: FlagThresholds): number => {
  let nextMs = Infinity;
  for (const { flag, sinceMs, cleanSinceMs, isUp } of tracks) {
    if (!isUp) nextMs = Math.min(nextMs, sinceMs + thresholds[flag].enterMs);
    else if (cleanSinceMs !== null) nextMs = Math.min(nextMs, cleanSinceMs + thresholds[flag].leaveMs);
  }
  return nextMs;
};
