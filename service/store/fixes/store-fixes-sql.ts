const DETAILS = 'lat, lng, speed_kph, heading_deg, altitude_m, accuracy_m, battery_percent';

/** An order time further ahead of now was given by a clock that has been set back since. */
const CLOCK_STEP_MS = 120_000;

/**
 * One statement that stores a batch of fixes and moves the vehicles that they move.
 *
 * - Only new fixes count: a re-sent fix from the future would otherwise get a later order time than before.
 * - A position is replaced only by a fix of a later order time, min(fix time, arrival); of fixes from the future that
 *   arrived together, the one with the latest fix time wins.
 * - A position whose order time lies in the future is replaced by any fix: it arrived while the clock of the service was
 *   ahead, and would otherwise stay until the clock has caught up.
 * - Exactly 0,0 comes from receivers without a position: it is logged and moves nothing.
 * - The carrier's revision changes only when a position did, and equals the revision of its new positions.
 */
export const STORE_FIXES = `
WITH stored AS (
  INSERT INTO tracking.fixes (vehicle_id, fix_at_ms, received_at_ms, ${DETAILS})
  SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::float8[], $5::float8[],
    $6::real[], $7::real[], $8::real[], $9::real[], $10::real[])
  ON CONFLICT DO NOTHING
  RETURNING *
), newest AS (
  SELECT DISTINCT ON (vehicle_id) *, least(fix_at_ms, received_at_ms) AS order_at_ms
  FROM stored WHERE NOT (lat = 0 AND lng = 0)
  ORDER BY vehicle_id, order_at_ms DESC, fix_at_ms DESC
), next AS MATERIALIZED (
  SELECT nextval('tracking.revisions') AS revision
), moved AS (
  INSERT INTO tracking.positions AS held (vehicle_id, revision, order_at_ms, fix_at_ms, received_at_ms, ${DETAILS})
  SELECT vehicle_id, next.revision, order_at_ms, fix_at_ms, received_at_ms, ${DETAILS} FROM newest, next
  ORDER BY vehicle_id
  ON CONFLICT (vehicle_id) DO UPDATE SET
    revision = excluded.revision, order_at_ms = excluded.order_at_ms,
    fix_at_ms = excluded.fix_at_ms, received_at_ms = excluded.received_at_ms,
    lat = excluded.lat, lng = excluded.lng, speed_kph = excluded.speed_kph, heading_deg = excluded.heading_deg,
    altitude_m = excluded.altitude_m, accuracy_m = excluded.accuracy_m, battery_percent = excluded.battery_percent
  WHERE (excluded.order_at_ms, excluded.fix_at_ms) > (held.order_at_ms, held.fix_at_ms)
    OR held.order_at_ms > excluded.received_at_ms + ${CLOCK_STEP_MS}
  RETURNING vehicle_id
)
UPDATE tracking.carriers SET revision = next.revision FROM next
WHERE usdot IN (SELECT (SELECT usdot FROM tracking.vehicles WHERE id = moved.vehicle_id) FROM moved)`;
