const NOT_ASCII = /[\u0080-\uffff]/;
/** Letters that Unicode does not take apart into a letter and its accent. */
const WHOLE_LETTERS: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' },
  ...{ þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss' },
};

/** A text as searches compare it: small letters without accents, whichever way these are encoded ("ÉCLAIR" is "eclair"). */
export const fold = (text: string): string =>
  NOT_ASCII.test(text)
    ? text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()
        .replace(/[øłđðħıþæœß]/g, (letter) => WHOLE_LETTERS[letter]!)
    : text.toLowerCase();

/** Characters of a name on the map; the list and the panel have the whole of it. */
const MOST = 24;
/** U+2069, the end of a text whose direction is isolated. */
const ISOLATE_END = '\u2069';

const toCharacters = (text: string): string[] =>
  // Firefox before version 125 has none.
  'Segmenter' in Intl ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment) : [...text];

/** A text of at most so many characters as people see them, with "…" where it is cut: no accent or joined emoji is divided. */
export const shorten = (text: string, most = MOST): string => {
  if (text.length <= most) return text;
  const characters = toCharacters(text);
  if (characters.length <= most) return text;
  const kept = characters
    .slice(0, most - 1)
    .join('')
    .trimEnd();
  return `${kept}…${text.endsWith(ISOLATE_END) ? ISOLATE_END : ''}`;
};

/** A text as part of an XML document. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
