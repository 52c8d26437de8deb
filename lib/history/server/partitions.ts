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

const toName = (hour: number): string => `fixes_h${hour}`;

const listHours = async (run: Pick<Pool, 'query'>): Promise<number[]> => {
  const { rows } = await run.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'linehaul.fixes'::regclass`,
  );
  return rows.map(({ name }) => Number(name.slice(toName(0).length - 1)));
};

/**
 * Makes the partitions of the hour of `seenMs` and of the next ones, and drops those of hours that ended `keptMs` before.
 */
export const maintainPartitions = (pool: Pool, seenMs: number, keptMs: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
    const hours = await listHours(client);
    const now = Math.floor(seenMs / HOUR_MS);
    for (let hour = now; hour <= now + HOURS_AHEAD; hour++) {
      if (hours.includes(hour)) continue;
      const name = `linehaul.${toName(hour)}`;
      await client.query(`
        CREATE TABLE ${name} PARTITION OF linehaul.fixes
          FOR VALUES FROM (${hour * HOUR_MS}) TO (${(hour + 1) * HOUR_MS});
        CREATE UNIQUE INDEX ON ${name} (usdot, unit, fix_ms)`);
    }
    const old = hours.filter((hour) => (hour + 1) * HOUR_MS <= seenMs - keptMs);
    for (const hour of old) await client.query(`DROP TABLE linehaul.${toName(hour)}`);
  });
