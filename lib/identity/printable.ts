/**
 * Control characters, unpaired UTF-16 surrogates, and invisible characters that change how a text looks:
 * bidirectional marks and characters of zero width.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00AD\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Whether a text holds visible characters only. */
export const isPrintable = (text: string): boolean => !INVISIBLE.test(text);

/** A text in which a replacement character stands for each invisible one. */
export const toPrintable = (text: string): string => text.replace(EACH_INVISIBLE, '\uFFFD');
