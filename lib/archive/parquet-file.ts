import 'server-only';
import { randomBytes } from 'node:crypto';
import { open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { quote, quoteAll, type DuckDb } from './duck-db';
import type { FileContent } from './catalog';
import { makeFolder, type ScratchFolder } from './scratch';
import type { ArchivedTable } from './tables';
import { HOUR_MS, DAY_MS } from '@/lib/base/time';

/**
 * Version 2 has encodings by differences. Each part of a file has a dictionary of its units, about 1,200 of a fleet of 100,000,
 * by which a fleet at a moment is grouped in a quarter less time. The times of a day's polls have none, because their
 * differences take half the space.
 */
const toFormat = (level: number): string =>
  `FORMAT parquet, PARQUET_VERSION V2, COMPRESSION zstd, COMPRESSION_LEVEL ${level}, DICTIONARY_SIZE_LIMIT 1500`;

const toHour = (ms: number): string => String(Math.floor(ms / HOUR_MS)).padStart(2, '0');

/** A new name for a file of one fleet's rows that were seen in [fromMs, toMs), which are of one day of UTC. */
export const toPath = (table: ArchivedTable, usdot: string, fromMs: number, toMs: number): string => {
  const day = new Date(fromMs).toISOString().slice(0, 10);
  const hours = `${toHour(fromMs % DAY_MS)}-${toHour(((toMs - 1) % DAY_MS) + 1)}`;
  const file = `${hours}-${randomBytes(6).toString('hex')}.parquet`;
  return join(table.name, `usdot=${encodeURIComponent(usdot)}`, `day=${day}`, file);
};

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Writes the rows of a query to a file, which is on the disk under its name, and readable, when this resolves. */
export const writeParquet = async (
  duck: DuckDb,
  table: ArchivedTable,
  { folder, path, query, level }: { folder: string; path: string; query: string; level: number },
): Promise<FileContent> => {
  const whole = join(folder, path);
  const part = `${whole}.part`;
  let content: [rows: number, leastMs: number, greatestMs: number] | undefined;
  try {
    await makeFolder(dirname(whole));
    await duck.readRows(`COPY (${query} ORDER BY ${table.order}) TO ${quote(part)} (${toFormat(level)})`);
    await sync(part);
    // Read back, so that no partition is dropped for a file that cannot be read.
    [content] = await duck.readRows<[rows: number, leastMs: number, greatestMs: number]>(
      `SELECT count(*)::DOUBLE, min(${table.timeMs})::DOUBLE, max(${table.timeMs})::DOUBLE
       FROM read_parquet(${quote(part)}, hive_partitioning = false)`,
    );
    await rename(part, whole);
  } catch (error) {
    await duck.scratch.delete(part);
    throw error;
  }
  const [rows, leastMs, greatestMs] = content!;
  for (let each = dirname(whole); each.length >= folder.length; each = dirname(each)) await sync(each);
  return { rows, leastMs, greatestMs, bytes: (await stat(whole)).size };
};

/** Deletes a file of which not all need be there, and the folders that are empty then. */
export const deleteParquet = async (folder: string, path: string): Promise<void> => {
  const whole = join(folder, path);
  await Promise.all([whole, `${whole}.part`].map((each) => rm(each, { force: true })));
  await rmdir(dirname(whole)).catch(() => undefined);
};

/** Writes a COPY statement to a file, and returns its number of rows; a failure ends the connection. */
export const copyToFile = async (client: PoolClient, statement: string, path: string): Promise<number> => {
  // Opened before, because a stream may still open it after a failure.
  const file = await open(path, 'w');
  const rows = client.query(copyTo(statement));
  try {
    await pipeline(rows, file.createWriteStream());
    // The stream ends with the data, and the number of rows comes after it: the next statement begins once it is there.
    await client.query('SELECT');
    return rows.rowCount;
  } catch (error) {
    await (client as unknown as Client).end();
    throw error;
  }
};

/** One fleet's rows of a partition, as a table of DuckDB's for FROM. The file is temporary; a failure ends the connection. */
export const exportRows = async (
  client: PoolClient,
  table: ArchivedTable,
  { scratch, partition, usdot }: { scratch: ScratchFolder; partition: string; usdot: string },
): Promise<{ csv: string; rows: number; from: string }> => {
  const statement = `COPY (SELECT ${Object.keys(table.source).join(', ')} FROM ${partition}
    WHERE usdot = ${client.escapeLiteral(usdot)}) TO STDOUT (FORMAT csv)`;
  const { csv, rows } = await scratch.write('csv', async (path) => ({
    csv: path,
    rows: await copyToFile(client, statement, path),
  }));
  const columns = Object.entries(table.source).map(([name, type]) => `${name}: ${quote(type)}`);
  const from = `read_csv(${quote(csv)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
    allow_quoted_nulls = false, columns = {${columns.join(', ')}})`;
  return { csv, rows, from };
};

/** A problem for the status page, and the fleet that it concerns; null: all. */
export interface ArchiveProblem {
  text: string;
  usdot: string | null;
}

/** A problem with one file, whose fleet is in its path. */
export const toFileProblem = (path: string, what: string): ArchiveProblem => ({
  text: `Archive: ${path} ${what}.`,
  usdot: decodeURIComponent(/usdot=([^/]*)/.exec(path)![1]!),
});

export const fromPaths = (paths: readonly string[]): string =>
  `read_parquet(${quoteAll(paths)}, hive_partitioning = false)`;

/** Files of the archive in a folder as a table for FROM. */
export const fromFiles = (folder: string, paths: readonly string[]): string =>
  fromPaths(paths.map((path) => join(folder, path)));

/** The files of a folder that were found damaged, which nothing reads again in this process. */
export class DamagedFiles {
  readonly #duck: DuckDb;
  readonly #folder: string;
  readonly #reasons = new Map<string, string>();

  constructor({ duck, folder }: { duck: DuckDb; folder: string }) {
    this.#duck = duck;
    this.#folder = folder;
  }

  has(path: string): boolean {
    return this.#reasons.has(path);
  }

  /** Reads all of a file, of which another read failed. */
  async test(path: string): Promise<'sound' | 'missing' | 'damaged'> {
    try {
      await stat(join(this.#folder, path));
    } catch {
      // The archiver names what is missing.
      return 'missing';
    }
    try {
      await this.#duck.readRows(`SELECT max(COLUMNS(*)) FROM ${fromFiles(this.#folder, [path])}`);
      return 'sound';
    } catch (error) {
      this.#reasons.set(path, error instanceof Error ? error.message.split('\n')[0]! : String(error));
      return 'damaged';
    }
  }

  readProblems(): ArchiveProblem[] {
    return [...this.#reasons].map(([path, reason]) => toFileProblem(path, `cannot be read: ${reason}`));
  }
}
