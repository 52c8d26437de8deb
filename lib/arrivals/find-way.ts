import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { addTo, getOrMake } from '@/lib/base/maps';
import { INTERSTATES } from '@/lib/roads/interstates';
import { createRoadGraph, findShortestPaths } from '@/lib/roads/road-graph';
import { findNearCell, toCell } from './cells';
import type { Way } from './drives';
import type { LearnedRoads, Searching } from './learned-roads';
import type { UsualWays } from './usual-ways';

/** What a way was found by, best first. */
export type FoundBy =
  /** What trucks that drove to this stop had left from here. */
  | 'usual'
  /** A routing engine. */
  | 'engine'
  /** Roads that this fleet has driven. */
  | 'roads'
  /** The interstates, and straight lines to them. */
  | 'interstates'
  /** A straight line and a quarter. */
  | 'line';

export interface FoundWay extends Way {
  by: FoundBy;
}

export interface FindOptions {
  /** How many cells of roads may be searched, where the way to the stop is not known; null: there is no time for it. */
  search?: Searching | null;
  /** The way that a routing engine gave; null: none did. */
  way?: Way | null;
}

/** Where a truck goes: a position, and a name for what is learned of the ways to it. */
export interface Destination extends LatLng {
  key: string;
}

/** How much longer roads are than straight lines: about 1.25 in the United States (R. Ballou et al., Transportation Research A 36, 2002). */
const ROAD_FACTOR = 1.25;

/** 50 and 60 mph, until grades say more. */
const LINE_M_PER_MS = 22.4 / 1000;
const INTERSTATE_M_PER_MS = 26.8 / 1000;

/** An interstate that is farther away from either end does not help. */
const TO_INTERSTATE_M = 60_000;

const lineWay = (from: LatLng, to: LatLng): Way => {
  const distM = distanceM(from, to) * ROAD_FACTOR;
  return { distM, driveMs: distM / LINE_M_PER_MS };
};

/** Squares of a degree and a half, whose sides are longer than the way to an interstate may be. */
const SQUARE_DEG = 1.5;
const toSquare = ({ lat, lng }: LatLng): [row: number, column: number] => [
  Math.floor(lat / SQUARE_DEG),
  Math.floor(lng / SQUARE_DEG),
];
const keyOf = (row: number, column: number): number => row * 1000 + column;

/** Ways along the interstates of the contiguous states; those to one goal are computed once. */
class InterstateWays {
  readonly #graph = createRoadGraph(
    INTERSTATES.map(({ waypoints }) => waypoints.map(([lat, lng]) => ({ lat, lng }))),
  );
  /** At most 23 MB: there are 2,400 nodes. */
  readonly #toNode = new Map<number, Float32Array>();
  /** The nodes by the squares that they lie in. */
  readonly #nodes = new Map<number, number[]>();

  constructor() {
    for (const [node, point] of this.#graph.points.entries())
      addTo(this.#nodes, keyOf(...toSquare(point)), node);
  }

  #nearest(point: LatLng): { node: number; offM: number } | null {
    let nearest = { node: -1, offM: TO_INTERSTATE_M };
    const [row, column] = toSquare(point);
    for (let r = row - 1; r <= row + 1; r += 1)
      for (let c = column - 1; c <= column + 1; c += 1)
        for (const node of this.#nodes.get(keyOf(r, c)) ?? []) {
          const at = this.#graph.points[node]!;
          if (Math.abs(at.lat - point.lat) > 1) continue;
          const offM = distanceM(point, at);
          if (offM < nearest.offM) nearest = { node, offM };
        }
    return nearest.node < 0 ? null : nearest;
  }

  find(from: LatLng, to: LatLng): Way | null {
    const line = lineWay(from, to);
    const [on, off] = [this.#nearest(from), this.#nearest(to)];
    if (!on || !off || on.node === off.node) return null;
    const shortestM = getOrMake(this.#toNode, off.node, () =>
      Float32Array.from(findShortestPaths(this.#graph, off.node).shortestM),
    );
    const alongM = shortestM[on.node]!;
    const accessM = (on.offM + off.offM) * ROAD_FACTOR;
    const distM = alongM + accessM;
    // Between places that are near each other an interstate is a detour.
    if (distM > line.distM * 1.5) return null;
    return { distM, driveMs: alongM / INTERSTATE_M_PER_MS + accessM / LINE_M_PER_MS };
  }
}

let interstates: InterstateWays | undefined;

/** Makes the graph of interstates, which takes 0.1 s once, before a poll needs it. */
export const prepareWays = (): void => void (interstates ??= new InterstateWays());

/**
 * Finds the way left by the best of what is known: usual ways to the stop, the `way` that a routing engine gave, learned
 * roads, interstates, a straight line. A search of roads takes some ms, and what it finds is kept in `found`: without it the
 * rest takes some µs.
 */
export const findWay = (
  { roads, ways, found }: { roads: LearnedRoads; ways: UsualWays; found: UsualWays },
  from: LatLng,
  to: Destination,
  { search = { cells: Infinity }, way: given = null }: FindOptions = {},
): FoundWay => {
  const usual = ways.leftTo(to.key, toCell(from));
  if (usual) return { ...usual, by: 'usual' };
  if (given !== null) return { ...given, by: 'engine' };
  const known = found.knows(to.key)
    ? findNearCell(from, (cell) => found.leftTo(to.key, cell) !== null)
    : null;
  if (known !== null) return { ...found.leftTo(to.key, known)!, by: 'roads' };
  const on = search === null ? null : roads.match(from);
  const goal = roads.match(to);
  if (on !== null && (goal !== null || ways.knows(to.key))) {
    const left = (cell: number): Way | null =>
      cell === goal ? ARRIVED : (ways.leftTo(to.key, cell) ?? found.leftTo(to.key, cell));
    const way = roads.findWay(on, to, left, search!);
    if (way) {
      found.add(to.key, way.cells);
      return { distM: way.distM, driveMs: way.driveMs, by: 'roads' };
    }
  }
  return findWayWithout('interstates', from, to);
};

const ARRIVED: Way = { distM: 0, driveMs: 0 };

/** The way left without anything that a fleet has learned: the two baselines that windows are compared with. */
export const findWayWithout = (by: 'interstates' | 'line', from: LatLng, to: LatLng): FoundWay => {
  prepareWays();
  const along = by === 'interstates' ? interstates!.find(from, to) : null;
  return along ? { ...along, by: 'interstates' } : { ...lineWay(from, to), by: 'line' };
};
