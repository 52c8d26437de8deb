import 'server-only';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { MOTION_COLUMNS, NOT_DERIVED, RECORDED_COLUMNS, type RecordedColumn } from '@/lib/wire/fleet';
import { AHEAD_MS } from '@/lib/recording/partitions';
import { FORGOTTEN, STATE_COLUMN_NAMES } from '@/lib/recording/recorded-fleet';
import { findFiles, findSeen, type ArchiveFile } from './catalog';
import { StatementAbortedError, quote, type DuckDb } from './duck-db';
import { NO_HISTORIES, NO_UNITS, type UnitHistories, type UnitRows } from '@/lib/fleet/recorded-units';
import { type DamagedFiles, exportRows, fromFiles, fromPaths } from './parquet-file';
import { FIXES, STATES, type ArchivedTable } from './tables';
import { type TimeRange, HOUR_MS } from '@/lib/base/time';

/** A recorded fix: fix_ms, seen_ms, lat_e5, lng_e5, is_by_receipt, speed_kph, heading_deg. */
export type FixRow = [number, number, number, number, boolean, number | null, number | null];

type ColumnsOf<Row extends readonly unknown[]> = { [Column in keyof Row]: Float64Array };

const FIX_COLUMNS = [
  FIXES.timeMs,
  'seen_s * 1000',
  'lat_e5',
  'lng_e5',
  'is_by_receipt::INTEGER',
  ...['speed_kph', 'heading_deg'].map((column) => `coalesce(${column}, ${NOT_DERIVED})`),
];

/** A fleet at a moment: the newest state of each unit in an hour, and the newest fix that the map showed where that is not in it. */
export interface ArchivedFleet {
  hourMs: number;
  states: UnitRows;
  shown: UnitRows;
}

/** A fleet's hour: its states, and the fixes that the map showed, each with when it was seen, ms since the hour. */
export interface HourRows {
  states: UnitHistories;
  shown: UnitHistories;
}

const toList = (texts: readonly string[]): string => `(${texts.map(quote).join(', ')})`;

export interface FixRange extends TimeRange {
  /** SQL on lat_e5 and lng_e5. */
  condition?: string;
}

/** A table of DuckDB's with the recorded fixes, or states, of a fleet in a range. */
export interface RecordedTable {
  duck: DuckDb;
  /** For FROM: the columns of FIXES or STATES. A row that was recorded twice may be in it twice. */
  from: string;
}

/** A file may be merged or deleted while it is read: then the catalog lists other ones. */
const ATTEMPTS = 4;

/** Rows of a range. Literals of whole columns, because only these are compared with the range of each part of a file. */
const toWithin = (table: ArchivedTable, { fromMs, toMs }: TimeRange): string => {
  const within = `${table.timeMs} >= ${fromMs} AND ${table.timeMs} < ${toMs}`;
  if (table !== FIXES) return within;
  return `fix_s BETWEEN ${Math.floor(fromMs / 1000)} AND ${Math.floor(toMs / 1000)} AND ${within}`;
};

const MOTION: ReadonlySet<RecordedColumn> = new Set(MOTION_COLUMNS);

interface Moment {
  hourMs: number;
  atMs: number;
}

/** SQL for the rows that were seen in [hourMs, atMs] and shown: the column of that time, the time as ms since the hour, and the condition. */
const seenIn = (table: ArchivedTable, { hourMs, atMs }: Moment) => {
  const [seen, each] = table === FIXES ? ['seen_s', 1000] : ['seen_ms', 1];
  // Literals, because only these are compared with the range of each part of a file.
  const within = `${seen} BETWEEN ${hourMs / each} AND ${Math.floor(atMs / each)}`;
  return {
    seen,
    at: `(${seen} * ${each} - ${hourMs})::INTEGER`,
    where: table === FIXES ? `${within} AND speed_kph IS NOT NULL` : within,
  };
};

interface SeenQuery {
  table: ArchivedTable;
  from: string;
  columns: readonly RecordedColumn[];
  moment: Moment;
}

/** All these rows, in columns named by those of the wire format, with `at`: when each was seen, ms since the hour. */
const toSeenQuery = ({ table, from, columns, moment }: SeenQuery): string => {
  const { at, where } = seenIn(table, moment);
  const fields = columns.map(
    (column) => `coalesce(${STATE_COLUMN_NAMES[column]}, ${FORGOTTEN})::INTEGER AS ${column}`,
  );
  return `SELECT unit, ${at} AS at, ${fields.join(', ')} FROM ${from} WHERE ${where}`;
};

/** The newest of these rows of each unit. One aggregate of a struct takes a third less time than one of each column. */
const toNewestQuery = ({ table, from, columns, moment }: SeenQuery): string => {
  const { seen, at, where } = seenIn(table, moment);
  const fields = columns.map((column) => `${column} := ${STATE_COLUMN_NAMES[column]}::INTEGER`);
  return `SELECT unit, newest.* FROM (
    SELECT unit, max_by(struct_pack(at := ${at}, ${fields.join(', ')}), ${seen}) AS newest
    FROM ${from} WHERE ${where} GROUP BY unit)`;
};

/** The newest state of each unit, with the motion of a fix that was shown after it. */
const toFleetQuery = (
  { states, fixes }: { states: string; fixes: string | null },
  moment: Moment,
): string => {
  const newest = toNewestQuery({ table: STATES, from: states, columns: RECORDED_COLUMNS, moment });
  if (fixes === null) return `SELECT * FROM (${newest}) WHERE status IS NOT NULL`;
  const toValue = (column: RecordedColumn): string =>
    MOTION.has(column)
      ? `CASE WHEN shown.at > state.at THEN shown.${column} ELSE state.${column} END`
      : column;
  return `SELECT state.unit, state.at, ${RECORDED_COLUMNS.map(toValue).join(', ')} FROM (${newest}) AS state
    LEFT JOIN (${toNewestQuery({ table: FIXES, from: fixes, columns: MOTION_COLUMNS, moment })}) AS shown USING (unit)
    WHERE status IS NOT NULL`;
};

/** Reads the archived hours. Read PostgreSQL before: an hour that is archived meanwhile is then in both, and never in none. */
export class ArchiveReader {
  readonly #duck: DuckDb;
  readonly #folder: string;
  readonly #damaged: DamagedFiles;
  /** Settled when the last COPY has ended. */
  #copied: Promise<unknown> = Promise.resolve();

  /** @param options.damaged their hours are missing in what is read */
  constructor({ duck, folder, damaged }: { duck: DuckDb; folder: string; damaged: DamagedFiles }) {
    this.#duck = duck;
    this.#folder = folder;
    this.#damaged = damaged;
  }

  /** The times whose fixes are in files that are missing or damaged, in the order of time. */
  async findUnreadable(pool: Pool, usdot: string, range: TimeRange): Promise<TimeRange[]> {
    const files = await findSeen(pool, FIXES, usdot, range);
    const checked = files.map(async (file) => {
      if (this.#damaged.has(file.path)) return [file];
      const found = await stat(join(this.#folder, file.path)).catch(() => null);
      return found?.size === file.bytes ? [] : [file];
    });
    return (await Promise.all(checked)).flat();
  }

  /** The fixes of a unit with their times in [fromMs, toMs), in no order. */
  async readTrail(pool: Pool, usdot: string, unit: string, range: TimeRange): Promise<FixRow[]> {
    const columns = await this.#readOfUnit(FIX_COLUMNS, pool, usdot, unit, range);
    const [fixMs, seenMs, lats, lngs, receipts, speeds, headings] = columns as ColumnsOf<FixRow>;
    const rows: FixRow[] = [];
    for (let i = 0; i < (fixMs?.length ?? 0); i++)
      rows.push([fixMs![i]!, seenMs[i]!, lats[i]!, lngs[i]!, receipts[i] === 1, speeds[i]!, headings[i]!]);
    return rows;
  }

  async countTrail(pool: Pool, usdot: string, unit: string, range: TimeRange): Promise<number> {
    const [counts] = await this.#readOfUnit(['count(*)'], pool, usdot, unit, range);
    return counts?.[0] ?? 0;
  }

  /** Expressions on a unit's fixes of a range, none of them null; no columns where there are no files. */
  async #readOfUnit(
    expressions: readonly string[],
    pool: Pool,
    usdot: string,
    unit: string,
    { fromMs, toMs }: TimeRange,
  ): Promise<Float64Array[]> {
    const columns = await this.#read(
      () => findFiles(pool, FIXES, usdot, { fromMs, toMs: toMs - 1 }),
      (paths) =>
        this.#duck.readNumbers(
          `SELECT ${expressions.map((each) => `(${each})::DOUBLE`).join(', ')} FROM ${fromFiles(this.#folder, paths)}
           WHERE unit = $1 AND fix_s BETWEEN $2 AND $3 AND ${FIXES.timeMs} >= $4 AND ${FIXES.timeMs} < $5`,
          [unit, Math.floor(fromMs / 1000), Math.floor(toMs / 1000), fromMs, toMs],
        ),
    );
    return columns ?? [];
  }

  /** A fleet's fixes of a range, or states seen in it, of PostgreSQL and the archive as one table; null: none. */
  async readTable<T>(
    table: ArchivedTable,
    pool: Pool,
    usdot: string,
    { fromMs, toMs, condition = 'true' }: FixRange,
    read: (table: RecordedTable) => Promise<T>,
  ): Promise<T | null> {
    const range = { fromMs, toMs };
    const recent = await this.#exportRecent(table, pool, usdot, { ...range, condition });
    const within = `${toWithin(table, range)} AND ${condition}`;
    const readFrom = (paths: readonly string[]): Promise<T> => {
      const files = [...paths.map((path) => join(this.#folder, path)), ...(recent === null ? [] : [recent])];
      return read({ duck: this.#duck, from: `(SELECT * FROM ${fromPaths(files)} WHERE ${within})` });
    };
    try {
      const find = () => findFiles(pool, table, usdot, { fromMs, toMs: toMs - 1 });
      const answer = await this.#read(find, async (paths) => ({ value: await readFrom(paths) }));
      if (answer !== null) return answer.value;
      return recent === null ? null : await readFrom([]);
    } catch (error) {
      // What does not fit into memory is written too.
      this.#duck.scratch.note(error);
      throw error;
    } finally {
      if (recent !== null) await this.#duck.scratch.delete(recent);
    }
  }

  /** The path of a file like those of the archive with the rows of a range that PostgreSQL has; null where it has none. */
  async #exportRecent(
    table: ArchivedTable,
    pool: Pool,
    usdot: string,
    { fromMs, toMs, condition }: Required<FixRange>,
  ): Promise<string | null> {
    const timeColumn = table === FIXES ? 'fix_ms' : 'seen_ms';
    const partition = `(SELECT * FROM linehaul.${table.name} WHERE ${timeColumn} >= ${fromMs} AND ${timeColumn} < ${toMs}
      AND seen_ms >= ${fromMs - AHEAD_MS}::int8 AND ${condition}) recent`;
    const { scratch } = this.#duck;
    const copy = async () => {
      const client = await pool.connect();
      const exported = await exportRows(client, table, { scratch, partition, usdot }).catch(
        (error: Error) => {
          client.release(error);
          throw error;
        },
      );
      client.release();
      return exported;
    };
    // One after the other, so that the pool's other connection answers everything else.
    const copying = this.#copied.then(copy);
    this.#copied = copying.catch(() => undefined);
    const exported = await copying;
    try {
      if (exported.rows === 0) return null;
      return await scratch.write('parquet', async (path) => {
        await this.#duck.readRows(
          `COPY (SELECT ${table.columns} FROM ${exported.from} ORDER BY unit) TO ${quote(path)} (FORMAT parquet)`,
        );
        return path;
      });
    } finally {
      await scratch.delete(exported.csv);
    }
  }

  /** Each unit's last shown fix in every step of [fromMs, toMs], in no order: s since the beginning, position. */
  async readTails(
    pool: Pool,
    usdot: string,
    units: readonly string[],
    { fromMs, toMs, stepMs }: TimeRange & { stepMs: number },
  ): Promise<UnitRows> {
    const [fromS, toS] = [Math.floor(fromMs / 1000), Math.floor(toMs / 1000)];
    const rows = await this.#read(
      () => findFiles(pool, FIXES, usdot, { fromMs, toMs }),
      (paths) =>
        this.#duck.readUnits(
          `SELECT unit, (max(fix_s) - ${fromS})::INTEGER, max_by(lat_e5, fix_s), max_by(lng_e5, fix_s)
           FROM ${fromFiles(this.#folder, paths)}
           WHERE fix_s BETWEEN ${fromS} AND ${toS} AND speed_kph IS NOT NULL AND unit IN ${toList(units)}
           GROUP BY unit, fix_s // ${Math.ceil(stepMs / 1000)}`,
        ),
    );
    return rows ?? NO_UNITS;
  }

  /** A fleet as the map showed it at a moment; null where no poll was archived in its hour or the one before. */
  async readFleetAt(pool: Pool, usdot: string, atMs: number): Promise<ArchivedFleet | null> {
    const newestMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    const range = { fromMs: newestMs - HOUR_MS, toMs: atMs };
    return this.#readSeen(pool, usdot, range, async (from, fixes) => {
      const readIn = async (hourMs: number): Promise<ArchivedFleet> => {
        const query = toFleetQuery({ states: from, fixes }, { hourMs, atMs });
        return { hourMs, states: await this.#duck.readUnitLists(query), shown: NO_UNITS };
      };
      const newest = await readIn(newestMs);
      if (newest.states.units.length > 0) return newest;
      // It was not polled in this hour yet, or has no units.
      const [polled] = await this.#duck.readRows<[number | null]>(
        `SELECT max(seen_ms)::DOUBLE FROM ${from} WHERE seen_ms BETWEEN ${range.fromMs} AND ${atMs}`,
      );
      if (polled![0] === null) return null;
      return polled![0] >= newestMs ? newest : readIn(range.fromMs);
    });
  }

  /** The archived rows of an hour, in no order; null where no poll was archived. */
  async readHour(pool: Pool, usdot: string, hourMs: number): Promise<HourRows | null> {
    const toMs = hourMs + HOUR_MS - 1;
    return this.#readSeen(pool, usdot, { fromMs: hourMs, toMs }, async (from, fixes) => {
      const moment = { hourMs, atMs: toMs };
      const states = await this.#duck.readHistories(
        toSeenQuery({ table: STATES, from, columns: RECORDED_COLUMNS, moment }),
      );
      if (states.units.length === 0) return null;
      const shown =
        fixes === null
          ? NO_HISTORIES
          : await this.#duck.readHistories(
              toSeenQuery({ table: FIXES, from: fixes, columns: MOTION_COLUMNS, moment }),
            );
      return { states, shown };
    });
  }

  /** Reads the files with rows that were seen in a range, both ends included, as tables; null where there are no states. */
  #readSeen<T>(
    pool: Pool,
    usdot: string,
    range: TimeRange,
    read: (states: string, fixes: string | null) => Promise<T | null>,
  ): Promise<T | null> {
    const find = async (): Promise<ArchiveFile[]> =>
      (await Promise.all([STATES, FIXES].map((table) => findSeen(pool, table, usdot, range)))).flat();
    return this.#read(find, async (paths) => {
      const [states, fixes] = [STATES, FIXES].map(({ name }) => {
        const own = paths.filter((path) => path.startsWith(`${name}/`));
        return own.length === 0 ? null : fromFiles(this.#folder, own);
      }) as [string | null, string | null];
      return states === null ? null : read(states, fixes);
    });
  }

  /** Reads the files that can be read, and notes the others; null where there is none. */
  async #read<T>(
    find: () => Promise<ArchiveFile[]>,
    read: (paths: string[]) => Promise<T>,
  ): Promise<T | null> {
    const gone = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      const paths = (await find())
        .map(({ path }) => path)
        .filter((path) => !gone.has(path) && !this.#damaged.has(path));
      if (paths.length === 0) return null;
      try {
        return await read(paths);
      } catch (error) {
        if (attempt === ATTEMPTS || error instanceof StatementAbortedError) throw error;
        for (const path of paths) if ((await this.#damaged.test(path)) === 'missing') gone.add(path);
      }
    }
  }
}
