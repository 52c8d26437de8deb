import { APPLICATION_PART, TRACKING_PART, type DatabasePart } from '@/lib/database/database';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { ClientBase } from 'pg';
import { to as copyTo, from as copyFrom } from 'pg-copy-streams';
import { findMigrationsFolder } from '@/lib/database/migrate';
import { pipeline } from 'node:stream/promises';

/** A backup cannot be written or restored; the message is the reason, for the user. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * A backup is an SQL script in UTF-8 that creates and fills the tables in one transaction; psql can run it too. Rows are
 * in COPY format: one line each, up to a line of a backslash and a dot.
 */
export const FIRST_LINE = '-- Backup of a Linehaul tracking service, format 1';
export const LAST_LINE = '-- End of the backup';
export const END_OF_ROWS = '\\.';

export const toCopyLine = (table: string, columns: string): string =>
  `COPY ${table} (${columns}) FROM stdin;`;

/** Whether a line of the script is followed by rows. */
export const isCopyLine = (line: string): boolean => /^COPY .* FROM stdin;$/.test(line);

/** The schemas of Linehaul: the service's, and the application's where it shares the database. */
export const PARTS = [TRACKING_PART, APPLICATION_PART];
export const SCHEMAS = PARTS.map(({ schema }) => schema);

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

const requireEmpty = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query<{ taken: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ANY($1)) AS taken',
    [SCHEMAS],
  );
  if (rows[0]?.taken) {
    throw new BackupError('The database is in use by Linehaul already. Restore into an empty one.');
  }
};

/** The table that a COPY statement names. */
const toTableName = (line: string): string => line.split(' ')[1]!;

/**
 * Runs the script of a backup on an empty database, as one transaction that ends with the connection on failure.
 *
 * @param beforeCommit runs when all rows are there; nothing is restored when it rejects
 * @throws BackupError for a database that is not empty, and for a script that is foreign or truncated
 */
export const restoreBackup = async (
  client: ClientBase,
  source: AsyncIterable<Buffer>,
  beforeCommit: () => Promise<void>,
): Promise<RowCounts> => {
  await requireEmpty(client);
  const counts: RowCounts = new Map();
  const reader = createScriptReader(source);
  if ((await reader.readLine()) !== FIRST_LINE) throw new BackupError('It is not a backup of Linehaul.');
  let statements = '';
  let last = FIRST_LINE;
  for (let line = await reader.readLine(); line !== null; line = await reader.readLine()) {
    last = line;
    if (!isCopyLine(line)) {
      statements += `${line}\n`;
      continue;
    }
    await client.query(statements);
    statements = '';
    const rows = client.query(copyFrom(line.slice(0, -1)));
    await pipeline(reader.readRows(), rows);
    counts.set(toTableName(line), rows.rowCount);
  }
  // Checked before the statements that commit: a truncated backup must restore nothing.
  if (last !== LAST_LINE) throw new BackupError('The backup breaks off before its end.');
  await beforeCommit();
  await client.query(statements);
  return counts;
};

const LINE_FEED = 0x0a;
const END = `${END_OF_ROWS}\n`;

/** Reads a script by line, or rows by block: as bytes, since only LF ends a row. */
export const createScriptReader = (source: AsyncIterable<Buffer>) => {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (!done) held = held.length === 0 ? value : Buffer.concat([held, value]);
    return !done;
  };

  const take = (length: number, skip = 0): Buffer => {
    const taken = held.subarray(0, length);
    held = held.subarray(length + skip);
    return taken;
  };

  return {
    /** The next line; null at the end. */
    async readLine(): Promise<string | null> {
      for (;;) {
        const end = held.indexOf(LINE_FEED);
        if (end >= 0) return take(end, 1).toString('utf8');
        if (await readMore()) continue;
        return held.length === 0 ? null : take(held.length).toString('utf8');
      }
    },
    /** The rows from here to the line that ends them, in blocks of whole lines. @throws BackupError when it is missing */
    async *readRows(): AsyncGenerator<Buffer> {
      for (;;) {
        const isOver = held.subarray(0, END.length).toString('latin1') === END;
        if (isOver) return void take(END.length);
        const end = held.indexOf(`\n${END}`);
        const whole = end >= 0 ? end + 1 : held.lastIndexOf(LINE_FEED) + 1;
        if (whole > 0) yield take(whole);
        else if (!(await readMore()))
          throw new BackupError('The backup breaks off in the middle of its rows.');
      }
    },
  };
};
