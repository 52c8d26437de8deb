import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const DISCONNECT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const run = async (databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Empties a table and puts it on a full disk: its file is replaced by /dev/full, where the system ends every
 * write with "No space left on device" (ENOSPC). It needs no mount and only the rights of the owner of the
 * data folder, which must be on this machine. Connections are broken, because they hold the file open.
 */
export const fillDisk = async (
  databaseUrl: string,
  table: string,
): Promise<{ makeRoom: () => Promise<void> }> => {
  let file = '';
  await run(databaseUrl, async (client) => {
    await client.query('BEGIN');
    // The new file is empty, so that the next row needs a write; no connection is open before the file is
    // exchanged.
    await client.query(`TRUNCATE ${table}`);
    const { rows } = await client.query<{ folder: string; path: string }>(
      `SELECT current_setting('data_directory') AS folder, pg_relation_filepath($1) AS path`,
      [table],
    );
    file = join(rows[0]!.folder, rows[0]!.path);
    renameSync(file, `${file}.aside`);
    symlinkSync('/dev/full', file);
    await client.query('COMMIT');
    await client.query(DISCONNECT);
  });
  return {
    makeRoom: () =>
      run(databaseUrl, async (client) => {
        rmSync(file);
        renameSync(`${file}.aside`, file);
        await client.query(DISCONNECT);
      }),
  };
};
