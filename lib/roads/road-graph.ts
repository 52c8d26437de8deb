import {
  distanceM,
  toBounds,
  type Bounds,
  interpolate,
  METERS_PER_DEGREE,
  RADIANS_PER_DEGREE,
} from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';

/** Two roads that come closer than this are joined there. */
const JOIN_WITHIN_M = 8000;

/** Least distance between two junctions of the same roads, so that parallel roads are not joined at every waypoint. */
const JOIN_APART_M = 25_000;

/** A junction of two chains, as a position on each. */
interface Junction {
  atFirst: number;
  atSecond: number;
}

interface Candidate extends Junction {
  gapM: number;
  point: LatLng;
}

const findCrossings = (first: Chain, second: Chain): Candidate[] => {
  const found: Candidate[] = [];
  for (let i = 0; i + 1 < first.length; i += 1) {
    for (let j = 0; j + 1 < second.length; j += 1) {
      const crossing = crossChords(first[i]!, first[i + 1]!, second[j]!, second[j + 1]!);
      if (!crossing) continue;
      const atFirst = i + crossing[0];
      found.push({ atFirst, atSecond: j + crossing[1], gapM: 0, point: pointAt(first, atFirst) });
    }
  }
  return found;
};

const findApproaches = (first: Chain, second: Chain): Candidate[] => [
  ...first.map((point, index) => {
    const { at, offM } = nearestOnChain(second, point, JOIN_WITHIN_M);
    return { atFirst: index, atSecond: at, gapM: offM, point };
  }),
  ...second.map((point, index) => {
    const { at, offM } = nearestOnChain(first, point, JOIN_WITHIN_M);
    return { atFirst: at, atSecond: index, gapM: offM, point };
  }),
];

/** The junctions of two chains: their crossings, then where they come within 8 km of each other, closest first. */
const findJunctions = (first: Chain, second: Chain): Junction[] => {
  const candidates = [...findCrossings(first, second), ...findApproaches(first, second)]
    .filter(({ gapM }) => gapM <= JOIN_WITHIN_M)
    .sort((a, b) => a.gapM - b.gapM);
  const joined: Candidate[] = [];
  for (const candidate of candidates) {
    if (joined.every(({ point }) => distanceM(point, candidate.point) > JOIN_APART_M)) joined.push(candidate);
  }
  return joined.map(({ atFirst, atSecond }) => ({ atFirst, atSecond }));
};

/** Nodes by number; an edge is a straight drive between two of them. */
interface RoadGraph {
  points: LatLng[];
  edges: { to: number; lengthM: number }[][];
}

/** About 11 km of latitude: wider than any gap that a junction bridges. */
const BOX_MARGIN_DEG = 0.15;

const boxOf = (chain: Chain): Bounds => toBounds(chain.map(({ lat, lng }) => [lat, lng]))!;

/** Whether roads in two boxes may come near each other. */
const areNear = ([south, west, north, east]: Bounds, other: Bounds): boolean =>
  south - other[2] <= 2 * BOX_MARGIN_DEG &&
  other[0] - north <= 2 * BOX_MARGIN_DEG &&
  west - other[3] <= 2 * BOX_MARGIN_DEG &&
  other[1] - east <= 2 * BOX_MARGIN_DEG;

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
      if (!areNear(boxes[first]!, boxes[second]!)) continue;
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

/** Nodes by their distance, nearest first: a binary heap in two parallel arrays. */
interface NodeQueue {
  push(node: number, distM: number): void;
  /** Takes the nearest node out; undefined when the queue is empty. */
  pop(): { node: number; distM: number } | undefined;
}

export const createNodeQueue = (): NodeQueue => {
  const nodes: number[] = [];
  const dists: number[] = [];
  const put = (index: number, node: number, distM: number): void => {
    nodes[index] = node;
    dists[index] = distM;
  };

  return {
    push(node, distM) {
      let hole = nodes.length;
      // move farther parents down until the new node fits
      while (hole > 0) {
        const parent = (hole - 1) >> 1;
        if (dists[parent]! <= distM) break;
        put(hole, nodes[parent]!, dists[parent]!);
        hole = parent;
      }
      put(hole, node, distM);
    },
    pop() {
      const last = nodes.pop();
      const lastM = dists.pop();
      if (last === undefined || lastM === undefined) return undefined;
      if (nodes.length === 0) return { node: last, distM: lastM };
      const nearest = { node: nodes[0]!, distM: dists[0]! };
      let hole = 0;
      // move nearer children up until the last node fits
      for (let child = 1; child < nodes.length; child = 2 * hole + 1) {
        if (child + 1 < nodes.length && dists[child + 1]! < dists[child]!) child += 1;
        if (dists[child]! >= lastM) break;
        put(hole, nodes[child]!, dists[child]!);
        hole = child;
      }
      put(hole, last, lastM);
      return nearest;
    },
  };
};

/** The predecessor of the origin and of unreachable nodes. */
export const NO_NODE = -1;

export interface ShortestPaths {
  previous: Int32Array;
  /** Infinity for unreachable nodes. */
  shortestM: Float64Array;
}

/**
 * Shortest paths from one node to all others: for each node its predecessor on the path, or NO_NODE, and its distance in meters.
 *
 * E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
 */
export const findShortestPaths = ({ edges }: RoadGraph, origin: number): ShortestPaths => {
  const previous = new Int32Array(edges.length).fill(NO_NODE);
  const shortestM = new Float64Array(edges.length).fill(Infinity);
  const queue = createNodeQueue();
  shortestM[origin] = 0;
  queue.push(origin, 0);
  for (let nearest = queue.pop(); nearest; nearest = queue.pop()) {
    // A node is queued again whenever a shorter path is found: skip its longer entries.
    if (nearest.distM > shortestM[nearest.node]!) continue;
    for (const { to, lengthM } of edges[nearest.node]!) {
      const distM = nearest.distM + lengthM;
      if (distM >= shortestM[to]!) continue;
      shortestM[to] = distM;
      previous[to] = nearest.node;
      queue.push(to, distM);
    }
  }
  return { previous, shortestM };
};

/** The points of a road in order. `at` locates a position on it: the index of a point plus a fraction of the chord after it. */
export type Chain = readonly LatLng[];

/** The point of a chord nearest to a given point, as a fraction from its start (0) to its end (1), and its distance. */
interface Projection {
  fraction: number;
  offM: number;
}

/** Projects a point onto the chord from `a` to `b`, on a plane scaled at the point: good below about 200 km. */
export const projectOnChord = (point: LatLng, a: LatLng, b: LatLng): Projection => {
  const mPerDegLng = METERS_PER_DEGREE * Math.cos(point.lat * RADIANS_PER_DEGREE);
  const ax = (a.lng - point.lng) * mPerDegLng;
  const ay = (a.lat - point.lat) * METERS_PER_DEGREE;
  const dx = (b.lng - a.lng) * mPerDegLng;
  const dy = (b.lat - a.lat) * METERS_PER_DEGREE;
  const squared = dx * dx + dy * dy;
  const fraction = squared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / squared));
  return { fraction, offM: Math.hypot(ax + dx * fraction, ay + dy * fraction) };
};

/** The crossing of the chords a–b and c–d as fractions of each; null where they do not cross or are parallel. */
export const crossChords = (a: LatLng, b: LatLng, c: LatLng, d: LatLng): [number, number] | null => {
  if (Math.max(a.lat, b.lat) < Math.min(c.lat, d.lat) || Math.max(c.lat, d.lat) < Math.min(a.lat, b.lat))
    return null;
  // Straight in degrees, as the roads are drawn: no scaling is needed to find a crossing.
  const rx = b.lng - a.lng;
  const ry = b.lat - a.lat;
  const sx = d.lng - c.lng;
  const sy = d.lat - c.lat;
  const cross = rx * sy - ry * sx;
  if (cross === 0) return null;
  const first = ((c.lng - a.lng) * sy - (c.lat - a.lat) * sx) / cross;
  const second = ((c.lng - a.lng) * ry - (c.lat - a.lat) * rx) / cross;
  return first >= 0 && first <= 1 && second >= 0 && second <= 1 ? [first, second] : null;
};

/** The point of a chain at `at`; throws a RangeError outside the chain. */
export const pointAt = (chain: Chain, at: number): LatLng => {
  const index = Math.floor(at);
  const start = chain[index];
  if (!start) throw new RangeError(`Got index ${at} on a chain of ${chain.length} points.`);
  return interpolate(start, chain[index + 1] ?? start, at - index);
};

/** The position on a chain nearest to a point, and its distance: Infinity where that is over `withinM`. */
export const nearestOnChain = (
  chain: Chain,
  point: LatLng,
  withinM: number,
): { at: number; offM: number } => {
  const marginDeg = withinM / METERS_PER_DEGREE;
  let nearest = { at: 0, offM: Infinity };
  for (let index = 0; index + 1 < chain.length; index += 1) {
    const a = chain[index]!;
    const b = chain[index + 1]!;
    // Most chords lie far to the north or south: skip them before any trigonometry.
    if (Math.min(a.lat, b.lat) - point.lat > marginDeg || point.lat - Math.max(a.lat, b.lat) > marginDeg)
      continue;
    const { fraction, offM } = projectOnChord(point, a, b);
    if (offM <= withinM && offM < nearest.offM) nearest = { at: index + fraction, offM };
  }
  return nearest;
};
