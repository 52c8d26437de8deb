import 'server-only';
import type { Pool } from 'pg';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { queryLists } from '@/lib/database/database';

interface Unit {
  row: number;
  /** Oldest first. */
  identities: { seenMs: number; identity: UnitIdentity }[];
}

/** No poll that was read named a unit. */
export class UnnamedUnitError extends Error {
  override name = 'UnnamedUnitError';
}

/** Every unit that a fleet ever had, in a row of its own: in the order in which they were first seen. */
export class FleetUnits {
  readonly #usdot: string;
  readonly #units = new Map<string, Unit>();
  #readMs = -1;

  constructor(usdot: string) {
    this.#usdot = usdot;
  }

  get count(): number {
    return this.#units.size;
  }

  /** Reads what was recorded since the last call. */
  async refresh(pool: Pool): Promise<void> {
    const rows = await queryLists<[unit: string, seenMs: number, identity: UnitIdentity]>(
      pool,
      `SELECT unit, seen_ms::float8, identity - 'former' FROM linehaul.unit_identities
       WHERE usdot = $1 AND seen_ms > $2 ORDER BY seen_ms, unit`,
      [this.#usdot, this.#readMs],
    );
    for (const [key, seenMs, identity] of rows) {
      // Another call may have read the same rows meanwhile.
      if (seenMs < this.#readMs) continue;
      const unit = this.#units.get(key) ?? { row: this.#units.size, identities: [] };
      if (unit.identities.at(-1)?.seenMs !== seenMs) unit.identities.push({ seenMs, identity });
      this.#units.set(key, unit);
      this.#readMs = seenMs;
    }
  }

  /** A unit's row, and its names at a moment with when they were first seen. @throws UnnamedUnitError */
  unitAt(key: string, atMs: number): { row: number; identity: UnitIdentity; seenMs: number } {
    const unit = this.#units.get(key);
    if (!unit) throw new UnnamedUnitError(`No poll of USDOT ${this.#usdot} named the unit ${key}.`);
    const { row, identities } = unit;
    let newest = identities.length - 1;
    while (newest > 0 && identities[newest]!.seenMs > atMs) newest--;
    return { row, ...identities[newest]! };
  }
}
