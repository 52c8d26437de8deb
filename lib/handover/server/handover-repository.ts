import 'server-only';
import type { Pool } from 'pg';
import { alertSchema, type Alert } from '@/lib/rules/alert-rule';
import type { SiteVisit } from '@/lib/rules/site';
import type { UnitIdentity } from '@/lib/wire/fleet';

/** The stored changes of a fleet in a range, oldest first; times are Unix ms. */
export interface StoredChanges {
  identities: { unit: string; atMs: number; before: UnitIdentity; after: UnitIdentity }[];
  visits: (SiteVisit & { awayMs: number; siteName: string; isLearnedLater: boolean })[];
  alerts: Alert[];
  notes: { id: number; unit: string; text: string; author: string; createdMs: number }[];
}

/** One statement for each list: columns are named as in StoredChanges. */
const IDENTITIES = `
  SELECT unit, seen_ms::float8 AS "atMs", before, identity AS after FROM (
    SELECT unit, seen_ms, identity, lag(identity) OVER (PARTITION BY unit ORDER BY seen_ms) AS before
    FROM (SELECT usdot, unit, seen_ms, identity - 'former' AS identity FROM linehaul.unit_identities) i WHERE usdot = $1 AND seen_ms <= $3
  ) named WHERE seen_ms > $2 AND before <> identity ORDER BY seen_ms`;
const VISITS = `
  SELECT v.site_id AS "siteId", v.unit, v.arrived_after_ms::float8 AS "arrivedAfterMs",
    v.arrived_ms::float8 AS "arrivedMs", v.left_ms::float8 AS "leftMs", v.left_by_ms::float8 AS "leftByMs", v.away_ms::float8 AS "awayMs",
    s.name AS "siteName", v.origin = 'late' AS "isLearnedLater"
  FROM linehaul.site_visits v JOIN linehaul.sites s ON s.id = v.site_id
  WHERE v.usdot = $1 AND NOT s.is_of_load AND v.arrived_ms <= $3 AND (v.arrived_ms > $2 OR v.left_ms BETWEEN $2 AND $3)
  ORDER BY greatest(v.arrived_ms, coalesce(v.left_ms, 0))`;
/** The alerts that are open, and those that closed in the range. Own alerts of other users are theirs alone. */
const ALERTS = `
  SELECT id::float8 AS id, rule_id AS "ruleId", rule_name AS "ruleName", severity, unit, opened_ms::float8 AS "openedMs",
    closed_ms::float8 AS "closedMs", facts, acknowledged_by AS "acknowledgedBy",
    acknowledged_ms::float8 AS "acknowledgedMs", note, closed_by AS "closedBy"
  FROM linehaul.alerts
  WHERE usdot = $1 AND opened_ms <= $3 AND (closed_ms IS NULL OR closed_ms >= $2) AND (owner_id IS NULL OR owner_id = $4) ORDER BY opened_ms, id`;
const NOTES = `
  SELECT id::float8 AS id, unit, text, author, created_ms::float8 AS "createdMs" FROM linehaul.unit_notes
  WHERE usdot = $1 AND created_ms BETWEEN $2 AND $3 ORDER BY created_ms`;

/** `readerId`: the user who reads; null in the demo. */
export const readChanges = async (
  pool: Pool,
  range: { usdot: string; readerId: string | null; fromMs: number; toMs: number },
): Promise<StoredChanges> => {
  const values = [range.usdot, range.fromMs, range.toMs];
  const read = async <T>(text: string, more: unknown[] = []): Promise<T[]> =>
    (await pool.query(text, [...values, ...more])).rows as T[];
  const [identities, visits, alerts, notes] = await Promise.all([
    read<StoredChanges['identities'][number]>(IDENTITIES),
    read<StoredChanges['visits'][number]>(VISITS),
    read<unknown>(ALERTS, [range.readerId]),
    read<StoredChanges['notes'][number]>(NOTES),
  ]);
  return { identities, visits, alerts: alerts.map((alert) => alertSchema.parse(alert)), notes };
};

/** The end of a reader's last handover of a fleet, Unix ms; null: there was none. */
export const readVisitedMs = async (pool: Pool, reader: string, usdot: string): Promise<number | null> => {
  const { rows } = await pool.query<{ at: number | null }>(
    'SELECT visited_ms::float8 AS at FROM linehaul.fleet_readers WHERE reader = $1 AND usdot = $2',
    [reader, usdot],
  );
  return rows[0]?.at ?? null;
};

export const writeVisitedMs = async (
  pool: Pool,
  reader: string,
  usdot: string,
  visitedMs: number,
): Promise<void> => {
  await pool.query(
    `INSERT INTO linehaul.fleet_readers (reader, usdot, visited_ms) VALUES ($1, $2, $3)
     ON CONFLICT (reader, usdot) DO UPDATE SET visited_ms = EXCLUDED.visited_ms`,
    [reader, usdot, visitedMs],
  );
};
