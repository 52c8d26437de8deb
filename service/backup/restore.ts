import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { BackupError } from './format';
import { SCHEMAS } from './format';
import { FIRST_LINE, LAST_LINE, isCopyLine } from './format';
import { createScriptReader } from './script-reader';
import type { RowCounts } from './write';

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
 * @throws BackupError for a database that is not empty, and for a script that is foreign or truncated
 */
export const restoreBackup = async (
  client: ClientBase,
  source: AsyncIterable<Buffer>,
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
  await client.query(statements);
  return counts;
};
