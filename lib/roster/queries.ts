import { useQuery } from '@tanstack/react-query';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import { rosterSchema } from './roster';

const REFETCH_MS = 5 * 60_000;
/** Retry interval of a page that has nothing to show yet. */
const RETRY_MS = 10_000;

export const useRoster = (usdot: string) =>
  useQuery({
    queryKey: ['fleets', usdot, 'roster'],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/roster`, rosterSchema, { signal }),
    refetchInterval: ({ state }) => (state.error === null ? REFETCH_MS : RETRY_MS),
    staleTime: 60_000,
    ...PERSISTENT,
  });
