import { BADGE_HEIGHT_PX, BADGE_LEFT_PX, BADGE_TOP_PX, badgeWidthPx, toCountText } from './badge';
import type { Glyphs } from './glyphs';

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
