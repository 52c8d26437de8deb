import { z } from 'zod';

/** GET /api/fleets/:usdot/roster: the VINs that belong to the USDOT number, in the provider's order. */
export const rosterSchema = z.object({
  usdot: z.string(),
  vins: z.array(z.string()),
  fetchedAtMs: z.number(),
});
export type Roster = z.infer<typeof rosterSchema>;
