import { expand, type Bounds, joinBounds } from '@/lib/geo/geodesy';
import { boundsOf } from '@/lib/rules/geofence';
import type { SiteShape } from '@/lib/rules/site';
import { toMapLng } from '@/lib/geo/projection';

/** About a site its surroundings are shown, m. */
const LEAST_AROUND_M = 150;

/** The box about shapes with some ground around it, for a map; null without shapes. */
export const boundsOfShapes = (shapes: readonly SiteShape[]): Bounds | null => {
  const box = joinBounds(
    shapes.map((shape): Bounds => {
      const [south, west, north, east] = boundsOf(shape);
      const turn = toMapLng(west) - west;
      return [south, west + turn, north, east + turn];
    }),
  );
  return box && expand(box, Math.max(LEAST_AROUND_M, (box[2] - box[0]) * 20_000));
};
