import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { fold } from '@/lib/base/text/text';
import { bearingDeg, compassPoint, distanceM } from '@/lib/geo/geodesy';
import { METERS_PER_MILE, type LatLng } from '@/lib/geo/units';
import stateNames from './state-names.json';

/** Populated places by column, in the order of their KDBush index; degrees × 10,000, population to two digits. */
export interface PlaceTable {
  regions: string[];
  names: string[];
  regionOf: number[];
  latE4: number[];
  lngE4: number[];
  population: number[];
}

/** A position by a place that people know. */
export interface Nearby {
  /** "Amarillo, TX". */
  name: string;
  /** How far from the middle of the place, and into which of eight directions; null: it is there. */
  offset: { meters: number; direction: string } | null;
}

interface Places {
  /** The place by which a position is known; null far from any. */
  find(at: LatLng): Nearby | null;
  /** A position in words ("8 mi NE of Amarillo, TX"), or null far from any known place. */
  describe(at: LatLng): string | null;
}

/** The name of a position that is far from any known place. */
export const UNNAMED = 'Far from any named place';

const NEAR_KM = 65;
const FAR_KM = 400;
const NEAR_CANDIDATES = 48;

/** Big places are known from farther away: a town must be much nearer than a city to be named instead. */
const FAME_EXPONENT = 0.25;
/** Keeps a hamlet that one drives past from winning over the city it belongs to. */
const NEARNESS_FLOOR_MI = 2;

/** A place of the table by its name. */
export interface NamedPlace extends LatLng {
  /** "Amarillo, TX". */
  name: string;
  radiusM: number;
}

export interface FoundPlace extends NamedPlace {
  /** Whether the text is the whole name, rather than its beginning. */
  isWhole: boolean;
}

const WORDS: Record<string, string> = {
  ...{ st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' },
  ...{ n: 'north', s: 'south', e: 'east', w: 'west' },
};

/** A name as it is compared: "St. Louis, MO" and "saint louis mo" are the same. */
const toKey = (name: string): string =>
  fold(name)
    .replace(
      /\b(ste?|ft|mt)[.\s]|^\s*([nsew])[.\s]/g,
      (_, word?: string, point?: string) => WORDS[(word ?? point)!]!,
    )
    .replace(/[^\p{L}\p{N}]+/gu, '');

const CODES = new Map(Object.entries(stateNames).map(([code, name]) => [toKey(name), code]));
const MOST_STATE_WORDS = 3;
/** The end of an address after the state: a ZIP code, and the country. */
const AFTER_STATE = /(?:[\s,]+\d{5}(?:-?\d{4})?)?(?:[\s,]+(?:usa?|u\.s\.a?\.?|united states))?[\s.,]*$/i;

/** The town and the state of an address, such as "New York, NY 10001" or "Joplin, Missouri", the town as a key. */
const parseTown = (text: string, regions: readonly string[]): { town: string; region: string } | null => {
  const words = text.replace(AFTER_STATE, '').match(/[^\s,]+/g) ?? [];
  for (let count = Math.min(MOST_STATE_WORDS, words.length - 1); count > 0; count--) {
    const state = toKey(words.slice(-count).join(' '));
    const region = CODES.get(state) ?? state.toUpperCase();
    if (regions.includes(region)) return { town: toKey(words.slice(0, -count).join(' ')), region };
  }
  return null;
};

/** Whether a place has a name, by their keys; the table has "Washington, D.C." of the district DC. */
const isWholeName = (key: string, name: string): boolean =>
  key === name || (/dc$/.test(name) && key === `${name}dc`);

/** Finds places by the beginning of their names, with or without the state: those of the United States first, the largest first. */
export const createPlaceSearch = (table: PlaceTable): ((text: string, most: number) => FoundPlace[]) => {
  const names = table.names.map((name, i) => `${name}, ${table.regions[table.regionOf[i]!]}`);
  const keys = names.map(toKey);
  const isUs = table.regions.map((region) => region in stateNames);
  const bySize = [...keys.keys()].sort(
    (a, b) =>
      Number(isUs[table.regionOf[b]!]) - Number(isUs[table.regionOf[a]!]) ||
      table.population[b]! - table.population[a]!,
  );
  /** @param match null: another place; otherwise whether it is the whole name */
  const find = (most: number, match: (i: number) => boolean | null): FoundPlace[] => {
    const found: FoundPlace[] = [];
    for (const i of bySize) {
      const isWhole = match(i);
      if (isWhole === null) continue;
      const [lat, lng] = [table.latE4[i]! / 1e4, table.lngE4[i]! / 1e4];
      const radiusM = radiusMi(table.population[i]!) * METERS_PER_MILE;
      found.push({ name: names[i]!, lat, lng, radiusM, isWhole });
      if (found.length === most) break;
    }
    return found;
  };
  return (text, most) => {
    const key = toKey(text);
    if (key === '') return [];
    const found = find(most, (i) => (keys[i]!.startsWith(key) ? isWholeName(keys[i]!, key) : null));
    const parsed = found.length > 0 ? null : parseTown(text, table.regions);
    if (parsed === null) return found;
    const { town, region } = parsed;
    // New York, NY is New York City there.
    const state = table.regions.indexOf(region);
    const wholes = [town, `${town}city`].map((name) => name + region.toLowerCase());
    return find(most, (i) =>
      table.regionOf[i] === state && keys[i]!.startsWith(town)
        ? wholes.some((name) => isWholeName(keys[i]!, name))
        : null,
    );
  };
};

/** A place's rough radius in miles: about 0.5 for a village, 4 for 200,000 people, 14 for Houston. */
const radiusMi = (population: number): number => 0.5 + Math.sqrt(population) / 120;

/** An index of the places that is not sorted yet. */
const toIndex = ({ latE4, lngE4 }: PlaceTable): KDBush => {
  const index = new KDBush(latE4.length);
  for (let i = 0; i < latE4.length; i++) index.add(lngE4[i]! / 1e4, latE4[i]! / 1e4);
  return index;
};

/** The table in the order of its index. */
export const sortPlaces = (table: PlaceTable): PlaceTable => {
  const order = toIndex(table).finish().ids;
  const sort = <T>(column: T[]): T[] => Array.from(order, (i) => column[i]!);
  return {
    regions: table.regions,
    names: sort(table.names),
    regionOf: sort(table.regionOf),
    latE4: sort(table.latE4),
    lngE4: sort(table.lngE4),
    population: sort(table.population),
  };
};

/** Names positions from a table of places; a look-up costs some microseconds. */
export const createPlaces = (table: PlaceTable): Places => {
  // Sorting an index would keep a phone busy for 0.3 s; the table is sorted when it is made.
  const index = KDBush.from(toIndex(table).data);
  const toLatLng = (i: number): LatLng => ({ lat: table.latE4[i]! / 1e4, lng: table.lngE4[i]! / 1e4 });

  const nearestMi = (at: LatLng, i: number): number => distanceM(toLatLng(i), at) / METERS_PER_MILE;

  const find = (at: LatLng): Nearby | null => {
    const near = around(index, at.lng, at.lat, NEAR_CANDIDATES, NEAR_KM);
    const candidates = near.length > 0 ? near : around(index, at.lng, at.lat, 1, FAR_KM);
    let best = -1;
    let bestScore = Infinity;
    for (const i of candidates) {
      const score =
        (nearestMi(at, i) + NEARNESS_FLOOR_MI) / Math.max(table.population[i]!, 1) ** FAME_EXPONENT;
      if (score < bestScore) [best, bestScore] = [i, score];
    }
    if (best < 0) return null;
    const name = `${table.names[best]}, ${table.regions[table.regionOf[best]!]}`;
    const miles = nearestMi(at, best);
    if (miles < radiusMi(table.population[best]!)) return { name, offset: null };
    const direction = compassPoint(bearingDeg(toLatLng(best), at), 8);
    return { name, offset: { meters: miles * METERS_PER_MILE, direction } };
  };

  const describe = (at: LatLng): string | null => {
    const found = find(at);
    if (found === null) return null;
    const { name, offset } = found;
    if (offset === null) return name;
    return `${Math.max(1, Math.round(offset.meters / METERS_PER_MILE))} mi ${offset.direction} of ${name}`;
  };

  return { find, describe };
};

/** The ZIP codes of the United States in ascending order, each column as the differences from one to the next. */
export interface ZipTable {
  zip: number[];
  /** Degrees × 100, which is 0.7 mi. */
  latE2: number[];
  lngE2: number[];
}

/** A rough radius: half of all ZIP codes are smaller. */
const ZIP_RADIUS_M = 5000;
const ZIP = /(?:^|\p{L}[.,]?)\s*(?<!\S)(\d{5})(?:-?\d{4})?\s*$/u;

/** The five digits of the ZIP code that a text is or ends with, also of one with four more; null for another text. */
export const parseZip = (text: string): string | null => ZIP.exec(text)?.[1] ?? null;

const toDifferences = (values: readonly number[]): number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0));
const fromDifferences = (differences: readonly number[]): number[] => {
  let value = 0;
  return differences.map((difference) => (value += difference));
};

interface ZipCode extends LatLng {
  zip: string;
}

export const toZipTable = (codes: readonly ZipCode[]): ZipTable => {
  const sorted = [...codes].sort((a, b) => Number(a.zip) - Number(b.zip));
  return {
    zip: toDifferences(sorted.map(({ zip }) => Number(zip))),
    latE2: toDifferences(sorted.map(({ lat }) => Math.round(lat * 100))),
    lngE2: toDifferences(sorted.map(({ lng }) => Math.round(lng * 100))),
  };
};

/** Finds the middle of a ZIP code, named by the code and where it is ("64801, Joplin, MO"). */
export const createZipSearch = (
  table: ZipTable,
  describe: (at: LatLng) => string | null,
): ((text: string) => FoundPlace | null) => {
  const [zips, latE2, lngE2] = [table.zip, table.latE2, table.lngE2].map(fromDifferences);
  const rowOf = new Map(zips!.map((zip, row) => [zip, row]));
  return (text) => {
    const zip = parseZip(text);
    const row = zip === null ? undefined : rowOf.get(Number(zip));
    if (row === undefined) return null;
    const at = { lat: latE2![row]! / 100, lng: lngE2![row]! / 100 };
    const name = [zip, describe(at)].filter((part) => part !== null).join(', ');
    return { ...at, name, radiusM: ZIP_RADIUS_M, isWhole: true };
  };
};
