import { BoxIndex, type Box } from '../box-index';
import { WORLD_SIZE } from '@/lib/geo/base-map/basemap-file';
import type { Basemap, NamedPoint, Road } from '@/lib/geo/base-map/basemap';

export type LabelKind = 'country' | 'state' | 'city' | 'town' | 'road';

/** A label at its place: pixels of the whole world at one zoom. `x, y` is the text's middle left. */
export interface PlacedLabel {
  kind: LabelKind;
  text: string;
  x: number;
  y: number;
  width: number;
  /** The dot of a place; null for a label that is its own mark. */
  dot: { x: number; y: number } | null;
}

export interface PlacedLabels {
  labels: PlacedLabel[];
  taken: BoxIndex;
}

/** Width of a text in pixels, as it will be drawn. */
export type MeasureText = (text: string, kind: LabelKind) => number;

export const LABEL_HEIGHT: Record<LabelKind, number> = {
  country: 16,
  state: 14,
  city: 15,
  town: 14,
  road: 14,
};
const DOT_GAP_PX = 6;

/** Fewest people of a place that is named, by zoom: from the deepest listed on, everyone is. */
const MIN_PEOPLE: Record<number, number> = {
  3: 2_000_000,
  4: 600_000,
  5: 300_000,
  6: 120_000,
  7: 60_000,
  8: 25_000,
  9: 10_000,
};
const CITY_MIN_PEOPLE = 150_000;
const GREAT_CITY_MIN_PEOPLE = 500_000;
const STATE_ZOOMS = { from: 4, to: 8 };
/** Margin between two labels, pixels, so that units have room between the names. */
const airAt = (zoom: number): number => (zoom < 6 ? 16 : 10);

const ROAD_MIN_ZOOM = 6;
/** A road is named this often, pixels of its length. */
const EVERY_PX = 420;
/** Names are placed this far beyond a box too, so that boxes that overlap have the same ones. */
const AROUND_PX = 96;

/** Chooses and places the base map's names for one zoom, the important first; nothing overlaps. */
export const placeBasemapLabels = (map: Basemap, zoom: number, measure: MeasureText): PlacedLabels => {
  const scale = (256 * 2 ** zoom) / WORLD_SIZE;
  const taken = new BoxIndex();
  const placed: PlacedLabel[] = [];
  const air = airAt(zoom);

  const put = (label: PlacedLabel): boolean => {
    const half = LABEL_HEIGHT[label.kind] / 2;
    const [left, right] = [label.x - air, label.x + label.width + air];
    const [top, bottom] = [label.y - half - air / 2, label.y + half + air / 2];
    if (taken.hits(left, top, right, bottom)) return false;
    taken.add(label.x, label.y - half, label.x + label.width, label.y + half);
    if (label.dot) taken.add(label.dot.x - 3, label.dot.y - 3, label.dot.x + 3, label.dot.y + 3);
    placed.push(label);
    return true;
  };
  const putCentered = (kind: LabelKind, text: string, x: number, y: number): boolean => {
    const width = measure(text, kind);
    return put({ kind, text, x: x - width / 2, y, width, dot: null });
  };

  if (zoom < 8)
    for (const { name, x, y } of map.countries) putCentered('country', name, x * scale, y * scale);
  const minPeople = MIN_PEOPLE[Math.max(3, Math.floor(zoom))] ?? 0;
  const putPlace = (place: NamedPoint): void => {
    const kind = place.weight >= CITY_MIN_PEOPLE ? 'city' : 'town';
    const dot = { x: place.x * scale, y: place.y * scale };
    const width = measure(place.name, kind);
    const beside = { kind, text: place.name, width, dot, y: dot.y } as const;
    if (!put({ ...beside, x: dot.x + DOT_GAP_PX })) put({ ...beside, x: dot.x - DOT_GAP_PX - width });
  };
  // Large cities first, then states, then all other names that still fit.
  const places = [...map.cities, ...map.places].filter(({ weight }) => weight >= minPeople);
  places.filter(({ weight }) => weight >= GREAT_CITY_MIN_PEOPLE).forEach(putPlace);
  if (zoom >= STATE_ZOOMS.from && zoom <= STATE_ZOOMS.to)
    placeStates(map.states, scale, putCentered, measure);
  places.filter(({ weight }) => weight < GREAT_CITY_MIN_PEOPLE).forEach(putPlace);
  return { labels: placed, taken };
};

type PutCentered = (kind: LabelKind, text: string, x: number, y: number) => boolean;

const placeStates = (states: NamedPoint[], scale: number, put: PutCentered, measure: MeasureText): void => {
  for (const { name, short, x, y, weight } of states) {
    const room = weight * scale * 0.8;
    if (measure(name, 'state') <= room && put('state', name, x * scale, y * scale)) continue;
    if (measure(short, 'state') <= room) put('state', short, x * scale, y * scale);
  }
};

/** The names of the roads in and about a box, where they leave room for the `taken` names of places. */
export const placeRoadNames = (
  { roads }: Basemap,
  zoom: number,
  box: Box,
  taken: BoxIndex,
  measure: MeasureText,
): PlacedLabel[] => {
  if (zoom < ROAD_MIN_ZOOM) return [];
  const scale = (256 * 2 ** zoom) / WORLD_SIZE;
  const [left, top] = [box.left - AROUND_PX, box.top - AROUND_PX];
  const [right, bottom] = [box.right + AROUND_PX, box.bottom + AROUND_PX];
  const half = LABEL_HEIGHT.road / 2;
  const others = new BoxIndex();
  const placed: PlacedLabel[] = [];
  for (const road of roads) {
    const width = measure(road.name, 'road');
    visitRoadNames(road, scale, left, top, right, bottom, (x, y) => {
      const box = [x - width / 2, y - half, x + width / 2, y + half] as const;
      if (taken.hits(...box) || others.hits(...box)) return;
      others.add(...box);
      placed.push({ kind: 'road', text: road.name, x: x - width / 2, y, width, dot: null });
    });
  }
  return placed;
};

/** Visits the points within a rectangle at which a road is named. */
const visitRoadNames = (
  { lines: { points, starts }, along }: Road,
  scale: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  visit: (x: number, y: number) => void,
): void => {
  for (let line = 0; line + 1 < starts.length; line++) {
    for (let p = starts[line]! + 1; p < starts[line + 1]!; p++) {
      const ax = points[2 * p - 2]! * scale;
      const ay = points[2 * p - 1]! * scale;
      const bx = points[2 * p]! * scale;
      const by = points[2 * p + 1]! * scale;
      if (Math.max(ax, bx) < left || Math.min(ax, bx) > right) continue;
      if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) continue;
      const from = along[p - 1]! * scale;
      const to = along[p]! * scale;
      for (let n = Math.ceil(from / EVERY_PX - 0.5); (n + 0.5) * EVERY_PX < to; n++) {
        const share = ((n + 0.5) * EVERY_PX - from) / (to - from);
        const x = ax + (bx - ax) * share;
        const y = ay + (by - ay) * share;
        if (x >= left && x <= right && y >= top && y <= bottom) visit(x, y);
      }
    }
  }
};

/** Most names of places and of roads about a view. */
const MOST_PLACES = 400;
const MOST_ROADS = 150;

/** The names that reach into a box, those of places first, the important ones before the others. */
export const namesWithin = (
  map: Basemap,
  { labels, taken }: PlacedLabels,
  zoom: number,
  box: Box,
  measure: MeasureText,
): PlacedLabel[] => {
  const isWithin = ({ x, y, width, dot }: PlacedLabel): boolean =>
    Math.min(x, dot?.x ?? x) < box.right && x + width > box.left && y > box.top && y < box.bottom;
  return [
    ...labels.filter(isWithin).slice(0, MOST_PLACES),
    ...placeRoadNames(map, zoom, box, taken, measure).filter(isWithin).slice(0, MOST_ROADS),
  ];
};
