import { identitySchema } from '@/lib/wire/fleet';
import { integer, list, nullable, number, object, oneOf, type ShapeOf } from '@/lib/base/shape';
import { coverageIntervalSchema } from '@/lib/trips/coverage';
import { CERTAINTIES } from './visits';

/**
 * GET /api/fleets/:usdot/history/visits?area=&from=&to= (Unix ms): the units that were inside an area, the visits of each in the
 * order of time, and the recording's coverage of the range. `nowMs` is the server's clock.
 */
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
    }),
  ),
  coverage: list(coverageIntervalSchema),
});
export type VisitsAnswer = ShapeOf<typeof visitsSchema>;
