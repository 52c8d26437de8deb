import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { END_OF_ROWS, FIRST_LINE, LAST_LINE, toCopyLine } from './format';
import { readSchemaScript } from './schema-script';
import { readSequences, readTables } from './tables';

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
