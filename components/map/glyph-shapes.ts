import type { Status } from '@/lib/motion/status';

/** One stroke or area of a glyph: SVG path data in a box of 24 × 24 about 0,0, north up; `paper` is the ground. */
export interface GlyphPart {
  path: string;
  fill: 'ink' | 'paper' | null;
  strokeWidth: number;
  dash: readonly [number, number] | null;
}

interface GlyphShape {
  parts: readonly GlyphPart[];
  /** Whether the shape is turned to the unit's heading. */
  turns: boolean;
}

/** Half the side of the box in which the shapes are drawn. */
export const GLYPH_HALF_BOX = 12;

const ARROW = 'M0-9.2 6.8 7.4 0 4-6.8 7.4Z';
const SQUARE = 'M-3.8-5.8h7.6a2 2 0 0 1 2 2v7.6a2 2 0 0 1-2 2h-7.6a2 2 0 0 1-2-2v-7.6a2 2 0 0 1 2-2Z';
const DISC = 'M0-5.8a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 1 1 0-11.6Z';
const RING = 'M0-6.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13Z';
const STRIKE = 'M-4.6-4.6 4.6 4.6';
/** Twelve round dots on the ring: its circumference is 2π · 6.5. */
const DOTS: readonly [number, number] = [0.01, (2 * Math.PI * 6.5) / 12 - 0.01];

const filled = (path: string): GlyphPart => ({ path, fill: 'ink', strokeWidth: 1.2, dash: null });
const hollow = (path: string): GlyphPart => ({ path, fill: 'paper', strokeWidth: 2.2, dash: null });

const MOVING: GlyphShape = { parts: [filled(ARROW)], turns: true };
const MOVING_SOMEWHERE: GlyphShape = { parts: [filled(DISC)], turns: false };
const STOPPED: GlyphShape = { parts: [filled(SQUARE)], turns: false };
const LATE: GlyphShape = { parts: [hollow(ARROW)], turns: true };
const LATE_SOMEWHERE: GlyphShape = { parts: [hollow(SQUARE)], turns: false };
const SILENT: GlyphShape = {
  parts: [hollow(RING), { path: STRIKE, fill: null, strokeWidth: 2.2, dash: null }],
  turns: false,
};
const UNKNOWN: GlyphShape = {
  parts: [
    { path: RING, fill: 'paper', strokeWidth: 0, dash: null },
    { path: RING, fill: null, strokeWidth: 2.1, dash: DOTS },
  ],
  turns: false,
};

/** A unit's symbol: the shape shows the status; only those of moving and late units have a direction. */
export const toGlyphShape = (status: Status, hasHeading: boolean): GlyphShape => {
  switch (status) {
    case 'moving':
      return hasHeading ? MOVING : MOVING_SOMEWHERE;
    case 'stopped':
      return STOPPED;
    case 'late':
      return hasHeading ? LATE : LATE_SOMEWHERE;
    case 'silent':
      return SILENT;
    case 'unknown':
      return UNKNOWN;
  }
};

/** The small triangle of a flagged unit, at the upper left so that a count fits at the upper right. */
export const FLAG_PATH = 'M-7-12.6-2.2-4.2h-9.6Z';

/** The heading of symbols in legends, for the statuses that have one: up and to the right. */
export const SYMBOL_HEADING_DEG: Readonly<Record<Status, number | null>> = {
  moving: 45,
  stopped: null,
  late: 45,
  silent: null,
  unknown: null,
};
