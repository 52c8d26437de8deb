import { asc, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/lib/postgres/database';
import { carriers } from './schema';

/** "VEHI" in ASCII: distinct from the lock that guards the migrations. */
const VEHICLE_WRITERS_LOCK = 0x56454849;

/** Serializes transactions that change vehicles, which are rare and may touch several carriers. */
export const lockVehicleWriters = async (tx: Executor): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${VEHICLE_WRITERS_LOCK})`);
};

/**
 * Locks the rows of carriers until the transaction ends, in the order of their numbers, so that writers of several
 * carriers cannot deadlock. Returns those that exist.
 */
export const lockCarriers = async (tx: Executor, usdots: string[]): Promise<Set<string>> => {
  const rows = await tx
    .select({ usdot: carriers.usdot })
    .from(carriers)
    .where(inArray(carriers.usdot, usdots))
    .orderBy(asc(carriers.usdot))
    .for('no key update');
  return new Set(rows.map((row) => row.usdot));
};
