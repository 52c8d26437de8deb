import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';

/** What was made of each row's identity; `changed` tells which rows were made anew by this call. */
export interface PerIdentity<T> {
  of: (T | null)[];
  changed: number[];
  /** False where time ran out before all rows were made. */
  isWhole: boolean;
}

/**
 * Makes something of every unit's identity once, and again only for rows whose identity was replaced.
 *
 * A fleet's list of identities lives as long as its epoch and holds the same object for as long as a unit
 * is called the same, so that comparing references is enough: 100,000 rows cost a fraction of a millisecond.
 */
export const createPerIdentity = <T>(
  make: (identity: UnitIdentity) => T,
): ((fleet: Fleet, hasTime?: () => boolean) => PerIdentity<T>) => {
  const held = new WeakMap<Fleet['identities'], { seen: Fleet['identities']; of: (T | null)[] }>();
  return ({ identities, rows }, hasTime = () => true) => {
    const made = held.get(identities) ?? { seen: [], of: [] };
    held.set(identities, made);
    const changed: number[] = [];
    for (let row = 0; row < rows; row++) {
      const identity = identities[row] ?? null;
      if (made.seen[row] === identity) continue;
      if (!hasTime()) return { of: made.of, changed, isWhole: false };
      made.seen[row] = identity;
      made.of[row] = identity && make(identity);
      changed.push(row);
    }
    return { of: made.of, changed, isWhole: true };
  };
};
