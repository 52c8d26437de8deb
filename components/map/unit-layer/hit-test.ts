import type { Bounds } from '@/lib/geo/geodesy';
import {
  BADGE_HEIGHT_PX,
  BADGE_LEFT_PX,
  BADGE_TOP_PX,
  badgeWidthPx,
  toCountText,
  type Glyphs,
} from './scene/glyphs';
import type { Point } from '@/components/map/box-index';

/** A glyph under the pointer: the rows that it represents, the drawn one first, and its position. */
export interface GlyphHit extends Point {
  rows: number[];
}

/** How far from a glyph's middle it can be hit, CSS pixels: with a mouse, and with a finger. */
export const MOUSE_REACH_PX = 12;
export const TOUCH_REACH_PX = 24;

/** The glyph at a point of the view, −1 for none: one whose count is hit, else the nearest in reach. */
export const findGlyphAt = (glyphs: Glyphs, x: number, y: number, reachPx: number): number => {
  let [nearest, nearestDistance] = [-1, reachPx * reachPx];
  for (let glyph = 0; glyph < glyphs.count; glyph++) {
    const [dx, dy] = [x - glyphs.x[glyph]!, y - glyphs.y[glyph]!];
    if (glyphs.stands[glyph]! > 1 && isOnBadge(dx, dy, glyphs.stands[glyph]!)) return glyph;
    const distance = dx * dx + dy * dy;
    if (distance <= nearestDistance) [nearest, nearestDistance] = [glyph, distance];
  }
  return nearest;
};

const isOnBadge = (dx: number, dy: number, stands: number): boolean => {
  const [right, down] = [dx - BADGE_LEFT_PX, dy - BADGE_TOP_PX];
  if (right < 0 || down < 0 || down >= BADGE_HEIGHT_PX) return false;
  return right < badgeWidthPx(toCountText(stands));
};

/** Reports the glyph under the pointer only when it changes. */
export class HoverWatch {
  #row = -1;
  #stands = 0;
  #x = 0;
  #y = 0;

  /** The glyph under the pointer, null for none; 'same' when it and its position did not change. */
  find(glyphs: Glyphs, pointer: { x: number; y: number } | null): number | null | 'same' {
    const glyph = pointer ? findGlyphAt(glyphs, pointer.x, pointer.y, MOUSE_REACH_PX) : -1;
    if (glyph < 0) {
      if (this.#row < 0) return 'same';
      this.#row = -1;
      return null;
    }
    const [row, stands, x, y] = [
      glyphs.row[glyph]!,
      glyphs.stands[glyph]!,
      glyphs.x[glyph]!,
      glyphs.y[glyph]!,
    ];
    if (row === this.#row && stands === this.#stands && x === this.#x && y === this.#y) return 'same';
    [this.#row, this.#stands, this.#x, this.#y] = [row, stands, x, y];
    return glyph;
  }
}

/** Units that all lie within this are in one place: no zoom would show them apart for long. */
const ONE_PLACE_M = 60;
/** A minute of latitude is a nautical mile, near enough. */
const METERS_PER_DEGREE = 60 * 1852;

/** What a click on the map means. */
type Pick =
  | { kind: 'ground' }
  | { kind: 'unit'; row: number }
  | { kind: 'zoom'; bounds: Bounds }
  | { kind: 'list'; hit: GlyphHit };

const isOnePlace = ([south, west, north, east]: Bounds): boolean => {
  const acrossM = (east - west) * METERS_PER_DEGREE * Math.cos((north * Math.PI) / 180);
  return Math.hypot(acrossM, (north - south) * METERS_PER_DEGREE) < ONE_PLACE_M;
};

/** A glyph of one unit selects it; one of several is zoomed into, or listed where they stand in one place. */
export const toPick = (hit: GlyphHit | null, bounds: Bounds | null): Pick => {
  if (!hit) return { kind: 'ground' };
  if (hit.rows.length === 1) return { kind: 'unit', row: hit.rows[0]! };
  return bounds && !isOnePlace(bounds) ? { kind: 'zoom', bounds } : { kind: 'list', hit };
};
