import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { ClientBase } from 'pg';
import { findMigrationsFolder } from '@/lib/postgres/migrate';
import type { DatabasePart } from '@/lib/postgres/database';
import { BackupError, PARTS } from './format';

/** The migrations that were applied to this database; null where the part is not in it. */
const readApplied = async (
  client: ClientBase,
  notes: string,
): Promise<{ hash: string; createdAt: string }[] | null> => {
  const found = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    notes,
  ]);
  if (!found.rows[0]?.exists) return null;
  const { rows } = await client.query<{ hash: string; createdAt: string }>(
    `SELECT hash, created_at AS "createdAt" FROM ${notes} ORDER BY created_at`,
  );
  return rows;
};

const readPartScript = async (client: ClientBase, part: DatabasePart): Promise<string[]> => {
  const notes = `drizzle.${part.migrationsTable}`;
  const applied = await readApplied(client, notes);
  if (applied === null) return [];
  const migrationsFolder = findMigrationsFolder(part);
  const migrations = new Map(readMigrationFiles({ migrationsFolder }).map(({ hash, sql }) => [hash, sql]));
  const statements = applied.flatMap(({ hash, createdAt }) => {
    const sql = migrations.get(hash);
    if (sql === undefined) {
      throw new BackupError(
        'The database was last used by another version of Linehaul: back it up by that one.',
      );
    }
    return [
      ...sql.map((text) => text.replace(/;?\s*$/, ';')),
      `INSERT INTO ${notes} (hash, created_at) VALUES ('${hash}', ${createdAt});`,
    ];
  });
  return [
    `CREATE TABLE IF NOT EXISTS ${notes} (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);`,
    ...statements,
  ];
};

/**
 * The SQL that creates the tables as they are in this database: the applied migrations and Drizzle's records of them, so
 * that a newer version can migrate from there.
 *
 * @throws BackupError for a database without any of them, and for one that another version has migrated
 */
export const readSchemaScript = async (client: ClientBase): Promise<string[]> => {
  const scripts: string[] = [];
  for (const part of PARTS) scripts.push(...(await readPartScript(client, part)));
  if (scripts.length === 0) {
    throw new BackupError('The database holds nothing of Linehaul, so there is nothing to back up.');
  }
  return ['CREATE SCHEMA IF NOT EXISTS drizzle;', ...scripts];
};
