import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  databaseUrl: string;
  /** The rows of one statement, on a connection of its own. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Removes the database, also while somebody is still connected. */
  drop(): Promise<void>;
}

const run = async (
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** An empty database of its own for one test file, on the server of the run. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const serverUrl = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    query: (text, values) => run(url.href, text, values),
    drop: async () => {
      await run(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
};
