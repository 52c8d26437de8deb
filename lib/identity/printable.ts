/**
 * Control characters, halves of UTF-16 pairs, and what changes how a text looks without being seen: marks that turn
 * the direction of writing, and characters of no width.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00AD\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Whether a text holds only characters that a reader can see. */
export const isPrintable = (text: string): boolean => !INVISIBLE.test(text);

/** A text in which a replacement character stands for each one that a reader could not see. */
export const toPrintable = (text: string): string => text.replace(EACH_INVISIBLE, '\uFFFD');
