import type { GlyphHit } from './unit-layer/unit-layer';
import type { Bounds } from './unit-layer/unit-scene';

/** Units that all lie within this are in one place: no zoom would show them apart for long. */
const ONE_PLACE_M = 60;
/** A minute of latitude is a nautical mile, near enough. */
const METERS_PER_DEGREE = 60 * 1852;

/** What a click on the map means. */
export type Pick =
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
