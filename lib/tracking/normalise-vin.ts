import 'server-only';
import { checkDigit, hasValidCheckDigit, parseVin } from '@/lib/identity/vin';
import { normaliseText } from './normalise-scalar';
import { describe } from './salvage';
import type { Mend } from './salvage';

export interface NormalisedVin {
  /** The provider's text for the VIN, trimmed and upper-cased, even where it is not one. */
  vin: string | null;
  /** Whether the VIN can identify the unit: a placeholder that many records share cannot. */
  isUsable: boolean;
  /** Its fault, as text for a dispatcher. */
  fault: string | null;
}

/** Seventeen of one character are a form's filler; 0 and 1 even pass the check digit. */
const ONE_CHARACTER = /^(.)\1*$/;

export const normaliseVin = (value: unknown, mend: Mend): NormalisedVin => {
  const text = normaliseText(value, 'vin', mend);
  if (text === null) return { vin: null, isUsable: false, fault: null };
  const vin = text.toUpperCase();
  if (vin !== text) mend('vin', value, vin);
  if (parseVin(vin) === null) {
    const length =
      vin.length === 17
        ? 'a VIN has no I, O, Q or punctuation'
        : `a VIN has 17 characters, not ${vin.length}`;
    return { vin, isUsable: false, fault: `The provider gives ${describe(vin)} as its VIN: ${length}.` };
  }
  if (ONE_CHARACTER.test(vin)) {
    return {
      vin,
      isUsable: false,
      fault: `The provider gives ${vin} as its VIN, which only fills the field.`,
    };
  }
  if (hasValidCheckDigit(vin)) return { vin, isUsable: true, fault: null };
  const fault = `Its VIN fails its check digit: the 9th character is ${vin.charAt(8)} and should be ${checkDigit(vin)}.`;
  return { vin, isUsable: true, fault };
};
