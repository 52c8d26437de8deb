/** Whether the last digit of an IMEI is the check digit of the others (Luhn). */
const hasCheckDigit = (digits: string): boolean =>
  [...digits].reduce((sum, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return sum + (doubled > 9 ? doubled - 9 : doubled);
  }, 0) %
    10 ===
  0;

const SEPARATED = /^(.*\p{L}.*?)[-_:./ ]+[^-_:./ ]*\d[^-_:./ ]*$/u;
const LETTERS = /^\p{L}+/u;

/**
 * The type of a device by its ID, as no provider names it: an IMEI begins with the eight digits of its model (TAC), and other
 * IDs with letters of their maker or a name before the last separator.
 */
export const toDeviceType = (deviceId: string | null): string => {
  const id = deviceId?.trim() ?? '';
  if (id === '') return 'No device ID';
  if (/^\d{15}$/.test(id) && hasCheckDigit(id)) return `IMEI ${id.slice(0, 8)}…`;
  const separated = SEPARATED.exec(id)?.[1];
  if (separated !== undefined) return `${separated}…`;
  const letters = LETTERS.exec(id)?.[0];
  if (letters !== undefined && letters !== id) return `${letters}…`;
  return /^\d+$/.test(id) ? `${id.length} digits` : 'Other';
};
