import 'server-only';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import { WORLD_SIZE } from '@/lib/geo/base-map/basemap-file';
import { METERS_PER_FOOT, METERS_PER_MILE, type LatLng } from '@/lib/geo/units';
import {
  HEIGHT,
  WIDTH,
  fit,
  toPoint,
  unitsPerMeter,
  type Frame,
  type Point,
  type Shown,
} from '@/lib/shares/server/page/frame';
import { FINE, toGround } from '@/lib/shares/server/page/ground';
import type { MapBlock } from '../../blocks';

/** What a map of a document shows, in units of its drawing: page and PDF paint the same. */
export interface Drawing {
  /** Land, water, borders and interstates, from the bottom up: SVG path data by its class. */
  ground: { name: string; d: string }[];
  circle: (Point & { r: number }) | null;
  trail: Point[];
  /** `labelY`: the middle of its label, which is below that of an earlier point where both would overlap. */
  points: (Point & { label: string; labelY: number })[];
  /** A bar of this length means this distance. */
  scale: { length: number; text: string };
}

/** A yard fills a third of the map; what lies farther apart decides otherwise. */
const LEAST_SIDE_M = 600;
const PAD = 90;

const toDegrees = ({ latE5, lngE5 }: { latE5: number; lngE5: number }): LatLng => ({
  lat: latE5 / 100_000,
  lng: lngE5 / 100_000,
});

/** The frame that shows all of some places, closer than the map of a link: down to a yard. */
const fitClose = (places: readonly Shown[]): Frame | null => {
  const wide = fit(places);
  if (wide === null) return null;
  const unit: Frame = { left: 0, top: 0, scale: 1, zoom: 0 };
  const boxes = places.map((place) => {
    const { x, y } = toPoint(unit, place);
    const r = Math.max(place.radiusM, LEAST_SIDE_M / 2) * unitsPerMeter(unit, place);
    return [x - r, y - r, x + r, y + r] as const;
  });
  const [left, top] = [Math.min(...boxes.map((box) => box[0])), Math.min(...boxes.map((box) => box[1]))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[3]))];
  const scale = Math.min((WIDTH - 2 * PAD) / (right - left), (HEIGHT - 2 * PAD) / (bottom - top));
  return {
    left: (left + right) / 2 - WIDTH / 2 / scale,
    top: (top + bottom) / 2 - HEIGHT / 2 / scale,
    scale,
    zoom: Math.log2((scale * WORLD_SIZE) / 256),
  };
};

const BARS = [
  ...[100, 250, 500, 1000, 2000].map((feet) => ({ m: feet * METERS_PER_FOOT, text: `${feet} ft` })),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((miles) => ({
    m: miles * METERS_PER_MILE,
    text: `${miles} mi`,
  })),
];

const PATH = /<path (?:class="(\w+)"|id="(\w+)") d="([^"]+)"\/>/g;

/** A map of a site shows so many times as far as its edge, and the way only as far. */
const AROUND_SITE = 2.5;
/** Labels of points that are nearer to each other would overlap. */
const [LABEL_WIDTH, LABEL_HEIGHT] = [260, 26];

const toLabeled = (points: readonly (Point & { label: string })[]): Drawing['points'] =>
  points.map((point, i) => {
    const near = points
      .slice(0, i)
      .filter(({ x, y }) => Math.abs(x - point.x) < LABEL_WIDTH && Math.abs(y - point.y) < LABEL_HEIGHT);
    return { ...point, labelY: point.y + near.length * LABEL_HEIGHT };
  });

/** The map of a block; null: it has nothing to show. */
export const draw = (map: Basemap, { points, trail, circle }: MapBlock): Drawing | null => {
  const way = circle ? [] : trail.map(([latE5, lngE5]) => ({ latE5, lngE5 }));
  const places = [
    ...[...points, ...way].map((at) => ({ ...toDegrees(at), radiusM: 0 })),
    ...(circle ? [{ ...toDegrees(circle), radiusM: circle.radiusM * AROUND_SITE }] : []),
  ];
  const frame = fitClose(places);
  const [middle] = places;
  if (frame === null || !middle) return null;
  const perMeter = unitsPerMeter(frame, middle);
  const bar = BARS.findLast(({ m }) => m * perMeter < WIDTH / 4) ?? BARS[0]!;
  const at = (each: { latE5: number; lngE5: number }): Point => toPoint(frame, toDegrees(each));
  return {
    ground: [...toGround(map, frame, FINE).matchAll(PATH)].map(([, name, id, d]) => ({
      name: name ?? id ?? '',
      d: d!,
    })),
    circle: circle && { ...at(circle), r: circle.radiusM * perMeter },
    trail: trail.map(([latE5, lngE5]) => at({ latE5, lngE5 })),
    points: toLabeled(points.map(({ label, ...point }) => ({ ...at(point), label }))),
    scale: { length: bar.m * perMeter, text: bar.text },
  };
};
