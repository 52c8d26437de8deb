import 'server-only';
import { html, raw } from 'hono/html';
import { getOrMake } from '@/lib/base/maps';
import { escapeXml } from '@/lib/base/text/text';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { LatLng } from '@/lib/geo/units';
import type { Status } from '@/lib/motion/status';
import type { SharedItem, ShareView } from '../../view';
import { HEIGHT, WIDTH, fit, toPoint, unitsPerMeter, type Frame, type Point, type Shown } from './frame';
import { drawTwice, toGround, toPath } from './ground';
import { PHONE_TEXT, placeBeside, toNames, type Box, type PlacedName } from './names';

/** The shapes of the application's map, in a box of 24 × 24 about 0,0, north up; its arrow is slimmer, as it is in a ring. */
const ARROW = 'M0-10 5.8 7.6 0 4.2-5.8 7.6Z';
const DISC = 'M0-5.8a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 1 1 0-11.6Z';
const SQUARE = 'M-3.8-5.8h7.6a2 2 0 0 1 2 2v7.6a2 2 0 0 1-2 2h-7.6a2 2 0 0 1-2-2v-7.6a2 2 0 0 1 2-2Z';
const RING = 'M0-6.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13Z';

/** The symbol of a status: its shape tells it without a color. */
export const toGlyph = (status: Status | null, headingDeg: number | null): string => {
  const turn = headingDeg === null ? '' : ` transform="rotate(${Math.round(headingDeg)})"`;
  switch (status) {
    case 'moving':
      return `<path class="g-moving"${turn} d="${headingDeg === null ? DISC : ARROW}"/>`;
    case 'stopped':
      return `<path class="g-stopped" d="${SQUARE}"/>`;
    case 'late':
      return `<path class="g-late"${turn} d="${headingDeg === null ? SQUARE : ARROW}"/>`;
    case 'silent':
      return `<path class="g-silent" d="${RING}M-4.6-4.6 4.6 4.6"/>`;
    case 'unknown':
      return `<path class="g-unknown" d="${RING}"/>`;
    case null:
      return `<path class="g-plain" d="${DISC}"/>`;
  }
};

const MARK = 30;
const STOP_MARK = 16;

const around = ({ x, y }: Point, r: number): Box => ({
  left: x - r,
  right: x + r,
  top: y - r,
  bottom: y + r,
});

const nextOf = ({ next, stops }: SharedItem) => (next === null ? null : (stops[next] ?? null));

/** What the map of a view has to show. */
const listShown = (items: readonly SharedItem[]): Shown[] =>
  items.flatMap((item) => {
    const next = nextOf(item);
    return [
      ...(item.position ? [item.position] : []),
      ...(next ? [{ ...next, radiusM: 0 }] : []),
      ...item.trail.map((at) => ({ ...at, radiusM: 0 })),
    ];
  });

const toLine = (frame: Frame, line: readonly LatLng[], tolerance: number): string =>
  toPath(
    line.map((at) => toPoint(frame, at)).map(({ x, y }) => [x, y] as const),
    false,
    tolerance,
  );

const at = ({ x, y }: Point): string => `translate(${Math.round(x)} ${Math.round(y)})`;

/** The truck of an item: its symbol where the fix is shown, else the area in which it is. `mark`: its number in the list. */
const truckSvg = (frame: Frame, { position, status, headingDeg }: SharedItem, mark: string): string => {
  if (position === null) return '';
  const point = toPoint(frame, position);
  const number =
    mark === ''
      ? ''
      : `<g class="n" transform="${at({ x: point.x + MARK * 0.8, y: point.y - MARK * 0.8 })}"><g><circle r="8"/><text>${mark}</text></g></g>`;
  if (position.precision === 'exact')
    return `<g class="tr" transform="${at(point)}"><g class="gl"><circle r="13"/>${toGlyph(status?.status ?? null, headingDeg)}</g></g>${number}`;
  const r = Math.max(MARK, position.radiusM * unitsPerMeter(frame, position));
  return `<circle class="ar" cx="${Math.round(point.x)}" cy="${Math.round(point.y)}" r="${Math.round(r)}"/>${number}`;
};

const nameSvg = ({ text, at: point, side }: PlacedName, gap: number): string =>
  `<text class="sn" x="${Math.round(point.x + (side === 'start' ? gap : -gap))}" y="${Math.round(point.y)}"${side === 'end' ? ' text-anchor="end"' : ''}>${escapeXml(text)}</text>`;

/** Longer names are in the list only. */
const MOST_LETTERS = 36;
/** They are bold, and often capitals: as wide as usual letters of this height. */
const STOP_TEXT = PHONE_TEXT * 1.35;

/** The name of a stop, else its first part, where there is room for it: a name is not cut. */
const placeStopName = (name: string, point: Point, taken: readonly Box[]): PlacedName | null => {
  for (const text of [name, name.split(',')[0]!]) {
    const placed =
      text.length > MOST_LETTERS ? null : placeBeside(text, point, { size: STOP_TEXT, gap: 24, taken });
    if (placed) return placed;
  }
  return null;
};

/** Stops as circles, the next one with its name; `isAll`: those before and after it too. */
const stopsSvg = (frame: Frame, item: SharedItem, isAll: boolean, taken: Box[]): string =>
  item.stops
    .map((stop, i) => {
      const point = toPoint(frame, stop);
      if (point.x < 0 || point.x > WIDTH || point.y < 0 || point.y > HEIGHT) return '';
      const isNext = i === item.next;
      if (!isNext && !isAll) return '';
      const name = isNext ? placeStopName(stop.name, point, taken) : null;
      taken.push(around(point, STOP_MARK), ...(name ? [name.box] : []));
      return `<circle class="${isNext ? 'sp nx' : 'sp'}" cx="${Math.round(point.x)}" cy="${Math.round(point.y)}" r="${isNext ? 11 : 7}"/>${name ? nameSvg(name, 24) : ''}`;
    })
    .join('');

/** The trail, and a dotted line to the next stop, which says nothing of the roads. */
const waySvg = (frame: Frame, item: SharedItem, index: number, tolerance: number): string => {
  const { position, trail } = item;
  const next = nextOf(item);
  const isOnWay = position?.precision === 'exact' && next !== null && next.arrived === null;
  const way = isOnWay ? `<path class="wy" d="${toLine(frame, [position, next], tolerance)}"/>` : '';
  const driven = toLine(frame, trail, tolerance);
  return driven === '' ? way : `${way}${drawTwice(`trail${index}`, ['tc', 'tl'], driven)}`;
};

/** Points along a line, near enough to each other that no name fits between them. */
const samplePoints = (frame: Frame, line: readonly LatLng[]): Point[] => {
  const points = line.map((at) => toPoint(frame, at));
  return points.flatMap((point, i) => {
    const before = points[i - 1] ?? point;
    const steps = Math.min(100, Math.ceil(Math.hypot(point.x - before.x, point.y - before.y) / 16));
    return Array.from({ length: steps }, (_, step) => ({
      x: before.x + ((point.x - before.x) * step) / steps,
      y: before.y + ((point.y - before.y) * step) / steps,
    }));
  });
};

const draw = (map: Basemap, items: readonly SharedItem[], tolerance: number): string => {
  const frame = fit(listShown(items));
  if (frame === null) return '';
  const taken: Box[] = items.flatMap(({ position }) =>
    position ? [around(toPoint(frame, position), MARK)] : [],
  );
  const stops = items.map((item) => stopsSvg(frame, item, items.length === 1, taken)).join('');
  const ways = items.map((item, i) => waySvg(frame, item, i, tolerance)).join('');
  const trucks = items
    .map((item, i) => truckSvg(frame, item, items.length > 1 ? String(i + 1) : ''))
    .join('');
  const lines = items.flatMap(({ trail }) => samplePoints(frame, trail).map((point) => around(point, 10)));
  const names = toNames(map, frame, { taken, lines });
  return `${toGround(map, frame, tolerance)}${ways}${names}${stops}${trucks}`;
};

/** A view is drawn once for all languages. */
const drawings = new WeakMap<readonly SharedItem[], Map<number, string>>();

/**
 * The map of a view as SVG with `label` for those who do not see it; null where nothing is to be shown on one. `tolerance`: how
 * far a line may lie from where it is.
 */
export const renderMap = (
  map: Basemap,
  { items }: Pick<ShareView, 'items'>,
  { label, tolerance }: { label: string; tolerance: number },
) => {
  const drawn = getOrMake(
    getOrMake(drawings, items, () => new Map<number, string>()),
    tolerance,
    () => draw(map, items, tolerance),
  );
  return drawn === ''
    ? null
    : html`<svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${raw(drawn)}</svg>`;
};
