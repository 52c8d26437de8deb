import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';
import { STATUSES, flagBit, type Status } from '@/lib/motion/status';
import { findBestMatches } from './search';
import { filterRows } from './filter';
import {
  mercatorXOfE5,
  mercatorYOfE5,
  toLat,
  toLng,
  toMercatorX,
  toMercatorY,
  worldSizePx,
} from '@/lib/geo/projection';
import type { MapCamera, ViewState } from './view-state';
import { toBounds, type Bounds } from '@/lib/geo/geodesy';

/** The dots that the HTML of the map draws before the map is there, one for each unit. */
export interface FirstMap {
  /** Holds the units, which are fitted into the map; null where the address has a camera. */
  bounds: Bounds | null;
  /** Width and height of the picture of those bounds; null: dots are in pixels about the middle of the map. */
  size: [number, number] | null;
  /** SVG path data by status: a line of no length for each dot. */
  paths: Partial<Record<Status, string>>;
}

/** A dot, in Mercator units or in those of the picture. */
interface Dot {
  x: number;
  y: number;
  status: Status;
}

/** Which part of the world is drawn: from its left and top edge in Mercator units, and how large. */
interface Frame extends Pick<FirstMap, 'bounds' | 'size'> {
  left: number;
  top: number;
  scale: number;
}

/** One dot for each square of this side; larger squares where those are too many dots for the HTML. */
const LEAST_SQUARE = 8;
const MOST_DOTS = 600;
/** The longer side of a picture. */
const SIDE = 4000;
/** A smaller fleet, in Mercator units, does not fill the map. */
const LEAST_SPAN = 0.002;
/** Half of the largest screen, pixels. */
const [REACH_X, REACH_Y] = [1920, 1080];
const MOST_LAT_E5 = 85e5;
const IMPLAUSIBLE = flagBit('implausiblePosition');

/** The units that a view shows; null where the map does not begin with all of them or with a camera. */
export const toFirstMap = (fleet: Fleet, view: ViewState): FirstMap | null => {
  const dots = toDots(fleet, view);
  const frame = view.camera === null ? toFitted(dots, view) : toCameraFrame(view.camera);
  if (frame === null) return null;
  const { bounds, size } = frame;
  return { bounds, size, paths: toPaths(dots, frame) };
};

const toDots = (fleet: Fleet, view: ViewState): Dot[] => {
  const { latE5, lngE5, flags, status } = fleet.columns;
  const isDrawn = (row: number): boolean =>
    latE5[row] !== NO_POSITION && Math.abs(latE5[row]!) <= MOST_LAT_E5 && (flags[row]! & IMPLAUSIBLE) === 0;
  return [...Array.from(findBestMatches(fleet, filterRows(fleet, view), view.query))]
    .filter(isDrawn)
    .map((row) => ({
      x: mercatorXOfE5(lngE5[row]!),
      y: mercatorYOfE5(latE5[row]!),
      status: STATUSES[status[row]!] ?? 'unknown',
    }));
};

const toCameraFrame = ({ lat, lng, zoom }: MapCamera): Frame => ({
  bounds: null,
  size: null,
  left: toMercatorX(lng),
  top: toMercatorY(lat),
  scale: worldSizePx(zoom),
});

const toFitted = (dots: readonly Dot[], { unit, near }: ViewState): Frame | null => {
  // The panel covers a part of the map.
  if (unit !== null || near !== null) return null;
  // In units of the projection, which has its top where y is least.
  const [top, left, bottom, right] = toBounds(dots.map(({ x, y }) => [y, x])) ?? [0, 0, 0, 0];
  const span = Math.max(right - left, bottom - top);
  if (!(span >= LEAST_SPAN)) return null;
  const scale = SIDE / span;
  return {
    bounds: [toLat(bottom), toLng(left), toLat(top), toLng(right)],
    size: [Math.round((right - left) * scale), Math.round((bottom - top) * scale)],
    left,
    top,
    scale,
  };
};

const toPaths = (dots: readonly Dot[], { size, left, top, scale }: Frame): FirstMap['paths'] => {
  const placed = dots
    .map(({ x, y, status }) => ({
      x: Math.round((x - left) * scale),
      y: Math.round((y - top) * scale),
      status,
    }))
    .filter(({ x, y }) => size !== null || (Math.abs(x) <= REACH_X && Math.abs(y) <= REACH_Y));
  let square = LEAST_SQUARE;
  let drawn = thin(placed, square);
  while (drawn.length > MOST_DOTS) drawn = thin(drawn, (square *= 2));
  const paths = STATUSES.map((status) => [status, toPath(drawn.filter((dot) => dot.status === status))]);
  return Object.fromEntries(paths.filter(([, path]) => path !== ''));
};

/** One dot for each square: of the status that comes last among STATUSES, which fewer units have. */
const thin = (dots: readonly Dot[], square: number): Dot[] => {
  const kept = new Map<string, Dot>();
  for (const dot of dots) {
    const key = `${Math.floor(dot.x / square)} ${Math.floor(dot.y / square)}`;
    const other = kept.get(key);
    if (!other || STATUSES.indexOf(dot.status) > STATUSES.indexOf(other.status)) kept.set(key, dot);
  }
  return [...kept.values()];
};

/** Each dot relative to the one before it, which takes fewer characters. */
const toPath = (dots: readonly Dot[]): string =>
  dots.map(({ x, y }, i) => `m${x - (dots[i - 1]?.x ?? 0)} ${y - (dots[i - 1]?.y ?? 0)}h0`).join('');
