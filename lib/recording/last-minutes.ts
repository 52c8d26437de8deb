import 'server-only';
import type { Pool } from 'pg';
import type { LastMinutes } from '@/lib/rules/fleet-watch';
import { MOTION_COLUMNS, RECORDED_COLUMNS, UNNAMED } from '@/lib/wire/fleet';
import { INTERVAL } from './coverage';
import { FORGOTTEN, MOTION_NAMES, STATE_NAMES, toIntegers } from './recorded-fleet';
import { HOUR_MS } from '@/lib/base/time';
import { queryLists } from '@/lib/database/database';
import type { CoverageInterval } from '@/lib/trips/coverage';

/** Longer than an arrival, a departure or the end of an alert is in progress while fixes come. */
const LAST_MS = 20 * 60_000;
/** Some units are read back so far at most, where the provider failed. */
const MOST_MS = 3 * HOUR_MS;

/** How a fleet's last minutes are read: of which fleet, in [fromMs, toMs], and its units. */
type Values = [
  usdot: string,
  fromMs: number,
  toMs: number,
  hourMs: number,
  units: readonly string[],
  areAll: boolean,
];

/** Big-endian integers by time: a unit's index, ms since $2, columns; its newest row until then, and all after. */
const toPackedSql = (
  table: string,
  columns: readonly string[],
  newest: string,
  where = '($6::bool OR unit = ANY ($5))',
): string => `
  WITH recorded AS (
    SELECT * FROM (
      SELECT DISTINCT ON (unit) * FROM linehaul.${table}
      WHERE usdot = $1 AND seen_ms BETWEEN $4 AND $2 AND ${where} ORDER BY unit, ${newest} DESC
    ) before
    UNION ALL
    SELECT * FROM linehaul.${table} WHERE usdot = $1 AND seen_ms > $2 AND seen_ms <= $3 AND ${where}
  )
  SELECT string_agg(int4send((n.number - 1)::int4) || int4send((seen_ms - $2)::int4) ||
    ${columns.map((name) => `int4send(coalesce(${name}, ${FORGOTTEN})::int4)`).join(' || ')}, '' ORDER BY seen_ms, ${newest}) AS bytes
  FROM recorded JOIN unnest($5::text[]) WITH ORDINALITY AS n (unit, number) USING (unit)`;

const READ_STATES = toPackedSql('states', STATE_NAMES, 'seen_ms');
const READ_SHOWN = toPackedSql(
  'fixes',
  MOTION_NAMES.map((name) => (name === 'fix_s' ? '(fix_ms / 1000)' : name)),
  'fix_ms',
  '($6::bool OR unit = ANY ($5)) AND speed_kph IS NOT NULL',
);

const READ_COVERAGE = `
  SELECT ${INTERVAL} FROM linehaul.coverage WHERE usdot = $1 AND to_ms >= coalesce(
    (SELECT max(to_ms) FROM linehaul.coverage WHERE usdot = $1 AND to_ms < $2), $2) ORDER BY from_ms`;
/** Scopes of rules need the makes alone. */
const READ_MAKES = `
  SELECT DISTINCT ON (unit) unit, identity->>'make' FROM linehaul.unit_identities
  WHERE usdot = $1 AND ($2::text[] IS NULL OR unit = ANY ($2)) ORDER BY unit, seen_ms DESC`;
/** Units that got another key since: until then they were recorded under the one before. */
const READ_RENAMED = `
  SELECT unit, identity->'former'->>'key' AS was, max((identity->'former'->>'untilMs')::float8) AS "untilMs"
  FROM linehaul.unit_identities
  WHERE usdot = $1 AND seen_ms > $2 AND identity ? 'former' AND ($3::text[] IS NULL OR unit = ANY ($3))
  GROUP BY 1, 2`;
const READ_CHANGED_SITES = `
  SELECT id, extract(epoch FROM updated_at)::float8 * 1000 AS "atMs" FROM linehaul.sites
  WHERE usdot = $1 AND updated_at > to_timestamp($2::float8 / 1000)`;

const readPacked = async (
  pool: Pick<Pool, 'query'>,
  text: string,
  values: Values,
  width: number,
): Promise<Int32Array[]> => {
  const { rows } = await pool.query<{ bytes: Buffer | null }>(text, values);
  const packed = toIntegers(rows[0]!.bytes ?? Buffer.alloc(0));
  const columns = Array.from({ length: width }, () => new Int32Array(packed.length / width));
  columns.forEach((column, c) => {
    for (let i = 0, at = c; i < column.length; i++, at += width) column[i] = packed[at]!;
  });
  return columns;
};

/** A key that the unit of the key with index `to` had until a time, ms. */
interface FormerKey {
  to: number;
  until: number;
}

/** Gives rows that were recorded under a former key of a unit to its present key; `formers`: by the index of the former one. */
const toPresentKeys = (
  [units, seen]: readonly Int32Array[],
  formers: ReadonlyMap<number, FormerKey>,
): void => {
  if (formers.size === 0) return;
  units!.forEach((unit, i) => {
    for (let former = formers.get(unit); former && seen![i]! < former.until; former = formers.get(former.to))
      units![i] = former.to;
  });
};

/** When the recorded minutes begin that have so much of answered polls in them. */
const toFromMs = (coverage: readonly CoverageInterval[], toMs: number): number => {
  let lackMs = LAST_MS;
  for (const { fromMs, toMs: untilMs, state } of coverage.toReversed()) {
    if (state !== 'answered') continue;
    if (untilMs - fromMs >= lackMs) return untilMs - lackMs;
    lackMs -= untilMs - fromMs;
  }
  return toMs - MOST_MS;
};

/**
 * The end of a fleet's recording, as rules and sites were judged then; null where it was never recorded. Of some units it
 * goes back so far that answers came for long enough.
 */
export const readLastMinutes = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  nowMs: number,
  some: readonly string[] | null = null,
): Promise<LastMinutes | null> => {
  const last = await pool.query<{ at: number | null }>(
    `SELECT max(to_ms)::float8 AS at FROM linehaul.coverage WHERE usdot = $1`,
    [usdot],
  );
  const toMs = last.rows[0]!.at;
  if (toMs === null) return null;
  const longest = some && (await pool.query<CoverageInterval>(READ_COVERAGE, [usdot, toMs - MOST_MS])).rows;
  const fromMs = longest ? toFromMs(longest, toMs) : toMs - LAST_MS;
  const coverage = await pool.query<CoverageInterval>(READ_COVERAGE, [usdot, fromMs]);
  const renamed = (
    await pool.query<{ unit: string; was: string; untilMs: number }>(READ_RENAMED, [usdot, fromMs, some])
  ).rows;
  const named = some && [...some, ...renamed.map(({ was }) => was)];
  const makes = await queryLists<[unit: string, make: string | null]>(pool, READ_MAKES, [usdot, named]);
  const units = makes.map(([unit]) => unit);
  const indexOf = new Map(units.map((unit, index) => [unit, index]));
  const formers = new Map(
    renamed.flatMap(({ unit, was, untilMs }): [number, FormerKey][] => {
      const [from, to] = [indexOf.get(was), indexOf.get(unit)];
      return from === undefined || to === undefined ? [] : [[from, { to, until: untilMs - fromMs }]];
    }),
  );
  const hourMs = (Math.floor(fromMs / HOUR_MS) - (some ? 1 : 0)) * HOUR_MS;
  const values: Values = [usdot, fromMs, toMs, hourMs, units, some === null];
  const fixes = await readPacked(pool, READ_SHOWN, values, MOTION_COLUMNS.length + 2);
  const states = await readPacked(pool, READ_STATES, values, RECORDED_COLUMNS.length + 2);
  for (const rows of [fixes, states]) toPresentKeys(rows, formers);
  const changed = await pool.query<{ id: number; atMs: number }>(READ_CHANGED_SITES, [usdot, fromMs]);
  return {
    identities: makes.map(([key, make]) => ({ ...UNNAMED, key, make })),
    columns: [...fixes, ...states],
    fixes: fixes.length,
    fromMs,
    // Whether the provider failed while no server ran is not known.
    coverage: coverage.rows.filter(({ state }) => state !== 'failing' || nowMs - toMs < LAST_MS),
    changedSites: changed.rows,
  };
};
