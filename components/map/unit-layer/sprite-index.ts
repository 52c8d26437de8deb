import { STATUSES } from '@/lib/wire/status';
import type { Status } from '@/lib/wire/status';

/** Headings that are drawn: every 5.6°. */
const HEADING_STEPS = 64;
/** Sprites of one status: its headings, then the one without. */
const PER_STATUS = HEADING_STEPS + 1;
export const SPRITE_COUNT = STATUSES.length * PER_STATUS * 2;

/** What a sprite of the atlas shows; `headingDeg` is null for the shape that points nowhere. */
export interface SpriteKind {
  status: Status;
  headingDeg: number | null;
  flagged: boolean;
}

const UNKNOWN = STATUSES.indexOf('unknown');

/** The sprite for a row's columns; a negative heading was not derived, a status from a later version is unknown. */
export const spriteIndex = (status: number, headingDeg: number, flagged: boolean): number => {
  const known = status >= 0 && status < STATUSES.length ? status : UNKNOWN;
  const step =
    headingDeg < 0 ? HEADING_STEPS : Math.round((headingDeg / 360) * HEADING_STEPS) % HEADING_STEPS;
  return (known * PER_STATUS + step) * 2 + (flagged ? 1 : 0);
};

export const toSpriteKind = (index: number): SpriteKind => {
  const step = (index >> 1) % PER_STATUS;
  return {
    status: STATUSES[Math.floor((index >> 1) / PER_STATUS)]!,
    headingDeg: step === HEADING_STEPS ? null : (step * 360) / HEADING_STEPS,
    flagged: (index & 1) === 1,
  };
};
