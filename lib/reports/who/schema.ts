import { identitySchema } from '@/lib/wire/fleet';
import { integer, list, nullable, number, object, oneOf, type ShapeOf } from '@/lib/base/shape';
import { coverageIntervalSchema } from '@/lib/trips/coverage';
import { CERTAINTIES } from './visits';

/** GET /api/fleets/:usdot/history/visits?area=&from=&to= (Unix ms): units in an area, visits and coverage. */
export const visitsSchema = object({
  nowMs: number,
  units: list(identitySchema),
  visits: list(
    object({
      unit: integer(0),
      certainty: oneOf(CERTAINTIES),
      afterMs: nullable(number),
      firstMs: nullable(number),
      lastMs: nullable(number),
      beforeMs: nullable(number),
      fixes: integer(0),
      awayMs: number,
    }),
  ),
  coverage: list(coverageIntervalSchema),
});
export type VisitsAnswer = ShapeOf<typeof visitsSchema>;
