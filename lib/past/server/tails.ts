import 'server-only';
import type { Pool } from 'pg';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { MOST_TAILS, type Tail } from '../schema';
import type { ArchiveReader } from '@/lib/archive/archive-reader';
import { NO_UNITS } from '@/lib/fleet/recorded-units';
import { MINUTE_MS } from '@/lib/base/time';
import { addTo } from '@/lib/base/maps';

/** No fix is archived sooner. */
const ARCHIVED_AFTER_MS = 2 * 60 * MINUTE_MS;
/** The points of a tail at most: more are not seen on the map. */
const MOST_POINTS = 60;
/** Degrees × 100,000 (about 20 m): a unit that has not gone this far has stood. */
const APART_E5 = 20;

export interface TailsQuery {
  usdot: string;
  /** Unix ms; tails reach so many minutes back from there. */
  toMs: number;
  minutes: number;
  south: number;
  west: number;
  north: number;
  east: number;
  /** The keys of the units that the viewer may see; null: all. */
  seen: ReadonlySet<string> | null;
}

/** A unit with the big-endian integers of its points: seconds since the beginning, latitude and longitude. */
interface PackedTail {
  unit: string;
  bytes: Buffer;
}

const TURN_E5 = 360e5;

/** The units that reported from a box lately, which may lie across the date line: a truck that is silent has no tail. */
const FIND_UNITS = `
  SELECT DISTINCT unit FROM linehaul.fixes
  WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3 AND lat_e5 BETWEEN $4 AND $6
    AND mod(lng_e5::int8 - $5::int8 + ${2 * TURN_E5}, ${TURN_E5}) <= $7::int8 - $5::int8
    AND ($8::text[] IS NULL OR unit = ANY ($8))
  LIMIT ${MOST_TAILS + 1}`;

/** The last fix of each unit in every step of time, unit by unit: a partition without statistics would be read whole. */
const READ_TAILS = `
  SELECT u.unit, string_agg(
    int4send(((fix_ms - $2) / 1000)::int4) || int4send(lat_e5) || int4send(lng_e5), '' ORDER BY fix_ms
  ) AS bytes
  FROM unnest($5::text[]) AS u (unit) CROSS JOIN LATERAL (
    SELECT DISTINCT ON (fix_ms / $4) fix_ms, lat_e5, lng_e5 FROM linehaul.fixes f
    WHERE usdot = $1 AND f.unit = u.unit COLLATE "C" AND fix_ms BETWEEN $2 AND $3 AND seen_ms >= $2
      AND speed_kph IS NOT NULL
    ORDER BY fix_ms / $4, fix_ms DESC
  ) AS thinned GROUP BY u.unit`;

/** The points of a unit, each seconds, latitude and longitude, in order. */
const toTail = (points: readonly number[][], fromMs: number): Tail => {
  const ordered = [...points].sort(([a], [b]) => a! - b!);
  return {
    fixS: ordered.map(([atS]) => Math.floor(fromMs / 1000) + atS!),
    latE5: ordered.map(([, lat]) => lat!),
    lngE5: ordered.map(([, , lng]) => lng!),
  };
};

const hasMoved = ({ latE5, lngE5 }: Tail): boolean =>
  [latE5, lngE5].some((column) => Math.max(...column) - Math.min(...column) > APART_E5);

const unpack = (bytes: Buffer): number[][] =>
  Array.from({ length: bytes.length / 12 }, (_, i) => [0, 4, 8].map((at) => bytes.readInt32BE(12 * i + at)));

/** The tails of the units in a box, by their keys, without those of parked ones; null where they are more than MOST_TAILS. */
export const readTails = async (
  { pool, archive }: { pool: Pool; archive?: Pick<ArchiveReader, 'readTails'> | undefined },
  { usdot, toMs, minutes, seen, ...box }: TailsQuery,
): Promise<Map<string, Tail> | null> => {
  const fromMs = toMs - minutes * MINUTE_MS;
  const stepMs = Math.ceil((minutes * MINUTE_MS) / MOST_POINTS);
  const corners = [box.south, box.west, box.north, box.east].map((degrees) => Math.round(degrees * 1e5));
  const found = await pool.query<{ unit: string }>(FIND_UNITS, [
    ...[usdot, toMs - DEFAULT_MOTION_SETTINGS.silentAfterMs, toMs],
    ...corners,
    seen && [...seen],
  ]);
  if (found.rows.length > MOST_TAILS) return null;
  const units = found.rows.map(({ unit }) => unit);
  const open = await pool.query<PackedTail>(READ_TAILS, [usdot, fromMs, toMs, stepMs, units]);
  const points = new Map(open.rows.map(({ unit, bytes }) => [unit, unpack(bytes)]));
  if (units.length > 0 && fromMs < toMs - ARCHIVED_AFTER_MS) {
    const archived = (await archive?.readTails(pool, usdot, units, { fromMs, toMs, stepMs })) ?? NO_UNITS;
    archived.units.forEach((unit, i) => addTo(points, unit, [...archived.values.subarray(3 * i, 3 * i + 3)]));
  }
  const tails = [...points].map(([unit, each]): [string, Tail] => [unit, toTail(each, fromMs)]);
  return new Map(tails.filter(([, tail]) => hasMoved(tail)));
};
