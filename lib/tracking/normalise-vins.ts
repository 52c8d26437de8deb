import 'server-only';
import { normaliseText } from './normalise-scalar';
import { createSalvageNotes, describe } from './salvage';
import type { SalvageReport } from './unit';

/** A roster's VINs, trimmed and upper-cased, each once, in the provider's order. */
export const normaliseVins = (list: readonly unknown[]): { vins: string[]; report: SalvageReport } => {
  const notes = createSalvageNotes();
  const vins = new Set<string>();
  list.forEach((value, i) => {
    const where = `vins[${i}]`;
    const text = typeof value === 'string' ? normaliseText(value, 'vin', () => {}) : null;
    if (text === null) return notes.dropped(where, `${describe(value)} is not a VIN`);
    const vin = text.toUpperCase();
    if (vin !== value) notes.repaired(where, value, vin);
    if (vins.has(vin)) return notes.dropped(where, `${describe(vin)} is on the list already`);
    vins.add(vin);
  });
  return { vins: [...vins], report: notes.toReport() };
};
