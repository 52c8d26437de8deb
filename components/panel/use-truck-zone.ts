import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@/lib/wire/units';

/**
 * The time zone in which a position lies, an IANA name; null while it is not known. The table of zones is
 * large and asked for by the first unit that is looked at.
 */
export const useTruckZone = (position: LatLng | null): string | null => {
  const { data: lookUp } = useQuery({
    queryKey: ['time zones'],
    queryFn: async () => (await import('@photostructure/tz-lookup')).default,
    staleTime: Infinity,
    gcTime: Infinity,
    networkMode: 'always',
  });
  if (position === null || lookUp === undefined) return null;
  try {
    return lookUp(position.lat, position.lng);
  } catch (error) {
    // It throws on coordinates that are none; nothing else is wrong then.
    if (error instanceof RangeError) return null;
    throw error;
  }
};
