import interstates from './interstates.json' with { type: 'json' };

/** One point of a road: latitude and longitude in degrees, and the place it serves where it has a name. */
type Waypoint = readonly [lat: number, lng: number, place?: string];

/** A road as waypoints, west to east or south to north. Two roads far apart may share a number, as on I-84. */
export interface Interstate {
  name: `I-${number}` | `I-${number}W`;
  waypoints: readonly Waypoint[];
}

/** The main interstates of the contiguous states, drawn by hand within some kilometers of the pavement. */
// TypeScript reads tuples in JSON as arrays; interstates.test.ts checks the shape.
export const INTERSTATES = interstates as unknown as readonly Interstate[];
