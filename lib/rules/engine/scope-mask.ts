import type { PollStep } from '../poll-step';
import { withLength } from '../site-tracker';
import type { FleetRows, UnitIdentity } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/motion/status';
import type { UnitScope } from '../alert-rule';

const normalize = (make: string): string => make.trim().toLowerCase();

/** The keys that a scope lists; null: it lists none. */
const toKeys = (scope: UnitScope, tags: Readonly<Record<string, readonly string[]>>): Set<string> | null => {
  if (scope.type === 'units') return new Set(scope.units);
  return scope.type === 'tags' ? new Set(scope.tags.flatMap((tag) => tags[tag] ?? [])) : null;
};

/** The rows that a scope of units holds: 1, and 0 for the others. Rules with one scope share it. */
export class ScopeMask {
  mask = new Uint8Array(0);
  readonly #keys: Set<string> | null;
  /** Normalized; null: any. */
  readonly #makes: ReadonlySet<string> | null;
  /** The statuses of the scope, as bits; 0: any. */
  readonly #statuses: number;
  #isFilled = false;

  constructor(scope: UnitScope, tags: Readonly<Record<string, readonly string[]>>) {
    this.#keys = toKeys(scope, tags);
    this.#makes = scope.type === 'makes' ? new Set(scope.makes.map(normalize)) : null;
    const statuses = scope.type === 'statuses' ? scope.statuses : [];
    this.#statuses = statuses.reduce((bits, status) => bits | (1 << STATUSES.indexOf(status)), 0);
  }

  /** `readRowOf` gives the row of each unit by its key. */
  follow({ rows, before, moved, renamed }: PollStep, readRowOf: () => ReadonlyMap<string, number>): void {
    // As in the lists of rules and tags that are stored.
    for (const [from, to] of renamed) if (this.#keys?.delete(from)) this.#keys.add(to);
    this.mask = withLength(this.mask, rows.rows);
    if (this.#statuses !== 0) this.#fillByStatus(rows);
    else if (this.#keys === null) {
      // A make may be learned or corrected after the unit is known.
      for (let row = 0; row < rows.rows; row++)
        if (!this.#isFilled || before?.identities[row] !== rows.identities[row])
          this.mask[row] = this.#isMember(rows.identities[row]) ? 1 : 0;
    } else if (this.#isFilled)
      for (const row of moved) this.mask[row] = this.#isMember(rows.identities[row]) ? 1 : 0;
    // The listed units are fewer than all.
    else for (const key of this.#keys) this.#put(readRowOf().get(key));
    this.#isFilled = true;
  }

  #put(row: number | undefined): void {
    if (row !== undefined) this.mask[row] = 1;
  }

  #fillByStatus({ rows, identities, columns: { status } }: FleetRows): void {
    for (let row = 0; row < rows; row++)
      this.mask[row] = identities[row] && this.#statuses & (1 << status[row]!) ? 1 : 0;
  }

  #isMember(identity: UnitIdentity | null | undefined): boolean {
    if (!identity) return false;
    if (this.#keys !== null) return this.#keys.has(identity.key);
    return this.#makes === null || (identity.make !== null && this.#makes.has(normalize(identity.make)));
  }
}
