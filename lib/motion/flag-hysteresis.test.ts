import { describe, expect, test } from 'vitest';
import { flagBit } from './status';
import { NO_TRACKS, stepFlags, toNextFlagMs, toUpMask, type FlagTrack } from './flag-hysteresis';
import { DEFAULT_MOTION_SETTINGS } from './settings';

const CLOCK = flagBit('clockFault');
const JUMP = flagBit('impossibleJump');
const thresholds = {
  ...DEFAULT_MOTION_SETTINGS.flags,
  clockFault: { enterMs: 30, leaveMs: 100 },
  impossibleJump: { enterMs: 0, leaveMs: 50 },
};

/** The shown flags after each of these looks: a time, and the findings at that time. */
const look = (looks: readonly (readonly [atMs: number, found: number])[]): number[] => {
  let tracks: readonly FlagTrack[] = NO_TRACKS;
  return looks.map(([atMs, found]) => {
    tracks = stepFlags(tracks, found, atMs, thresholds);
    return toUpMask(tracks);
  });
};

describe('stepFlags', () => {
  test('raises a flag once it was found for as long as its threshold', () => {
    expect(
      look([
        [0, CLOCK],
        [29, CLOCK],
        [30, CLOCK],
      ]),
    ).toEqual([0, 0, CLOCK]);
    expect(look([[0, JUMP]])).toEqual([JUMP]);
  });

  test('starts over where the findings break off before that', () => {
    expect(
      look([
        [0, CLOCK],
        [20, 0],
        [40, CLOCK],
        [60, CLOCK],
        [70, CLOCK],
      ]),
    ).toEqual([0, 0, 0, 0, CLOCK]);
  });

  test('clears it once nothing was found for as long as its other threshold', () => {
    expect(
      look([
        [0, JUMP],
        [10, 0],
        [59, 0],
        [60, 0],
      ]),
    ).toEqual([JUMP, JUMP, JUMP, 0]);
  });

  test('does not flap while a finding comes and goes', () => {
    const looks = Array.from({ length: 60 }, (_, i) => [i * 20, i % 2 === 0 ? JUMP : 0] as const);
    expect(new Set(look(looks))).toEqual(new Set([JUMP]));
  });

  test('keeps each flag by itself, and the same list object where nothing changed', () => {
    const both = stepFlags(NO_TRACKS, JUMP | CLOCK, 0, thresholds);
    expect(toUpMask(both)).toBe(JUMP);
    expect(stepFlags(both, JUMP | CLOCK, 10, thresholds)).toBe(both);
    expect(stepFlags(NO_TRACKS, 0, 10, thresholds)).toBe(NO_TRACKS);
  });

  test('predicts when a flag changes without further news', () => {
    const entering = stepFlags(NO_TRACKS, CLOCK, 5, thresholds);
    expect(toNextFlagMs(entering, thresholds)).toBe(35);
    const leaving = stepFlags(stepFlags(NO_TRACKS, JUMP, 0, thresholds), 0, 7, thresholds);
    expect(toNextFlagMs(leaving, thresholds)).toBe(57);
    expect(toNextFlagMs(stepFlags(NO_TRACKS, JUMP, 0, thresholds), thresholds)).toBe(Infinity);
  });
});

test('clears no flag at the first look without a finding', () => {
  for (const [flag, { enterMs, leaveMs }] of Object.entries(DEFAULT_MOTION_SETTINGS.flags)) {
    expect(enterMs, flag).toBeGreaterThanOrEqual(0);
    expect(leaveMs, flag).toBeGreaterThan(0);
  }
});
