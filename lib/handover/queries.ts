import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchJson, sendJson, shouldRetry } from '@/lib/browser/fetch-json';
import { handoverSchema } from './schema';

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/handover`;
/** Comparing two moments of a large fleet and its driving takes some seconds. */
const TIMEOUT_MS = 60_000;

const handoverOptions = (usdot: string, sinceMs: number) =>
  queryOptions({
    queryKey: ['fleets', usdot, 'handover', sinceMs],
    queryFn: ({ signal }) =>
      fetchJson(`${toUrl(usdot)}?since=${sinceMs}`, handoverSchema, { signal, timeoutMs: TIMEOUT_MS }),
    staleTime: 60_000,
    retry: shouldRetry,
    networkMode: 'always',
  });

/** What changed in a fleet since a moment, Unix ms. */
export const useHandover = (usdot: string, sinceMs: number) => useQuery(handoverOptions(usdot, sinceMs));

/** The reader's next handover can begin at this moment. @throws ServerUnreachableError, ServerProblemError */
export const markHandover = async (usdot: string, atMs: number): Promise<void> => {
  await sendJson('POST', toUrl(usdot), { atMs });
};
