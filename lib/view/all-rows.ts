import { hasUnit } from '@/lib/wire/fleet';
import type { Fleet } from '@/lib/wire/fleet';

const heldRows = new WeakMap<Fleet['identities'], Int32Array>();

/** Those of some rows that match, in their order. */
export const keepRows = (rows: Int32Array, isWanted: (row: number) => boolean): Int32Array => {
  const kept = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (isWanted(rows[i]!)) kept[count++] = rows[i]!;
  return kept.slice(0, count);
};

/** Rows that hold a unit, ascending: the same list object for the same list of identities. */
export const readAllRows = (fleet: Fleet): Int32Array => {
  const held = heldRows.get(fleet.identities);
  if (held) return held;
  const all = keepRows(
    new Int32Array(fleet.rows).map((_, row) => row),
    (row) => hasUnit(fleet, row),
  );
  heldRows.set(fleet.identities, all);
  return all;
};
