/** Area code and exchange of the North American plan begin with 2 to 9. */
const NORTH_AMERICAN = /^1?([2-9]\d{2})([2-9]\d{2})(\d{4})$/;
/** ITU-T E.164: at most 15 digits, of which the country code has 1 to 3. */
const INTERNATIONAL = /^[1-9]\d{6,14}$/;
const EXTENSION = /\s*(?:;ext=|ext\.?|extension|x|#)\s*(\d{1,6})\s*$/i;
const STORED = /^\+(\d+)(?:;ext=(\d+))?$/;
const SIGNS = /[\s().\-/‐-―\u00A0]/g;

/** The 0 of +44 (0)20 …, which is dialed within the country alone. */
const TRUNK = /^(\+\d{1,3})\(0\)/;
/** "1-800-FLOWERS": seven letters after a toll-free code; fewer, or after another code, are a name or a note. */
const WITH_LETTERS = /^(\+?1?8(?:00|33|44|55|66|77|88))([A-Z]{7})$/;
/** A number and a word apart, as "800 JOHNSON", are a truck and its driver. */
const TRUCK_AND_NAME = /^1?\d{3}[\s\u00A0]+[A-Z]{7}$/;
const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];
const DATE = /^\d{4}[-/.]\d{2}[-/.]\d{2}(?!\d)/;

const toDigits = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => String(2 + KEYS.findIndex((key) => key.includes(letter.toLowerCase()))));

/** The number without signs, its letters as the digits of their keys, and +52 for 011 52, as it is dialed here. */
const toPlain = (typed: string): string =>
  typed
    .replace(/[\s\u00A0]/g, '')
    .replace(TRUNK, '$1')
    .replace(SIGNS, '')
    .replace(WITH_LETTERS, (_, code: string, letters: string) => code + toDigits(letters))
    .replace(/^011(?=[2-9]\d{6})/, '+');

/** A phone number as people write it, as it is stored: "+15125550123", "+15125550123;ext=12"; null for any other text. */
export const parsePhone = (text: string): string | null => {
  const typed = text.trim().replace(/^tel:/i, '');
  if (DATE.test(typed) || TRUCK_AND_NAME.test(typed)) return null;
  const extension = EXTENSION.exec(typed)?.[1];
  const digits = toPlain(typed.replace(EXTENSION, ''));
  const isInternational = digits.startsWith('+');
  const plain = digits.replace(/^\+/, '');
  const american = !isInternational || plain.startsWith('1') ? NORTH_AMERICAN.exec(plain) : null;
  if (american === null && !(isInternational && !plain.startsWith('1') && INTERNATIONAL.test(plain)))
    return null;
  const number = american === null ? `+${plain}` : `+1${american.slice(1).join('')}`;
  return extension === undefined ? number : `${number};ext=${extension}`;
};

/** Whether a text has two phone numbers, as in "713 555 0163, 512 555 0123". */
export const hasTwoPhones = (text: string): boolean => {
  const parts = text.split(/[,;/|&\n]| or | and /i);
  return parts.filter((part) => part.replace(/\D/g, '').length >= 7).length > 1;
};

/** Country codes of two digits, of the ITU's list; others have three, and 7 is one by itself. */
const TWO_DIGIT_CODES = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** "+52 55 1234 5678": the country code, and the rest in groups of four from its end. */
const groupForeign = (digits: string): string => {
  const code = digits.startsWith('7') ? 1 : TWO_DIGIT_CODES.test(digits) ? 2 : 3;
  const rest = digits.slice(code);
  const groups = rest.length % 4 === 1 ? /\B(?=(?:\d{3})+$)/g : /\B(?=(?:\d{4})+$)/g;
  return `+${digits.slice(0, code)} ${rest.replace(groups, ' ')}`;
};

/** A stored phone number as Americans write it: "(512) 555-0123 ext. 12"; one of another country as "+52 55 1234 5678". */
export const formatPhone = (phone: string): string => {
  const [, digits, extension] = STORED.exec(phone) ?? [];
  if (digits === undefined) return phone;
  // Stored with its country code: ten digits alone are of another country.
  const american = digits.startsWith('1') ? NORTH_AMERICAN.exec(digits) : null;
  const number = american === null ? groupForeign(digits) : `(${american[1]}) ${american[2]}-${american[3]}`;
  return extension === undefined ? number : `${number} ext. ${extension}`;
};

/** The link that calls a stored phone number; a comma is the pause before its extension, which every phone dials. */
export const toCallLink = (phone: string): string => `tel:${phone.replace(';ext=', ',')}`;

/** The link that writes to a stored phone number; null for one with an extension, which receives no text messages. */
export const toTextLink = (phone: string): string | null => (phone.includes(';') ? null : `sms:${phone}`);
