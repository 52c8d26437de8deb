import 'server-only';
import type { LatLng } from '@/lib/wire/units';
import { normaliseNumber } from './normalise-scalar';
import { describe } from './salvage';
import type { Mend } from './salvage';

export interface NormalisedPosition {
  position: LatLng | null;
  /** Why there is no position, as text for a dispatcher; null where there is one. */
  fault: string | null;
}

const without = (fault: string): NormalisedPosition => ({ position: null, fault });

/** The position in a record's `coordinates`: WGS 84, decimal degrees, and never exactly 0, 0. */
export const normalisePosition = (coordinates: unknown, mend: Mend): NormalisedPosition => {
  if (coordinates === null || coordinates === undefined) return without('The provider gives no coordinates.');
  if (typeof coordinates !== 'object' || Array.isArray(coordinates)) {
    mend('coordinates', coordinates, null);
    return without(`The provider gives ${describe(coordinates)} as coordinates, which cannot be read.`);
  }
  const { lat: latSaid, lng: lngSaid } = coordinates as { lat?: unknown; lng?: unknown };
  const lat = normaliseNumber(latSaid, 'coordinates.lat', mend);
  const lng = normaliseNumber(lngSaid, 'coordinates.lng', mend);
  if (lat === null && lng === null) return without('The provider gives no coordinates.');
  if (lat === null) return without('The provider gives a longitude without a latitude.');
  if (lng === null) return without('The provider gives a latitude without a longitude.');
  if (Math.abs(lat) > 90) return without(`The provider gives latitude ${lat}, beyond the poles.`);
  if (Math.abs(lng) > 180) return without(`The provider gives longitude ${lng}, beyond 180 degrees.`);
  if (lat === 0 && lng === 0)
    return without('The provider gives 0, 0: what a tracker reports before it has a fix.');
  return { position: { lat, lng }, fault: null };
};
