import { useQuery } from '@tanstack/react-query';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import { tagsSchema } from './schema';

/** How soon another person's change is seen. */
const REFETCH_MS = 60_000;

export const tagsUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/tags`;
export const tagsKey = (usdot: string) => ['fleets', usdot, 'tags'];

/** The tags of a fleet and their units; nothing is requested unless `isWanted`. */
export const useTags = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: tagsKey(usdot),
    queryFn: ({ signal }) => fetchJson(tagsUrl(usdot), tagsSchema, { signal }),
    enabled: isWanted,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });
