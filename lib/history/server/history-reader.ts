import 'server-only';
import type { Pool } from 'pg';
import { LRUCache } from 'lru-cache';
import { COLUMNS, MOTION_COLUMNS, NOT_DERIVED, NO_POSITION } from '@/lib/wire/fleet';
import type { Column, UnitIdentity } from '@/lib/wire/fleet';
import type { FleetRows } from '@/lib/live/fleet/row-columns';
import { createColumns } from '@/lib/wire/live';
import type { CoverageInterval, StatusCounts, TrailFix } from '../schema';
import { readLastCoverage, toInterval } from './coverage-rows';
import type { CoverageRow } from './coverage-rows';
import { FleetUnits } from './fleet-units';
import { STATE_COLUMN_NAMES } from './history-repository';
import { HOUR_MS } from './partitions';

/** A fix may be this much ahead of our clock. */
const AHEAD_MS = 2 * 60_000;
const FLEETS_KEPT = 4;
const FLEET_KEPT_MS = 10 * 60_000;

const STATE_NAMES = COLUMNS.map((column) => STATE_COLUMN_NAMES[column]);

/** A newer fix counts instead of the motion that the state had. */
const toValueSql = (column: Column): string => {
  const name = STATE_COLUMN_NAMES[column];
  const isMotion = (MOTION_COLUMNS as readonly Column[]).includes(column);
  return isMotion ? `CASE WHEN f.seen_ms > s.seen_ms THEN f.${name} ELSE s.${name} END` : `s.${name}`;
};

/**
 * The units of a fleet at a moment, in one row: their keys, and their columns as big-endian integers one after the other.
 * Each unit has a state in the hour of the moment, because the first poll of an hour records all of them.
 */
const READ_FLEET = `
  WITH s AS (
    SELECT DISTINCT ON (unit) unit, seen_ms, ${STATE_NAMES.join(', ')} FROM linehaul.states
    WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3 ORDER BY unit, seen_ms DESC
  ), f AS (
    SELECT DISTINCT ON (unit) unit, seen_ms, lat_e5, lng_e5, fix_ms / 1000 AS fix_s, speed_kph, heading_deg
    FROM linehaul.fixes
    WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3 AND speed_kph IS NOT NULL ORDER BY unit, seen_ms DESC
  )
  SELECT coalesce(array_agg(s.unit), '{}') AS units,
    string_agg(${COLUMNS.map((column) => `int4send((${toValueSql(column)})::int4)`).join(' || ')}, '') AS bytes
  FROM s LEFT JOIN f USING (unit) WHERE s.status IS NOT NULL`;

const toNumber = (derived: number | null): number | null => (derived === NOT_DERIVED ? null : derived);

/** Reads the recording of every fleet. */
export class HistoryReader {
  readonly #options: { open: () => Promise<Pool> };
  #opening: Promise<Pool> | null = null;
  readonly #units = new LRUCache<string, FleetUnits>({ max: FLEETS_KEPT, ttl: FLEET_KEPT_MS });

  /** @param options.open the migrated database, in a pool of the reader's own. @throws if it cannot be opened */
  constructor(options: { open: () => Promise<Pool> }) {
    this.#options = options;
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.end();
  }

  /** The fixes of a unit with their times in [fromMs, toMs), in the order of these. */
  async readTrail(usdot: string, unit: string, fromMs: number, toMs: number): Promise<TrailFix[]> {
    const pool = await this.#open();
    const { rows } = await pool.query<
      [string, string, number, number, boolean, number | null, number | null]
    >({
      text: `SELECT DISTINCT ON (fix_ms) fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg
        FROM linehaul.fixes
        WHERE usdot = $1 AND unit = $2 COLLATE "C" AND fix_ms >= $3 AND fix_ms < $4 AND seen_ms >= $3 - ${AHEAD_MS}::int8
        ORDER BY fix_ms, seen_ms`,
      values: [usdot, unit, fromMs, toMs],
      rowMode: 'array',
    });
    return rows.map(([fixMs, seenMs, latE5, lngE5, isByReceipt, speedKph, headingDeg]) => ({
      fixAtMs: Number(fixMs),
      seenAtMs: Number(seenMs),
      lat: latE5 / 1e5,
      lng: lngE5 / 1e5,
      isByReceipt,
      speedKph: toNumber(speedKph),
      headingDeg: toNumber(headingDeg),
    }));
  }

  /** The interval of a moment, or the last one before it; null: the fleet was not recorded by then. */
  async readCoverageAt(usdot: string, atMs: number): Promise<CoverageInterval | null> {
    return readLastCoverage(await this.#open(), usdot, atMs);
  }

  /** The intervals that touch [fromMs, toMs], clipped to it, in the order of time. */
  async readCoverage(usdot: string, fromMs: number, toMs: number): Promise<CoverageInterval[]> {
    const pool = await this.#open();
    const { rows } = await pool.query<CoverageRow>(
      `SELECT from_ms, to_ms, state, problem FROM linehaul.coverage
       WHERE usdot = $1 AND to_ms >= $2 AND from_ms <= $3 ORDER BY from_ms`,
      [usdot, fromMs, toMs],
    );
    return rows.map(toInterval).map(({ fromMs: startMs, toMs: endMs, ...interval }) => ({
      fromMs: Math.max(fromMs, startMs),
      toMs: Math.min(toMs, endMs),
      ...interval,
    }));
  }

  /** The counts of the steps of ten minutes that begin in [fromMs, toMs), where the fleet was polled. */
  async readCounts(usdot: string, fromMs: number, toMs: number): Promise<StatusCounts[]> {
    const pool = await this.#open();
    const { rows } = await pool.query<{ from_ms: string; counts: number[] }>(
      `SELECT from_ms, counts FROM linehaul.status_counts
       WHERE usdot = $1 AND from_ms >= $2 AND from_ms < $3 ORDER BY from_ms`,
      [usdot, fromMs, toMs],
    );
    return rows.map(({ from_ms, counts }) => ({ fromMs: Number(from_ms), counts }));
  }

  /** The fleet as the map showed it at a moment, each unit in the same row at all moments; null where no poll was recorded in its hour or the one before. */
  async readFleetAt(usdot: string, atMs: number): Promise<FleetRows | null> {
    const pool = await this.#open();
    const units = this.#units.get(usdot) ?? new FleetUnits(usdot);
    this.#units.set(usdot, units);
    const polledMs = await this.#readNewestPoll(pool, usdot, atMs);
    if (polledMs === null) return null;
    const { rows } = await pool.query<{ units: string[]; bytes: Buffer | null }>(READ_FLEET, [
      usdot,
      Math.floor(polledMs / HOUR_MS) * HOUR_MS,
      atMs,
    ]);
    await units.refresh(pool);
    const [{ units: keys, bytes }] = rows as [(typeof rows)[number]];
    const columns = createColumns(units.count);
    columns.latE5.fill(NO_POSITION);
    columns.lngE5.fill(NO_POSITION);
    const identities = new Array<UnitIdentity | null>(units.count).fill(null);
    keys.forEach((key, i) => {
      const row = units.rowOf(key);
      identities[row] = units.identityAt(key, atMs);
      COLUMNS.forEach((name, c) => {
        columns[name][row] = bytes!.readInt32BE((i * COLUMNS.length + c) * 4);
      });
    });
    return { rows: units.count, identities, columns };
  }

  /** The newest poll with a recorded state at or before a moment, in its hour or the one before; null: none. */
  async #readNewestPoll(pool: Pool, usdot: string, atMs: number): Promise<number | null> {
    const { rows } = await pool.query<{ at: string | null }>(
      `SELECT max(seen_ms) AS at FROM linehaul.states WHERE usdot = $1 AND seen_ms BETWEEN $2 AND $3`,
      [usdot, (Math.floor(atMs / HOUR_MS) - 1) * HOUR_MS, atMs],
    );
    const at = rows[0]?.at ?? null;
    return at === null ? null : Number(at);
  }

  #open(): Promise<Pool> {
    this.#opening ??= this.#options.open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }
}
