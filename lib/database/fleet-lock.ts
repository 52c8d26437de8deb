import { sql } from 'drizzle-orm';
import type { Executor } from './database';

/** "FLEE" in ASCII: distinct from the locks of sites, rules and webhooks, which the recording waits for at each alert. */
const FLEET_LOCK = 0x464c4545;

/**
 * Orders the transactions that read, merge and write what users keep about a fleet (contacts, tags, notes, views, rules),
 * until this one ends. It is taken before the lock of rules.
 */
export const lockFleet = async (tx: Executor, usdot: string): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${FLEET_LOCK}, hashtext(${usdot}))`);
};
