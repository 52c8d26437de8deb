import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Readable, pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { StoreOpenError } from '../store/errors';
import { BackupError } from './format';
import { restoreBackup } from './restore';
import { writeBackup } from './write';
import type { RowCounts } from './write';

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
  signal: AbortSignal,
): Promise<{ counts: RowCounts; bytes: number }> => {
  if (existsSync(path)) throw new BackupError(`${path} exists already, and a backup overwrites nothing.`);
  const part = `${path}.part`;
  const counts: RowCounts = new Map();
  try {
    await withClient(databaseUrl, (client) =>
      pipeline(
        Readable.from(writeBackup(client, counts)),
        createGzip(),
        createWriteStream(part, { mode: 0o600, flush: true }),
        { signal },
      ),
    );
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw toBackupError(error, `The backup could not be written to ${path}`);
  }
  return { counts, bytes: statSync(path).size };
};

/** Restores a backup into an empty database, wholly or not at all. @throws BackupError, StoreOpenError */
export const restoreBackupFile = async (databaseUrl: string, path: string): Promise<RowCounts> => {
  const file = createReadStream(path);
  const script = createGunzip();
  // The reader of the script reports errors of the file and of gzip.
  connect(file, script, () => undefined);
  try {
    return await withClient(databaseUrl, (client) => restoreBackup(client, script as AsyncIterable<Buffer>));
  } catch (error) {
    throw toBackupError(error, `${path} could not be restored`);
  } finally {
    file.destroy();
  }
};
