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
