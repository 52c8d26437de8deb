import { flag, list, nullable, number, object, oneOf, optional, text, type ShapeOf } from '@/lib/base/shape';
import { identitySchema } from './fleet';
import { FLAGS, REASONS, STATUSES } from '@/lib/motion/status';

const trackPointSchema = object({ lat: number, lng: number, fixAtMs: number });

/**
 * The evidence of a flag, as text for a dispatcher. `seenText` stands for it where other trucks are named or counted and the
 * viewer does not see the whole fleet.
 */
const flagEvidenceSchema = object({ flag: oneOf(FLAGS), text: text, seenText: optional(text) });
export type FlagEvidence = ShapeOf<typeof flagEvidenceSchema>;

/**
 * GET /api/fleets/:usdot/live/:key: the feed's detail of one unit. `evidence` is what the status was derived from;
 * `receivedAgeMs` how old its newest record was when it came, in whole minutes; `track` its recent fixes, oldest first;
 * `unconfirmed` the position of a jump.
 */
export const unitDetailSchema = object({
  identity: identitySchema,
  version: text,
  status: oneOf(STATUSES),
  reason: oneOf(REASONS),
  sinceMs: nullable(number),
  evidence: object({ distanceM: number, spanMs: number, fixes: number }),
  usualIntervalMs: nullable(number),
  receivedAgeMs: optional(nullable(number)),
  flags: list(flagEvidenceSchema),
  track: list(trackPointSchema),
  unconfirmed: nullable(trackPointSchema),
});
export type UnitDetail = ShapeOf<typeof unitDetailSchema>;

/**
 * What a device of an own fleet reported with its newest fix, and when it was heard without a position; null: unknown.
 */
const reportedSchema = object({
  fixAtMs: nullable(number),
  speedKph: nullable(number),
  headingDeg: nullable(number),
  batteryPercent: nullable(number),
  isIgnitionOn: nullable(flag),
  odometerM: nullable(number),
  alarm: nullable(text),
  noPositionCount: number,
  noPositionAtMs: nullable(number),
});
export type Reported = ShapeOf<typeof reportedSchema>;

/**
 * GET /api/fleets/:usdot/units/:vin: one unit as the provider reports it now; `unit` is null with a reason in
 * `outcome`.
 */
export const unitAnswerSchema = object({
  outcome: oneOf(['unit', 'unknown', 'neverReported']),
  requestedAtMs: number,
  unit: nullable(
    object({
      identity: identitySchema,
      position: nullable(object({ lat: number, lng: number })),
      fixAtMs: nullable(number),
      flags: list(flagEvidenceSchema),
    }),
  ),
  reported: optional(reportedSchema),
});
export type UnitAnswer = ShapeOf<typeof unitAnswerSchema>;

/** GET /api/fleets/:usdot/carrier/:vin: the carrier that a VIN is registered to; null: the provider knows none. */
export const vinCarrierSchema = object({
  vin: text,
  mcNumber: nullable(text),
  usdot: nullable(text),
  requestedAtMs: number,
});
export type VinCarrier = ShapeOf<typeof vinCarrierSchema>;
