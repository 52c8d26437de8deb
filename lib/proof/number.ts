/** Crockford's base 32 without vowels, so that no number is a word: about 4.9 bits each. */
const SYMBOLS = '0123456789BCDFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;
const FORM = new RegExp(`^[${SYMBOLS}]{${LENGTH}}$`);

/** A number as it is written: 7K3M-92QX-4HTD. */
const toGroups = (symbols: string): string => symbols.replace(/(.{4})(?=.)/g, '$1-');

/** The number of a document by random bytes, of which those that would favor a symbol are skipped; null: too few were left. */
export const toNumber = (bytes: Uint8Array): string | null => {
  const even = bytes.filter((byte) => byte < 256 - (256 % SYMBOLS.length));
  if (even.length < LENGTH) return null;
  return toGroups([...even.subarray(0, LENGTH)].map((byte) => SYMBOLS[byte % SYMBOLS.length]).join(''));
};

/** A number as people write it, with or without dashes and with letters that look like digits; null: it is none. */
export const parseNumber = (text: string): string | null => {
  if (text.length > 40) return null;
  const symbols = text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return FORM.test(symbols) ? toGroups(symbols) : null;
};
