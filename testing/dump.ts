import pg from 'pg';

const TABLES = `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    and (table_schema, table_name) <> ('linehaul_jobs', 'version') order by 1`;

/**
 * Every row of every table of a database as text, by the name of the table: bytes as \x and hexadecimal digits. Without
 * when the jobs were last checked, which changes each 30 seconds.
 */
export const dumpDatabase = async (databaseUrl: string): Promise<Record<string, string[]>> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const dump: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select each::text as row from ${name} each order by 1`,
      );
      dump[name] = rows.map(({ row }) => row);
    }
    return dump;
  } finally {
    await client.end();
  }
};

/** All rows, but when each credential was used last: feeds use one meanwhile. */
export const dumpChanges = async (databaseUrl: string): Promise<Record<string, string[]>> => {
  const dump = await dumpDatabase(databaseUrl);
  const keys = dump['linehaul.load_keys']?.map((row) => row.split(',', 1)[0]!) ?? [];
  const secrets = dump['tracking.api_key_secrets']?.map((row) => row.split(',').slice(0, 6).join(',')) ?? [];
  return { ...dump, 'linehaul.load_keys': keys, 'tracking.api_key_secrets': secrets };
};
