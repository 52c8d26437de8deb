import type { Interstate } from '@/lib/roads/interstates';
import type { Stretch } from './freeways';
import { createStretchIndex, type Sighting } from './stretch-index';

/** The distance of one waypoint, or of the worst inner point of a chord, from the survey. */
export interface Offset extends Sighting {
  label: string;
}

export interface RoadReport {
  /** Shares of 1: waypoints within 3 km of a straight line of the survey, and those or within its bends. */
  waypointsNear: number;
  waypointsPlausible: number;
  /** Share of chords between waypoints whose inner points are all within 15 km. */
  chordsNear: number;
  worstWaypoints: Offset[];
  worstChords: Offset[];
}

const WAYPOINT_NEAR_KM = 3;
const CHORD_NEAR_KM = 15;
const CHORD_FRACTIONS = [0.25, 0.5, 0.75];

const worstFirst = (a: Offset, b: Offset) => b.offKm - a.offKm;
const shareOf = (offsets: readonly Offset[], holds: (offset: Offset) => boolean) =>
  offsets.filter(holds).length / offsets.length;

/** Measures every waypoint, and three points of every chord, against surveyed freeways. */
export const measureRoads = (
  interstates: readonly Interstate[],
  stretches: readonly Stretch[],
): RoadReport => {
  const locate = createStretchIndex(stretches);
  const waypoints: Offset[] = [];
  const chords: Offset[] = [];
  for (const { name, waypoints: chain } of interstates) {
    for (const [index, [lat, lng, place]] of chain.entries()) {
      const label = `${name} ${lat}, ${lng} ${place ?? ''}`.trimEnd();
      waypoints.push({ label, ...locate(lat, lng) });
      const next = chain[index + 1];
      if (!next) continue;
      const [nextLat, nextLng] = next;
      const inner = CHORD_FRACTIONS.map((t) => locate(lat + (nextLat - lat) * t, lng + (nextLng - lng) * t));
      chords.push({
        label: `${label} to ${nextLat}, ${nextLng}`,
        offKm: Math.max(...inner.map(({ offKm }) => offKm)),
        withinBends: inner.every(({ withinBends }) => withinBends),
      });
    }
  }
  const near = ({ offKm }: Offset) => offKm <= WAYPOINT_NEAR_KM;
  return {
    waypointsNear: shareOf(waypoints, near),
    waypointsPlausible: shareOf(waypoints, (offset) => near(offset) || offset.withinBends),
    chordsNear: shareOf(chords, ({ offKm }) => offKm <= CHORD_NEAR_KM),
    worstWaypoints: waypoints.sort(worstFirst),
    worstChords: chords.sort(worstFirst),
  };
};
