import 'server-only';
import type { Pool } from 'pg';
import type { ArchivedTable } from './tables';
import type { TimeRange } from '@/lib/base/time';

/** A Parquet file with the rows of one fleet that were seen in [fromMs, toMs). */
export interface ArchiveFile {
  /** In HISTORY_DIR. */
  path: string;
  usdot: string;
  fromMs: number;
  toMs: number;
  rows: number;
  bytes: number;
}

/** The content of a written file; least and greatest are of the rows' own times, Unix ms. */
export interface FileContent {
  rows: number;
  bytes: number;
  leastMs: number;
  greatestMs: number;
}

type Run = Pick<Pool, 'query'>;

const COLUMNS = `path, usdot, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", rows::float8 AS rows,
  bytes::float8 AS bytes`;

/** Notes a file before it is written, so that it is deleted if this process ends before it is listed. */
export const noteWriting = async (
  run: Run,
  table: ArchivedTable,
  { path, usdot, fromMs, toMs }: Omit<ArchiveFile, 'rows' | 'bytes'>,
): Promise<void> => {
  await run.query(
    `INSERT INTO linehaul.archive_files (path, table_name, usdot, state, from_ms, to_ms)
     VALUES ($1, $2, $3, 'writing', $4, $5)`,
    [path, table.name, usdot, fromMs, toMs],
  );
};

/** From now on the rows of the file are those of its hours. @throws if the file is not noted any more */
export const listFile = async (
  run: Run,
  path: string,
  { rows, bytes, leastMs, greatestMs }: FileContent,
): Promise<void> => {
  const { rowCount } = await run.query(
    `UPDATE linehaul.archive_files SET state = 'listed', rows = $2, bytes = $3, least_ms = $4, greatest_ms = $5
     WHERE path = $1 AND state = 'writing'`,
    [path, rows, bytes, leastMs, greatestMs],
  );
  if (rowCount !== 1) throw new Error(`${path} is not noted in the catalog.`);
};

/** From now on nothing reads these files; the next run deletes them. @throws if one is unlisted already, as its fleet was removed */
export const unlistFiles = async (run: Run, paths: readonly string[]): Promise<void> => {
  const { rowCount } = await run.query(
    `UPDATE linehaul.archive_files SET state = 'removed' WHERE path = ANY ($1) AND state = 'listed'`,
    [paths],
  );
  if (rowCount !== paths.length) throw new Error('Files that were merged are not listed any more.');
};

export const unlistUntil = async (run: Run, untilMs: number): Promise<void> => {
  await run.query(
    `UPDATE linehaul.archive_files SET state = 'removed' WHERE state = 'listed' AND to_ms <= $1`,
    [untilMs],
  );
};

/** Files that were not listed, or are not any more. */
export const readUnlisted = async (run: Run): Promise<string[]> => {
  const { rows } = await run.query<{ path: string }>(
    "SELECT path FROM linehaul.archive_files WHERE state <> 'listed'",
  );
  return rows.map(({ path }) => path);
};

export const forgetFiles = async (run: Run, paths: readonly string[]): Promise<void> => {
  await run.query('DELETE FROM linehaul.archive_files WHERE path = ANY ($1)', [paths]);
};

export const readListed = async (run: Run, table: ArchivedTable): Promise<ArchiveFile[]> => {
  const { rows } = await run.query<ArchiveFile>(
    `SELECT ${COLUMNS} FROM linehaul.archive_files WHERE state = 'listed' AND table_name = $1
     ORDER BY usdot, from_ms, path`,
    [table.name],
  );
  return rows;
};

type FindFiles = (run: Run, table: ArchivedTable, usdot: string, range: TimeRange) => Promise<ArchiveFile[]>;

/** Finds listed files of a fleet by a condition on the beginning ($3) and the end ($4) of a range. */
const findWhere =
  (condition: string): FindFiles =>
  async (run, table, usdot, { fromMs, toMs }) => {
    const { rows } = await run.query<ArchiveFile>(
      `SELECT ${COLUMNS} FROM linehaul.archive_files
       WHERE state = 'listed' AND usdot = $1 AND table_name = $2 AND ${condition} ORDER BY from_ms, path`,
      [usdot, table.name, fromMs, toMs],
    );
    return rows;
  };

/** The listed files of a fleet with rows whose own time lies between two times, Unix ms, both included. */
export const findFiles = findWhere('least_ms <= $4 AND greatest_ms >= $3');

/** The listed files of a fleet with rows that were seen between two times, Unix ms, both included. */
export const findSeen = findWhere('from_ms <= $4 AND to_ms > $3');
