import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { toConnection, type DatabasePart } from './database';

/** The SQL migrations are missing: the program was started from another folder. */
export class MigrationsMissingError extends Error {
  override name = 'MigrationsMissingError';

  constructor(folder: string, path: string) {
    super(`No migrations in ${folder}. Start Linehaul from its own folder, where ${path} lies.`);
  }
}

/** "LINE" in ASCII. One lock for both parts: they may share a database, and both create Drizzle's schema. */
const MIGRATION_LOCK = 0x4c494e45;
const LOCK_TIMEOUT = '60s';

/** Relative to the working folder: bundled code moves, the SQL files do not. @throws MigrationsMissingError */
export const findMigrationsFolder = ({ migrationsPath }: DatabasePart): string => {
  const folder = join(/* turbopackIgnore: true */ process.cwd(), ...migrationsPath);
  if (!existsSync(join(folder, 'meta', '_journal.json')))
    throw new MigrationsMissingError(folder, migrationsPath.join('/'));
  return folder;
};

/** Applies a part's migrations, one process at a time. @throws MigrationsMissingError; the error of PostgreSQL */
export const migrateDatabase = async (databaseUrl: string, part: DatabasePart): Promise<void> => {
  const migrationsFolder = findMigrationsFolder(part);
  // A connection of its own: a migration may take longer than the pool's statement timeout.
  const client = new Client(toConnection(databaseUrl, part));
  // The pending statement reports a lost connection; without a listener it would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // Its own BEGIN does nothing in a transaction, and its COMMIT ends this one, with the lock.
    await migrate(drizzle({ client }), { migrationsFolder, migrationsTable: part.migrationsTable });
  } finally {
    // Closing the connection ends the transaction after a failure.
    await client.end();
  }
};
