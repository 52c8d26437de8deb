import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { DatabasePart } from '@/lib/database/database';
import { findMigrationsFolder } from '@/lib/database/migrate';
import { END_OF_ROWS, FIRST_LINE, LAST_LINE, toCopyLine, BackupError, PARTS, SCHEMAS } from './format';

/** Rows of each table, by its name. */
export type RowCounts = Map<string, number>;

const toText = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');

/**
 * The backup of a tracking service in pieces, from one snapshot of its database.
 *
 * @param counts filled while it is read
 * @throws BackupError
 */
export async function* writeBackup(client: ClientBase, counts: RowCounts): AsyncGenerator<string | Buffer> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const schema = await readSchemaScript(client);
  const tables = await readTables(client);
  yield toText([FIRST_LINE, "SET client_encoding = 'UTF8';", 'BEGIN;', ...schema]);
  for (const { name, columns } of tables) {
    yield toText([toCopyLine(name, columns)]);
    const rows = client.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`));
    yield* rows as AsyncIterable<Buffer>;
    counts.set(name, rows.rowCount);
    yield toText([END_OF_ROWS]);
  }
  // Last: sequences ignore the snapshot, so their values must be read after the rows.
  yield toText([...(await readSequences(client)), 'COMMIT;', LAST_LINE]);
  await client.query('COMMIT');
}

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
const readSchemaScript = async (client: ClientBase): Promise<string[]> => {
  const scripts: string[] = [];
  for (const part of PARTS) scripts.push(...(await readPartScript(client, part)));
  if (scripts.length === 0) {
    throw new BackupError('The database holds nothing of Linehaul, so there is nothing to back up.');
  }
  return ['CREATE SCHEMA IF NOT EXISTS drizzle;', ...scripts, ...(await readPartitions(client))];
};

/** A statement for each partition and for each index of one: both come and go with time, so no migration makes them. */
const readPartitions = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('CREATE TABLE %I.%I PARTITION OF %I.%I %s;', n.nspname, c.relname, n.nspname, p.relname,
       pg_get_expr(c.relpartbound, c.oid)) AS statement
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits i ON i.inhrelid = c.oid
       JOIN pg_class p ON p.oid = i.inhparent
     WHERE n.nspname = ANY($1) AND c.relkind = 'r' AND c.relispartition
     UNION ALL
     SELECT pg_get_indexdef(x.indexrelid) || ';'
     FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY($1) AND c.relispartition`,
    [SCHEMAS],
  );
  return rows.map(({ statement }) => statement);
};

/** A table of Linehaul; names are quoted for SQL. */
interface Table {
  id: string;
  name: string;
  /** Stored columns, without generated ones. */
  columns: string;
  /** Tables that its foreign keys refer to. */
  needs: string[];
}

const TABLES = `
  SELECT c.oid::text AS id, format('%I.%I', n.nspname, c.relname) AS name,
    (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT f.confrelid::text FROM pg_constraint f
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS needs
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND c.relkind = 'r' ORDER BY name`;

/** Each table after those that its rows refer to, so that foreign keys hold while rows are loaded. */
const sortByNeed = (tables: Table[]): Table[] => {
  const sorted: Table[] = [];
  for (let waiting = tables; waiting.length > 0;) {
    const isWaiting = (id: string) => waiting.some((table) => table.id === id);
    const ready = waiting.filter(({ needs }) => !needs.some(isWaiting));
    if (ready.length === 0) throw new BackupError('Tables refer to each other in a circle.');
    sorted.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return sorted;
};

/** All tables of Linehaul, in the order in which they can be filled. */
const readTables = async (client: ClientBase): Promise<Table[]> =>
  sortByNeed((await client.query<Table>(TABLES, [SCHEMAS])).rows);

/** A statement for each sequence that sets it to its current value. */
const readSequences = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('SELECT setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value) AS statement
     FROM pg_sequences WHERE schemaname = ANY($1) AND last_value IS NOT NULL ORDER BY 1`,
    [SCHEMAS],
  );
  return rows.map(({ statement }) => statement);
};
