import { type Fleet, type UnitIdentity, hasUnit } from '@/lib/wire/fleet';
import { getOrMake } from '@/lib/base/maps';

const heldRows = new WeakMap<Fleet['identities'], Int32Array>();

/** Filters rows, keeping their order. */
export const keepRows = (rows: Int32Array, isWanted: (row: number) => boolean): Int32Array => {
  const kept = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (isWanted(rows[i]!)) kept[count++] = rows[i]!;
  return kept.slice(0, count);
};

/** Rows that hold a unit, ascending: the same list object for the same list of identities. */
export const readAllRows = (fleet: Fleet): Int32Array =>
  getOrMake(heldRows, fleet.identities, () =>
    keepRows(
      new Int32Array(fleet.rows).map((_, row) => row),
      (row) => hasUnit(fleet, row),
    ),
  );

/** The values computed from each row's identity; `changed` has the rows that this call computed. */
interface PerIdentity<T> {
  of: readonly (T | null)[];
  changed: readonly number[];
  /** False where the time budget ended before all rows were computed. */
  isWhole: boolean;
}

interface Made<T> {
  seen: Fleet['identities'];
  of: (T | null)[];
  isWhole: boolean;
}

const NO_ROWS: readonly number[] = [];

/**
 * Computes a value from every unit's identity once, and again only for rows whose identity was replaced: most polls
 * keep the list, and the others cost one comparison a row.
 */
export const createPerIdentity = <T>(
  make: (identity: UnitIdentity) => T,
): ((fleet: Fleet, hasTime?: () => boolean) => PerIdentity<T>) => {
  const held = new WeakMap<Fleet['identities'], Made<T>>();
  let latest: Made<T> = { seen: [], of: [], isWhole: true };
  return ({ identities, rows }, hasTime = () => true) => {
    // A new list mostly holds the values of the one before it.
    const made = held.get(identities) ?? {
      seen: latest.seen.slice(0, rows),
      of: latest.of.slice(0, rows),
      isWhole: false,
    };
    held.set(identities, made);
    latest = made;
    if (made.isWhole) return { of: made.of, changed: NO_ROWS, isWhole: true };
    made.isWhole = false;
    const changed: number[] = [];
    for (let row = 0; row < rows; row++) {
      const identity = identities[row] ?? null;
      if (made.seen[row] === identity) continue;
      if (!hasTime()) return { of: made.of, changed, isWhole: false };
      made.seen[row] = identity;
      made.of[row] = identity && make(identity);
      changed.push(row);
    }
    made.isWhole = true;
    return { of: made.of, changed, isWhole: true };
  };
};
