import 'server-only';
import type { Pool } from 'pg';
import { LRUCache } from 'lru-cache';
import { MOTION_COLUMNS, NOT_DERIVED, NO_POSITION, RECORDED_COLUMNS } from '@/lib/wire/fleet';
import type { Column, FleetRows, UnitIdentity } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import { readSitesAt } from '@/lib/sites/server/visit-repository';
import type { CoverageInterval, StatusCounts, Tail, TrailFix } from '../schema';
import { withUnreadable } from './coverage';
import { readLastCoverage, toInterval } from './coverage-rows';
import type { CoverageRow } from './coverage-rows';
import type {
  ArchiveReader,
  ArchivedFleet,
  FixRange,
  FixRow,
  HourRows,
  RecordedTable,
} from './archive/archive-reader';
import { NO_HISTORIES } from './archive/duck-db';
import type { UnitRows } from './archive/duck-db';
import { FleetHour } from './fleet-hour';
import { FleetUnits, UnnamedUnitError } from './fleet-units';
import { AHEAD_MS, HOUR_MS } from './partitions';
import { readHourBytes, readHourStamp, readRecordedFleet, readRecordedHour } from './recorded-fleet';
import { readTails } from './tails';
import type { TailsQuery } from './tails';

const FLEETS_KEPT = 4;
const FLEET_KEPT_MS = 10 * 60_000;
/** The most bytes of an hour that is read as a whole: about 30,000 units that report each minute, half of them parked. */
const MOST_HOUR_BYTES = 32e6;

/** The fixes of a unit with their times in [$3, $4). */
const OF_TRAIL = `usdot = $1 AND unit = $2 COLLATE "C" AND fix_ms >= $3 AND fix_ms < $4 AND seen_ms >= $3 - ${AHEAD_MS}::int8`;

const NO_ROWS: HourRows = { states: NO_HISTORIES, shown: NO_HISTORIES };

const toNumber = (derived: number | null): number | null => (derived === NOT_DERIVED ? null : derived);

/** A part of a trail, which is recorded under one key. */
interface TrailPart {
  unit: string;
  fromMs: number;
  toMs: number;
}

/**
 * The key under which a VIN's unit was recorded before that VIN was known, and until when: the one of the device that the VIN
 * was first named with, if that device had the same truck number for as long as it was recorded under its own key.
 */
const EARLIER_KEY = `
  SELECT e.unit, min(first.seen_ms)::float8 AS until_ms FROM (
    SELECT seen_ms, identity FROM linehaul.unit_identities
    WHERE usdot = $1 AND unit = $2 COLLATE "C" AND identity->>'vin' = $2 ORDER BY seen_ms LIMIT 1
  ) first JOIN linehaul.unit_identities e ON e.usdot = $1 AND e.seen_ms < first.seen_ms
    AND e.unit = ('device:' || (first.identity->>'deviceId')) COLLATE "C"
  GROUP BY e.unit HAVING bool_and(coalesce(e.identity->>'truckNumber' = first.identity->>'truckNumber', false))`;

const readTrailParts = async (pool: Pool, usdot: string, part: TrailPart): Promise<TrailPart[]> => {
  const { rows } = await pool.query<{ unit: string; until_ms: number }>(EARLIER_KEY, [usdot, part.unit]);
  const earlier = rows.map(({ unit, until_ms }) => ({ ...part, unit, toMs: Math.min(part.toMs, until_ms) }));
  return [part, ...earlier.filter(({ fromMs, toMs }) => fromMs < toMs)];
};

/** What a fleet's rows have besides what was recorded of its units. */
interface FleetNames {
  units: FleetUnits;
  /** By the keys of units that were in a site. */
  siteIdOf: Map<string, number>;
}

/** The rows of a fleet: of motion, the newer of state and fix counts. */
const toFleetRows = (
  { units, siteIdOf }: FleetNames,
  atMs: number,
  { states, shown }: ArchivedFleet,
): FleetRows => {
  const columns = createColumns(units.count);
  columns.latE5.fill(NO_POSITION);
  columns.lngE5.fill(NO_POSITION);
  const identities = new Array<UnitIdentity | null>(units.count).fill(null);
  /** When the state of each row was seen, ms since the hour. */
  const statesAtMs = new Int32Array(units.count).fill(0x7fffffff);
  /** Writes the units whose row is not -1, column by column. */
  const write = (names: readonly Column[], { values }: UnitRows, rows: Int32Array): void =>
    names.forEach((name, c) => {
      const column = columns[name];
      for (let i = 0, at = 1 + c; i < rows.length; i++, at += names.length + 1)
        if (rows[i]! >= 0) column[rows[i]!] = values[at]!;
    });
  const stateRows = new Int32Array(states.units.length);
  for (let i = 0; i < stateRows.length; i++) {
    const { row, identity } = units.unitAt(states.units[i]!, atMs);
    stateRows[i] = row;
    identities[row] = identity;
    statesAtMs[row] = states.values[i * (RECORDED_COLUMNS.length + 1)]!;
  }
  write(RECORDED_COLUMNS, states, stateRows);
  const shownRows = new Int32Array(shown.units.length);
  for (let i = 0; i < shownRows.length; i++) {
    const { row } = units.unitAt(shown.units[i]!, atMs);
    shownRows[i] = shown.values[i * (MOTION_COLUMNS.length + 1)]! > statesAtMs[row]! ? row : -1;
  }
  write(MOTION_COLUMNS, shown, shownRows);
  if (siteIdOf.size > 0)
    identities.forEach((unit, row) => {
      if (unit !== null) columns.siteId[row] = siteIdOf.get(unit.key) ?? 0;
    });
  return { rows: units.count, identities, columns };
};

/** The fixes by their times; of those with one time, the one that was seen first. */
const toTrail = (rows: FixRow[]): TrailFix[] =>
  rows
    .sort(([fixMs, seenMs], [otherFixMs, otherSeenMs]) => fixMs - otherFixMs || seenMs - otherSeenMs)
    .filter(([fixMs], i) => fixMs !== rows[i - 1]?.[0])
    .map(([fixAtMs, seenAtMs, latE5, lngE5, isByReceipt, speedKph, headingDeg]) => ({
      fixAtMs,
      seenAtMs,
      lat: latE5 / 1e5,
      lng: lngE5 / 1e5,
      isByReceipt,
      speedKph: toNumber(speedKph),
      headingDeg: toNumber(headingDeg),
    }));

export interface HistoryReaderOptions {
  /** The migrated database, in a pool of the reader's own. @throws if it cannot be opened */
  open: () => Promise<Pool>;
  /** The hours that PostgreSQL has no more; absent: these are not read. */
  archive?: ArchiveReader;
}

/** Reads the recording of every fleet. */
export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  #opening: Promise<Pool> | null = null;
  readonly #units = new LRUCache<string, FleetUnits>({ max: FLEETS_KEPT, ttl: FLEET_KEPT_MS });

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.end();
  }

  /** The fixes of a unit with their times in [fromMs, toMs), in the order of these; also those before its VIN was known. */
  async readTrail(usdot: string, unit: string, fromMs: number, toMs: number): Promise<TrailFix[]> {
    const pool = await this.#open();
    const read = async (part: TrailPart): Promise<FixRow[]> => {
      const { rows } = await pool.query<FixRow>({
        text: `SELECT fix_ms::float8, seen_ms::float8, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg
          FROM linehaul.fixes WHERE ${OF_TRAIL}`,
        values: [usdot, part.unit, part.fromMs, part.toMs],
        rowMode: 'array',
      });
      return [...rows, ...((await this.#options.archive?.readTrail(pool, usdot, part.unit, part)) ?? [])];
    };
    const parts = await readTrailParts(pool, usdot, { unit, fromMs, toMs });
    return toTrail((await Promise.all(parts.map(read))).flat());
  }

  /** Reads the fixes of a fleet in a range as one table of DuckDB's; null where there are none. */
  async readFixes<T>(
    usdot: string,
    range: FixRange,
    read: (table: RecordedTable) => Promise<T>,
  ): Promise<T | null> {
    return (await this.#options.archive?.readFixes(await this.#open(), usdot, range, read)) ?? null;
  }

  /** The same for the states that were seen in a range. */
  async readStates<T>(
    usdot: string,
    range: FixRange,
    read: (table: RecordedTable) => Promise<T>,
  ): Promise<T | null> {
    return (await this.#options.archive?.readStates(await this.#open(), usdot, range, read)) ?? null;
  }

  /** About how many states of a fleet the archived files of a range have. */
  async countStates(usdot: string, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<number> {
    const { rows } = await (
      await this.#open()
    ).query<{ count: number }>(
      `SELECT coalesce(sum(rows), 0)::float8 AS count FROM linehaul.archive_files
       WHERE usdot = $1 AND table_name = 'states' AND state = 'listed' AND from_ms < $3 AND to_ms > $2`,
      [usdot, fromMs, toMs],
    );
    return rows[0]!.count;
  }

  /** About how many fixes of a fleet a range has. */
  async countFixes(usdot: string, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<number> {
    const pool = await this.#open();
    const { rows } = await pool.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM linehaul.fixes
          WHERE usdot = $1 AND fix_ms >= $2 AND fix_ms < $3 AND seen_ms >= $2 - ${AHEAD_MS}::int8)::float8
        + coalesce((SELECT sum(rows * greatest(0, least(to_ms, $3) - greatest(from_ms, $2))::float8 / (to_ms - from_ms))
          FROM linehaul.archive_files
          WHERE usdot = $1 AND table_name = 'fixes' AND state = 'listed' AND from_ms < $3 AND to_ms > $2), 0) AS count`,
      [usdot, fromMs, toMs],
    );
    return Math.round(rows[0]!.count);
  }

  /** A text that changes with the recorded fixes of a fleet in a range. */
  async readMark(usdot: string, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<string> {
    const pool = await this.#open();
    const { rows } = await pool.query<{ mark: string }>(
      `SELECT (SELECT count(*) FROM linehaul.fixes
          WHERE usdot = $1 AND fix_ms >= $2 AND fix_ms < $3 AND seen_ms >= $2 - ${AHEAD_MS}::int8)
        || ' ' || coalesce((SELECT string_agg(path, ' ' ORDER BY path) FROM linehaul.archive_files
          WHERE usdot = $1 AND table_name = 'fixes' AND state = 'listed' AND least_ms < $3 AND greatest_ms >= $2), '') AS mark`,
      [usdot, fromMs, toMs],
    );
    return rows[0]!.mark;
  }

  /** Since when there are archived files of a fleet, Unix ms; null: there are none. */
  async readArchivedFromMs(usdot: string): Promise<number | null> {
    const { rows } = await (
      await this.#open()
    ).query<{ fromMs: number | null }>(
      `SELECT min(from_ms)::float8 AS "fromMs" FROM linehaul.archive_files WHERE usdot = $1 AND state = 'listed'`,
      [usdot],
    );
    return rows[0]!.fromMs;
  }

  /** The newest names of units, by their keys; null: of all that were ever recorded. */
  async readNames(usdot: string, units: readonly string[] | null): Promise<Map<string, UnitIdentity>> {
    const pool = await this.#open();
    const { rows } = await pool.query<[unit: string, identity: UnitIdentity]>({
      text: `SELECT DISTINCT ON (unit) unit, identity FROM linehaul.unit_identities
        WHERE usdot = $1 AND ($2::text[] IS NULL OR unit = ANY ($2)) ORDER BY unit, seen_ms DESC`,
      values: [usdot, units],
      rowMode: 'array',
    });
    return new Map(rows);
  }

  /** About how many fixes readTrail has: those of the open hours that are archived meanwhile count twice. */
  async countTrail(usdot: string, unit: string, fromMs: number, toMs: number): Promise<number> {
    const pool = await this.#open();
    const count = async (part: TrailPart): Promise<number> => {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::int4 AS count FROM linehaul.fixes WHERE ${OF_TRAIL}`,
        [usdot, part.unit, part.fromMs, part.toMs],
      );
      return rows[0]!.count + ((await this.#options.archive?.countTrail(pool, usdot, part.unit, part)) ?? 0);
    };
    const parts = await readTrailParts(pool, usdot, { unit, fromMs, toMs });
    return (await Promise.all(parts.map(count))).reduce((sum, each) => sum + each, 0);
  }

  /** As readTails does. */
  async readTails(query: TailsQuery): Promise<Map<string, Tail> | null> {
    return readTails({ pool: await this.#open(), archive: this.#options.archive }, query);
  }

  /** The interval of a moment, or the last one before it; null: the fleet was not recorded by then. */
  async readCoverageAt(usdot: string, atMs: number): Promise<CoverageInterval | null> {
    return readLastCoverage(await this.#open(), usdot, atMs);
  }

  /** The intervals that touch [fromMs, toMs], clipped to it, in the order of time; `lost` also where a file cannot be read. */
  async readCoverage(usdot: string, fromMs: number, toMs: number): Promise<CoverageInterval[]> {
    const pool = await this.#open();
    const { rows } = await pool.query<CoverageRow>(
      `SELECT from_ms, to_ms, state, problem FROM linehaul.coverage
       WHERE usdot = $1 AND to_ms >= $2 AND from_ms <= $3 ORDER BY from_ms`,
      [usdot, fromMs, toMs],
    );
    const coverage = rows.map(toInterval).map(({ fromMs: startMs, toMs: endMs, ...interval }) => ({
      fromMs: Math.max(fromMs, startMs),
      toMs: Math.min(toMs, endMs),
      ...interval,
    }));
    const unreadable = await this.#options.archive?.findUnreadable(pool, usdot, { fromMs, toMs });
    return withUnreadable(coverage, unreadable ?? []);
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
    const recorded = await readRecordedFleet(pool, usdot, atMs);
    const [archived, names] = await Promise.all([
      recorded?.isWhole === true ? null : (this.#options.archive?.readFleetAt(pool, usdot, atMs) ?? null),
      this.#readNamesAt(pool, usdot, atMs),
    ]);
    if (recorded === null && archived === null) return null;
    const isNewer = archived !== null && (recorded === null || archived.hourMs >= recorded.hourMs);
    return this.#toRows(usdot, atMs, isNewer ? archived : recorded!, names);
  }

  /** As toFleetRows; where a clock that was set back recorded a name before those that were read last, all are read again. */
  async #toRows(usdot: string, atMs: number, fleet: ArchivedFleet, names: FleetNames): Promise<FleetRows> {
    try {
      return toFleetRows(names, atMs, fleet);
    } catch (error) {
      if (!(error instanceof UnnamedUnitError)) throw error;
      this.#units.delete(usdot);
      return toFleetRows(await this.#readNamesAt(await this.#open(), usdot, atMs), atMs, fleet);
    }
  }

  /** All of an hour of a fleet, for any of its moments; nothing of it where it is large, or archived right now. */
  async readHour(usdot: string, hourMs: number): Promise<FleetHour> {
    const pool = await this.#open();
    // Both before the rows: polls are written one after the other, so that all up to here are there.
    const covered = await readLastCoverage(pool, usdot);
    const untilMs = Math.min(covered?.toMs ?? hourMs, hourMs + HOUR_MS - 1);
    const stamp = await readHourStamp(pool, usdot, hourMs, untilMs);
    const isLarge = (await readHourBytes(pool, usdot, hourMs)) > MOST_HOUR_BYTES;
    return new FleetHour(
      { hourMs, untilMs, stamp },
      isLarge ? NO_ROWS : await this.#readHourRows(usdot, hourMs),
    );
  }

  async #readHourRows(usdot: string, hourMs: number): Promise<HourRows> {
    const pool = await this.#open();
    const recorded = await readRecordedHour(pool, usdot, hourMs);
    const archived = (await this.#options.archive?.readHour(pool, usdot, hourMs)) ?? null;
    if (archived === null) return recorded;
    // While it is archived, both have rows, each with another precision of times.
    return recorded.states.units.length > 0 || recorded.shown.units.length > 0 ? NO_ROWS : archived;
  }

  /** Whether an hour in memory is still what was recorded of it, and is read from there. */
  async isCurrent(usdot: string, { hourMs, untilMs, stamp }: FleetHour): Promise<boolean> {
    return (await readHourStamp(await this.#open(), usdot, hourMs, untilMs)) === stamp;
  }

  /**
   * The fleet at a moment of such an hour, or after it where no poll came since, as readFleetAt has it; null where the hour does
   * not have the moment.
   */
  async readFleetIn(usdot: string, hour: FleetHour, atMs: number): Promise<FleetRows | null> {
    const fleet = hour.at(atMs);
    if (fleet === null) return null;
    return this.#toRows(usdot, atMs, fleet, await this.#readNamesAt(await this.#open(), usdot, atMs));
  }

  /** The units of a fleet, and the site of each that was in one at a moment. Read the recorded units before: these have names then. */
  async #readNamesAt(pool: Pool, usdot: string, atMs: number): Promise<FleetNames> {
    const units = this.#units.get(usdot) ?? new FleetUnits(usdot);
    this.#units.set(usdot, units);
    const [siteIdOf] = await Promise.all([readSitesAt(pool, usdot, atMs), units.refresh(pool)]);
    return { units, siteIdOf };
  }

  #open(): Promise<Pool> {
    this.#opening ??= this.#options.open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }
}
