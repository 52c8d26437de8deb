import { expand, type Bounds } from '@/lib/geo/geodesy';
import { boundsOf } from '@/lib/rules/geofence';
import type { SiteShape } from '@/lib/rules/site';
import { toMapLng } from '@/lib/geo/projection';

/** About a site its surroundings are shown, m. */
const LEAST_AROUND_M = 150;

/** The box about shapes with some ground around it, for a map; null without shapes. */
export const boundsOfShapes = (shapes: readonly SiteShape[]): Bounds | null => {
  if (shapes.length === 0) return null;
  const boxes = shapes.map((shape) => {
    const [south, west, north, east] = boundsOf(shape);
    const turn = toMapLng(west) - west;
    return [south, west + turn, north, east + turn];
  });
  const [south, west] = [0, 1].map((at) => boxes.reduce((least, box) => Math.min(least, box[at]!), Infinity));
  const [north, east] = [2, 3].map((at) => boxes.reduce((most, box) => Math.max(most, box[at]!), -Infinity));
  const box = [south!, west!, north!, east!] as const;
  return expand(box, Math.max(LEAST_AROUND_M, (north! - south!) * 20_000));
};
