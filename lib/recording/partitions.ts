import 'server-only';
import type { Pool } from 'pg';
import { ARCHIVE_LOCK, inTransaction } from '@/lib/database/database';
import { HOUR_MS } from '@/lib/base/time';

/** A fix may be this much ahead of our clock. */
export const AHEAD_MS = 2 * 60_000;

const HOURS_AHEAD = 2;
/** One process at a time makes partitions. */
const PARTITIONS_LOCK = 0x46495845;
/** A change of partitions waits for running queries at most this long, because later queries wait behind it. */
const LOCK_TIMEOUT = '2s';

/** The partitioned tables, and what is unique within a partition of each. */
const UNIQUE = { fixes: 'usdot, unit, fix_ms', states: 'usdot, seen_ms, unit' } as const;
/** A table with a partition for each hour in which its rows were seen. */
export type PartitionedTable = keyof typeof UNIQUE;
const TABLES = Object.keys(UNIQUE) as PartitionedTable[];

/** The partition of an hour, counted from 1970. */
export const toPartition = (table: PartitionedTable, hour: number): string => `linehaul.${table}_h${hour}`;

/** The hours that have a partition, in the order of time. */
export const listHours = async (run: Pick<Pool, 'query'>, table: PartitionedTable): Promise<number[]> => {
  const { rows } = await run.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass`,
    [`linehaul.${table}`],
  );
  return rows.map(({ name }) => Number(name.slice(`${table}_h`.length))).sort((a, b) => a - b);
};

const make = async (client: Pick<Pool, 'query'>, table: PartitionedTable, seenMs: number): Promise<void> => {
  const hours = await listHours(client, table);
  const now = Math.floor(seenMs / HOUR_MS);
  for (let hour = now; hour <= now + HOURS_AHEAD; hour++) {
    if (hours.includes(hour)) continue;
    const name = toPartition(table, hour);
    await client.query(`
      CREATE TABLE ${name} PARTITION OF linehaul.${table}
        FOR VALUES FROM (${hour * HOUR_MS}) TO (${(hour + 1) * HOUR_MS});
      CREATE UNIQUE INDEX ON ${name} (${UNIQUE[table]})`);
  }
};

/** Makes the partitions of the hour of `seenMs` and of the next ones; the archive drops them. */
export const makePartitions = (pool: Pool, seenMs: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
    for (const table of TABLES) await make(client, table, seenMs);
  });

/** Writes hours that are closed: meanwhile none is archived. */
export const withoutArchiving = (pool: Pool, write: () => Promise<void>): Promise<void> =>
  inTransaction(pool, async (lock) => {
    await lock.query('SELECT pg_advisory_xact_lock_shared($1)', [ARCHIVE_LOCK]);
    await write();
  });
