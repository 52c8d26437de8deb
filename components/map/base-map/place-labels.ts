import { BoxIndex } from '../box-index';
import { WORLD_SIZE } from './basemap-file';
import type { Basemap, NamedPoint } from './basemap';

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

/** The names of one zoom, and the room that they take. */
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
/** Air between two labels, pixels: names are a backdrop, and units must find room between them. */
const airAt = (zoom: number): number => (zoom < 6 ? 16 : 10);

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
  const putCentred = (kind: LabelKind, text: string, x: number, y: number): boolean => {
    const width = measure(text, kind);
    return put({ kind, text, x: x - width / 2, y, width, dot: null });
  };

  if (zoom < 8) for (const { name, x, y } of map.countries) putCentred('country', name, x * scale, y * scale);
  const minPeople = MIN_PEOPLE[Math.max(3, Math.floor(zoom))] ?? 0;
  const putPlace = (place: NamedPoint): void => {
    const kind = place.weight >= CITY_MIN_PEOPLE ? 'city' : 'town';
    const dot = { x: place.x * scale, y: place.y * scale };
    const width = measure(place.name, kind);
    const beside = { kind, text: place.name, width, dot, y: dot.y } as const;
    if (!put({ ...beside, x: dot.x + DOT_GAP_PX })) put({ ...beside, x: dot.x - DOT_GAP_PX - width });
  };
  // The great cities, then the states about them, then everything that still finds room.
  const places = [...map.cities, ...map.places].filter(({ weight }) => weight >= minPeople);
  places.filter(({ weight }) => weight >= GREAT_CITY_MIN_PEOPLE).forEach(putPlace);
  if (zoom >= STATE_ZOOMS.from && zoom <= STATE_ZOOMS.to) placeStates(map.states, scale, putCentred, measure);
  places.filter(({ weight }) => weight < GREAT_CITY_MIN_PEOPLE).forEach(putPlace);
  return { labels: placed, taken };
};

type PutCentred = (kind: LabelKind, text: string, x: number, y: number) => boolean;

const placeStates = (states: NamedPoint[], scale: number, put: PutCentred, measure: MeasureText): void => {
  for (const { name, short, x, y, weight } of states) {
    const room = weight * scale * 0.8;
    if (measure(name, 'state') <= room && put('state', name, x * scale, y * scale)) continue;
    if (measure(short, 'state') <= room) put('state', short, x * scale, y * scale);
  }
};
