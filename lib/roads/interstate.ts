/** One point of a road: latitude and longitude in degrees, and the place it serves where it has a name. */
export type Waypoint = readonly [lat: number, lng: number, place?: string];

/**
 * One road as a chain of waypoints, west to east for even numbers and south to north for odd ones.
 * A number may stand for two roads far apart, as I-84 does: then there are two of the name.
 */
export interface Interstate {
  name: `I-${number}` | `I-${number}W`;
  waypoints: readonly Waypoint[];
}
