import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LatLng } from '@/lib/geo/units';

type ZoneOf = (position: LatLng) => string | null;

/** Finds the IANA time zone of a position, null where there is none; undefined until its large table is loaded. */
export const useZoneOf = (): ZoneOf | undefined => {
  const { data: lookUp } = useQuery({
    queryKey: ['time zones'],
    queryFn: async () => (await import('@photostructure/tz-lookup')).default,
    staleTime: Infinity,
    gcTime: Infinity,
    networkMode: 'always',
  });
  return useMemo(
    () =>
      lookUp &&
      (({ lat, lng }) => {
        try {
          return lookUp(lat, lng);
        } catch (error) {
          // Thrown for invalid coordinates.
          if (error instanceof RangeError) return null;
          throw error;
        }
      }),
    [lookUp],
  );
};

/** The IANA time zone of a position; undefined until its large table is loaded, null where there is none. */
export const useTruckZone = (position: LatLng | null): string | null | undefined => {
  const zoneOf = useZoneOf();
  return position === null ? null : zoneOf?.(position);
};
