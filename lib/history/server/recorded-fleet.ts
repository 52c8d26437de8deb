import 'server-only';
import type { Pool } from 'pg';
import { MOTION_COLUMNS, RECORDED_COLUMNS } from '@/lib/wire/fleet';
import type { RecordedColumn } from '@/lib/wire/fleet';
import { NO_UNITS } from './archive/duck-db';
import type { UnitRows } from './archive/duck-db';
import { AHEAD_MS, HOUR_MS } from './partitions';
import type { RecordedUnits } from './recorded-units';

/** The column of the table `states` for each column of the wire format. */
export const STATE_COLUMN_NAMES = {
  latE5: 'lat_e5',
  lngE5: 'lng_e5',
  fixAtS: 'fix_s',
  speedKph: 'speed_kph',
  headingDeg: 'heading_deg',
  status: 'status',
  reason: 'reason',
  sinceS: 'since_s',
  flags: 'flags',
  datedAfterS: 'dated_after_s',
  coarseM: 'coarse_m',
} as const satisfies Record<RecordedColumn, string>;

const toNames = (columns: readonly RecordedColumn[]): string[] =>
  columns.map((column) => STATE_COLUMN_NAMES[column]);
export const STATE_NAMES = toNames(RECORDED_COLUMNS);
const MOTION_NAMES = toNames(MOTION_COLUMNS);

const toBytesSql = (names: readonly string[]): string =>
  `string_agg(int4send((seen_ms - $2)::int4) || ${names.map((name) => `int4send(${name}::int4)`).join(' || ')}, '')`;

/** Units, in one row: keys, and for each the big-endian integers of UnitRows, of which the first is ms since the hour. */
interface PackedRows {
  units: string[];
  bytes: Buffer | null;
}

const toUnitRows = ({ units, bytes }: PackedRows): UnitRows => {
  const values = new Int32Array((bytes?.length ?? 0) / 4);
  bytes?.copy(new Uint8Array(values.buffer));
  Buffer.from(values.buffer).swap32();
  return { units, values };
};

/** The states of a fleet in the hour of a moment. Each unit has one, because the first poll of an hour records all of them. */
const READ_STATES = `
  SELECT coalesce(array_agg(unit), '{}') AS units, ${toBytesSql(STATE_NAMES)} AS bytes FROM (
    SELECT DISTINCT ON (unit) unit, seen_ms, ${STATE_NAMES.join(', ')} FROM linehaul.states
    WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3 ORDER BY unit, seen_ms DESC
  ) newest WHERE status IS NOT NULL`;
/** The fix of each unit that the map showed: one step in the index for each, where sorting the fixes of the hour takes several times as long. */
const READ_SHOWN = `
  SELECT coalesce(array_agg(unit), '{}') AS units, ${toBytesSql(MOTION_NAMES)} AS bytes FROM (
    SELECT DISTINCT unit FROM linehaul.unit_identities WHERE usdot = $1
  ) recorded CROSS JOIN LATERAL (
    SELECT seen_ms, lat_e5, lng_e5, fix_ms / 1000 AS fix_s, speed_kph, heading_deg FROM linehaul.fixes
    WHERE usdot = $1 AND fixes.unit = recorded.unit AND seen_ms BETWEEN $2 AND $3
      AND fix_ms <= $3::int8 + ${AHEAD_MS} AND speed_kph IS NOT NULL
    ORDER BY fix_ms DESC LIMIT 1
  ) newest`;

const readUnitRows = async (pool: Pool, text: string, values: unknown[]): Promise<UnitRows> =>
  toUnitRows((await pool.query<PackedRows>(text, values)).rows[0]!);

/** The hour of the newest poll with a recorded state in a range, Unix ms; null: none. */
const readNewestHour = async (
  pool: Pool,
  usdot: string,
  range: { fromMs: number; toMs: number },
): Promise<number | null> => {
  const { rows } = await pool.query<{ at: string | null }>(
    `SELECT max(seen_ms) AS at FROM linehaul.states WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3`,
    [usdot, range.fromMs, range.toMs],
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : Math.floor(Number(at) / HOUR_MS) * HOUR_MS;
};

/** What PostgreSQL has of the newest hour with a poll, that of the moment or the one before; not whole where the archive may have that hour or a newer one. */
export const readRecordedFleet = async (pool: Pool, usdot: string, atMs: number) => {
  const fromMs = (Math.floor(atMs / HOUR_MS) - 1) * HOUR_MS;
  const hourMs = await readNewestHour(pool, usdot, { fromMs, toMs: atMs });
  if (hourMs === null) return null;
  const values = [usdot, hourMs, atMs];
  const [shown, states] = (await Promise.all(
    [READ_SHOWN, READ_STATES].map((text) => readUnitRows(pool, text, values)),
  )) as [UnitRows, UnitRows];
  // An hour is archived as a whole: one of the two may have been read before that, and one after it.
  const isOneHour = atMs < hourMs + HOUR_MS;
  return { hourMs, shown, states, isWhole: isOneHour && states.units.length > 0 && shown.units.length > 0 };
};

/** A unit continues from its newest fixes, from each tenth before them and from the first. */
const NEWEST_FIXES = 20;
const OLDER_EACH = 10;

/** One row for each unit, with its fixes as `readFixes` expects them: rows of single fixes would take seconds to parse. */
const READ_NEWEST_FIXES = `
  SELECT unit, encode(string_agg(int8send(fix_ms) || int4send(lat_e5) || int4send(lng_e5), '' ORDER BY fix_ms), 'hex')
  FROM (
    SELECT unit, fix_ms, lat_e5, lng_e5, row_number() OVER (PARTITION BY unit ORDER BY fix_ms DESC) AS nth,
      count(*) OVER (PARTITION BY unit) AS fixes
    FROM linehaul.fixes WHERE usdot = $1 AND seen_ms >= $2 AND NOT is_by_receipt
  ) newest
  WHERE nth <= ${NEWEST_FIXES} OR nth % ${OLDER_EACH} = 0 OR nth = fixes GROUP BY unit`;
const READ_IDENTITIES = `
  SELECT DISTINCT ON (unit) unit, identity::text FROM linehaul.unit_identities
  WHERE usdot = $1 AND identity->>'vin' = unit ORDER BY unit, seen_ms DESC`;

/** The units of a fleet as of its newest poll, with the fixes that were seen from `fromMs` on and have the unit's own time. */
export const readRecordedUnits = async (
  pool: Pool,
  usdot: string,
  fromMs: number,
): Promise<RecordedUnits> => {
  const readTexts = async (text: string, values: unknown[]): Promise<Map<string, string>> =>
    new Map((await pool.query<[string, string]>({ text, values, rowMode: 'array' })).rows);
  const toMs = Number.MAX_SAFE_INTEGER;
  const fromHourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  const hourMs = await readNewestHour(pool, usdot, { fromMs: fromHourMs, toMs });
  return {
    fixes: await readTexts(READ_NEWEST_FIXES, [usdot, fromMs]),
    states: hourMs === null ? NO_UNITS : await readUnitRows(pool, READ_STATES, [usdot, hourMs, toMs]),
    identities: await readTexts(READ_IDENTITIES, [usdot]),
  };
};
