import 'server-only';
import type { Pool } from 'pg';
import { quote } from '@/lib/archive/duck-db';
import { groupBy } from '@/lib/base/maps';

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
  const byWas = groupBy(renamings, ({ was }) => was);
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
export interface TrailPart {
  unit: string;
  fromMs: number;
  toMs: number;
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
