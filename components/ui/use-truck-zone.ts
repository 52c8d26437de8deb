import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@/lib/geo/units';

/** The IANA time zone of a position; undefined until its large table is loaded, null where there is none. */
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
