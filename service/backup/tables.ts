import type { ClientBase } from 'pg';
import { BackupError } from './format';
import { SCHEMAS } from './format';

/** A table of Linehaul; names are quoted for SQL. */
export interface Table {
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
export const readTables = async (client: ClientBase): Promise<Table[]> =>
  sortByNeed((await client.query<Table>(TABLES, [SCHEMAS])).rows);

/** A statement for each sequence that sets it to its current value. */
export const readSequences = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('SELECT setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value) AS statement
     FROM pg_sequences WHERE schemaname = ANY($1) AND last_value IS NOT NULL ORDER BY 1`,
    [SCHEMAS],
  );
  return rows.map(({ statement }) => statement);
};
