import 'server-only';
import type { Pool } from 'pg';
import { quote } from './archive/duck-db';

/** A key under which a unit was recorded before its present one, and in which time, Unix ms. */
export interface EarlierKey {
  unit: string;
  was: string;
  fromMs: number;
  untilMs: number;
}

/**
 * The keys that came before those of the units $2, or of all units: what the live fleet recorded when it renamed a unit, and,
 * from before it did, the device that a VIN was first named with, if that device had the same truck number for as long as it
 * was recorded under its own key. While only the roster names a VIN, it has neither.
 */
const READ_KEYS = `
  WITH named AS (
    SELECT unit, seen_ms, identity FROM linehaul.unit_identities
    WHERE usdot = $1 AND ($2::text[] IS NULL OR unit = ANY ($2 COLLATE "C"))
  ), first AS (
    SELECT DISTINCT ON (unit) unit, seen_ms, identity FROM named
    WHERE identity->>'vin' = unit AND identity->>'deviceId' IS NOT NULL AND identity->>'truckNumber' IS NOT NULL
    ORDER BY unit, seen_ms
  )
  SELECT unit, identity->'former'->>'key' AS was, max((identity->'former'->>'untilMs')::float8) AS "untilMs"
  FROM named WHERE identity ? 'former' GROUP BY 1, 2
  UNION ALL
  SELECT first.unit, e.unit, min(first.seen_ms)::float8 FROM first JOIN linehaul.unit_identities e
    ON e.usdot = $1 AND e.seen_ms < first.seen_ms AND e.unit = ('device:' || (first.identity->>'deviceId')) COLLATE "C"
  GROUP BY first.unit, e.unit
  HAVING bool_and(coalesce(e.identity->>'truckNumber' = first.identity->>'truckNumber', false))`;

type Renaming = Omit<EarlierKey, 'fromMs'>;

const readRenamings = async (
  pool: Pool,
  usdot: string,
  units: readonly string[] | null,
): Promise<Renaming[]> => (await pool.query<Renaming>(READ_KEYS, [usdot, units])).rows;

/** All earlier keys of one unit, with until when it had each; also those that came before an earlier one. */
export const readEarlierKeysOf = async (
  pool: Pool,
  usdot: string,
  unit: string,
): Promise<Pick<EarlierKey, 'was' | 'untilMs'>[]> => {
  const untilMs = new Map([[unit, Infinity]]);
  for (let open = [unit]; open.length > 0;) {
    const found = await readRenamings(pool, usdot, open);
    const isNew = ({ was }: Renaming): boolean => !untilMs.has(was);
    const next = found.filter(isNew);
    for (const each of next) {
      const until = Math.min(each.untilMs, untilMs.get(each.unit)!);
      untilMs.set(each.was, Math.max(until, untilMs.get(each.was) ?? -Infinity));
    }
    open = [...new Set(next.map(({ was }) => was))];
  }
  untilMs.delete(unit);
  return [...untilMs].map(([was, until]) => ({ was, untilMs: until }));
};

/** The earlier keys of all units of a fleet, each with the key that its unit has now. */
export const readEarlierKeys = async (pool: Pool, usdot: string): Promise<EarlierKey[]> => {
  const renamings = (await readRenamings(pool, usdot, null)).sort((a, b) => a.untilMs - b.untilMs);
  const toPresent = (unit: string, sinceMs: number): string => {
    const next = renamings.find(({ was, untilMs }) => was === unit && untilMs > sinceMs);
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
