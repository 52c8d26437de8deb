import { z } from 'zod';
import { carrierAccountSchema } from '../wire/carrier';

const listedFleetSchema = z.object({
  usdot: z.string(),
  /** Whose key the fleet is read with: its own carrier's, or another's; null while that is not known. */
  account: carrierAccountSchema.nullable(),
  /** Why that account cannot be read, in words; null where it can, or was not asked for yet. */
  problem: z.string().nullable(),
});

/** GET /api/fleets: the fleets that may be seen, the one that opens first at the head. */
export const fleetListSchema = z.object({ fleets: z.array(listedFleetSchema) });
export type FleetList = z.infer<typeof fleetListSchema>;
