import { useChange } from '@/lib/browser/change';
import { sendJson } from '@/lib/browser/fetch-json';
import { notesKey, notesUrl } from './queries';
import type { NoteInput } from './schema';

/** Changes of notes, which resolve once the notes are read again. @throws ServerUnreachableError, ServerProblemError */
export const useNoteChanges = (usdot: string) => ({
  add: useChange(notesKey(usdot), (note: NoteInput) => sendJson('POST', notesUrl(usdot), note)),
  remove: useChange(notesKey(usdot), (id: number) => sendJson('DELETE', `${notesUrl(usdot)}/${id}`, {})),
});
