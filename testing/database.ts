import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { TEMPLATE_NAME, cloneDatabase, runStatement } from './template';

export interface TestDatabase {
  databaseUrl: string;
  /** The rows of one statement, on a connection that no other statement uses meanwhile. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Removes the database, also while connections to it are open. */
  drop(): Promise<void>;
}

const clone = async (template: string): Promise<TestDatabase> => {
  const serverUrl = inject('databaseUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const databaseUrl = await cloneDatabase(serverUrl, name, template);
  // A connection for each statement takes 9 ms of the processor. Without a timer, which a test may replace.
  const pool = new pg.Pool({ connectionString: databaseUrl, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The pool forgets a connection that the server ends, and an error without a listener would end the process.
  pool.on('error', () => undefined);
  return {
    databaseUrl,
    query: async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows,
    drop: async () => {
      await runStatement(serverUrl, `drop database if exists ${name} with (force)`);
      await pool.end();
    },
  };
};

/** A database with all tables and no rows for one test file, on the server of the run. */
export const createTestDatabase = (): Promise<TestDatabase> => clone(TEMPLATE_NAME);

/** A database without tables, for tests of what creates them. */
export const createEmptyDatabase = (): Promise<TestDatabase> => clone('template1');
