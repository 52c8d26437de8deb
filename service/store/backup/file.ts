import { copyFile, mkdir, rename, rm, stat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg, { type ClientBase } from 'pg';
import { BackupError, restoreBackup, writeBackup, type RowCounts } from './script';
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Readable, pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ARCHIVE_LOCK } from '@/lib/database/database';
import { StoreOpenError } from '../errors';

/** Folders of the history's archive. */
export interface CopiedArchive {
  from: string;
  to: string;
}

const toBytes = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.size ?? null;

/**
 * Copies the files that the catalog of the history lists, except those that are there already: they never change. Returns how
 * many the catalog lists; null copies none.
 */
export const copyArchive = async (
  client: ClientBase,
  folders: CopiedArchive | null,
  signal: AbortSignal,
): Promise<number> => {
  const { rows: found } = await client.query<{ table: string | null }>(
    "SELECT to_regclass('linehaul.archive_files') AS table",
  );
  if (found[0]?.table == null) return 0;
  const { rows } = await client.query<{ path: string; bytes: number }>(
    "SELECT path, bytes::float8 AS bytes FROM linehaul.archive_files WHERE state = 'listed' ORDER BY path",
  );
  for (const { path, bytes } of folders === null ? [] : rows) {
    const [from, to] = [join(folders!.from, path), join(folders!.to, path)];
    if (signal.aborted) throw new BackupError('The copying of the history was stopped.');
    if ((await toBytes(to)) === bytes) continue;
    await mkdir(dirname(to), { recursive: true });
    try {
      await copyFile(from, `${to}.part`);
      await rename(`${to}.part`, to);
    } catch (error) {
      await rm(`${to}.part`, { force: true });
      throw error;
    }
  }
  return rows.length;
};

const withClient = async <T>(databaseUrl: string, act: (client: pg.Client) => Promise<T>): Promise<T> => {
  // A connection of its own, without the store's limits: a large table takes as long as it takes.
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'linehaul-backup' });
  // The pending statement reports a lost connection; without a listener it would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SET statement_timeout = 0');
  } catch (error) {
    throw new StoreOpenError('The tracking database could not be opened.', { cause: error });
  }
  try {
    return await act(client);
  } finally {
    await client.end();
  }
};

/** Errors of the file system and of gzip as messages; any other error unchanged. */
const toBackupError = (error: unknown, doing: string): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError || error instanceof StoreOpenError || code === undefined) return error;
  if (code.startsWith('Z_'))
    return new BackupError(`${doing}: it is not a whole backup of Linehaul.`, { cause: error });
  return new BackupError(`${doing}: ${message}.`, { cause: error });
};

/**
 * Backs a tracking service up to a file, compressed by gzip and readable by its owner alone. The file appears when it
 * is complete and on the disk.
 *
 * @throws BackupError, StoreOpenError
 */
export const writeBackupFile = async (
  databaseUrl: string,
  path: string,
  { history, signal }: { history: CopiedArchive | null; signal: AbortSignal },
): Promise<{ counts: RowCounts; bytes: number; files: number }> => {
  if (existsSync(path)) throw new BackupError(`${path} exists already, and a backup overwrites nothing.`);
  const part = `${path}.part`;
  const counts: RowCounts = new Map();
  let files = 0;
  try {
    await withClient(databaseUrl, async (client) => {
      await client.query('SELECT pg_advisory_lock_shared($1)', [ARCHIVE_LOCK]);
      // Opened here, because a stream may still open it after a failure.
      const output = (await open(part, 'w', 0o600)).createWriteStream({ flush: true });
      await pipeline(Readable.from(writeBackup(client, counts)), createGzip(), output, { signal });
      files = await copyArchive(client, history, signal);
    });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw toBackupError(error, `The backup could not be written to ${path}`);
  }
  return { counts, bytes: statSync(path).size, files };
};

/** Restores a backup into an empty database, wholly or not at all. @throws BackupError, StoreOpenError */
export const restoreBackupFile = async (
  databaseUrl: string,
  path: string,
  { history, signal }: { history: CopiedArchive | null; signal: AbortSignal },
): Promise<{ counts: RowCounts; files: number }> => {
  const file = createReadStream(path, { signal });
  const script = createGunzip();
  // The reader of the script reports errors of the file and of gzip.
  connect(file, script, () => undefined);
  try {
    return await withClient(databaseUrl, async (client) => {
      let files = 0;
      const counts = await restoreBackup(client, script as AsyncIterable<Buffer>, async () => {
        files = await copyArchive(client, history, signal);
      });
      return { counts, files };
    });
  } catch (error) {
    throw toBackupError(error, `${path} could not be restored`);
  } finally {
    file.destroy();
  }
};
