import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import {
  EARTH_RADIUS_M,
  METERS_PER_DEGREE,
  distanceM,
  expand,
  nearestLng,
  type Bounds,
  RADIANS_PER_DEGREE,
  joinBounds,
  toBounds,
} from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { toContinuous } from './polygon';
import type { Site, SiteShape } from './site';
import { getOrMake } from '@/lib/base/maps';

type Corners = Extract<SiteShape, { type: 'polygon' }>['corners'];

/** The box about a shape. Its west or its east is beyond 180° where the shape goes across the 180th meridian. */
export const boundsOf = (shape: SiteShape): Bounds => {
  if (shape.type === 'circle') return expand([shape.lat, shape.lng, shape.lat, shape.lng], shape.radiusM);
  return toBounds(toContinuous(shape.corners))!;
};

const sinOf = (degrees: number): number => Math.sin(degrees * RADIANS_PER_DEGREE);

/**
 * Area of a shape on the sphere, m².
 *
 * Formula for polygons: R. G. Chamberlain and W. H. Duquette, "Some Algorithms for Polygons on a Sphere", JPL Publication
 * 07-3, 2007.
 */
export const areaM2 = (shape: SiteShape): number => {
  if (shape.type === 'circle') return Math.PI * shape.radiusM ** 2;
  const corners = toContinuous(shape.corners);
  const sum = corners.reduce((total, [lat, lng], i) => {
    const [latBefore, lngBefore] = corners.at(i - 1)!;
    return total + (lng - lngBefore) * (sinOf(lat) + sinOf(latBefore));
  }, 0);
  return (Math.abs(sum) * METERS_PER_DEGREE * EARTH_RADIUS_M) / 2;
};

/** Meters to the nearest edge, on a plane that touches the sphere at the position. */
const toEdgeM = (corners: readonly (readonly [number, number])[], { lat, lng }: LatLng): number => {
  const shrink = Math.cos(lat * RADIANS_PER_DEGREE);
  const last = corners[corners.length - 1]!;
  let y = last[0] - lat;
  let x = (last[1] - lng) * shrink;
  let least = Infinity;
  for (let i = 0; i < corners.length; i++) {
    const nextY = corners[i]![0] - lat;
    const nextX = (corners[i]![1] - lng) * shrink;
    const [dx, dy] = [nextX - x, nextY - y];
    const length2 = dx * dx + dy * dy;
    const along = length2 === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / length2));
    const [nearX, nearY] = [x + along * dx, y + along * dy];
    least = Math.min(least, nearX * nearX + nearY * nearY);
    [x, y] = [nextX, nextY];
  }
  return Math.sqrt(least) * METERS_PER_DEGREE;
};

/** The closed ring of each polygon, and its longitude: making them takes longer than the look at them. */
const rings = new WeakMap<Corners, { ring: [number, number][][]; lng: number }>();
const toRing = (corners: Corners) =>
  getOrMake(rings, corners, () => {
    const continuous = toContinuous(corners) as [number, number][];
    return { ring: [[...continuous, continuous[0]!]], lng: continuous[0]![1] };
  });

/** Meters from a position to the edge of a shape: negative inside of it. Edges are straight in degrees, as on the map. */
export const signedDistanceM = (shape: SiteShape, at: LatLng): number => {
  if (shape.type === 'circle') return distanceM(shape, at) - shape.radiusM;
  const { ring, lng } = toRing(shape.corners);
  const near = { lat: at.lat, lng: nearestLng(at.lng, lng) };
  const edgeM = toEdgeM(ring[0]!, near);
  const isInside = pointInPolygon([near.lat, near.lng], ring) !== false;
  return isInside ? -edgeM : edgeM;
};

/** How far a position is outside of a shape, m; 0 inside and on its edge. */
export const outsideM = (shape: SiteShape, at: LatLng): number => Math.max(0, signedDistanceM(shape, at));

const NO_SITES: readonly number[] = [];

/** A cell of the raster is so large, or larger where the sites lie far apart. */
const CELL_DEG = 0.05;
const MAX_CELLS = 4_000_000;

/** The cells of a raster that boxes touch, so that most positions need no search. */
class Raster {
  readonly #south: number;
  readonly #west: number;
  readonly #cellDeg: number;
  readonly #columns: number;
  readonly #cells: Uint8Array;

  constructor(boxes: readonly Bounds[]) {
    const [south, west, north, east] = joinBounds(boxes)!;
    [this.#south, this.#west] = [south, west];
    this.#cellDeg = Math.max(CELL_DEG, Math.sqrt(((north - south) * (east - west)) / MAX_CELLS));
    const toCells = (degrees: number): number => Math.floor(degrees / this.#cellDeg) + 1;
    this.#columns = toCells(east - west);
    this.#cells = new Uint8Array(toCells(north - south) * this.#columns);
    for (const box of boxes)
      for (let row = toCells(box[0] - south) - 1; row < toCells(box[2] - south); row++) {
        const first = row * this.#columns;
        this.#cells.fill(1, first + toCells(box[1] - west) - 1, first + toCells(box[3] - west));
      }
  }

  isTouched(lat: number, lng: number): boolean {
    const row = Math.floor((lat - this.#south) / this.#cellDeg);
    const column = Math.floor((lng - this.#west) / this.#cellDeg);
    return column >= 0 && column < this.#columns && this.#cells[row * this.#columns + column] === 1;
  }
}

/** Sites by where they are. */
export class SiteIndex {
  /** Null where there is no site: an index cannot be empty. */
  readonly #boxes: Flatbush | null;
  readonly #raster: Raster | null;
  /** Degrees to add to a longitude to find the boxes that go on beyond 180° there. */
  readonly #turns: readonly number[];

  constructor(sites: readonly Pick<Site, 'shape' | 'marginM'>[]) {
    const boxes = sites.map(({ shape, marginM }) => expand(boundsOf(shape), marginM));
    this.#boxes = boxes.length === 0 ? null : new Flatbush(boxes.length);
    this.#raster = boxes.length === 0 ? null : new Raster(boxes);
    for (const box of boxes) this.#boxes?.add(...box);
    this.#boxes?.finish();
    const turns = [
      boxes.some(([, west]) => west < -180) ? -360 : 0,
      0,
      boxes.some(([, , , east]) => east > 180) ? 360 : 0,
    ];
    this.#turns = [...new Set(turns)];
  }

  /** Indexes of the sites near a position, in no order: at least those within `withinM` of their margin. */
  near(at: LatLng, withinM = 0): readonly number[] {
    if (this.#boxes === null) return NO_SITES;
    const { lat, lng } = at;
    const [south, west, north, east] =
      withinM === 0 ? [lat, lng, lat, lng] : expand([lat, lng, lat, lng], withinM);
    const isAcross = west < -180 || east > 180;
    if (this.#turns.length === 1 && !isAcross) return this.#boxes.search(south, west, north, east);
    const found = (isAcross ? [-360, 0, 360] : this.#turns).flatMap((turn) =>
      this.#boxes!.search(south, west + turn, north, east + turn),
    );
    return [...new Set(found)];
  }

  /** False where `near` would find none, as for nearly all positions; at times true there. */
  mayBeNear(lat: number, lng: number): boolean {
    const raster = this.#raster;
    if (raster === null) return false;
    for (const turn of this.#turns) if (raster.isTouched(lat, lng + turn)) return true;
    return false;
  }
}

const indexes = new WeakMap<readonly Site[], SiteIndex>();

/** The site that a position is inside of; of several the smallest. Null for none. */
export const siteAt = (sites: readonly Site[], at: LatLng): Site | null => {
  const inside = getOrMake(indexes, sites, () => new SiteIndex(sites))
    .near(at)
    .map((each) => sites[each]!)
    .filter(({ shape }) => outsideM(shape, at) === 0);
  return inside.sort((a, b) => areaM2(a.shape) - areaM2(b.shape))[0] ?? null;
};
