import 'server-only';
import type { Pool, PoolClient } from 'pg';
import type { LatLng } from '@/lib/geo/units';
import type { Renamed } from '@/lib/rules/poll-step';
import type { SiteVisit } from '@/lib/rules/site';
import { queryLists } from '@/lib/database/database';

/**
 * A site that was removed meanwhile has no visits. An arrival that is repeated does not open a visit that has ended. Where
 * polls do not show when a unit came, as after its site was drawn, but the recording did, it is that visit; polls know whether
 * one goes on that the recording shows.
 */
const WRITE_VISITS = `
  INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms)
  SELECT DISTINCT ON (v."siteId", v.unit, coalesce(known.arrived_ms, v."arrivedMs")) $1, v."siteId", v.unit,
    coalesce(known.arrived_ms, v."arrivedMs"), CASE WHEN known IS NULL THEN v."arrivedAfterMs" ELSE known.arrived_after_ms END, v."leftMs", v."leftByMs"
  FROM jsonb_to_recordset($2::jsonb) AS v ("siteId" int, unit text, "arrivedMs" int8, "arrivedAfterMs" int8,
    "leftMs" int8, "leftByMs" int8)
  JOIN linehaul.sites s ON s.id = v."siteId" AND s.usdot = $1
  LEFT JOIN LATERAL (
    SELECT * FROM linehaul.site_visits k
    WHERE k.usdot = $1 AND k.site_id = v."siteId" AND k.unit = v.unit COLLATE "C" AND v."arrivedAfterMs" IS NULL
      AND k.origin IN ('recording', 'joined') AND k.arrived_ms < v."arrivedMs" AND (k.left_ms IS NULL OR k.left_ms >= v."arrivedMs")
    ORDER BY k.arrived_ms DESC LIMIT 1
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

/** Stores visits that began or ended, in a transaction of the recording. */
export const writeVisits = async (
  client: PoolClient,
  usdot: string,
  visits: readonly SiteVisit[],
): Promise<void> => {
  // One statement changes a row once: of a visit that began and ended the end comes last.
  const newest = new Map(visits.map((visit) => [`${visit.siteId} ${visit.unit} ${visit.arrivedMs}`, visit]));
  await client.query(LOCK_SITES, [visits.map(({ siteId }) => siteId)]);
  await client.query(WRITE_VISITS, [usdot, JSON.stringify([...newest.values()])]);
};

/** The open visits of a unit that has another key now go on under that, unless that has one of its own at the site. */
export const renameVisits = async (client: PoolClient, usdot: string, [from, to]: Renamed): Promise<void> => {
  await client.query(
    `UPDATE linehaul.site_visits v SET unit = $3 WHERE usdot = $1 AND unit = $2 AND left_ms IS NULL AND NOT EXISTS (
       SELECT FROM linehaul.site_visits o WHERE o.usdot = $1 AND o.unit = $3 AND o.site_id = v.site_id
         AND (o.left_ms IS NULL OR o.arrived_ms = v.arrived_ms))`,
    [usdot, from, to],
  );
};

/** So many of its newest positions show where a unit went since it was at a site last. */
const FIXES = 20;
const READ_WATCHED = `
  SELECT ${COLUMNS}, coalesce((
    SELECT json_agg(json_build_object('fixAtMs', fix_ms / 1000 * 1000, 'lat', lat_e5 / 1e5, 'lng', lng_e5 / 1e5) ORDER BY fix_ms)
    FROM (
      SELECT fix_ms, lat_e5, lng_e5 FROM linehaul.fixes f
      WHERE f.usdot = $1 AND f.unit = v.unit COLLATE "C" AND f.seen_ms <= $2 AND f.speed_kph IS NOT NULL
      ORDER BY fix_ms DESC LIMIT ${FIXES}
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
