import type { LatLng } from '@/lib/geo/units';
import type { Interstate } from './interstates';
import { createRoadGraph, findShortestPaths, NO_NODE } from './road-graph';
import { createRoute, type Route } from './route';

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
  const trees = new Map<number, Int32Array>();
  const treeFrom = (origin: number): Int32Array => {
    const known = trees.get(origin);
    if (known) return known;
    const tree = findShortestPaths(graph, origin);
    trees.set(origin, tree);
    return tree;
  };

  return {
    terminals,
    route(from, to) {
      const origin = requireNode(from);
      const tree = treeFrom(origin);
      const points: LatLng[] = [];
      let node = requireNode(to);
      for (; node !== origin && node !== NO_NODE; node = tree[node]!) points.push(graph.points[node]!);
      if (node === NO_NODE) return null;
      return createRoute([...points, graph.points[origin]!].reverse());
    },
  };
};
