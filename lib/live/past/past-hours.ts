import { queryOptions, useQuery, type Query } from '@tanstack/react-query';
import { recordedHoursSchema } from '@/lib/past/schema';
import { fetchJson, shouldRetry } from '@/lib/browser/fetch-json';

const REFETCH_MS = 60_000;

export const pastHoursOptions = (usdot: string, fromMs: number, toMs: number, skewMs: number) => {
  // The last answers of a day are recorded shortly after its end.
  const isWhole = ({ state }: Pick<Query, 'state'>): boolean =>
    state.dataUpdatedAt + skewMs >= toMs + REFETCH_MS;
  return queryOptions({
    queryKey: ['fleets', usdot, 'past', fromMs, toMs],
    queryFn: ({ signal }) =>
      fetchJson(
        `/api/fleets/${encodeURIComponent(usdot)}/past/hours?from=${fromMs}&to=${toMs}`,
        recordedHoursSchema,
        { signal },
      ),
    retry: shouldRetry,
    networkMode: 'always',
    staleTime: (query) => (isWhole(query) ? Infinity : REFETCH_MS),
    refetchInterval: (query) => (isWhole(query) ? false : REFETCH_MS),
  });
};

/** What is recorded of a fleet between two moments, Unix ms; requested again until it was read after their end. */
export const usePastHours = (usdot: string, fromMs: number, toMs: number, skewMs: number) =>
  useQuery(pastHoursOptions(usdot, fromMs, toMs, skewMs));
