import type { LatLng } from '@/lib/wire/units';
import type { Chain } from './chain';
import { nearestOnChain } from './chain';
import type { Interstate } from './interstates';
import { createRoadGraph, findShortestPaths, NO_NODE } from './road-graph';
import { createRoute } from './route';
import type { Route } from './route';

/** A named place where trips begin and end. `degree` counts the directions in which interstates leave it. */
interface Terminal extends LatLng {
  place: string;
  degree: number;
}

export interface RoadNetwork {
  /** One per place name, in the order of the table; where several roads serve a place, the first road's waypoint. */
  terminals: readonly Terminal[];
  /** The shortest route between two places by name; null where no road connects them. Throws a RangeError for an unknown place. */
  route(from: string, to: string): Route | null;
}

/** A road this close serves a place: about the radius of a large city. */
const SERVES_WITHIN_M = 20_000;

const countDirections = (chains: readonly Chain[], place: LatLng): number =>
  chains.reduce((directions, chain) => {
    const { at, offM } = nearestOnChain(chain, place, SERVES_WITHIN_M);
    if (offM === Infinity) return directions;
    return directions + (at === 0 || at === chain.length - 1 ? 1 : 2);
  }, 0);

/** Joins interstates at their junctions and finds routes along them. Paths from a place are computed on first use. */
export const createRoadNetwork = (interstates: readonly Interstate[]): RoadNetwork => {
  const chains = interstates.map(({ waypoints }) => waypoints.map(([lat, lng]) => ({ lat, lng })));
  const graph = createRoadGraph(chains);

  const nodes = new Map<string, number>();
  // The graph numbers the waypoints of all roads first, in the order of the table.
  for (const [node, [, , place]] of interstates.flatMap(({ waypoints }) => waypoints).entries()) {
    if (place && !nodes.has(place)) nodes.set(place, node);
  }
  const terminals = [...nodes].map(([place, node]): Terminal => {
    const point = graph.points[node]!;
    return { place, ...point, degree: countDirections(chains, point) };
  });

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
