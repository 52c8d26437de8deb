import 'server-only';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { repeat, type Clock } from '@/lib/base/clock';
import { createLazy, type Lazy } from '@/lib/base/lazy';
import { ARCHIVE_LOCK, inTransaction } from '@/lib/database/database';
import { listHours, toPartition } from '@/lib/recording/partitions';
import {
  findFiles,
  forgetFiles,
  listFile,
  noteWriting,
  readListed,
  readUnlisted,
  unlistFiles,
  unlistUntil,
  type ArchiveFile,
  type FileContent,
} from './catalog';
import {
  type DamagedFiles,
  deleteParquet,
  exportRows,
  fromFiles,
  toFileProblem,
  toPath,
  writeParquet,
  type ArchiveProblem,
} from './parquet-file';
import type { DuckDb } from './duck-db';
import { ARCHIVED_TABLES, type ArchivedTable } from './tables';
import { addTo } from '@/lib/base/maps';
import { HOUR_MS, DAY_MS } from '@/lib/base/time';

export interface ArchiverOptions {
  /** The migrated database, as ARCHIVE_PART. @throws if it cannot be opened */
  open: () => Promise<Pool>;
  duck: DuckDb;
  damaged: DamagedFiles;
  /** HISTORY_DIR. */
  folder: string;
  keptDays: number;
  clock: Clock;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** Work on what was archived, after each run of this process. Never rejects. */
  onArchived?: () => Promise<void>;
}

/** A feed starts from the fixes of two hours, and the recorder holds ten minutes while the database is away. */
const CLOSED_AFTER_MS = 2 * HOUR_MS + 15 * 60_000;
const RUN_EVERY_MS = 5 * 60_000;
/** How often the disk is written to, so that it is known to be full or read-only before an hour is due. */
const PROBE_EVERY_MS = 30_000;
/** Files of a day are merged up to this size: a fleet at a moment is found by reading a quarter of a day of one file. */
const MOST_ROWS = 12_000_000;
/** zstd levels of hour files (kept for a day) and day files. */
const HOUR_LEVEL = 3;
const DAY_LEVEL = 15;
/** Dropping a partition waits for running statements, and others wait behind it: it gives up soon and often. */
const DROP_WITHIN_MS = 100;
const DROP_ATTEMPTS = 50;
const LOCK_NOT_AVAILABLE = '55P03';

/** Moves closed hours from PostgreSQL to Parquet, merges hours into days, and deletes old days. */
export class Archiver {
  readonly #options: ArchiverOptions;
  readonly #pool: Lazy<Pool>;
  #running: Promise<void> | null = null;
  #stops: (() => Promise<void>)[] = [];
  #isClosed = false;
  /** Why the last run failed; null: it did not. */
  #failure: string | null = null;
  /** Why nothing can be written to the folder; null: it can. */
  #diskFailure: string | null = null;
  /** Files that are not as they were written, by their paths. */
  #missing = new Map<string, ArchiveProblem>();

  constructor(options: ArchiverOptions) {
    this.#options = options;
    this.#pool = createLazy(options.open);
  }

  /** Archives every few minutes. The first run waits as long, so that feeds start from what PostgreSQL holds. */
  start(): void {
    const { clock } = this.#options;
    this.#stops = [
      // A documented backup copies the folder, so it is made before the first hour is archived.
      repeat(clock, PROBE_EVERY_MS, () => this.#testDisk()),
      repeat(clock, RUN_EVERY_MS, () => this.run(), RUN_EVERY_MS),
    ];
  }

  /** Why the archive could not be written last, and which files are missing or damaged. */
  readProblems(): ArchiveProblem[] {
    const files = [...this.#missing.values(), ...this.#options.damaged.readProblems()];
    const failure = this.#failure ?? this.#diskFailure;
    if (failure !== null)
      return [{ text: `Archive: cannot be written now: ${failure}`, usdot: null }, ...files];
    const reportFailure = this.#options.duck.scratch.readFailure();
    if (reportFailure === null) return files;
    return [
      { text: `Archive: a report or an export could not be written: ${reportFailure}`, usdot: null },
      ...files,
    ];
  }

  /** Archives all that is due, unless another process does. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Ends after the file that is being written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#stops.map((stop) => stop()));
    await this.#running;
    await this.#pool.close((pool) => pool.end());
  }

  /** Writes to the folder; where there is room again, what failed is archived at once. Never rejects. */
  async #testDisk(): Promise<void> {
    const wasFull = this.#diskFailure !== null;
    try {
      await this.#options.duck.scratch.renew();
      this.#diskFailure = null;
    } catch (error) {
      this.#diskFailure = this.#warn(error);
    }
    if (wasFull && this.#diskFailure === null && this.#failure !== null && !this.#isClosed) void this.run();
  }

  async #run(): Promise<void> {
    try {
      const pool = await this.#pool.open();
      const isOurs = await inTransaction(pool, async (lock) => {
        const { rows } = await lock.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ours', [
          ARCHIVE_LOCK,
        ]);
        if (rows[0]!.ours) await this.#archive(pool, lock);
        return rows[0]!.ours;
      });
      this.#failure = null;
      if (isOurs) await this.#options.onArchived?.();
    } catch (error) {
      this.#failure = this.#warn(error);
    }
  }

  /** Warns of a failure, unless one lasts, and returns its reason. */
  #warn(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    if ((this.#failure ?? this.#diskFailure) === null)
      this.#options.log.warn({ reason }, 'The archive cannot be written now.');
    return reason;
  }

  /** @param lock the transaction that holds the lock: a statement in it fails where the lock was lost with its connection */
  async #archive(pool: Pool, lock: ClientBase): Promise<void> {
    const { clock, keptDays } = this.#options;
    const nowMs = clock.nowMs();
    await unlistUntil(pool, nowMs - keptDays * DAY_MS);
    // First, because the disk may be full.
    await this.#deleteUnlisted(pool);
    await this.#check(pool);
    const openFromMs = await this.#archiveHours(pool, lock, nowMs);
    for (const table of ARCHIVED_TABLES) await this.#mergeDays(pool, lock, table, openFromMs);
  }

  /** Returns when the hours begin that PostgreSQL still has, Unix ms. */
  async #archiveHours(pool: Pool, lock: ClientBase, nowMs: number): Promise<number> {
    const tablesOf = new Map<number, ArchivedTable[]>();
    for (const table of ARCHIVED_TABLES)
      for (const hour of await listHours(pool, table.name)) addTo(tablesOf, hour, table);
    const closedUntil = Math.floor((nowMs - CLOSED_AFTER_MS) / HOUR_MS);
    for (const hour of [...tablesOf.keys()].sort((a, b) => a - b)) {
      if (hour >= closedUntil || this.#isClosed) return hour * HOUR_MS;
      await inTransaction(pool, async (client) => {
        await this.#archiveHour(client, pool, hour, tablesOf.get(hour)!);
        await lock.query('SELECT');
      });
    }
    return closedUntil * HOUR_MS;
  }

  async #check(run: Pool): Promise<void> {
    const missing = new Map<string, ArchiveProblem>();
    for (const table of ARCHIVED_TABLES)
      for (const { path, bytes } of await readListed(run, table)) {
        const found = await stat(join(this.#options.folder, path)).catch(() => null);
        if (found?.size !== bytes)
          missing.set(path, toFileProblem(path, found === null ? 'is missing' : 'has another size'));
      }
    this.#missing = missing;
  }

  async #deleteUnlisted(run: Pool): Promise<void> {
    const paths = await readUnlisted(run);
    for (const path of paths) await deleteParquet(this.#options.folder, path);
    await forgetFiles(run, paths);
  }

  /** In one transaction: the files of all fleets are listed, and the partitions of both tables are dropped. */
  async #archiveHour(
    client: PoolClient,
    pool: Pool,
    hour: number,
    tables: readonly ArchivedTable[],
  ): Promise<void> {
    const partitions = tables.map(({ name }) => toPartition(name, hour)).join(', ');
    // A writer that comes this late waits, finds no partition then, and makes it again.
    await client.query(`LOCK TABLE ${partitions} IN SHARE MODE`);
    for (const table of tables) {
      const { rows } = await client.query<{ usdot: string }>(
        `SELECT DISTINCT usdot FROM ${toPartition(table.name, hour)}`,
      );
      for (const { usdot } of rows) {
        const [fromMs, toMs] = [hour * HOUR_MS, (hour + 1) * HOUR_MS];
        const file = { path: toPath(table, usdot, fromMs, toMs), usdot, fromMs, toMs };
        // Not in the transaction: it outlives a failure.
        await noteWriting(pool, table, file);
        const content = await this.#writeHour(client, table, {
          ...file,
          partition: toPartition(table.name, hour),
        });
        // All rows were repeats: the next run deletes the file.
        if (content.rows > 0) await listFile(client, file.path, content);
      }
    }
    await drop(client, partitions);
  }

  async #writeHour(
    client: PoolClient,
    table: ArchivedTable,
    { path, usdot, partition, fromMs }: { path: string; usdot: string; partition: string; fromMs: number },
  ): Promise<FileContent> {
    const { duck, folder } = this.#options;
    const exported = await exportRows(client, table, { scratch: duck.scratch, partition, usdot });
    try {
      const all = `SELECT ${table.columns} FROM ${exported.from}`;
      const write = (query: string) => writeParquet(duck, table, { folder, path, query, level: HOUR_LEVEL });
      const repeats = await findRepeats(duck, client, table, { folder, usdot, all, cutMs: fromMs - HOUR_MS });
      if (repeats !== null) {
        try {
          return await write(`SELECT * FROM (${all}) ANTI JOIN (${repeats}) USING (${table.key})`);
        } catch (error) {
          // A file is damaged: repeats are left out where they are read.
          this.#options.log.warn({ reason: String(error) }, 'Repeated fixes are archived.');
        }
      }
      const content = await write(all);
      if (content.rows !== exported.rows)
        throw new Error(`${path} has ${content.rows} rows instead of ${exported.rows}.`);
      return content;
    } finally {
      await duck.scratch.delete(exported.csv);
    }
  }

  /** Merges neighboring files of each fleet's day that was over at `untilMs`, as long as they are not too large. */
  async #mergeDays(pool: Pool, lock: ClientBase, table: ArchivedTable, untilMs: number): Promise<void> {
    const { damaged } = this.#options;
    const listed = await readListed(pool, table);
    const files = listed.filter(({ path }) => !this.#missing.has(path) && !damaged.has(path));
    for (const group of toMerges(files, untilMs)) {
      if (this.#isClosed) return;
      await this.#merge(pool, lock, table, group).catch(async (error: unknown) => {
        const found = await Promise.all(group.map(({ path }) => damaged.test(path)));
        // The next run merges the others.
        if (found.every((state) => state === 'sound')) throw error;
      });
    }
  }

  async #merge(
    pool: Pool,
    lock: ClientBase,
    table: ArchivedTable,
    files: readonly ArchiveFile[],
  ): Promise<void> {
    const { duck, folder } = this.#options;
    const [{ usdot, fromMs }, { toMs }] = [files[0]!, files.at(-1)!];
    const path = toPath(table, usdot, fromMs, toMs);
    const paths = files.map((file) => file.path);
    await noteWriting(pool, table, { path, usdot, fromMs, toMs });
    const query = `SELECT * FROM ${fromFiles(folder, paths)}`;
    const content = await writeParquet(duck, table, { folder, path, query, level: DAY_LEVEL });
    await inTransaction(pool, async (client) => {
      await listFile(client, path, content);
      await unlistFiles(client, paths);
      await lock.query('SELECT');
    });
  }
}

/** Files that are to become one, group by group. */
export const toMerges = (files: readonly ArchiveFile[], untilMs: number): ArchiveFile[][] => {
  const groups: ArchiveFile[][] = [];
  let last: ArchiveFile[] = [];
  for (const file of files) {
    const [first] = last;
    const day = Math.floor(file.fromMs / DAY_MS);
    if ((day + 1) * DAY_MS > untilMs) continue;
    const isNext = first?.usdot === file.usdot && Math.floor(first.fromMs / DAY_MS) === day;
    if (isNext && last.reduce((sum, { rows }) => sum + rows, file.rows) <= MOST_ROWS) last.push(file);
    else groups.push((last = [file]));
  }
  return groups.filter(({ length }) => length > 1);
};

/** A query for the keys of rows that a provider repeated after their hour was archived; null where there can be none. */
const findRepeats = async (
  duck: DuckDb,
  run: ClientBase,
  table: ArchivedTable,
  { folder, usdot, all, cutMs }: { folder: string; usdot: string; all: string; cutMs: number },
): Promise<string | null> => {
  if (table.key === null) return null;
  const old = `SELECT * FROM (${all}) WHERE ${table.timeMs} < ${cutMs}`;
  const [span] = await duck.readRows<[least: number | null, greatest: number | null]>(
    `SELECT min(${table.timeMs})::DOUBLE, max(${table.timeMs})::DOUBLE FROM (${old})`,
  );
  const [least, greatest] = span!;
  if (least === null || greatest === null) return null;
  const files = (await findFiles(run, table, usdot, { fromMs: least, toMs: greatest })).map(
    ({ path }) => path,
  );
  if (files.length === 0) return null;
  return `SELECT ${table.key} FROM (${old}) SEMI JOIN ${fromFiles(folder, files)} USING (${table.key})`;
};

const drop = async (client: ClientBase, partitions: string): Promise<void> => {
  await client.query(`SET LOCAL lock_timeout = ${DROP_WITHIN_MS}`);
  for (let attempt = 1; ; attempt++) {
    await client.query('SAVEPOINT before_drop');
    try {
      await client.query(`DROP TABLE ${partitions}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === DROP_ATTEMPTS) throw error;
      await client.query('ROLLBACK TO SAVEPOINT before_drop');
      await delay(DROP_WITHIN_MS * 2);
    }
  }
};
