import type { Point } from '../box-index';
import type { MapPadding } from '../fleet-map-props';

interface Size {
  width: number;
  height: number;
}

/** How near a unit may come to the edge of the uncovered part before the map moves, pixels. */
const MARGIN_PX = 56;
/** A unit nearer than this to what covers the map is covered in part. */
const GLYPH_PX = 24;

/** The middle of the part of a map that nothing covers. */
export const toUncoveredCenter = ({ width, height }: Size, padding: MapPadding): Point => ({
  x: (padding.left + Math.max(padding.left, width - padding.right)) / 2,
  y: (padding.top + Math.max(padding.top, height - padding.bottom)) / 2,
});

const isInView = ({ x, y }: Point, { width, height }: Size): boolean =>
  x >= 0 && y >= 0 && x <= width && y <= height;

/** Whether a point is within the view, and under what covers it. */
export const isCovered = (at: Point, size: Size, { top, right, bottom, left }: MapPadding): boolean => {
  const reach = (paddingPx: number): number => (paddingPx === 0 ? 0 : paddingPx + GLYPH_PX);
  const isOpen =
    at.x >= reach(left) &&
    at.y >= reach(top) &&
    at.x <= size.width - reach(right) &&
    at.y <= size.height - reach(bottom);
  return isInView(at, size) && !isOpen;
};

/** By how much to move the view so that a point comes out from under what covers it; nothing if it is in the open. */
export const toReveal = (at: Point, size: Size, padding: MapPadding): Point => {
  const center = toUncoveredCenter(size, padding);
  if (!isInView(at, size)) {
    return { x: at.x - center.x, y: at.y - center.y };
  }
  const excess = (value: number, low: number, high: number, middle: number): number => {
    if (low >= high) return value - middle;
    return value < low ? value - low : Math.max(0, value - high);
  };
  return {
    x: excess(at.x, padding.left + MARGIN_PX, size.width - padding.right - MARGIN_PX, center.x),
    y: excess(at.y, padding.top + MARGIN_PX, size.height - padding.bottom - MARGIN_PX, center.y),
  };
};
