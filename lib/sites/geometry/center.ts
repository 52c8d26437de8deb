import type { LatLng } from '../../wire/units';
import type { SiteShape } from '../schema';

/** The middle of a site: of a polygon, the mean of its corners. */
export const centerOf = (shape: SiteShape): LatLng => {
  if (shape.type === 'circle') return { lat: shape.lat, lng: shape.lng };
  const mean = (axis: 0 | 1): number =>
    shape.corners.reduce((sum, corner) => sum + corner[axis], 0) / shape.corners.length;
  return { lat: mean(0), lng: mean(1) };
};
