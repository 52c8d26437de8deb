/**
 * The generated files of the embedded base map, in public/basemap/.
 *
 * Coordinates are Web Mercator, as integers: the world is 2^WORLD_BITS wide and x grows east, y south.
 * A line is x, y of its first point followed by the differences to the point before.
 */
const WORLD_BITS = 19;
export const WORLD_SIZE = 2 ** WORLD_BITS;

export type Line = number[];

export const AREAS = ['farLand', 'nearLand', 'outerLakes', 'usLand', 'innerLakes'] as const;
export const LINES = ['seams', 'countryLines', 'provinceLines', 'stateLines', 'rivers'] as const;
export type AreaName = (typeof AREAS)[number];
export type LineName = (typeof LINES)[number];

/** Named points, most important first: one text, differences of x and y, and a weight each (people, for a place). */
export interface NamedPoints {
  /** Joined by a line feed. */
  names: string;
  x: number[];
  y: number[];
}

/** What is drawn at every zoom. */
export interface OverviewFile {
  areas: Record<AreaName, Line[]>;
  lines: Record<LineName, Line[]>;
  roads: { name: string; lines: Line[] }[];
  states: NamedPoints & { short: string[]; width: number[] };
  countries: NamedPoints;
  cities: NamedPoints & { people: number[] };
}

/** The detail, drawn from DETAIL_ZOOM on. */
export interface DetailFile {
  countyLines: Line[];
  places: NamedPoints & { people: number[] };
}

export const DETAIL_ZOOM = 7;
export const OVERVIEW_URL = '/basemap/overview.json';
export const DETAIL_URL = '/basemap/detail.json';

const MAX_MERCATOR_LAT = 85.0511287798066;

/** Web Mercator (EPSG:3857) in integers of the base map's grid. */
export const toWorld = (lng: number, lat: number): [number, number] => {
  const phi = (Math.max(-MAX_MERCATOR_LAT, Math.min(MAX_MERCATOR_LAT, lat)) * Math.PI) / 180;
  const x = (lng + 180) / 360;
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI);
  return [Math.round(x * WORLD_SIZE), Math.round(y * WORLD_SIZE)];
};

/** Differences back to values: 5, 1, -2 becomes 5, 6, 4. */
export const fromDifferences = (differences: readonly number[]): Int32Array => {
  const values = new Int32Array(differences.length);
  let value = 0;
  for (let i = 0; i < values.length; i++) values[i] = value += differences[i]!;
  return values;
};
