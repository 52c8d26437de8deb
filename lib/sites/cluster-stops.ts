import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { METERS_PER_DEGREE, distanceM, RADIANS_PER_DEGREE } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { LEAST_STOPS, NEAR_M, WIDEST_M, type SuggestedPlace } from './answers';
import { getOrMake } from '@/lib/base/maps';

/** Stops of a fleet, in columns. */
export interface Stops {
  /** A number for each unit. */
  unit: ArrayLike<number>;
  lat: ArrayLike<number>;
  lng: ArrayLike<number>;
  lastedS: ArrayLike<number>;
}

/** Stops this close to each other are compared as one, m: a yard has tens of thousands of them. */
const CELL_M = 25;
/** A place is not divided further than at this distance, m. */
const LEAST_NEAR_M = 40;
/** About the outermost stops of a circle, against the scatter of receivers, m. */
const AROUND_M = 40;
const LEAST_RADIUS_M = 75;
/** A circle has room for this part of its stops; the others were beside it. */
const WITHIN = 0.95;
/** Cells that are compared before other work gets its turn. */
const CELLS_A_SLICE = 400;

interface Cell extends LatLng {
  /** Indexes of its stops. */
  stops: number[];
}

/** Puts stops into cells of a grid; the position of a cell is the mean of its stops. */
const toCells = ({ lat, lng }: Stops, isWanted: (at: LatLng) => boolean): Cell[] => {
  const cells = new Map<string, Cell>();
  const step = CELL_M / METERS_PER_DEGREE;
  for (let i = 0; i < lat.length; i++) {
    const row = Math.floor(lat[i]! / step);
    const column = Math.floor((lng[i]! * Math.cos(row * step * RADIANS_PER_DEGREE)) / step);
    const key = `${row} ${column}`;
    const cell = getOrMake(cells, key, () => ({ lat: 0, lng: 0, stops: [] }));
    cell.lat += lat[i]!;
    cell.lng += lng[i]!;
    cell.stops.push(i);
  }
  const all = [...cells.values()].map((cell) => ({
    stops: cell.stops,
    lat: cell.lat / cell.stops.length,
    lng: cell.lng / cell.stops.length,
  }));
  return all.filter(isWanted);
};

const countStops = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { stops }) => sum + stops.length, 0);

/**
 * Clusters of cells that are dense enough: DBSCAN, where a cell counts as many times as it has stops. Cells of no cluster
 * are left out.
 *
 * M. Ester, H.-P. Kriegel, J. Sander and X. Xu, "A Density-Based Algorithm for Discovering Clusters in Large Spatial
 * Databases with Noise", KDD-96, 1996.
 */
const findDense = async (
  cells: readonly Cell[],
  nearM: number,
  breathe: () => Promise<void>,
): Promise<Cell[][]> => {
  const index = new KDBush(cells.length);
  for (const { lat, lng } of cells) index.add(lng, lat);
  index.finish();
  const near = ({ lat, lng }: LatLng): number[] => around(index, lng, lat, Infinity, nearM / 1000);
  const isTaken = new Uint8Array(cells.length);
  const clusters: Cell[][] = [];
  let compared = 0;
  for (let begin = 0; begin < cells.length; begin++) {
    if (isTaken[begin] === 1) continue;
    const cluster: Cell[] = [];
    const queue = [begin];
    while (queue.length > 0) {
      const at = queue.pop()!;
      if (++compared % CELLS_A_SLICE === 0) await breathe();
      const neighbors = near(cells[at]!);
      const isDense = countStops(neighbors.map((each) => cells[each]!)) >= LEAST_STOPS;
      // A cluster begins at a dense cell, and has the cells about its dense ones.
      if (!isDense) continue;
      for (const each of neighbors) {
        if (isTaken[each] === 1) continue;
        isTaken[each] = 1;
        cluster.push(cells[each]!);
        if (each !== at) queue.push(each);
      }
    }
    if (cluster.length > 0) clusters.push(cluster);
  }
  return clusters;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** The circle about most stops of a cluster. */
const toCircle = (stops: Stops, cells: readonly Cell[]): LatLng & { spreadM: number } => {
  const members = cells.flatMap((cell) => cell.stops);
  // The median stays in the yard where a few stops are beside it.
  const center = {
    lat: median(members.map((i) => stops.lat[i]!)),
    lng: median(members.map((i) => stops.lng[i]!)),
  };
  const distances = members
    .map((i) => distanceM(center, { lat: stops.lat[i]!, lng: stops.lng[i]! }))
    .sort((a, b) => a - b);
  return { ...center, spreadM: quantile(distances, WITHIN) };
};

const toPlace = (stops: Stops, cells: readonly Cell[]): SuggestedPlace => {
  const { lat, lng, spreadM } = toCircle(stops, cells);
  const members = cells.flatMap((cell) => cell.stops);
  return {
    lat: Math.round(lat * 1e5) / 1e5,
    lng: Math.round(lng * 1e5) / 1e5,
    radiusM: Math.round(Math.min(WIDEST_M, Math.max(LEAST_RADIUS_M, spreadM + AROUND_M))),
    stops: members.length,
    units: new Set(members.map((i) => stops.unit[i]!)).size,
    medianMs: median(members.map((i) => stops.lastedS[i]!)) * 1000,
  };
};

/** Divides a cluster that is too wide for one place, as long as its parts are dense. */
const divide = async (
  stops: Stops,
  cells: readonly Cell[],
  nearM: number,
  breathe: () => Promise<void>,
): Promise<SuggestedPlace[]> => {
  if (nearM / 2 < LEAST_NEAR_M || toCircle(stops, cells).spreadM <= WIDEST_M) return [toPlace(stops, cells)];
  const parts = await findDense(cells, nearM / 2, breathe);
  const places: SuggestedPlace[] = [];
  for (const part of parts)
    if (countStops(part) >= LEAST_STOPS) places.push(...(await divide(stops, part, nearM / 2, breathe)));
  return places;
};

/**
 * The places where units stopped often, most stops first.
 * @param isWanted whether stops at a position count
 * @param breathe lets other work have its turn
 */
export const clusterStops = async (
  stops: Stops,
  isWanted: (at: LatLng) => boolean,
  breathe: () => Promise<void>,
): Promise<{ stops: number; places: SuggestedPlace[] }> => {
  const cells = toCells(stops, isWanted);
  const places: SuggestedPlace[] = [];
  for (const cluster of await findDense(cells, NEAR_M, breathe))
    places.push(...(await divide(stops, cluster, NEAR_M, breathe)));
  places.sort((a, b) => b.stops - a.stops || a.lat - b.lat || a.lng - b.lng);
  return { stops: countStops(cells), places };
};
