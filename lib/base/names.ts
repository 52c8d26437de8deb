import { z } from './zod';

const MAX_NAME_CHARACTERS = 100;
/** Control characters, line and paragraph separators, bidirectional controls and zero-width characters. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u00AD\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/u;

/** Whether every character of a text can be seen: no line breaks, and none that turn or hide others. */
export const isVisible = (text: string): boolean => !INVISIBLE.test(text);

export const personNameSchema = z
  .string()
  .trim()
  .min(1, 'Give a name.')
  .max(MAX_NAME_CHARACTERS, `A name has at most ${MAX_NAME_CHARACTERS} characters.`)
  .refine(isVisible, 'A name has no line breaks and no invisible characters.');
