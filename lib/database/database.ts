import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Client, Pool, type PoolClient, type QueryConfig } from 'pg';

/** A schema of Linehaul: the path of its migrations, and the limits of the connections that use it. */
export interface DatabasePart {
  schema: string;
  /** Path of the SQL migrations in the working folder. */
  migrationsPath: string[];
  /** The table in the schema `drizzle` that lists the applied migrations. */
  migrationsTable: string;
  applicationName: string;
  maxConnections: number;
  connectTimeoutMs: number;
  /** 0: none. */
  statementTimeoutMs: number;
}

/** The application's own tables: users, sessions, settings, audit. They see little traffic. */
export const APPLICATION_PART: DatabasePart = {
  schema: 'linehaul',
  migrationsPath: ['lib', 'database', 'migrations'],
  migrationsTable: 'linehaul_migrations',
  applicationName: 'linehaul-accounts',
  maxConnections: 5,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 10_000,
};

/** The recorder writes in large transactions, on connections of its own, so that no sign-in waits for them. */
export const HISTORY_PART: DatabasePart = {
  ...APPLICATION_PART,
  applicationName: 'linehaul-history',
  maxConnections: 2,
  statementTimeoutMs: 60_000,
};

/** The archive's connections: one holds its lock, one lists files and drops partitions, one notes what is written. */
export const ARCHIVE_PART: DatabasePart = {
  ...HISTORY_PART,
  applicationName: 'linehaul-archive',
  maxConnections: 3,
  statementTimeoutMs: 0,
};

/** What links for people without an account show, so that no sign-in waits for them. */
export const SHARES_PART: DatabasePart = {
  ...APPLICATION_PART,
  applicationName: 'linehaul-shares',
  maxConnections: 2,
};

/** Jobs in the background, which have few connections of their own. Their schema is made by pg-boss. */
export const JOBS_PART: DatabasePart = {
  ...APPLICATION_PART,
  applicationName: 'linehaul-jobs',
  maxConnections: 4,
  statementTimeoutMs: 60_000,
};

/** The leases of fleets: one connection keeps the order, and a statement as slow as a lease would renew nothing. */
export const LEASES_PART: DatabasePart = {
  ...APPLICATION_PART,
  applicationName: 'linehaul-leases',
  maxConnections: 1,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 3000,
};

/** Held by the process that archives, shared by readers of partitions and files; by a transaction, because of PgBouncer. */
export const ARCHIVE_LOCK = 0x41524348;

export const TRACKING_PART: DatabasePart = {
  schema: 'tracking',
  migrationsPath: ['service', 'store', 'migrations'],
  migrationsTable: 'tracking_migrations',
  applicationName: 'linehaul-tracking',
  maxConnections: 10,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
};

/** Receives connection losses that no statement reports. */
export interface StorageLog {
  warn: (fields: object, message: string) => void;
  debug: (fields: object, message: string) => void;
}

/** One pool: `pool` for raw SQL and held connections, `orm` for everything else. */
export interface Database {
  pool: Pool;
  orm: NodePgDatabase;
}

/** Anything that runs statements: the database, or a transaction of it. */
export type Executor = Pick<
  NodePgDatabase,
  'execute' | 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'transaction'
>;

/** Added to the statement timeout of the server, because a server that is gone cannot enforce its own. */
const ANSWER_MARGIN_MS = 5000;

/** The settings of every connection: those of the pool and the one that migrates. */
export const toConnection = (databaseUrl: string, part: DatabasePart) => ({
  connectionString: databaseUrl,
  connectionTimeoutMillis: part.connectTimeoutMs,
  keepAlive: true,
  application_name: part.applicationName,
});

/** Whether an address leads through PgBouncer, which it says as for other programs: `?pgbouncer=true`. */
const isThroughPgBouncer = (databaseUrl: string): boolean =>
  new URL(databaseUrl).searchParams.get('pgbouncer') === 'true';

/** A client that prepares no statements: the next transaction may have another connection. */
class UnpreparedClient extends Client {
  constructor(...options: ConstructorParameters<typeof Client>) {
    super(...options);
    const send = this.query.bind(this) as (statement: unknown, ...rest: unknown[]) => unknown;
    const query = (statement: QueryConfig | string, ...rest: unknown[]): unknown =>
      send(
        typeof statement === 'object' && statement.name ? { ...statement, name: undefined } : statement,
        ...rest,
      );
    Object.assign(this, { query });
  }
}

/** A pool that connects at the first statement. */
export const openDatabase = (databaseUrl: string, part: DatabasePart, log: StorageLog): Database => {
  const isPooled = isThroughPgBouncer(databaseUrl);
  const pool = new Pool({
    ...toConnection(databaseUrl, part),
    max: part.maxConnections,
    // PgBouncer refuses connections with settings that it does not know.
    ...(isPooled ? { Client: UnpreparedClient } : { statement_timeout: part.statementTimeoutMs }),
    query_timeout: part.statementTimeoutMs && part.statementTimeoutMs + ANSWER_MARGIN_MS,
  });
  // Without these listeners, losing an idle connection or one between two statements would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'lost an idle database connection'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ reason: error.message }, 'lost a database connection'));
  });
  return { pool, orm: drizzle({ client: pool }) };
};

/** The rows of a statement, each as a list of its columns, which takes less time than an object. */
export const queryLists = async <Row extends unknown[]>(
  run: Pick<Pool, 'query'>,
  text: string,
  values: unknown[],
): Promise<Row[]> => (await run.query<Row>({ text, values, rowMode: 'array' })).rows;

/** Runs `work` between BEGIN and COMMIT on one connection, for raw SQL; rolls back when it throws. */
export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that fails to roll back is not returned to the pool.
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};
