import { wrapLng } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import type { SiteShape } from '../site';
import { toContinuous } from './polygon';

/** The middle of a site: of a polygon, the mean of its corners. */
export const centerOf = (shape: SiteShape): LatLng => {
  if (shape.type === 'circle') return { lat: shape.lat, lng: shape.lng };
  const corners = toContinuous(shape.corners);
  const mean = (axis: 0 | 1): number =>
    corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  return { lat: mean(0), lng: wrapLng(mean(1)) };
};
