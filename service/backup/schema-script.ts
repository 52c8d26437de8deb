import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { ClientBase } from 'pg';
import { MIGRATIONS_TABLE, findMigrationsFolder } from '../store/migrate';
import { BackupError } from './errors';

/** Where Drizzle notes which migrations were done, as it makes that table itself. */
const NOTES = `drizzle.${MIGRATIONS_TABLE}`;

const readApplied = async (client: ClientBase): Promise<{ hash: string; createdAt: string }[]> => {
  const found = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    NOTES,
  ]);
  if (!found.rows[0]?.exists) {
    throw new BackupError('The database holds no tracking service, so there is nothing to back up.');
  }
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    `SELECT hash, created_at AS "createdAt" FROM ${NOTES} ORDER BY created_at`,
  );
  return rows;
};

/**
 * The SQL that makes the tables as they are in this database: the migrations that it has had, and the notes of them,
 * so that a newer Linehaul goes on from there.
 *
 * @throws BackupError for a database without a service, and for one that another version has migrated
 */
export const readSchemaScript = async (client: ClientBase): Promise<string[]> => {
  const migrations = new Map(
    readMigrationFiles({ migrationsFolder: findMigrationsFolder() }).map(({ hash, sql }) => [hash, sql]),
  );
  const applied = await readApplied(client);
  const statements = applied.flatMap(({ hash, createdAt }) => {
    const sql = migrations.get(hash);
    if (sql === undefined) {
      throw new BackupError(
        'The database was last used by another version of Linehaul: back it up by that one.',
      );
    }
    return [
      ...sql.map((text) => text.replace(/;?\s*$/, ';')),
      `INSERT INTO ${NOTES} (hash, created_at) VALUES ('${hash}', ${createdAt});`,
    ];
  });
  return [
    'CREATE SCHEMA IF NOT EXISTS drizzle;',
    `CREATE TABLE IF NOT EXISTS ${NOTES} (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);`,
    ...statements,
  ];
};
