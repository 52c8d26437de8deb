import 'server-only';
import type { Pool } from 'pg';
import { LRUCache } from 'lru-cache';
import { createLazy, type Lazy } from '@/lib/base/lazy';
import {
  MOTION_COLUMNS,
  NOT_DERIVED,
  NO_POSITION,
  RECORDED_COLUMNS,
  type Column,
  type FleetRows,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import { readSitesAt } from '@/lib/recording/visit-repository';
import type { StatusCounts, Tail, TrailFix } from '../schema';
import type { CoverageInterval } from '@/lib/trips/coverage';
import {
  MOST_FAILING_MS,
  withOpenFailure,
  withUnreadable,
  readLastCoverage,
  INTERVAL,
} from '@/lib/recording/coverage';
import type {
  ArchiveReader,
  ArchivedFleet,
  FixRange,
  FixRow,
  HourRows,
  RecordedTable,
} from '@/lib/archive/archive-reader';
import { NO_HISTORIES, type UnitRows } from '@/lib/fleet/recorded-units';
import {
  readEarlierKeys,
  toTrailParts,
  withPresentKeys,
  type EarlierKey,
  type TrailPart,
  FleetUnits,
  UnnamedUnitError,
  createFindUnit,
  type FoundUnit,
} from './fleet-units';
import { FIXES, STATES } from '@/lib/archive/tables';
import { FleetHour } from './fleet-hour';
import { AHEAD_MS } from '@/lib/recording/partitions';
import {
  readHourBytes,
  readHourStamp,
  readRecordedFleet,
  readRecordedHour,
} from '@/lib/recording/recorded-fleet';
import { readTails, type TailsQuery } from './tails';
import { addTo, getOrRead } from '@/lib/base/maps';
import { type TimeRange, HOUR_MS } from '@/lib/base/time';
import { queryLists } from '@/lib/database/database';

const FLEETS_KEPT = 4;
const FLEET_KEPT_MS = 10 * 60_000;
/** A unit that was renamed is followed this much later. */
const KEYS_KEPT_MS = 10_000;
/** The most bytes of an hour that is read as a whole: about 30,000 units that report each minute, half of them parked. */
const MOST_HOUR_BYTES = 32e6;

const OF_TRAIL = `usdot = $1 AND unit = $2 COLLATE "C" AND fix_ms >= $3 AND fix_ms < $4 AND seen_ms >= $3 - ${AHEAD_MS}::int8`;

const NO_ROWS: HourRows = { states: NO_HISTORIES, shown: NO_HISTORIES };

const toNumber = (derived: number | null): number | null => (derived === NOT_DERIVED ? null : derived);

interface FleetNames {
  units: FleetUnits;
  earlier: readonly EarlierKey[];
  /** By the keys of units that were in a site. */
  siteIdOf: Map<string, number>;
}

/** Puts the tail of an earlier key before that of the present one. */
const joinTails = (tails: Map<string, Tail> | null, unit: string, was: string): void => {
  const before = tails?.get(was);
  if (!tails || !before) return;
  const after = tails.get(unit) ?? { fixS: [], latE5: [], lngE5: [] };
  tails.delete(was);
  tails.set(unit, {
    fixS: [...before.fixS, ...after.fixS],
    latE5: [...before.latE5, ...after.latE5],
    lngE5: [...before.lngE5, ...after.lngE5],
  });
};

/** The rows of a fleet: of motion, the newer of state and fix counts. */
const toFleetRows = (
  { units, siteIdOf, earlier }: FleetNames,
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
  const find = createFindUnit(units, earlier, atMs);
  const takenRows = new Set(
    earlier.length === 0
      ? []
      : states.units.map(find).flatMap(({ row, isEarlier }) => (isEarlier ? [row] : [])),
  );
  const toOwnRow = ({ row, isEarlier }: FoundUnit): number => (!isEarlier && takenRows.has(row) ? -1 : row);
  const stateRows = new Int32Array(states.units.length);
  for (let i = 0; i < stateRows.length; i++) {
    const found = find(states.units[i]!);
    const { row, identity } = found;
    stateRows[i] = toOwnRow(found);
    if (stateRows[i] === -1) continue;
    identities[row] = identity;
    statesAtMs[row] = states.values[i * (RECORDED_COLUMNS.length + 1)]!;
  }
  write(RECORDED_COLUMNS, states, stateRows);
  const shownRows = new Int32Array(shown.units.length);
  for (let i = 0; i < shownRows.length; i++) {
    const row = toOwnRow(find(shown.units[i]!));
    shownRows[i] = shown.values[i * (MOTION_COLUMNS.length + 1)]! > (statesAtMs[row] ?? 0) ? row : -1;
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

export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  readonly #pool: Lazy<Pool>;
  readonly #earlier = new LRUCache<string, Promise<EarlierKey[]>>({ max: FLEETS_KEPT, ttl: KEYS_KEPT_MS });
  readonly #units = new LRUCache<string, FleetUnits>({ max: FLEETS_KEPT, ttl: FLEET_KEPT_MS });

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
    this.#pool = createLazy(options.open);
  }

  close(): Promise<void> {
    return this.#pool.close((pool) => pool.end());
  }

  /** The fixes of a unit with their times in [fromMs, toMs), in the order of these; also those before its VIN was known. */
  async readTrail(usdot: string, unit: string, fromMs: number, toMs: number): Promise<TrailFix[]> {
    const pool = await this.#pool.open();
    const read = async (part: TrailPart): Promise<FixRow[]> => {
      const rows = await queryLists<FixRow>(
        pool,
        `SELECT fix_ms::float8, seen_ms::float8, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg
         FROM linehaul.fixes WHERE ${OF_TRAIL}`,
        [usdot, part.unit, part.fromMs, part.toMs],
      );
      return [...rows, ...((await this.#options.archive?.readTrail(pool, usdot, part.unit, part)) ?? [])];
    };
    const parts = toTrailParts(await this.#readEarlierKeys(pool, usdot), { unit, fromMs, toMs });
    return toTrail((await Promise.all(parts.map(read))).flat());
  }

  /** Reads the fixes of a fleet in a range, under the present keys of its units, as one table of DuckDB's; null where there are none. */
  async readFixes<T>(
    usdot: string,
    range: FixRange,
    read: (table: RecordedTable) => Promise<T>,
  ): Promise<T | null> {
    const pool = await this.#pool.open();
    const keys = await this.#readEarlierKeys(pool, usdot);
    const readRenamed = (table: RecordedTable): Promise<T> =>
      read({ ...table, from: withPresentKeys(table.from, keys, FIXES.timeMs) });
    return (await this.#options.archive?.readTable(FIXES, pool, usdot, range, readRenamed)) ?? null;
  }

  /** Reads the states of a fleet that were seen in a range, as one table of DuckDB's; null where there are none. */
  async readStates<T>(
    usdot: string,
    range: FixRange,
    read: (table: RecordedTable) => Promise<T>,
  ): Promise<T | null> {
    const pool = await this.#pool.open();
    return (await this.#options.archive?.readTable(STATES, pool, usdot, range, read)) ?? null;
  }

  /** About how many states of a fleet the archived files of a range have. */
  async countStates(usdot: string, { fromMs, toMs }: TimeRange): Promise<number> {
    const [row] = await this.#query<{ count: number }>(
      `SELECT coalesce(sum(rows), 0)::float8 AS count FROM linehaul.archive_files
       WHERE usdot = $1 AND table_name = 'states' AND state = 'listed' AND from_ms < $3 AND to_ms > $2`,
      [usdot, fromMs, toMs],
    );
    return row!.count;
  }

  /** About how many fixes of a fleet a range has. */
  async countFixes(usdot: string, { fromMs, toMs }: TimeRange): Promise<number> {
    const [row] = await this.#query<{ count: number }>(
      `SELECT (SELECT count(*) FROM linehaul.fixes
          WHERE usdot = $1 AND fix_ms >= $2 AND fix_ms < $3 AND seen_ms >= $2 - ${AHEAD_MS}::int8)::float8
        + coalesce((SELECT sum(rows * greatest(0, least(to_ms, $3) - greatest(from_ms, $2))::float8 / (to_ms - from_ms))
          FROM linehaul.archive_files
          WHERE usdot = $1 AND table_name = 'fixes' AND state = 'listed' AND from_ms < $3 AND to_ms > $2), 0) AS count`,
      [usdot, fromMs, toMs],
    );
    return Math.round(row!.count);
  }

  /** A text that changes with the recorded fixes of a fleet in a range. */
  async readMark(usdot: string, { fromMs, toMs }: TimeRange): Promise<string> {
    const pool = await this.#pool.open();
    const { rows } = await pool.query<{ mark: string }>(
      `SELECT (SELECT count(*) FROM linehaul.fixes
          WHERE usdot = $1 AND fix_ms >= $2 AND fix_ms < $3 AND seen_ms >= $2 - ${AHEAD_MS}::int8)
        || ' ' || coalesce((SELECT string_agg(path, ' ' ORDER BY path) FROM linehaul.archive_files
          WHERE usdot = $1 AND table_name = 'fixes' AND state = 'listed' AND least_ms < $3 AND greatest_ms >= $2), '') AS mark`,
      [usdot, fromMs, toMs],
    );
    const keys = (await this.#readEarlierKeys(pool, usdot)).filter(({ untilMs }) => untilMs > fromMs);
    return keys.length === 0 ? rows[0]!.mark : `${rows[0]!.mark} ${JSON.stringify(keys)}`;
  }

  /** Since when there are archived files of a fleet, Unix ms; null: there are none. */
  async readArchivedFromMs(usdot: string): Promise<number | null> {
    const [row] = await this.#query<{ fromMs: number | null }>(
      `SELECT min(from_ms)::float8 AS "fromMs" FROM linehaul.archive_files WHERE usdot = $1 AND state = 'listed'`,
      [usdot],
    );
    return row!.fromMs;
  }

  /** The newest names of units, by their keys; null: of all that were ever recorded. */
  async readNames(usdot: string, units: readonly string[] | null): Promise<Map<string, UnitIdentity>> {
    const rows = await queryLists<[unit: string, identity: UnitIdentity]>(
      await this.#pool.open(),
      `SELECT DISTINCT ON (unit) unit, identity - 'former' FROM linehaul.unit_identities
       WHERE usdot = $1 AND ($2::text[] IS NULL OR unit = ANY ($2)) ORDER BY unit, seen_ms DESC`,
      [usdot, units],
    );
    return new Map(rows);
  }

  /** The device of each unit by the units' keys, in the order of time, each from when on, Unix ms. */
  async readDeviceIds(usdot: string): Promise<Map<string, { fromMs: number; deviceId: string | null }[]>> {
    const rows = await queryLists<[unit: string, fromMs: number, deviceId: string | null]>(
      await this.#pool.open(),
      `SELECT unit, seen_ms::float8, identity->>'deviceId' FROM linehaul.unit_identities
       WHERE usdot = $1 ORDER BY unit, seen_ms`,
      [usdot],
    );
    const devices = new Map<string, { fromMs: number; deviceId: string | null }[]>();
    for (const [unit, fromMs, deviceId] of rows) addTo(devices, unit, { fromMs, deviceId });
    return devices;
  }

  /** About how many fixes readTrail has: those of the open hours that are archived meanwhile count twice. */
  async countTrail(usdot: string, unit: string, fromMs: number, toMs: number): Promise<number> {
    const pool = await this.#pool.open();
    const count = async (part: TrailPart): Promise<number> => {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::int4 AS count FROM linehaul.fixes WHERE ${OF_TRAIL}`,
        [usdot, part.unit, part.fromMs, part.toMs],
      );
      return rows[0]!.count + ((await this.#options.archive?.countTrail(pool, usdot, part.unit, part)) ?? 0);
    };
    const parts = toTrailParts(await this.#readEarlierKeys(pool, usdot), { unit, fromMs, toMs });
    return (await Promise.all(parts.map(count))).reduce((sum, each) => sum + each, 0);
  }

  /** As readTails does, under the present keys of the units. */
  async readTails(query: TailsQuery): Promise<Map<string, Tail> | null> {
    const pool = await this.#pool.open();
    const earlier = (await this.#readEarlierKeys(pool, query.usdot)).filter(
      ({ untilMs }) => untilMs > query.toMs - query.minutes * 60_000,
    );
    const seen = query.seen && new Set(query.seen);
    for (const { unit, was } of earlier) if (seen?.has(unit)) seen.add(was);
    const tails = await readTails({ pool, archive: this.#options.archive }, { ...query, seen });
    for (const { unit, was } of earlier.toReversed()) joinTails(tails, unit, was);
    return tails;
  }

  /** The interval of a moment, or the last one before it; null: the fleet was not recorded by then. */
  async readCoverageAt(usdot: string, atMs: number): Promise<CoverageInterval | null> {
    return readLastCoverage(await this.#pool.open(), usdot, atMs);
  }

  /** The intervals that touch [fromMs, toMs], clipped to it, in the order of time; `lost` also where a file cannot be read. */
  async readCoverage(usdot: string, fromMs: number, toMs: number): Promise<CoverageInterval[]> {
    const pool = await this.#pool.open();
    const { rows } = await pool.query<CoverageInterval>(
      `SELECT ${INTERVAL} FROM linehaul.coverage
       WHERE usdot = $1 AND to_ms >= $2 AND from_ms <= $3 ORDER BY from_ms`,
      [usdot, fromMs - MOST_FAILING_MS, toMs],
    );
    const open = withOpenFailure(rows, toMs).filter(({ toMs: endMs }) => endMs >= fromMs);
    const coverage = open.map(({ fromMs: startMs, toMs: endMs, ...interval }) => ({
      fromMs: Math.max(fromMs, startMs),
      toMs: Math.min(toMs, endMs),
      ...interval,
    }));
    const unreadable = await this.#options.archive?.findUnreadable(pool, usdot, { fromMs, toMs });
    return withUnreadable(coverage, unreadable ?? []);
  }

  /** The counts of the steps of ten minutes that begin in [fromMs, toMs), where the fleet was polled. */
  async readCounts(usdot: string, fromMs: number, toMs: number): Promise<StatusCounts[]> {
    return this.#query<StatusCounts>(
      `SELECT from_ms::float8 AS "fromMs", counts FROM linehaul.status_counts
       WHERE usdot = $1 AND from_ms >= $2 AND from_ms < $3 ORDER BY from_ms`,
      [usdot, fromMs, toMs],
    );
  }

  /** The fleet as the map showed it at a moment, each unit in the same row at all moments; null where no poll was recorded in its hour or the one before. */
  async readFleetAt(usdot: string, atMs: number): Promise<FleetRows | null> {
    const pool = await this.#pool.open();
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
      return toFleetRows(await this.#readNamesAt(await this.#pool.open(), usdot, atMs), atMs, fleet);
    }
  }

  /** All of an hour of a fleet, for any of its moments; nothing of it where it is large, or archived right now. */
  async readHour(usdot: string, hourMs: number): Promise<FleetHour> {
    const pool = await this.#pool.open();
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
    const pool = await this.#pool.open();
    const recorded = await readRecordedHour(pool, usdot, hourMs);
    const archived = (await this.#options.archive?.readHour(pool, usdot, hourMs)) ?? null;
    if (archived === null) return recorded;
    // While it is archived, both have rows, each with another precision of times.
    return recorded.states.units.length > 0 || recorded.shown.units.length > 0 ? NO_ROWS : archived;
  }

  /** Whether an hour in memory is still what was recorded of it, and is read from there. */
  async isCurrent(usdot: string, { hourMs, untilMs, stamp }: FleetHour): Promise<boolean> {
    return (await readHourStamp(await this.#pool.open(), usdot, hourMs, untilMs)) === stamp;
  }

  /** The fleet at a moment of such an hour, as readFleetAt has it; null where the hour does not have the moment. */
  async readFleetIn(usdot: string, hour: FleetHour, atMs: number): Promise<FleetRows | null> {
    const fleet = hour.at(atMs);
    if (fleet === null) return null;
    return this.#toRows(usdot, atMs, fleet, await this.#readNamesAt(await this.#pool.open(), usdot, atMs));
  }

  /** The units of a fleet, and the site of each that was in one at a moment. Read the recorded units before: these have names then. */
  async #readNamesAt(pool: Pool, usdot: string, atMs: number): Promise<FleetNames> {
    const units = this.#units.get(usdot) ?? new FleetUnits(usdot);
    this.#units.set(usdot, units);
    const [siteIdOf, earlier] = await Promise.all([
      readSitesAt(pool, usdot, atMs),
      this.#readEarlierKeys(pool, usdot),
      units.refresh(pool),
    ]);
    return { units, siteIdOf, earlier };
  }

  async #query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return (await (await this.#pool.open()).query<Row>(text, values)).rows;
  }

  #readEarlierKeys(pool: Pool, usdot: string): Promise<EarlierKey[]> {
    return getOrRead(this.#earlier, usdot, () => readEarlierKeys(pool, usdot));
  }
}
