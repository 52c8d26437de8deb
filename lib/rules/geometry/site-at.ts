import type { LatLng } from '@/lib/geo/units';
import { SiteIndex, areaM2, outsideM } from '../geofence';
import type { Site } from '../site';

const indexes = new WeakMap<readonly Site[], SiteIndex>();

/** The site that a position is inside of; of several the smallest. Null for none. */
export const siteAt = (sites: readonly Site[], at: LatLng): Site | null => {
  const index = indexes.get(sites) ?? new SiteIndex(sites);
  indexes.set(sites, index);
  const inside = index
    .near(at)
    .map((each) => sites[each]!)
    .filter(({ shape }) => outsideM(shape, at) === 0);
  return inside.sort((a, b) => areaM2(a.shape) - areaM2(b.shape))[0] ?? null;
};
