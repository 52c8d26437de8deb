import { z } from 'zod';
import type { LatLng } from '@/lib/wire/units';

/** A surveyed stretch of freeway between two neighboring nodes, and its length along all its bends. */
export interface Stretch {
  a: LatLng;
  b: LatLng;
  alongM: number;
}

const graphSchema = z.object({
  nodes: z.array(z.tuple([z.number(), z.number()])),
  /** For each node its neighbors' indices, with the kilometers to each. */
  graph: z.array(z.record(z.string(), z.number())),
});

/** The stretches of a freeway graph, each once; throws a ZodError or SyntaxError for any other text. */
export const parseFreeways = (json: string): Stretch[] => {
  const { nodes, graph } = graphSchema.parse(JSON.parse(json));
  const stretches: Stretch[] = [];
  for (const [from, neighbors] of graph.entries()) {
    for (const [key, alongKm] of Object.entries(neighbors)) {
      const to = Number(key);
      const a = nodes[from];
      const b = nodes[to];
      if (to <= from || !a || !b) continue;
      stretches.push({ alongM: alongKm * 1000, a: { lat: a[0], lng: a[1] }, b: { lat: b[0], lng: b[1] } });
    }
  }
  return stretches;
};
