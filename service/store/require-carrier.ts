import { eq } from 'drizzle-orm';
import { UnknownCarrierError } from './errors';
import type { Executor } from './locks';
import { carriers } from './schema';

/** @throws UnknownCarrierError unless the carrier exists. */
export const requireCarrier = async (tx: Executor, usdot: string): Promise<void> => {
  const rows = await tx.select({ usdot: carriers.usdot }).from(carriers).where(eq(carriers.usdot, usdot));
  if (rows.length === 0) throw new UnknownCarrierError([usdot]);
};
