import { useChange } from '@/lib/browser/change';
import { exchangeJson, sendJson } from '@/lib/browser/fetch-json';
import { notesKey, notesUrl } from './queries';
import { noteSchema, type NoteInput } from './schema';

/** Changes of notes, which resolve once the notes are read again. @throws ServerUnreachableError, ServerProblemError */
export const useNoteChanges = (usdot: string) => ({
  add: useChange(notesKey(usdot), (note: NoteInput) =>
    exchangeJson('POST', notesUrl(usdot), note, noteSchema),
  ),
  remove: useChange(notesKey(usdot), (id: number) => sendJson('DELETE', `${notesUrl(usdot)}/${id}`, {})),
});
