import type { LatLng } from '@/lib/geo/units';
import type { Interstate } from './interstates';
import { createRoadGraph, findShortestPaths, NO_NODE, type ShortestPaths } from './road-graph';
import { bearingDeg, distanceM, interpolate } from '@/lib/geo/geodesy';
import { getOrMake } from '@/lib/base/maps';

/** A named place where trips begin and end. */
interface Terminal extends LatLng {
  place: string;
}

export interface RoadNetwork {
  /** One per place name, in the order of the table; where several roads serve a place, the first road's waypoint. */
  terminals: readonly Terminal[];
  /** The shortest route between two places by name; null where no road connects them. Throws a RangeError for an unknown place. */
  route(from: string, to: string): Route | null;
}

/** Joins interstates at their junctions and finds routes along them. Paths from a place are computed on first use. */
export const createRoadNetwork = (interstates: readonly Interstate[]): RoadNetwork => {
  const chains = interstates.map(({ waypoints }) => waypoints.map(([lat, lng]) => ({ lat, lng })));
  const graph = createRoadGraph(chains);

  const nodes = new Map<string, number>();
  // The graph numbers the waypoints of all roads first, in the order of the table.
  for (const [node, [, , place]] of interstates.flatMap(({ waypoints }) => waypoints).entries()) {
    if (place && !nodes.has(place)) nodes.set(place, node);
  }
  const terminals = [...nodes].map(([place, node]): Terminal => ({ place, ...graph.points[node]! }));

  const requireNode = (place: string): number => {
    const node = nodes.get(place);
    if (node === undefined) throw new RangeError(`Got place "${place}" when expected one of the terminals.`);
    return node;
  };
  const trees = new Map<number, ShortestPaths>();

  return {
    terminals,
    route(from, to) {
      const origin = requireNode(from);
      const { previous } = getOrMake(trees, origin, () => findShortestPaths(graph, origin));
      const points: LatLng[] = [];
      let node = requireNode(to);
      for (; node !== origin && node !== NO_NODE; node = previous[node]!) points.push(graph.points[node]!);
      if (node === NO_NODE) return null;
      return createRoute([...points, graph.points[origin]!].reverse());
    },
  };
};

/** A path along the roads. `cumulativeM[i]` is the distance from the start to `points[i]` in meters, strictly increasing. */
export interface Route {
  points: readonly LatLng[];
  cumulativeM: Float64Array;
  lengthM: number;
}

/** A position on a route and its heading: degrees clockwise from true north, in [0, 360). */
interface RoutePosition extends LatLng {
  headingDeg: number;
}

/** A route through the points in order; a point equal to its predecessor is dropped. */
export const createRoute = (points: readonly LatLng[]): Route => {
  const kept: LatLng[] = [];
  const meters: number[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    const stepM = last ? distanceM(last, point) : 0;
    if (last && stepM === 0) continue;
    kept.push(point);
    meters.push((meters.at(-1) ?? 0) + stepM);
  }
  return { points: kept, cumulativeM: Float64Array.from(meters), lengthM: meters.at(-1) ?? 0 };
};

/** Index of the last point at or before `distM`. */
const findChord = (cumulativeM: Float64Array, distM: number): number => {
  let low = 0;
  let high = cumulativeM.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cumulativeM[middle]! <= distM) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** The position `distM` meters along a route, clamped to its two ends; throws a RangeError for a route of under two points. */
export const positionOnRoute = (route: Route, distM: number): RoutePosition => {
  const { points, cumulativeM, lengthM } = route;
  if (points.length < 2)
    throw new RangeError(`Got a route of ${points.length} points when expected 2 or more.`);
  const clampedM = Math.min(lengthM, Math.max(0, distM));
  // At the end of the route the last chord gives the heading.
  const chord = Math.min(findChord(cumulativeM, clampedM), points.length - 2);
  const [from, to] = [points[chord]!, points[chord + 1]!];
  const startM = cumulativeM[chord]!;
  const fraction = (clampedM - startM) / (cumulativeM[chord + 1]! - startM);
  return { ...interpolate(from, to, fraction), headingDeg: bearingDeg(from, to) };
};
