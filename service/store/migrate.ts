import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { toConnection } from './database';
import { MigrationsMissingError } from './errors';

/** The application's own (lib/postgres/migrate.ts), and nobody else's in this database: "LINE" in ASCII. */
const MIGRATION_LOCK = 0x4c494e45;
const LOCK_TIMEOUT = '60s';
/** Where Drizzle notes what was done, in its own schema. */
export const MIGRATIONS_TABLE = 'tracking_migrations';

/**
 * Relative to the working folder: the code is also bundled elsewhere, the SQL files are not.
 *
 * @throws MigrationsMissingError
 */
export const findMigrationsFolder = (): string => {
  const folder = join(/* turbopackIgnore: true */ process.cwd(), 'service', 'store', 'migrations');
  if (!existsSync(join(folder, 'meta', '_journal.json'))) throw new MigrationsMissingError(folder);
  return folder;
};

/** Brings the database up to date. Of several processes that start together one does it, the others wait. */
export const migrateDatabase = async (databaseUrl: string): Promise<void> => {
  const migrationsFolder = findMigrationsFolder();
  // A connection of its own: a migration may take longer than any statement of the pool is given.
  const client = new Client(toConnection(databaseUrl));
  // What is lost is told by the statement under way; without a listener it would end the process besides.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle({ client }), { migrationsFolder, migrationsTable: MIGRATIONS_TABLE });
  } finally {
    // Closing the session gives back its lock, also after a failure.
    await client.end();
  }
};
