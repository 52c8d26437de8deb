import 'server-only';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';

/** What a pool tells of when nobody is waiting for an answer. */
export interface StorageLog {
  warn: (fields: object, words: string) => void;
  debug: (fields: object, words: string) => void;
}

/** The application's own tables: `pool` to hold a connection, Drizzle over it for statements. */
export interface Database {
  pool: Pool;
  orm: NodePgDatabase;
}

/** Anything that runs statements: the database, or a transaction of it. */
export type Executor = Pick<
  NodePgDatabase,
  'execute' | 'select' | 'insert' | 'update' | 'delete' | 'transaction'
>;

/** Who signs in and what is noted of it is little: the tracking service beside it has a pool of its own. */
const MAX_CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that went away without a word is given up here: its own timeout never comes. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2000;

/** How every connection is made, those of the pool and the one that migrates. */
export const toConnection = (databaseUrl: string) => ({
  connectionString: databaseUrl,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  application_name: 'linehaul-accounts',
});

/** A pool that connects when it is first asked. */
export const openDatabase = (databaseUrl: string, log: StorageLog): Database => {
  const pool = new Pool({
    ...toConnection(databaseUrl),
    max: MAX_CONNECTIONS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // Without a listener, the loss of an idle connection would end the process; so would one between two statements.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost an idle database connection'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ reason: error.message }, 'lost a database connection'));
  });
  return { pool, orm: drizzle({ client: pool }) };
};
