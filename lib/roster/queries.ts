import { queryOptions, useQuery } from '@tanstack/react-query';
import { rosterSchema } from './roster';
import { fetchJson, shouldRetry } from '../browser/fetch-json';

const REFETCH_MS = 5 * 60_000;
/** Retry interval of a page that has nothing to show yet. */
const RETRY_MS = 10_000;

const rosterOptions = (usdot: string) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'roster'],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/roster`, rosterSchema, { signal }),
    refetchInterval: ({ state }) => (state.error === null ? REFETCH_MS : RETRY_MS),
    staleTime: 60_000,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** The VINs of a USDOT number, polled every five minutes. */
export const useRoster = (usdot: string) => useQuery(rosterOptions(usdot));
