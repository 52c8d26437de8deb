import interstates from './interstates.json' with { type: 'json' };

/** One point of a road: latitude and longitude in degrees, and the place it serves where it has a name. */
type Waypoint = readonly [lat: number, lng: number, place?: string];

/**
 * One road as a chain of waypoints, west to east for even numbers and south to north for odd ones.
 * Two roads far apart may share a number, as on I-84: then two entries have that name.
 */
export interface Interstate {
  name: `I-${number}` | `I-${number}W`;
  waypoints: readonly Waypoint[];
}

/**
 * The main interstates of the contiguous United States, drawn by hand and within a few kilometers of the
 * pavement: accurate enough for a map of the whole country and for a simulated truck, too coarse to navigate by.
 */
// TypeScript reads tuples in JSON as arrays; interstates.test.ts checks the shape.
export const INTERSTATES = interstates as unknown as readonly Interstate[];
