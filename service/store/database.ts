import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import type { ServiceLog } from '../log';

/** The pool for statements written by hand, where speed matters, and Drizzle over it for the others. */
export interface Database {
  pool: Pool;
  orm: NodePgDatabase;
}

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** A server that went away without a word is given up here: its own timeout never comes. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;

/** How every connection to the database is made, those of the pool and the one that migrates. */
export const toConnection = (databaseUrl: string) => ({
  connectionString: databaseUrl,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  application_name: 'linehaul-tracking',
});

export const openDatabase = (databaseUrl: string, log: ServiceLog): Database => {
  const pool = new Pool({
    ...toConnection(databaseUrl),
    max: MAX_CONNECTIONS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost an idle database connection'));
  // So would the loss of one that a transaction holds, between two of its statements or beside one.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ reason: error.message }, 'lost a database connection'));
  });
  return { pool, orm: drizzle({ client: pool }) };
};

/** Runs `work` between BEGIN and COMMIT on one connection; when it throws, nothing of it is kept. */
export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool.
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};
