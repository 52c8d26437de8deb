/** Area code and exchange of the North American plan begin with 2 to 9. */
const NORTH_AMERICAN = /^1?([2-9]\d{2})([2-9]\d{2})(\d{4})$/;
/** ITU-T E.164: at most 15 digits, of which the country code has 1 to 3. */
const INTERNATIONAL = /^[1-9]\d{6,14}$/;
const EXTENSION = /\s*(?:;ext=|ext\.?|extension|x|#)\s*(\d{1,6})\s*$/i;
const STORED = /^\+(\d+)(?:;ext=(\d+))?$/;
const SIGNS = /[\s().\-/‐-―\u00A0]/g;

/** A phone number as people write it, as it is stored: "+15125550123", "+15125550123;ext=12"; null for any other text. */
export const parsePhone = (text: string): string | null => {
  const typed = text.trim().replace(/^tel:/i, '');
  const extension = EXTENSION.exec(typed)?.[1];
  const digits = typed.replace(EXTENSION, '').replace(SIGNS, '');
  const isInternational = digits.startsWith('+');
  const plain = digits.replace(/^\+/, '');
  const american = !isInternational || plain.startsWith('1') ? NORTH_AMERICAN.exec(plain) : null;
  if (american === null && !(isInternational && !plain.startsWith('1') && INTERNATIONAL.test(plain)))
    return null;
  const number = american === null ? `+${plain}` : `+1${american.slice(1).join('')}`;
  return extension === undefined ? number : `${number};ext=${extension}`;
};

/** A stored phone number as Americans write it: "(512) 555-0123 ext. 12"; one of another country as "+525512345678". */
export const formatPhone = (phone: string): string => {
  const [, digits, extension] = STORED.exec(phone) ?? [];
  if (digits === undefined) return phone;
  // Stored with its country code: ten digits alone are of another country.
  const american = digits.startsWith('1') ? NORTH_AMERICAN.exec(digits) : null;
  const number = american === null ? `+${digits}` : `(${american[1]}) ${american[2]}-${american[3]}`;
  return extension === undefined ? number : `${number} ext. ${extension}`;
};

/** The link that calls a stored phone number; a comma is the pause before its extension, which every phone dials. */
export const toCallLink = (phone: string): string => `tel:${phone.replace(';ext=', ',')}`;

/** The link that writes to a stored phone number; null for one with an extension, which receives no text messages. */
export const toTextLink = (phone: string): string | null => (phone.includes(';') ? null : `sms:${phone}`);
