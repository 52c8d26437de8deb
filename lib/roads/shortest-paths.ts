import type { RoadGraph } from './road-graph';

/** Nodes by their distance, nearest first: a binary heap in two parallel arrays. */
interface NodeQueue {
  push(node: number, distM: number): void;
  /** Takes the nearest node out; undefined when the queue is empty. */
  pop(): { node: number; distM: number } | undefined;
}

const createNodeQueue = (): NodeQueue => {
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

/**
 * Shortest paths from one node to all others: for each node its predecessor on the path, or NO_NODE.
 *
 * E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
 */
export const findShortestPaths = ({ edges }: RoadGraph, origin: number): Int32Array => {
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
  return previous;
};
