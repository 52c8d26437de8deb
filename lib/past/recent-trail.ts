import { useQuery } from '@tanstack/react-query';
import { shouldRetry } from '@/lib/browser/fetch-json';

/**
 * Where a unit was in the last hours, read once; nothing without a VIN. The live map has it from the beginning, so what
 * reads a trail is loaded with the first one.
 */
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
    retry: shouldRetry,
    networkMode: 'always',
  });
