import { useMemo } from 'react';
import { siteAt } from '@/lib/rules/geofence';
import type { LatLng } from '@/lib/geo/units';
import { usePlaces } from '../ui/use-places';
import { useSites } from './sites';

/** Names a recorded position by the site that it is inside of, else by its place; null until the places are loaded. */
export const useRecordedPlaces = (): ((at: LatLng) => string) | null => {
  const placeAt = usePlaces();
  const sites = useSites();
  return useMemo(
    () => placeAt && ((at) => (sites === null ? null : siteAt(sites, at))?.name ?? placeAt(at)),
    [placeAt, sites],
  );
};
