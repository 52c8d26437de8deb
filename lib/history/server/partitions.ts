import 'server-only';
import type { Pool } from 'pg';
import { inTransaction } from '@/lib/postgres/database';

export const HOUR_MS = 3_600_000;

/** Hours that have their partition before they begin. */
const HOURS_AHEAD = 2;
/** One process at a time makes or drops partitions. */
const PARTITIONS_LOCK = 0x46495845;
/** A change of partitions waits for running queries at most this long, because later queries wait behind it. */
const LOCK_TIMEOUT = '2s';

/** The partitioned tables, and what is unique within a partition of each. */
const UNIQUE = { fixes: 'usdot, unit, fix_ms', states: 'usdot, seen_ms, unit' } as const;
type Table = keyof typeof UNIQUE;
const TABLES = Object.keys(UNIQUE) as Table[];

const toName = (table: Table, hour: number): string => `${table}_h${hour}`;

const listHours = async (run: Pick<Pool, 'query'>, table: Table): Promise<number[]> => {
  const { rows } = await run.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass`,
    [`linehaul.${table}`],
  );
  return rows.map(({ name }) => Number(name.slice(toName(table, 0).length - 1)));
};

const maintain = async (
  client: Pick<Pool, 'query'>,
  table: Table,
  seenMs: number,
  keptMs: number,
): Promise<void> => {
  const hours = await listHours(client, table);
  const now = Math.floor(seenMs / HOUR_MS);
  for (let hour = now; hour <= now + HOURS_AHEAD; hour++) {
    if (hours.includes(hour)) continue;
    const name = `linehaul.${toName(table, hour)}`;
    await client.query(`
      CREATE TABLE ${name} PARTITION OF linehaul.${table}
        FOR VALUES FROM (${hour * HOUR_MS}) TO (${(hour + 1) * HOUR_MS});
      CREATE UNIQUE INDEX ON ${name} (${UNIQUE[table]})`);
  }
  const old = hours.filter((hour) => (hour + 1) * HOUR_MS <= seenMs - keptMs);
  for (const hour of old) await client.query(`DROP TABLE linehaul.${toName(table, hour)}`);
};

/**
 * Makes the partitions of the hour of `seenMs` and of the next ones, and drops those of hours that ended `keptMs` before.
 */
export const maintainPartitions = (pool: Pool, seenMs: number, keptMs: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
    for (const table of TABLES) await maintain(client, table, seenMs, keptMs);
  });
