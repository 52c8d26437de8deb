import 'server-only';
import type { Pool } from 'pg';
import { type UnitIdentity, UNNAMED } from '@/lib/wire/fleet';
import { queryLists } from '@/lib/database/database';
import { quote } from '@/lib/archive/duck-db';
import type { TimeRange } from '@/lib/base/time';
import { addTo } from '@/lib/base/maps';

interface Unit {
  row: number;
  /** Oldest first. */
  identities: { seenMs: number; identity: UnitIdentity }[];
}

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

/** A key under which a unit was recorded before its present one, and in which time, Unix ms. */
export interface EarlierKey {
  unit: string;
  was: string;
  fromMs: number;
  untilMs: number;
}

/**
 * The keys that came before those of the units of a fleet: what the live fleet recorded when it renamed a unit, and,
 * from before it did, the device that a VIN was first named with, if that device had the same truck number for as long as it
 * was recorded under its own key. While only the roster names a VIN, it has neither.
 */
const READ_KEYS = `
  WITH first AS (
    SELECT DISTINCT ON (unit) unit, seen_ms, identity FROM linehaul.unit_identities
    WHERE usdot = $1 AND EXISTS (
        SELECT FROM linehaul.unit_identities
        WHERE usdot = $1 AND unit >= 'device:' COLLATE "C" AND unit < 'device;' COLLATE "C")
      AND identity->>'vin' = unit AND identity->>'deviceId' IS NOT NULL AND identity->>'truckNumber' IS NOT NULL
    ORDER BY unit, seen_ms
  )
  SELECT unit, identity->'former'->>'key' AS was, max((identity->'former'->>'untilMs')::float8) AS "untilMs"
  FROM linehaul.unit_identities WHERE usdot = $1 AND identity ? 'former' GROUP BY 1, 2
  UNION ALL
  SELECT first.unit, e.unit, min(first.seen_ms)::float8 FROM first JOIN linehaul.unit_identities e
    ON e.usdot = $1 AND e.seen_ms < first.seen_ms AND e.unit = ('device:' || (first.identity->>'deviceId')) COLLATE "C"
  GROUP BY first.unit, e.unit
  HAVING bool_and(coalesce(e.identity->>'truckNumber' = first.identity->>'truckNumber', false))`;

type Renaming = Omit<EarlierKey, 'fromMs'>;

/** The earlier keys of all units of a fleet, each with the key that its unit has now. */
export const readEarlierKeys = async (pool: Pool, usdot: string): Promise<EarlierKey[]> => {
  const { rows } = await pool.query<Renaming>(READ_KEYS, [usdot]);
  const renamings = rows.sort((a, b) => a.untilMs - b.untilMs);
  const byWas = new Map<string, Renaming[]>();
  for (const each of renamings) addTo(byWas, each.was, each);
  const toPresent = (unit: string, sinceMs: number): string => {
    const next = byWas.get(unit)?.find(({ untilMs }) => untilMs > sinceMs);
    return next === undefined ? unit : toPresent(next.unit, next.untilMs);
  };
  const fromMs = new Map<string, number>();
  return renamings.flatMap(({ unit, was, untilMs }) => {
    const each = { unit: toPresent(unit, untilMs), was, fromMs: fromMs.get(was) ?? 0, untilMs };
    fromMs.set(was, untilMs);
    return each.unit === was ? [] : [each];
  });
};

/** For FROM of DuckDB: a table of fixes, each under the key that its unit has now. */
export const withPresentKeys = (from: string, keys: readonly EarlierKey[], timeMs: string): string => {
  if (keys.length === 0) return from;
  const values = keys.map(
    ({ unit, was, fromMs, untilMs }) =>
      `(${quote(was)}, ${quote(unit)}, ${fromMs}::BIGINT, ${untilMs}::BIGINT)`,
  );
  return `(SELECT recorded.* REPLACE (coalesce(earlier.unit, recorded.unit) AS unit) FROM ${from} AS recorded
    LEFT JOIN (VALUES ${values.join(', ')}) AS earlier (was, unit, from_ms, until_ms)
    ON recorded.unit = earlier.was AND ${timeMs} >= from_ms AND ${timeMs} < until_ms)`;
};

/** A part of a trail, which is recorded under one key. */
export interface TrailPart extends TimeRange {
  unit: string;
}

/** The parts of a unit's trail: under its key while no other unit had that, and under its earlier keys. */
export const toTrailParts = (keys: readonly EarlierKey[], { unit, fromMs, toMs }: TrailPart): TrailPart[] => {
  const parts: TrailPart[] = [];
  let ownFromMs = fromMs;
  // The times in which a key was another unit's are in their order.
  for (const key of keys) {
    const [from, until] = [Math.ceil(key.fromMs), Math.ceil(key.untilMs)];
    if (key.unit === unit)
      parts.push({ unit: key.was, fromMs: Math.max(fromMs, from), toMs: Math.min(toMs, until) });
    if (key.was !== unit) continue;
    parts.push({ unit, fromMs: ownFromMs, toMs: Math.min(toMs, from) });
    ownFromMs = Math.max(ownFromMs, until);
  }
  return [...parts, { unit, fromMs: ownFromMs, toMs }].filter((part) => part.fromMs < part.toMs);
};

export type FoundUnit = ReturnType<FleetUnits['unitAt']> & { isEarlier: boolean };

/** Finds the unit that had a key at a moment: in the row of its present key, which the roster may have listed then already. */
export const createFindUnit = (units: FleetUnits, earlier: readonly EarlierKey[], atMs: number) => {
  const present = new Map(
    earlier.flatMap(({ unit, was, fromMs, untilMs }) =>
      fromMs <= atMs && atMs < untilMs ? [[was, unit]] : [],
    ),
  );
  /** When units left keys that they had until then; of one key the last time, because these are in order. */
  const leftMs = new Map(earlier.flatMap(({ was, untilMs }) => (untilMs <= atMs ? [[was, untilMs]] : [])));
  return (key: string): FoundUnit => {
    const found = units.unitAt(key, atMs);
    const unit = present.get(key);
    if (unit === undefined) {
      // Its names went with its former unit to another key.
      if (found.seenMs >= (leftMs.get(key) ?? -Infinity)) return { ...found, isEarlier: false };
      const { vin } = found.identity;
      return { ...found, identity: { ...UNNAMED, key, vin }, isEarlier: false };
    }
    return {
      ...found,
      row: units.unitAt(unit, atMs).row,
      identity: { ...found.identity, key: unit },
      isEarlier: true,
    };
  };
};
