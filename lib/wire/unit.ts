import { z } from 'zod';
import { FLAGS, REASONS, STATUSES } from './status';

const identitySchema = z.object({
  key: z.string(),
  vin: z.string().nullable(),
  truckNumber: z.string().nullable(),
  plateState: z.string().nullable(),
  plateNumber: z.string().nullable(),
  make: z.string().nullable(),
  model: z.string().nullable(),
  year: z.number().nullable(),
  fuelType: z.string().nullable(),
  assetType: z.string().nullable(),
  deviceId: z.string().nullable(),
});

const trackPointSchema = z.object({ lat: z.number(), lng: z.number(), fixAtMs: z.number() });
export type TrackPoint = z.infer<typeof trackPointSchema>;

/** The evidence of a flag, as text for a dispatcher. */
const flagEvidenceSchema = z.object({ flag: z.enum(FLAGS), words: z.string() });
export type FlagEvidence = z.infer<typeof flagEvidenceSchema>;

/**
 * GET /api/fleets/:usdot/live/:key: the feed's detail of one unit, without a request to the provider.
 * `evidence` is what the status was derived from; `usualIntervalMs` the unit's usual interval, once it has
 * one; `track` its recent fixes, oldest first; `doubtful` the position of an unconfirmed jump.
 */
export const unitDetailSchema = z.object({
  identity: identitySchema,
  version: z.string(),
  status: z.enum(STATUSES),
  reason: z.enum(REASONS),
  sinceMs: z.number().nullable(),
  evidence: z.object({ distanceM: z.number(), spanMs: z.number(), fixes: z.number() }),
  usualIntervalMs: z.number().nullable(),
  flags: z.array(flagEvidenceSchema),
  track: z.array(trackPointSchema),
  doubtful: trackPointSchema.nullable(),
});
export type UnitDetail = z.infer<typeof unitDetailSchema>;

/**
 * GET /api/fleets/:usdot/units/:vin: one unit as the provider reports it now, requested by its VIN. `unit` is
 * null where the provider does not know the VIN or it has never reported; `said` has the reason.
 */
export const unitAnswerSchema = z.object({
  said: z.enum(['unit', 'unknown', 'neverReported']),
  askedAtMs: z.number(),
  unit: z
    .object({
      identity: identitySchema,
      position: z.object({ lat: z.number(), lng: z.number() }).nullable(),
      fixAtMs: z.number().nullable(),
      flags: z.array(flagEvidenceSchema),
    })
    .nullable(),
});
export type UnitAnswer = z.infer<typeof unitAnswerSchema>;
