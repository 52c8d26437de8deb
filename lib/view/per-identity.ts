import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';

/** What was made of each row's identity; `changed` tells which rows were made anew by this call. */
export interface PerIdentity<T> {
  of: readonly (T | null)[];
  changed: readonly number[];
  /** False where time ran out before all rows were made. */
  isWhole: boolean;
}

interface Made<T> {
  seen: Fleet['identities'];
  of: (T | null)[];
  isWhole: boolean;
}

const NO_ROWS: readonly number[] = [];

/**
 * Makes something of every unit's identity once, and again only for rows whose identity was replaced.
 *
 * A fleet's list of identities is another list as soon as anybody is called otherwise, and holds the same object
 * for as long as a unit is called the same: so most polls cost nothing, and the others a comparison a row.
 */
export const createPerIdentity = <T>(
  make: (identity: UnitIdentity) => T,
): ((fleet: Fleet, hasTime?: () => boolean) => PerIdentity<T>) => {
  const held = new WeakMap<Fleet['identities'], Made<T>>();
  let latest: Made<T> = { seen: [], of: [], isWhole: true };
  return ({ identities, rows }, hasTime = () => true) => {
    // What is not known of a new list is mostly known of the one before it.
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
