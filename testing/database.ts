import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { TEMPLATE_NAME, cloneDatabase, runStatement } from './template';

export interface TestDatabase {
  databaseUrl: string;
  /** The rows of one statement, on a connection of its own. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Removes the database, also while connections to it are open. */
  drop(): Promise<void>;
}

const clone = async (template: string): Promise<TestDatabase> => {
  const serverUrl = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const databaseUrl = await cloneDatabase(serverUrl, name, template);
  return {
    databaseUrl,
    query: (text, values) => runStatement(databaseUrl, text, values),
    drop: async () => {
      await runStatement(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
};

/** A database with all tables and no rows for one test file, on the server of the run. */
export const createTestDatabase = (): Promise<TestDatabase> => clone(TEMPLATE_NAME);

/** A database without tables, for tests of what creates them. */
export const createEmptyDatabase = (): Promise<TestDatabase> => clone('template1');
