import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { tagsSchema, type TagChange } from './schema';

/** How soon another person's change is seen. */
const REFETCH_MS = 60_000;

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/tags`;
const toKey = (usdot: string) => ['fleets', usdot, 'tags'];

/** The tags of a fleet and their units; nothing is requested unless `isWanted`. */
export const useTags = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: toKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot), tagsSchema, { signal }),
    enabled: isWanted,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });

/** Changes tags, and resolves once they are read again. @throws ServerUnreachableError, ServerProblemError */
export const useChangeTags = (usdot: string) =>
  useChange(toKey(usdot), (change: TagChange) => sendJson('POST', toUrl(usdot), change));
