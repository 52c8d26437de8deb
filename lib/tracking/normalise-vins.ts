import 'server-only';
import { isJsonObject } from './json-object';
import { normaliseText } from './normalise-scalar';
import { createSalvageNotes, describe } from './salvage';
import type { SalvageReport } from './unit';

/** Placeholders for a missing VIN in a list. */
const PLACEHOLDER = /^(?:[\W_0]*|n\/?a|none|null|undefined|unknown)$/i;

const readVin = (value: unknown): string | null => {
  const text = typeof value === 'string' ? normaliseText(value, 'vin', () => {}) : null;
  return text === null || PLACEHOLDER.test(text) ? null : text.toUpperCase();
};

/**
 * A roster's VINs, trimmed and upper-cased, each once, in the provider's order, also where each is in an
 * object as `vin`; and the number of entries that could not be read.
 */
export const normaliseVins = (
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
