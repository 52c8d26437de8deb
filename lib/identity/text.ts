/** Control characters, unpaired surrogates, bidirectional marks and characters of zero width. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00AD\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Whether a text holds visible characters only. */
export const isPrintable = (text: string): boolean => !INVISIBLE.test(text);

/** A text in which a replacement character stands for each invisible one. */
export const toPrintable = (text: string): string => text.replace(EACH_INVISIBLE, '\uFFFD');

const decodeAs = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);

/** Windows-1252 from 0x80 to 0x9F, where Node 20's decoder has control characters. */
const WINDOWS_80_TO_9F = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

const decodeWindows = (bytes: Uint8Array): string =>
  decodeAs(bytes, 'windows-1252').replace(
    /[\u0080-\u009F]/g,
    (character) => WINDOWS_80_TO_9F[character.charCodeAt(0) - 0x80]!,
  );

/** UTF-16 without a byte order mark has a zero in every other byte of its first letters. */
const SAMPLE_BYTES = 200;

const countZeros = (bytes: Uint8Array, from: 0 | 1): number => {
  let zeros = 0;
  for (let i = from; i < Math.min(bytes.length, SAMPLE_BYTES); i += 2) if (bytes[i] === 0) zeros++;
  return zeros;
};

/** The text of a file in UTF-8, UTF-16 of either byte order, or else Windows-1252, without its byte order mark. */
export const decodeText = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs(bytes, 'utf-16be');
  const quarter = Math.min(bytes.length, SAMPLE_BYTES) / 4;
  if (bytes.length > 3 && countZeros(bytes, 1) > quarter) return decodeAs(bytes, 'utf-16le');
  if (bytes.length > 3 && countZeros(bytes, 0) > quarter) return decodeAs(bytes, 'utf-16be');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return decodeWindows(bytes);
    throw error;
  }
};
