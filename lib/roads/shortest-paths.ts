import { createNodeQueue } from './node-queue';
import type { RoadGraph } from './road-graph';

/** Marks the origin, and nodes that no road leads to. */
export const NO_NODE = -1;

/**
 * Shortest ways from one node to all others: for each node the one before it on its way, or NO_NODE.
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
    // A node is queued again whenever a shorter way is found: only its shortest counts.
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
