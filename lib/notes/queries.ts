import { useQuery } from '@tanstack/react-query';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import { notesSchema } from './schema';

/** How soon another person's note is seen. */
const REFETCH_MS = 30_000;

export const notesUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/notes`;
export const notesKey = (usdot: string) => ['fleets', usdot, 'notes'];

/** The notes of a fleet; nothing is requested unless `isWanted`. */
export const useNotes = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: notesKey(usdot),
    queryFn: ({ signal }) => fetchJson(notesUrl(usdot), notesSchema, { signal }),
    enabled: isWanted,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });
