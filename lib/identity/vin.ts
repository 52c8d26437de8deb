/** A VIN has 17 characters; the letters I, O and Q are never used (49 CFR 565.13(g), 565.15). */
const VIN_PATTERN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** 49 CFR 565.15(c), table III: the number that stands for each letter. */
// oxfmt-ignore
const LETTER_VALUES: Record<string, number> = {
  A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8,
  J: 1, K: 2, L: 3, M: 4, N: 5, P: 7, R: 9,
  S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9,
};

/** 49 CFR 565.15(c), table IV: the weight of each position; the ninth, the check digit itself, has none. */
const POSITION_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

const CHECK_POSITION = 8;

/** The VIN in a text that a person or a device entered, trimmed and upper-cased; null where it is none. */
export const parseVin = (text: string): string | null => {
  const vin = text.trim().toUpperCase();
  return VIN_PATTERN.test(vin) ? vin : null;
};

/**
 * The check digit that belongs in a VIN's ninth position: 0 to 9, or X for ten (49 CFR 565.15(c)). The
 * character in that position is not read, so that a VIN can be made by filling it in.
 *
 * @throws RangeError when the text is not in the form of a VIN.
 */
export const checkDigit = (vin: string): string => {
  if (!VIN_PATTERN.test(vin))
    throw new RangeError(`Got ${JSON.stringify(vin)} when a VIN of 17 characters is expected.`);
  let sum = 0;
  for (let i = 0; i < POSITION_WEIGHTS.length; i++) {
    const character = vin.charAt(i);
    sum += (LETTER_VALUES[character] ?? Number(character)) * POSITION_WEIGHTS[i]!;
  }
  const remainder = sum % 11;
  return remainder === 10 ? 'X' : String(remainder);
};

/** Whether a text is a VIN whose ninth character is its check digit. */
export const hasValidCheckDigit = (vin: string): boolean =>
  VIN_PATTERN.test(vin) && vin.charAt(CHECK_POSITION) === checkDigit(vin);
