import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { notesSchema, type NoteInput } from './schema';

/** How soon another person's note is seen. */
const REFETCH_MS = 30_000;

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/notes`;
const toKey = (usdot: string) => ['fleets', usdot, 'notes'];

/** The notes of a fleet; nothing is requested unless `isWanted`. */
export const useNotes = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: toKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot), notesSchema, { signal }),
    enabled: isWanted,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });

/** Changes of notes, which resolve once the notes are read again. @throws ServerUnreachableError, ServerProblemError */
export const useNoteChanges = (usdot: string) => ({
  add: useChange(toKey(usdot), (note: NoteInput) => sendJson('POST', toUrl(usdot), note)),
  remove: useChange(toKey(usdot), (id: number) => sendJson('DELETE', `${toUrl(usdot)}/${id}`, {})),
});
