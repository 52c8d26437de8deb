import { z } from 'zod';
import { distanceM } from '@/lib/geo/geodesy';
import { projectOnChord } from '@/lib/roads/road-graph';
import type { LatLng } from '@/lib/geo/units';

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

const CELL_DEG = 0.5;

const cellOf = (deg: number) => Math.floor(deg / CELL_DEG);
const keyOf = (row: number, column: number) => row * 10_000 + column;

/** The position of a point relative to a survey. */
export interface Sighting {
  /** Kilometers to the straight line of the nearest stretch; Infinity where none is within half a degree. */
  offKm: number;
  /** Whether a surveyed road is long enough for its bends to reach the point: the survey cannot contradict it. */
  withinBends: boolean;
}

/** Whether the road can pass the point: it stays within the ellipse that has its two ends as foci. */
const reaches = ({ a, b, alongM }: Stretch, point: LatLng) =>
  distanceM(a, point) + distanceM(point, b) <= alongM;

/** An index of the survey: a function that locates a point in it. */
export const createStretchIndex = (
  stretches: readonly Stretch[],
): ((lat: number, lng: number) => Sighting) => {
  const cells = new Map<number, Stretch[]>();
  for (const stretch of stretches) {
    const { a, b } = stretch;
    for (let row = cellOf(Math.min(a.lat, b.lat)); row <= cellOf(Math.max(a.lat, b.lat)); row += 1) {
      for (
        let column = cellOf(Math.min(a.lng, b.lng));
        column <= cellOf(Math.max(a.lng, b.lng));
        column += 1
      ) {
        const key = keyOf(row, column);
        const cell = cells.get(key);
        if (cell) cell.push(stretch);
        else cells.set(key, [stretch]);
      }
    }
  }
  return (lat, lng) => {
    const point = { lat, lng };
    let nearestM = Infinity;
    let withinBends = false;
    for (let row = cellOf(lat) - 1; row <= cellOf(lat) + 1; row += 1) {
      for (let column = cellOf(lng) - 1; column <= cellOf(lng) + 1; column += 1) {
        for (const stretch of cells.get(keyOf(row, column)) ?? []) {
          nearestM = Math.min(nearestM, projectOnChord(point, stretch.a, stretch.b).offM);
          withinBends ||= reaches(stretch, point);
        }
      }
    }
    return { offKm: nearestM / 1000, withinBends };
  };
};
