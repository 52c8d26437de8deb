import { list, nullable, object, text, type ShapeOf } from '@/lib/base/shape';
import { carrierAccountSchema } from '../wire/fleet';

const listedFleetSchema = object({
  usdot: text,
  /** The account whose key reads the fleet: its own carrier's or another's; null while unknown. */
  account: nullable(carrierAccountSchema),
  /** Why that account cannot be read, as text; null if it can, or has not been read yet. */
  problem: nullable(text),
});

/** GET /api/fleets: the fleets in the viewer's scope; the default fleet comes first. */
export const fleetListSchema = object({ fleets: list(listedFleetSchema) });
export type FleetList = ShapeOf<typeof fleetListSchema>;
