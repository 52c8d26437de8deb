import { expect } from 'vitest';
import { drizzle } from 'drizzle-orm/node-postgres';
import { inTransaction, JOBS_PART, openDatabase } from '@/lib/database/database';
import { createAlertMessages, type AlertMessagesOptions } from '@/lib/alerts/server/messages';
import type { AlertMessages } from '@/lib/alerts/server/outbox';
import type { AlertChanged } from '@/lib/recording/alert-writer';
import { clockOf } from '@/testing/clock';
import type { HeldAlerts } from './alerts';
import { DAY_MS } from '@/lib/base/time';

const silent = { warn: () => undefined, debug: () => undefined };
export const SECRET = 'a secret of a test, long enough to sign with';

/** The messages of one process, which looks for jobs all the time once it is started. Its clock goes on from the test's. */
export const createMessages = (
  held: HeldAlerts,
  options: Partial<AlertMessagesOptions> = {},
): AlertMessages => {
  const startedAtMs = performance.now();
  return createAlertMessages({
    open: async () => openDatabase(held.database.databaseUrl, JOBS_PART, silent),
    secret: SECRET,
    publicUrl: 'https://fleet.test',
    sendMail: null,
    mailFrom: null,
    isPrivateAllowed: true,
    keptMs: 400 * DAY_MS,
    clock: clockOf(() => Math.round(held.nowMs + performance.now() - startedAtMs)),
    log: silent,
    pollMs: 10,
    maintainEveryS: 1,
    ...options,
  });
};

/** Adds messages about changes as the recorder does. */
export const addChanges = async (
  { app }: HeldAlerts,
  { outbox }: Pick<AlertMessages, 'outbox'>,
  changes: readonly AlertChanged[],
): Promise<void> => {
  const { pool } = await app.database.open();
  await inTransaction(pool, (client) => outbox.add(drizzle({ client }), changes));
};

const QUEUES = `('alert-delivery', 'alert-bundle', 'alert-digest')`;

/** Resolves once no message is on its way or due. */
export const untilSettled = async ({ app }: HeldAlerts): Promise<void> => {
  const { pool } = await app.database.open();
  for (;;) {
    const { rows } = await pool.query<{ due: number }>(
      `select count(*)::int as due from linehaul_jobs.job
       where name in ${QUEUES} and (state >= 'active' or start_after <= now())`,
    );
    if (rows[0]!.due === 0) return;
  }
};

/** Sets the clock forward to the next message that is due; false where none is left. */
export const goToNext = async (held: HeldAlerts): Promise<boolean> => {
  await untilSettled(held);
  const { pool } = await held.app.database.open();
  const { rows } = await pool.query<{ ms: string | null }>(
    `with next as (
       select ceil(extract(epoch from min(start_after) - now()) * 1000)::int8 as ms
       from linehaul_jobs.job where name in ${QUEUES}),
     moved as (
       update linehaul_jobs.job set start_after = start_after - ms * interval '1 ms' from next
       where name in ${QUEUES})
     select ms from next`,
  );
  const { ms } = rows[0]!;
  if (ms === null) return false;
  held.nowMs += Number(ms);
  await untilSettled(held);
  return true;
};

const UPKEEP = `linehaul_jobs.job where name = 'alert-upkeep' and start_after > now()`;

/** Waits for an upkeep to end. */
export const untilUpkept = async ({ database }: HeldAlerts): Promise<void> => {
  await expect.poll(() => database.query(`select 1 from ${UPKEEP}`)).toHaveLength(1);
};

/** Starts the upkeep that is put off, once the one at the start has ended: it would put off the next one again. */
export const startUpkeep = async (held: HeldAlerts): Promise<void> => {
  await untilUpkept(held);
  await held.database.query(`update linehaul_jobs.job set start_after = now() where name = 'alert-upkeep'`);
};

/** Removes the jobs of the test before. */
export const clearJobs = async ({ database }: HeldAlerts): Promise<void> => {
  const [row] = await database.query(`select to_regclass('linehaul_jobs.job') is not null as "isMade"`);
  if (row!.isMade) await database.query('delete from linehaul_jobs.job');
};

/** Each message with what became of it, in the order of their alerts. */
export const readDeliveries = ({ database }: HeldAlerts) =>
  database.query(
    `select id, channel, target, state, attempts, last_error as error from linehaul.alert_deliveries
     order by alert_id, event, channel, target`,
  );
