import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchJson, sendJson, shouldRetry } from '@/lib/browser/fetch-json';
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
    retry: shouldRetry,
    networkMode: 'always',
  });

/** Changes of notes, which resolve once the notes are read again. @throws ServerUnreachableError, ServerProblemError */
export const useNoteChanges = (usdot: string) => {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: toKey(usdot) });
  return {
    add: useMutation({ mutationFn: (note: NoteInput) => sendJson('POST', toUrl(usdot), note), onSettled }),
    remove: useMutation({
      mutationFn: (id: number) => sendJson('DELETE', `${toUrl(usdot)}/${id}`, {}),
      onSettled,
    }),
  };
};
