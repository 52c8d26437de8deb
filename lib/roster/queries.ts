import { queryOptions, useQuery } from '@tanstack/react-query';
import { rosterSchema } from './schema';
import { fetchJson, shouldRetry } from '../browser/fetch-json';

const ASK_AGAIN_MS = 5 * 60_000;
/** Retry interval of a page that has nothing to show yet. */
const ASK_AGAIN_FAILED_MS = 10_000;

const rosterOptions = (usdot: string) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'roster'],
    queryFn: ({ signal }) =>
      fetchJson(`/api/fleets/${encodeURIComponent(usdot)}/roster`, rosterSchema, { signal }),
    refetchInterval: ({ state }) => (state.error === null ? ASK_AGAIN_MS : ASK_AGAIN_FAILED_MS),
    staleTime: 60_000,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** The VINs of a USDOT number, polled every five minutes. */
export const useRoster = (usdot: string) => useQuery(rosterOptions(usdot));
