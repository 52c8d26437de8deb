import 'server-only';
import type { Pool } from 'pg';
import { MOTION_COLUMNS, RECORDED_COLUMNS, type RecordedColumn } from '@/lib/wire/fleet';
import { NO_UNITS, type UnitHistories, type UnitRows, type RecordedUnits } from '@/lib/fleet/recorded-units';
import { AHEAD_MS } from './partitions';
import { type TimeRange, HOUR_MS } from '@/lib/base/time';
import { queryLists } from '@/lib/database/database';

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

/** Value of every column of a state whose unit was forgotten. */
export const FORGOTTEN = -1;

const toNames = (columns: readonly RecordedColumn[]): string[] =>
  columns.map((column) => STATE_COLUMN_NAMES[column]);
export const STATE_NAMES = toNames(RECORDED_COLUMNS);
export const MOTION_NAMES = toNames(MOTION_COLUMNS);

const toBytesSql = (names: readonly string[]): string =>
  `string_agg(int4send((seen_ms - $2)::int4) || ${names.map((name) => `int4send(${name}::int4)`).join(' || ')}, '')`;

/** Units, in one row: keys, and for each the big-endian integers of UnitRows, of which the first is ms since the hour. */
interface PackedRows {
  units: string[];
  bytes: Buffer | null;
}

export const toIntegers = (bytes: Buffer): Int32Array => {
  const values = new Int32Array(bytes.length / 4);
  bytes.copy(new Uint8Array(values.buffer));
  Buffer.from(values.buffer).swap32();
  return values;
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

const readUnitRows = async (pool: Pool, text: string, values: unknown[]): Promise<UnitRows> => {
  const { units, bytes } = (await pool.query<PackedRows>(text, values)).rows[0]!;
  return { units, values: toIntegers(bytes ?? Buffer.alloc(0)) };
};

/** The hour of the newest poll with a recorded state in a range, Unix ms; null: none. */
const readNewestHour = async (pool: Pool, usdot: string, range: TimeRange): Promise<number | null> => {
  const { rows } = await pool.query<{ at: string | null }>(
    `SELECT max(seen_ms) AS at FROM linehaul.states WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3`,
    [usdot, range.fromMs, range.toMs],
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : Math.floor(Number(at) / HOUR_MS) * HOUR_MS;
};

/** The rows in PostgreSQL of the newest hour with a poll, that of the moment or the one before; not whole where the archive may have that hour or a newer one. */
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

const IN_HOUR = `usdot = $1 AND seen_ms >= $2 AND seen_ms < $2 + ${HOUR_MS}::int8`;
/** All rows of an hour, one row for each unit: rows of single fixes would take seconds to parse. */
const READ_HOUR_STATES = `
  SELECT unit, ${toBytesSql(STATE_NAMES.map((name) => `coalesce(${name}, ${FORGOTTEN})`))}
  FROM linehaul.states WHERE ${IN_HOUR} GROUP BY unit`;
const READ_HOUR_SHOWN = `
  SELECT unit, ${toBytesSql(MOTION_NAMES.map((name) => (name === 'fix_s' ? '(fix_ms / 1000)' : name)))}
  FROM linehaul.fixes WHERE ${IN_HOUR} AND speed_kph IS NOT NULL GROUP BY unit`;

const READ_HOUR_BYTES = `
  SELECT ((SELECT count(*) FROM linehaul.fixes WHERE ${IN_HOUR}) * ${4 * (MOTION_NAMES.length + 1)}
    + (SELECT count(*) FROM linehaul.states WHERE ${IN_HOUR}) * ${4 * (STATE_NAMES.length + 1)})::float8
    + coalesce((SELECT sum(rows * CASE table_name WHEN 'fixes' THEN ${4 * (MOTION_NAMES.length + 1)}
        WHEN 'states' THEN ${4 * (STATE_NAMES.length + 1)} ELSE 0 END * ${HOUR_MS}::float8 / (to_ms - from_ms))
      FROM linehaul.archive_files
      WHERE usdot = $1 AND state = 'listed' AND from_ms <= $2 AND to_ms > $2), 0) AS bytes`;

/** About how many bytes the rows of an hour take in memory. */
export const readHourBytes = async (pool: Pool, usdot: string, hourMs: number): Promise<number> =>
  (await pool.query<{ bytes: number }>(READ_HOUR_BYTES, [usdot, hourMs])).rows[0]!.bytes;

/** The intervals of the coverage up to a moment, and the files of the hour. */
const READ_HOUR_STAMP = `
  SELECT concat(
    (SELECT string_agg(concat_ws(' ', from_ms, least(to_ms, $3), state, problem), ',' ORDER BY from_ms)
      FROM linehaul.coverage WHERE usdot = $1 AND to_ms >= $2 AND from_ms < $3), ' ',
    (SELECT string_agg(path, ',' ORDER BY path)
      FROM linehaul.archive_files WHERE usdot = $1 AND state = 'listed' AND from_ms <= $2 AND to_ms > $2)) AS stamp`;

/** Stamp of an hour: changes when a poll in [hourMs, untilMs] is recorded, and when the hour is archived, merged or deleted. */
export const readHourStamp = async (
  pool: Pool,
  usdot: string,
  hourMs: number,
  untilMs: number,
): Promise<string> =>
  (await pool.query<{ stamp: string }>(READ_HOUR_STAMP, [usdot, hourMs, untilMs])).rows[0]!.stamp;

const readHistories = async (
  pool: Pool,
  text: string,
  values: unknown[],
  width: number,
): Promise<UnitHistories> => {
  const rows = await queryLists<[unit: string, bytes: Buffer]>(pool, text, values);
  return {
    units: rows.map(([unit]) => unit),
    counts: rows.map(([, bytes]) => bytes.length / (4 * width)),
    values: toIntegers(Buffer.concat(rows.map(([, bytes]) => bytes))),
  };
};

/** The rows of an hour in PostgreSQL, in no order; one of the two may be missing where it is archived meanwhile. */
export const readRecordedHour = async (pool: Pool, usdot: string, hourMs: number) => {
  const [shown, states] = await Promise.all([
    readHistories(pool, READ_HOUR_SHOWN, [usdot, hourMs], MOTION_COLUMNS.length + 1),
    readHistories(pool, READ_HOUR_STATES, [usdot, hourMs], RECORDED_COLUMNS.length + 1),
  ]);
  return { shown, states };
};

/** A unit continues from its newest fixes that polls showed, from each tenth before them and from the first. */
const NEWEST_FIXES = 20;
const OLDER_EACH = 10;

/** One row for each unit, with its fixes as `readFixes` expects them: rows of single fixes would take seconds to parse. */
const READ_NEWEST_FIXES = `
  SELECT unit, encode(string_agg(int8send(fix_ms) || int4send(lat_e5) || int4send(lng_e5), '' ORDER BY fix_ms), 'hex')
  FROM (
    SELECT unit, fix_ms, lat_e5, lng_e5, row_number() OVER (PARTITION BY unit ORDER BY fix_ms DESC) AS nth,
      count(*) OVER (PARTITION BY unit) AS fixes
    FROM linehaul.fixes WHERE usdot = $1 AND seen_ms >= $2 AND NOT is_by_receipt AND NOT is_from_store
  ) newest
  WHERE nth <= ${NEWEST_FIXES} OR nth % ${OLDER_EACH} = 0 OR nth = fixes GROUP BY unit`;
/** Identities by key; records of a key from before it was corrected into another one belong to that key's unit. */
const READ_IDENTITIES = `
  WITH corrected AS (
    SELECT identity->'former'->>'key' AS was, max((identity->'former'->>'untilMs')::float8) AS until_ms
    FROM linehaul.unit_identities WHERE usdot = $1 AND identity ? 'former' GROUP BY 1
  )
  SELECT DISTINCT ON (unit) unit, (identity - 'former')::text
  FROM linehaul.unit_identities LEFT JOIN corrected ON was = unit
  WHERE usdot = $1 AND (until_ms IS NULL OR seen_ms > until_ms)
  ORDER BY unit, seen_ms DESC`;

const READ_MOTIONS = 'SELECT unit, motion::text FROM linehaul.unit_motions WHERE usdot = $1';

const READ_LAST_ANSWER = `SELECT max(to_ms)::float8 AS at FROM linehaul.coverage WHERE usdot = $1 AND state = 'answered'`;

/** The units of a fleet as of its newest poll, with the fixes that were seen from `fromMs` on and have the unit's own time. */
export const readRecordedUnits = async (
  pool: Pool,
  usdot: string,
  fromMs: number,
): Promise<RecordedUnits> => {
  const readTexts = async (text: string, values: unknown[]): Promise<Map<string, string>> =>
    new Map(await queryLists<[string, string]>(pool, text, values));
  const toMs = Number.MAX_SAFE_INTEGER;
  const fromHourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  const hourMs = await readNewestHour(pool, usdot, { fromMs: fromHourMs, toMs });
  return {
    answeredAtMs: (await pool.query<{ at: number | null }>(READ_LAST_ANSWER, [usdot])).rows[0]!.at,
    fixes: await readTexts(READ_NEWEST_FIXES, [usdot, fromMs]),
    states: hourMs === null ? NO_UNITS : await readUnitRows(pool, READ_STATES, [usdot, hourMs, toMs]),
    identities: await readTexts(READ_IDENTITIES, [usdot]),
    motions: await readTexts(READ_MOTIONS, [usdot]),
  };
};
