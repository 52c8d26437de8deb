import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import { EARTH_RADIUS_M, METERS_PER_DEGREE, distanceM, expand } from '@/lib/motion/geodesy';
import type { Bounds } from '@/lib/motion/geodesy';
import type { LatLng } from '@/lib/wire/units';
import type { Site, SiteShape } from './schema';

type Corners = Extract<SiteShape, { type: 'polygon' }>['corners'];

const RADIANS_PER_DEGREE = Math.PI / 180;

/** The box about a shape. */
export const boundsOf = (shape: SiteShape): Bounds => {
  if (shape.type === 'circle') return expand([shape.lat, shape.lng, shape.lat, shape.lng], shape.radiusM);
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lat, lng] of shape.corners) {
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
  }
  return [south, west, north, east];
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
  const { corners } = shape;
  const sum = corners.reduce((total, [lat, lng], i) => {
    const [latBefore, lngBefore] = corners.at(i - 1)!;
    return total + (lng - lngBefore) * (sinOf(lat) + sinOf(latBefore));
  }, 0);
  return (Math.abs(sum) * METERS_PER_DEGREE * EARTH_RADIUS_M) / 2;
};

/** Meters to the nearest edge, on a plane that touches the sphere at the position. */
const toEdgeM = (corners: Corners, { lat, lng }: LatLng): number => {
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

/** Meters from a position to the edge of a shape: negative inside of it. Edges are straight in degrees, as on the map. */
export const signedDistanceM = (shape: SiteShape, at: LatLng): number => {
  if (shape.type === 'circle') return distanceM(shape, at) - shape.radiusM;
  const edgeM = toEdgeM(shape.corners, at);
  const isInside = pointInPolygon([at.lat, at.lng], [[...shape.corners, shape.corners[0]!]]) !== false;
  return isInside ? -edgeM : edgeM;
};

/** How far a position is outside of a shape, m; 0 inside and on its edge. */
export const outsideM = (shape: SiteShape, at: LatLng): number => Math.max(0, signedDistanceM(shape, at));

const NO_SITES: readonly number[] = [];

/** Sites by where they are. A box does not go on beyond the 180th meridian. */
export class SiteIndex {
  /** Null where there is no site: an index cannot be empty. */
  readonly #boxes: Flatbush | null;

  constructor(sites: readonly Pick<Site, 'shape' | 'marginM'>[]) {
    this.#boxes = sites.length === 0 ? null : new Flatbush(sites.length);
    for (const { shape, marginM } of sites) this.#boxes?.add(...expand(boundsOf(shape), marginM));
    this.#boxes?.finish();
  }

  /** Indexes of the sites near a position, in no order: at least those within `withinM` of their margin. */
  near(at: LatLng, withinM = 0): readonly number[] {
    if (this.#boxes === null) return NO_SITES;
    const { lat, lng } = at;
    return withinM === 0
      ? this.#boxes.search(lat, lng, lat, lng)
      : this.#boxes.search(...expand([lat, lng, lat, lng], withinM));
  }
}
