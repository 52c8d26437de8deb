import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  databaseUrl: string;
  /** Removes the database, also while somebody is still connected. */
  drop(): Promise<void>;
}

const run = async (connectionString: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
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
    drop: () => run(serverUrl, `drop database if exists ${name} with (force)`),
  };
};
