import { useQuery } from '@tanstack/react-query';
import { PERSISTENT } from '@/lib/browser/fetch-json';

/** A unit's last hours, read once; nothing without a VIN. Apart, because the live map has it from the beginning. */
export const useRecentTrail = (usdot: string, vin: string | null, skewMs: number) =>
  useQuery({
    queryKey: ['fleets', usdot, 'units', vin, 'recent trail'],
    queryFn: async ({ signal }) => {
      const { readRecentTrail } = await import('./queries');
      return readRecentTrail(usdot, vin ?? '', skewMs, signal);
    },
    enabled: vin !== null,
    staleTime: Infinity,
    // A unit that is selected again has gone on meanwhile.
    gcTime: 0,
    ...PERSISTENT,
  });
