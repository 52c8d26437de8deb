import { z } from 'zod';
import { carrierAccountSchema } from '../wire/carrier';

const listedFleetSchema = z.object({
  usdot: z.string(),
  /** The account whose key reads the fleet: its own carrier's or another's; null while unknown. */
  account: carrierAccountSchema.nullable(),
  /** Why that account cannot be read, as text; null if it can, or has not been read yet. */
  problem: z.string().nullable(),
});

/** GET /api/fleets: the fleets in the viewer's scope; the default fleet comes first. */
export const fleetListSchema = z.object({ fleets: z.array(listedFleetSchema) });
export type FleetList = z.infer<typeof fleetListSchema>;
