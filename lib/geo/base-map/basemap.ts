import {
  AREAS,
  LINES,
  fromDifferences,
  type AreaName,
  type DetailFile,
  type LineName,
  type NamedPoints,
  type OverviewFile,
} from './basemap-file';
import { createLineSet, type LineSet } from './line-set';

/** A named point of the base map's grid. `weight` is people for a place, width for a state. */
export interface NamedPoint {
  name: string;
  short: string;
  x: number;
  y: number;
  weight: number;
}

export interface Road {
  name: string;
  lines: LineSet;
  /** How far each point lies along its line, in the grid's units. */
  along: Float64Array;
}

/** The embedded base map, unpacked. What of it has not been loaded yet is empty. */
export interface Basemap {
  areas: Record<AreaName, LineSet>;
  lines: Record<LineName, LineSet>;
  roads: Road[];
  states: NamedPoint[];
  countries: NamedPoint[];
  cities: NamedPoint[];
  countyLines: LineSet;
  places: NamedPoint[];
}

const toNamedPoints = (
  points: NamedPoints,
  weights: readonly number[],
  short?: readonly string[],
): NamedPoint[] => {
  const x = fromDifferences(points.x);
  const y = fromDifferences(points.y);
  const names = points.names === '' ? [] : points.names.split('\n');
  return names.map((name, i) => ({
    name,
    short: short?.[i] ?? name,
    x: x[i]!,
    y: y[i]!,
    weight: weights[i] ?? 0,
  }));
};

const toRoad = ({ name, lines: packed }: OverviewFile['roads'][number]): Road => {
  const lines = createLineSet(packed);
  const { points, starts } = lines;
  const along = new Float64Array(points.length / 2);
  for (let line = 0; line + 1 < starts.length; line++) {
    for (let p = starts[line]! + 1; p < starts[line + 1]!; p++) {
      const step = Math.hypot(points[2 * p]! - points[2 * p - 2]!, points[2 * p + 1]! - points[2 * p - 1]!);
      along[p] = along[p - 1]! + step;
    }
  }
  return { name, lines, along };
};

const toRecord = <Name extends string>(names: readonly Name[], toLines: (name: Name) => number[][]) =>
  Object.fromEntries(names.map((name) => [name, createLineSet(toLines(name))])) as Record<Name, LineSet>;

export const toBasemap = (overview: OverviewFile): Basemap => ({
  areas: toRecord(AREAS, (name) => overview.areas[name]),
  lines: toRecord(LINES, (name) => overview.lines[name]),
  roads: overview.roads.map(toRoad),
  states: toNamedPoints(overview.states, overview.states.width, overview.states.short),
  countries: toNamedPoints(overview.countries, []),
  cities: toNamedPoints(overview.cities, overview.cities.people),
  countyLines: createLineSet([]),
  places: [],
});

export const withDetail = (map: Basemap, { countyLines, places }: DetailFile): Basemap => ({
  ...map,
  countyLines: createLineSet(countyLines),
  places: toNamedPoints(places, places.people),
});
