import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@/lib/geo/units';

/**
 * The time zone of a position, an IANA name; undefined while it is not known, null where there is none. The table of
 * zones is large, so it is loaded with the first unit.
 */
export const useTruckZone = (position: LatLng | null): string | null | undefined => {
  const { data: lookUp } = useQuery({
    queryKey: ['time zones'],
    queryFn: async () => (await import('@photostructure/tz-lookup')).default,
    staleTime: Infinity,
    gcTime: Infinity,
    networkMode: 'always',
  });
  if (position === null) return null;
  if (lookUp === undefined) return undefined;
  try {
    return lookUp(position.lat, position.lng);
  } catch (error) {
    // Thrown for invalid coordinates.
    if (error instanceof RangeError) return null;
    throw error;
  }
};
