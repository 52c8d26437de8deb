import { useQuery } from '@tanstack/react-query';
import { fetchJson, shouldRetry } from '@/lib/browser/fetch-json';
import { type Area, formatArea } from './area';
import { visitsSchema } from './schema';
import type { TimeRange } from '@/lib/base/time';

/** The units that were in an area within a range, Unix ms; nothing is requested without an area. */
export const useVisits = (usdot: string, area: Area | null, { fromMs, toMs }: TimeRange) => {
  const text = area === null ? '' : formatArea(area);
  return useQuery({
    queryKey: ['fleets', usdot, 'visits', text, fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/history/visits?area=${encodeURIComponent(text)}&from=${fromMs}&to=${toMs}`,
        visitsSchema,
        { signal },
      ),
    enabled: area !== null,
    staleTime: 60_000,
    retry: shouldRetry,
    networkMode: 'always',
    // The answer takes the server seconds.
    refetchOnWindowFocus: false,
  });
};
