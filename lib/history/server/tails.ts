import 'server-only';
import type { Pool } from 'pg';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { MOST_TAILS } from '../schema';
import type { Tail } from '../schema';

const MINUTE_MS = 60_000;
/** The points of a tail at most: more are not seen on the map. */
const MOST_POINTS = 60;
/** Degrees × 100,000 (about 20 m): a unit that has not gone this far is where it was. */
const APART_E5 = 20;

interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** A unit with the big-endian integers of its points: seconds since the begin, latitude and longitude. */
interface PackedTail {
  unit: string;
  bytes: Buffer;
}

/**
 * The units that reported from the box lately, and of each the last fix that the map showed in every step of time. A truck
 * that is silent has no tail.
 */
const READ_TAILS = `
  WITH near AS (
    SELECT DISTINCT unit FROM linehaul.fixes
    WHERE usdot = $1 AND seen_ms BETWEEN $3 AND $4
      AND lat_e5 BETWEEN $6 AND $8 AND lng_e5 BETWEEN $7 AND $9
    LIMIT ${MOST_TAILS + 1}
  ), thinned AS (
    SELECT DISTINCT ON (unit, fix_ms / $5) unit, fix_ms, lat_e5, lng_e5 FROM linehaul.fixes
    WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $4 AND fix_ms >= $2 AND speed_kph IS NOT NULL
      AND unit IN (SELECT unit FROM near) AND (SELECT count(*) FROM near) <= ${MOST_TAILS}
    ORDER BY unit, fix_ms / $5, fix_ms DESC
  )
  SELECT unit, coalesce(string_agg(
    int4send(((fix_ms - $2) / 1000)::int4) || int4send(lat_e5) || int4send(lng_e5), '' ORDER BY fix_ms
  ) FILTER (WHERE fix_ms IS NOT NULL), '') AS bytes FROM near LEFT JOIN thinned USING (unit) GROUP BY unit`;

/** The points of a unit without those where it stood. */
const unpack = ({ bytes }: PackedTail, fromMs: number): Tail => {
  const [fixS, latE5, lngE5]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < bytes.length; i += 12) {
    const [lat, lng] = [bytes.readInt32BE(i + 4), bytes.readInt32BE(i + 8)];
    const last = fixS.length - 1;
    const hasMoved = Math.abs(lat - latE5[last]!) > APART_E5 || Math.abs(lng - lngE5[last]!) > APART_E5;
    if (last >= 0 && !hasMoved) continue;
    fixS.push(Math.floor(fromMs / 1000) + bytes.readInt32BE(i));
    latE5.push(lat);
    lngE5.push(lng);
  }
  return { fixS, latE5, lngE5 };
};

/** The tails of the units in a box, by their keys, without those of parked ones; null where they are more than MOST_TAILS. */
export const readTails = async (
  pool: Pool,
  usdot: string,
  { south, west, north, east }: Box,
  { toMs, minutes }: { toMs: number; minutes: number },
): Promise<Map<string, Tail> | null> => {
  const fromMs = toMs - minutes * MINUTE_MS;
  const stepMs = Math.ceil((minutes * MINUTE_MS) / MOST_POINTS);
  const corners = [south, west, north, east].map((degrees) => Math.round(degrees * 1e5));
  const { rows } = await pool.query<PackedTail>(READ_TAILS, [
    ...[usdot, fromMs, toMs - DEFAULT_MOTION_SETTINGS.silentAfterMs, toMs, stepMs],
    ...corners,
  ]);
  if (rows.length > MOST_TAILS) return null;
  const tails = rows.map((row): [string, Tail] => [row.unit, unpack(row, fromMs)]);
  return new Map(tails.filter(([, { fixS }]) => fixS.length > 1));
};
