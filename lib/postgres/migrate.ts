import 'server-only';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { toConnection } from './database';

/** The SQL migrations are not where they should be: the program was started from another folder. */
export class MigrationsMissingError extends Error {
  override name = 'MigrationsMissingError';

  constructor(folder: string) {
    super(
      `No migrations in ${folder}. Start Linehaul from its own folder, where lib/postgres/migrations lies.`,
    );
  }
}

/** The tracking service's own: it may migrate the same database at the same moment, and both make Drizzle's schema. */
const MIGRATION_LOCK = 0x4c494e45;
const LOCK_TIMEOUT = '60s';
/** Where Drizzle notes what was done, in its own schema. */
const MIGRATIONS_TABLE = 'linehaul_migrations';

/** Relative to the working folder: the code is also bundled elsewhere, the SQL files are not. */
const findMigrationsFolder = (): string => {
  const folder = join(/* turbopackIgnore: true */ process.cwd(), 'lib', 'postgres', 'migrations');
  if (!existsSync(join(folder, 'meta', '_journal.json'))) throw new MigrationsMissingError(folder);
  return folder;
};

/**
 * Brings the application's tables up to date. Of several processes that start together one does it, the others wait.
 *
 * @throws MigrationsMissingError; what PostgreSQL says, where it cannot be reached
 */
export const migrateDatabase = async (databaseUrl: string): Promise<void> => {
  const migrationsFolder = findMigrationsFolder();
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
