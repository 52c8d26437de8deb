import { z } from 'zod';

/** GET /api/carrier: the carrier that the key of the server's first account belongs to. */
export const carrierAccountSchema = z.object({
  companyName: z.string(),
  companyId: z.string(),
  usdot: z.string(),
});

/**
 * GET /api/fleets/:usdot/carrier/:vin: the motor carrier that a VIN is registered to; null where the fleet's
 * provider knows none.
 */
export const vinCarrierSchema = z.object({
  vin: z.string(),
  mcNumber: z.string().nullable(),
  usdot: z.string().nullable(),
  askedAtMs: z.number(),
});
export type VinCarrier = z.infer<typeof vinCarrierSchema>;
