import { asc, eq, sql } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/postgres/database';
import { UnknownCarrierError } from './errors';
import { carrierInputSchema, parseRows } from './inputs';
import type { Carrier, CarrierInput } from './inputs';
import { lockCarriers, lockVehicleWriters } from './locks';
import { carriers } from './schema';

export interface CarrierStore {
  /** Adds or replaces a carrier. @throws InvalidRecordError */
  upsert(input: CarrierInput): Promise<void>;
  read(usdot: string): Promise<Carrier | null>;
  list(): Promise<Carrier[]>;
  /** Removes a carrier with its vehicles, fixes, keys and tokens; false where there was none. */
  remove(usdot: string): Promise<boolean>;
}

const columns = {
  usdot: carriers.usdot,
  companyName: carriers.companyName,
  companyId: carriers.companyId,
  mcNumber: carriers.mcNumber,
};

export const createCarrierStore = ({ orm }: Database): CarrierStore => ({
  async upsert(input) {
    const [carrier] = parseRows('carrier', carrierInputSchema, [input]);
    await orm.insert(carriers).values(carrier!).onConflictDoUpdate({ target: carriers.usdot, set: carrier! });
  },

  async read(usdot) {
    const [carrier] = await orm.select(columns).from(carriers).where(eq(carriers.usdot, usdot));
    return carrier ?? null;
  },

  list: () =>
    orm
      .select(columns)
      .from(carriers)
      .orderBy(asc(sql`${carriers.usdot}::integer`)),

  remove: (usdot) =>
    orm.transaction(async (tx) => {
      await lockVehicleWriters(tx);
      await lockCarriers(tx, [usdot]);
      const removed = await tx
        .delete(carriers)
        .where(eq(carriers.usdot, usdot))
        .returning({ usdot: carriers.usdot });
      return removed.length > 0;
    }),
});

/** @throws UnknownCarrierError unless the carrier exists. */
export const requireCarrier = async (tx: Executor, usdot: string): Promise<void> => {
  const rows = await tx.select({ usdot: carriers.usdot }).from(carriers).where(eq(carriers.usdot, usdot));
  if (rows.length === 0) throw new UnknownCarrierError([usdot]);
};
