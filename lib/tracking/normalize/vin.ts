import 'server-only';
import { checkDigit, hasValidCheckDigit, parseVin } from '@/lib/identity/vin';
import { normalizeText, describe, createSalvageNotes, type NoteRepair } from './salvage';
import { isJsonObject } from '../schema';
import type { SalvageReport } from '../unit';

export interface NormalizedVin {
  /** The provider's text for the VIN, trimmed and upper-cased, even where it is not one. */
  vin: string | null;
  /** Whether the VIN can identify the unit: a placeholder that many records share cannot. */
  isUsable: boolean;
  /** Its fault, as text for a dispatcher. */
  fault: string | null;
}

/** Seventeen of one character are a form's filler; 0 and 1 even pass the check digit. */
const ONE_CHARACTER = /^(.)\1*$/;

export const normalizeVin = (value: unknown, noteRepair: NoteRepair): NormalizedVin => {
  const text = normalizeText(value, 'vin', noteRepair);
  if (text === null) return { vin: null, isUsable: false, fault: null };
  const vin = text.toUpperCase();
  if (vin !== text) noteRepair('vin', value, vin);
  if (parseVin(vin) === null) {
    const length =
      vin.length === 17
        ? 'a VIN has no I, O, Q or punctuation'
        : `a VIN has 17 characters, not ${vin.length}`;
    return { vin, isUsable: false, fault: `The provider gives ${describe(vin)} as its VIN: ${length}.` };
  }
  if (ONE_CHARACTER.test(vin))
    return {
      vin,
      isUsable: false,
      fault: `The provider gives ${vin} as its VIN, which only fills the field.`,
    };
  if (hasValidCheckDigit(vin)) return { vin, isUsable: true, fault: null };
  const fault = `Its VIN fails its check digit: the 9th character is ${vin.charAt(8)} and should be ${checkDigit(vin)}.`;
  return { vin, isUsable: true, fault };
};

/** The VIN in an entry of a roster; null where it has none that could identify a unit, which would be silent for ever. */
const readVin = (value: unknown): string | null => {
  const { vin, isUsable } = normalizeVin(typeof value === 'string' ? value : null, () => {});
  return isUsable ? vin : null;
};

/**
 * A roster's VINs in upper case, each once, in its order, and the number of unreadable entries; each may be an object.
 */
export const normalizeVins = (
  list: readonly unknown[],
): { vins: string[]; unreadable: number; report: SalvageReport } => {
  const notes = createSalvageNotes();
  const vins = new Set<string>();
  let unreadable = 0;
  list.forEach((value, i) => {
    const where = `vins[${i}]`;
    const vin = readVin(isJsonObject(value) ? value.vin : value);
    if (vin === null) {
      unreadable++;
      return notes.dropped(where, `${describe(value)} is not a VIN`);
    }
    if (vin !== value) notes.repaired(where, value, vin);
    if (vins.has(vin)) return notes.dropped(where, `${describe(vin)} is on the list already`);
    vins.add(vin);
  });
  return { vins: [...vins], unreadable, report: notes.toReport() };
};
