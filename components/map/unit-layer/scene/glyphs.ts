import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';
import { STATUSES, type Status } from '@/lib/motion/status';

/** Most glyphs of a frame. A glyph draws at most two sprites (itself, and a count or a label). */
export const MAX_GLYPHS = 1000;

/** The part of the world on the screen, in pixels of the whole world at the zoom. */
export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
  worldSizePx: number;
}

/** Units to draw: Web Mercator in 0…1, and the rank of each (`rankRows`). */
export interface PlottedUnits {
  rows: number;
  x: Float64Array;
  y: Float64Array;
  rank: Uint8Array;
  /** Rows whose rank is not HIDDEN. */
  plotted: number;
}

/** Glyphs of one frame, the most important first. Positions are pixels from the view's upper left corner. */
export interface Glyphs {
  count: number;
  /** The unit that the glyph draws. */
  row: Int32Array;
  x: Float64Array;
  y: Float64Array;
  /** Units that it represents, its own among them. */
  stands: Int32Array;
  /** 1 where any of them is flagged. */
  flagged: Uint8Array;
  /** Units within the view that the glyphs represent. */
  unitsInView: number;
}

export const createGlyphs = (): Glyphs => ({
  count: 0,
  row: new Int32Array(MAX_GLYPHS),
  x: new Float64Array(MAX_GLYPHS),
  y: new Float64Array(MAX_GLYPHS),
  stands: new Int32Array(MAX_GLYPHS),
  flagged: new Uint8Array(MAX_GLYPHS),
  unitsInView: 0,
});

/** The rank of a unit on the map. 0: it is not on the map. */
export const HIDDEN = 0;
export const FLAGGED_RANK = 6;
export const SELECTED_RANK = 7;
const RANK_OF_STATUS: Record<Status, number> = { unknown: 1, stopped: 2, moving: 3, silent: 4, late: 5 };
const RANKS = STATUSES.map((status) => RANK_OF_STATUS[status]);

/** Ranks every row for the map into `ranks`, hiding those not in `visible` (null: none); returns how many are on it. */
export const rankRows = (
  fleet: Fleet,
  visible: Uint8Array | null,
  selectedRow: number | null,
  ranks: Uint8Array,
): number => {
  const { latE5, status, flags } = fleet.columns;
  let plotted = 0;
  for (let row = 0; row < fleet.rows; row++) {
    ranks[row] = HIDDEN;
    // So is a row without a unit.
    if (latE5[row] === NO_POSITION) continue;
    if (row === selectedRow) ranks[row] = SELECTED_RANK;
    else if (visible !== null && visible[row] !== 1) continue;
    else ranks[row] = flags[row] === 0 ? (RANKS[status[row]!] ?? 1) : FLAGGED_RANK;
    plotted++;
  }
  ranks.fill(HIDDEN, fleet.rows);
  return plotted;
};

/** Offset of a count from the center of its glyph: at the upper right. CSS pixels, y down. */
export const BADGE_LEFT_PX = 4;
export const BADGE_TOP_PX = -19;
export const BADGE_HEIGHT_PX = 15;
const BADGE_PADDING_PX = 4;
const DIGIT_PX = 6.2;

/** A count in at most four characters: 12, 999, 1k, 1.2k, 34k, 0.2M. */
export const toCountText = (count: number): string => {
  if (count < 1000) return String(count);
  if (count < 9950) return `${Number((count / 1000).toFixed(1))}k`;
  if (count < 99_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
};

/** Width of a count's badge, from its text alone, so that placing needs no canvas. */
export const badgeWidthPx = (text: string): number => {
  const digits = text.length - (text.includes('.') ? 0.5 : 0);
  return Math.max(BADGE_HEIGHT_PX, Math.ceil(digits * DIGIT_PX + 2 * BADGE_PADDING_PX));
};
