import 'server-only';
import type { Pool, PoolClient } from 'pg';
import type { LatLng } from '@/lib/geo/units';
import type { Renamed } from '@/lib/rules/poll-step';
import type { SiteVisit } from '@/lib/rules/site';
import { queryLists } from '@/lib/database/database';
import { toGroups } from '@/lib/base/maps';
import { AHEAD_MS } from './partitions';

/**
 * A site that was removed meanwhile has no visits. An arrival that is repeated does not open a visit that has ended, and an
 * end that is repeated is that of the visit that has it. A unit
 * that is at a site already has not come again: it is the visit that is open. Where polls do not show when a unit came, as
 * after its site was drawn, but the recording did, it is that visit; polls know whether one goes on that the recording shows.
 */
const WRITE_VISITS = `
  INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms)
  SELECT DISTINCT ON (v."siteId", v.unit, coalesce(known.arrived_ms, v."arrivedMs")) $1, v."siteId", v.unit,
    coalesce(known.arrived_ms, v."arrivedMs"), CASE WHEN known IS NULL THEN v."arrivedAfterMs" ELSE known.arrived_after_ms END, v."leftMs", v."leftByMs"
  FROM jsonb_to_recordset($2::jsonb) AS v ("siteId" int, unit text, "arrivedMs" int8, "arrivedAfterMs" int8,
    "leftMs" int8, "leftByMs" int8)
  JOIN linehaul.sites s ON s.id = v."siteId" AND s.usdot = $1
  LEFT JOIN linehaul.site_visits same ON same.usdot = $1 AND same.site_id = v."siteId" AND same.unit = v.unit COLLATE "C"
    AND same.arrived_ms = v."arrivedMs"
  LEFT JOIN LATERAL (
    SELECT * FROM linehaul.site_visits k
    WHERE k.usdot = $1 AND k.site_id = v."siteId" AND k.unit = v.unit COLLATE "C" AND (
      same IS NULL AND k.left_ms IS NULL AND (v."leftMs" IS NULL OR k.arrived_ms <= v."leftMs")
      OR same IS NULL AND k.left_ms = v."leftMs" AND k.arrived_ms < v."arrivedMs"
      OR k.left_ms >= v."arrivedMs" AND k.arrived_ms < v."arrivedMs" AND v."arrivedAfterMs" IS NULL
        AND k.origin IN ('recording', 'joined'))
    ORDER BY k.left_ms IS NOT DISTINCT FROM v."leftMs" DESC, k.left_ms IS NULL DESC, k.arrived_ms DESC LIMIT 1
  ) known ON true
  ORDER BY v."siteId", v.unit, coalesce(known.arrived_ms, v."arrivedMs"), v."arrivedMs" DESC
  ON CONFLICT (usdot, site_id, unit, arrived_ms) DO UPDATE SET
    origin = CASE site_visits.origin WHEN 'recording' THEN 'joined' ELSE site_visits.origin END,
    left_ms = CASE WHEN site_visits.origin = 'recording' THEN EXCLUDED.left_ms
      ELSE coalesce(EXCLUDED.left_ms, site_visits.left_ms) END,
    left_by_ms = CASE WHEN site_visits.origin = 'recording' THEN EXCLUDED.left_by_ms
      ELSE coalesce(EXCLUDED.left_by_ms, site_visits.left_by_ms) END`;

/** Until the end of the transaction, no one else changes the visits of a site that they are found for, or of those here. */
const LOCK_SITES = 'SELECT FROM linehaul.sites WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE';

const COLUMNS = `site_id AS "siteId", unit, arrived_after_ms::float8 AS "arrivedAfterMs", arrived_ms::float8 AS "arrivedMs",
  left_ms::float8 AS "leftMs", left_by_ms::float8 AS "leftByMs"`;

/** Fixes that polls did not show may tell more of an arrival or a departure that lies between two fixes so far apart. */
export const WIDE_MS = 30_000;

/** What was recorded before a visit may show when its unit came or went: fixes that polls did not show do not reach a feed. */
const LOOK_BACK = `
  INSERT INTO linehaul.late_trails AS held (usdot, unit, from_ms, to_ms, seen_ms)
  SELECT $1, of.unit, min(of.at_ms), max(of.at_ms), $3 FROM (
    SELECT v.unit, f.fix_ms AS at_ms
    FROM jsonb_to_recordset($2::jsonb) AS v (unit text, "arrivedAfterMs" int8, "arrivedMs" int8, "leftMs" int8, "leftByMs" int8)
    CROSS JOIN LATERAL (VALUES (v."arrivedAfterMs", v."arrivedMs"), (v."leftMs", v."leftByMs")) AS b (after_ms, by_ms)
    JOIN linehaul.fixes f ON f.usdot = $1 AND f.unit = v.unit COLLATE "C" AND f.is_from_store
      AND f.fix_ms > b.after_ms AND f.fix_ms < b.by_ms AND f.seen_ms >= b.after_ms - ${AHEAD_MS}
    WHERE b.by_ms - b.after_ms > ${WIDE_MS}
    UNION ALL
    SELECT v.unit, v."arrivedMs"
    FROM jsonb_to_recordset($2::jsonb) AS v (unit text, "arrivedAfterMs" int8, "arrivedMs" int8, "leftMs" int8)
    WHERE v."arrivedAfterMs" IS NULL AND v."leftMs" IS NULL
  ) of GROUP BY of.unit ORDER BY of.unit
  ON CONFLICT (usdot, unit) DO UPDATE SET from_ms = least(held.from_ms, EXCLUDED.from_ms),
    to_ms = greatest(held.to_ms, EXCLUDED.to_ms), seen_ms = EXCLUDED.seen_ms`;

/** Stores visits that began or ended by a moment, Unix ms, in a transaction of the recording. */
export const writeVisits = async (
  client: PoolClient,
  usdot: string,
  visits: readonly SiteVisit[],
  seenMs: number,
): Promise<void> => {
  // Of a visit that began and ended the end comes last.
  const newest = new Map(visits.map((visit) => [`${visit.siteId} ${visit.unit} ${visit.arrivedMs}`, visit]));
  await client.query(LOCK_SITES, [visits.map(({ siteId }) => siteId)]);
  // A unit that left and came again has left before.
  for (const group of toGroups([...newest.values()], ({ siteId, unit }) => `${siteId} ${unit}`))
    await client.query(WRITE_VISITS, [usdot, JSON.stringify(group)]);
  const isTold = ({ arrivedAfterMs, arrivedMs, leftMs, leftByMs }: SiteVisit): boolean =>
    arrivedAfterMs !== null &&
    arrivedMs - arrivedAfterMs <= WIDE_MS &&
    (leftMs === null || leftByMs === null || leftByMs - leftMs <= WIDE_MS);
  const untold = visits.filter((visit) => !isTold(visit));
  if (untold.length > 0) await client.query(LOOK_BACK, [usdot, JSON.stringify(untold), seenMs]);
};

/**
 * The open visits of a unit that has another key now go on under that, unless that has one of its own at the site, and so do
 * those to stops of the loads that it has, whose trucks are renamed with it.
 */
export const renameVisits = async (client: PoolClient, usdot: string, [from, to]: Renamed): Promise<void> => {
  await client.query(
    `UPDATE linehaul.site_visits v SET unit = $3 WHERE usdot = $1 AND unit = $2 AND (left_ms IS NULL OR EXISTS (
         SELECT FROM linehaul.load_trucks t
         JOIN linehaul.loads l ON l.id = t.load_id AND l.usdot = $1 AND l.ended_ms IS NULL
         JOIN linehaul.load_stops p ON p.load_id = l.id AND p.site_id = v.site_id
         WHERE t.unit = $2 AND coalesce(v.left_by_ms, v.left_ms) > t.from_ms AND (t.to_ms IS NULL OR v.arrived_ms < t.to_ms)))
       AND NOT EXISTS (
         SELECT FROM linehaul.site_visits o WHERE o.usdot = $1 AND o.unit = $3 AND o.site_id = v.site_id
           AND (o.left_ms IS NULL AND v.left_ms IS NULL OR o.arrived_ms = v.arrived_ms))`,
    [usdot, from, to],
  );
};

/** So many of its newest positions, under whichever key, show where a unit went since it was at a site last. */
const FIXES = 20;
const READ_WATCHED = `
  SELECT ${COLUMNS}, coalesce((
    SELECT json_agg(json_build_object('fixAtMs', fix_ms / 1000 * 1000, 'lat', lat_e5 / 1e5, 'lng', lng_e5 / 1e5) ORDER BY fix_ms)
    FROM (
      SELECT f.* FROM (
        SELECT v.unit, $2::int8 AS until_ms UNION ALL
        SELECT identity->'former'->>'key', least($2::int8, (identity->'former'->>'untilMs')::float8::int8 - 1)
        FROM linehaul.unit_identities i WHERE i.usdot = $1 AND i.unit = v.unit COLLATE "C" AND identity ? 'former'
      ) keys CROSS JOIN LATERAL (
        SELECT fix_ms, lat_e5, lng_e5 FROM linehaul.fixes f
        WHERE f.usdot = $1 AND f.unit = keys.unit COLLATE "C" AND f.seen_ms <= keys.until_ms AND f.speed_kph IS NOT NULL
        ORDER BY fix_ms DESC LIMIT ${FIXES}
      ) f ORDER BY fix_ms DESC LIMIT ${FIXES}
    ) newest), '[]') AS fixes
  FROM linehaul.site_visits v JOIN linehaul.sites s ON s.id = v.site_id
  WHERE s.usdot = $1 AND v.origin <> 'late' AND (v.left_ms IS NULL OR v.left_ms > $2)
  ORDER BY v.arrived_ms`;

/** The visits of a fleet that were open at a moment (Unix ms) or later, with the positions that the map showed of their units until then. */
export const readWatchedVisits = async (
  pool: Pool,
  usdot: string,
  fromMs: number,
): Promise<(SiteVisit & { fixes: (LatLng & { fixAtMs: number })[] })[]> =>
  (await pool.query(READ_WATCHED, [usdot, fromMs])).rows;

const READ_LATE_FIXES = `
  SELECT f.unit, f.fix_ms::float8 AS "fixMs", f.lat_e5::float8 / 1e5 AS lat, f.lng_e5::float8 / 1e5 AS lng
  FROM linehaul.late_trails t JOIN linehaul.fixes f ON f.usdot = t.usdot AND f.unit = t.unit COLLATE "C" AND f.is_from_store
    AND f.fix_ms BETWEEN t.from_ms AND t.to_ms AND f.seen_ms >= t.from_ms - ${AHEAD_MS}
  WHERE t.usdot = $1 AND t.unit = ANY ($2)`;

/** What a late trail is named with that is of no unit: the fixes that came with a poll are yet to be recorded. */
export const AWAITED = '#';

/** When the first poll of an own fleet was recorded whose units may have kept fixes that are not recorded yet, Unix ms; null: none. */
export const readAwaitedMs = async (run: Pick<Pool, 'query'>, usdot: string): Promise<number | null> => {
  const { rows } = await run.query<{ at: number | null }>(
    `SELECT min(from_ms)::float8 AS at FROM linehaul.late_trails WHERE usdot = $1 AND starts_with(unit, '${AWAITED}')`,
    [usdot],
  );
  return rows[0]!.at;
};

/** Fixes of units that came late, of those that have not been judged yet. */
export const readLateFixes = async (
  run: Pick<Pool, 'query'>,
  usdot: string,
  units: readonly string[],
): Promise<(LatLng & { unit: string; fixMs: number })[]> =>
  (await run.query(READ_LATE_FIXES, [usdot, units])).rows;

/** The site that each unit of a fleet was at, at a moment (Unix ms); of several the one that it came to last. */
export const readSitesAt = async (pool: Pool, usdot: string, atMs: number): Promise<Map<string, number>> => {
  const rows = await queryLists<[unit: string, siteId: number]>(
    pool,
    `SELECT DISTINCT ON (unit) unit, site_id FROM linehaul.site_visits
     WHERE usdot = $1 AND arrived_ms <= $2 AND (left_ms IS NULL OR left_ms >= $2) AND origin <> 'late'
     ORDER BY unit, arrived_ms DESC`,
    [usdot, atMs],
  );
  return new Map(rows);
};

/** In the transaction of a change that moves no visit but what is counted of it: `which` is a condition of SQL on a visit `v`. */
export const toCountAgain = (which: string): string => `
  UPDATE linehaul.site_visits v SET sure = NULL, away_ms = 0, count_due_ms = coalesce(v.left_ms, v.arrived_ms) WHERE ${which}`;
