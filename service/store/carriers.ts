import { asc, eq, sql, inArray } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/database/database';
import { UnknownCarrierError } from './errors';
import { deleteFixesOf } from './fixes/retention';
import { carrierInputSchema, parseRows, type Carrier, type CarrierInput } from './inputs';
import { carriers } from './schema';

const columns = {
  usdot: carriers.usdot,
  companyName: carriers.companyName,
  companyId: carriers.companyId,
  mcNumber: carriers.mcNumber,
};

export const createCarrierStore = ({ pool, orm }: Database) => ({
  /** Adds or replaces a carrier. @throws InvalidRecordError */
  async upsert(input: CarrierInput): Promise<void> {
    const [carrier] = parseRows('carrier', carrierInputSchema, [input]);
    await orm.insert(carriers).values(carrier!).onConflictDoUpdate({ target: carriers.usdot, set: carrier! });
  },

  async read(usdot: string): Promise<Carrier | null> {
    const [carrier] = await orm.select(columns).from(carriers).where(eq(carriers.usdot, usdot));
    return carrier ?? null;
  },

  list: (tx: Executor = orm): Promise<Carrier[]> =>
    tx
      .select(columns)
      .from(carriers)
      .orderBy(asc(sql`${carriers.usdot}::integer`)),

  /** Removes a carrier with its vehicles, fixes, keys and tokens, and runs `also` with that; false where there was none. */
  async remove(usdot: string, also?: (tx: Executor) => Promise<void>): Promise<boolean> {
    // One statement for all fixes of a large carrier would exceed the time limit of statements, and hold its locks until then.
    await deleteFixesOf(pool, usdot);
    return orm.transaction(async (tx) => {
      await lockVehicleWriters(tx);
      await lockCarriers(tx, [usdot]);
      const removed = await tx
        .delete(carriers)
        .where(eq(carriers.usdot, usdot))
        .returning({ usdot: carriers.usdot });
      await also?.(tx);
      return removed.length > 0;
    });
  },
});

/** @throws UnknownCarrierError unless the carrier exists. */
export const requireCarrier = async (tx: Executor, usdot: string): Promise<void> => {
  const rows = await tx.select({ usdot: carriers.usdot }).from(carriers).where(eq(carriers.usdot, usdot));
  if (rows.length === 0) throw new UnknownCarrierError([usdot]);
};

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
