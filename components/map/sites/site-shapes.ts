import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import { middleOf, type Box, type Point } from '../box-index';
import { METERS_PER_DEGREE } from '@/lib/geo/geodesy';
import type { Site } from '@/lib/rules/site';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';

/** Meters around the Earth, on the sphere of `distanceM`. */
const AROUND_M = 360 * METERS_PER_DEGREE;
const RADIANS_PER_DEGREE = Math.PI / 180;
/** A site that is drawn smaller than this is a mark instead, CSS pixels. */
export const LEAST_PX = 9;

export interface DrawnSite {
  site: Site;
  /** Web Mercator, 0…1. */
  box: Box;
  /** A closed ring; null for a circle, which fills its box. */
  ring: readonly [x: number, y: number][] | null;
}

export interface SiteShapes {
  shapes: readonly DrawnSite[];
  index: Flatbush | null;
}

const toShape = (site: Site): DrawnSite => {
  const { shape } = site;
  if (shape.type === 'circle') {
    const [x, y] = [toMercatorX(shape.lng), toMercatorY(shape.lat)];
    const reach = shape.radiusM / (AROUND_M * Math.cos(shape.lat * RADIANS_PER_DEGREE));
    return {
      site,
      box: { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach },
      ring: null,
    };
  }
  const ring = shape.corners.map(([lat, lng]): [number, number] => [toMercatorX(lng), toMercatorY(lat)]);
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const box = {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
  return { site, box, ring: [...ring, ring[0]!] };
};

const held = new WeakMap<readonly Site[], SiteShapes>();

/** The shapes of a list of sites, made once. */
export const toSiteShapes = (sites: readonly Site[]): SiteShapes => {
  const known = held.get(sites);
  if (known) return known;
  const shapes = sites.map(toShape);
  const index = shapes.length === 0 ? null : new Flatbush(shapes.length);
  for (const { box } of shapes) index?.add(box.left, box.top, box.right, box.bottom);
  index?.finish();
  const made = { shapes, index };
  held.set(sites, made);
  return made;
};

/** A box in pixels of the world as one of its square from 0 to 1. */
export const toShare = ({ left, top, right, bottom }: Box, worldSizePx: number): Box => ({
  left: left / worldSizePx,
  top: top / worldSizePx,
  right: right / worldSizePx,
  bottom: bottom / worldSizePx,
});

/** The shapes that touch a box, in the order of the sites. */
export const shapesWithin = ({ shapes, index }: SiteShapes, box: Box): DrawnSite[] =>
  (index?.search(box.left, box.top, box.right, box.bottom) ?? [])
    .sort((a, b) => a - b)
    .map((at) => shapes[at]!);

export const widthOf = ({ box }: DrawnSite): number => Math.max(box.right - box.left, box.bottom - box.top);

const contains = ({ box, ring }: DrawnSite, x: number, y: number): boolean => {
  if (ring !== null) return pointInPolygon([x, y], [ring as [number, number][]]) !== false;
  const reach = (box.right - box.left) / 2;
  const middle = middleOf(box);
  return Math.hypot(x - middle.x, y - middle.y) <= reach;
};

/** The smallest site at a point, or the mark within `reach` of it; null for none. */
export const siteAtPoint = (
  shapes: SiteShapes,
  { x, y }: Point,
  { worldSizePx, reachPx }: { worldSizePx: number; reachPx: number },
): Site | null => {
  const reach = reachPx / worldSizePx;
  const about = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
  const hits = shapesWithin(shapes, about).filter(
    (shape) => widthOf(shape) * worldSizePx < LEAST_PX || contains(shape, x, y),
  );
  return hits.sort((a, b) => widthOf(a) - widthOf(b))[0]?.site ?? null;
};
