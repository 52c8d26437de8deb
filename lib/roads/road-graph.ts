import { distanceM } from '@/lib/motion/distance';
import type { LatLng } from '@/lib/wire/units';
import { type Chain, pointAt } from './chain';
import { findJunctions } from './junctions';

/** Nodes by number; an edge is a straight drive between two of them. */
export interface RoadGraph {
  points: LatLng[];
  edges: { to: number; lengthM: number }[][];
}

/** About 11 km of latitude: wider than any gap that a junction bridges. */
const BOX_MARGIN_DEG = 0.15;

interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
}

const boxOf = (chain: Chain): Box => ({
  south: Math.min(...chain.map(({ lat }) => lat)) - BOX_MARGIN_DEG,
  north: Math.max(...chain.map(({ lat }) => lat)) + BOX_MARGIN_DEG,
  west: Math.min(...chain.map(({ lng }) => lng)) - BOX_MARGIN_DEG,
  east: Math.max(...chain.map(({ lng }) => lng)) + BOX_MARGIN_DEG,
});

const overlap = (a: Box, b: Box) =>
  a.south <= b.north && b.south <= a.north && a.west <= b.east && b.west <= a.east;

/** Joins chains into one graph. The nodes begin with all points of the first chain, then of the second, and so on. */
export const createRoadGraph = (chains: readonly Chain[]): RoadGraph => {
  const points: LatLng[] = [];
  const edges: RoadGraph['edges'] = [];
  const addNode = (point: LatLng): number => {
    edges.push([]);
    return points.push(point) - 1;
  };
  const connect = (a: number, b: number): void => {
    const lengthM = distanceM(points[a]!, points[b]!);
    edges[a]!.push({ to: b, lengthM });
    edges[b]!.push({ to: a, lengthM });
  };

  const stops = chains.map((chain) => chain.map((point, at) => ({ at, node: addNode(point) })));
  const stopAt = (chain: number, at: number): number => {
    const known = stops[chain]!.find((stop) => stop.at === at);
    if (known) return known.node;
    const node = addNode(pointAt(chains[chain]!, at));
    stops[chain]!.push({ at, node });
    return node;
  };

  const boxes = chains.map(boxOf);
  for (let first = 0; first < chains.length; first += 1) {
    for (let second = first + 1; second < chains.length; second += 1) {
      if (!overlap(boxes[first]!, boxes[second]!)) continue;
      for (const { atFirst, atSecond } of findJunctions(chains[first]!, chains[second]!)) {
        connect(stopAt(first, atFirst), stopAt(second, atSecond));
      }
    }
  }

  for (const along of stops) {
    along.sort((a, b) => a.at - b.at);
    for (let index = 0; index + 1 < along.length; index += 1)
      connect(along[index]!.node, along[index + 1]!.node);
  }
  return { points, edges };
};
