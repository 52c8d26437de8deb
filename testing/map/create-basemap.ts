import { AREAS, LINES, type NamedPoints, type OverviewFile } from '@/lib/geo/base-map/basemap-file';
import { toBasemap, withDetail, type Basemap } from '@/lib/geo/base-map/basemap';

/** A place of a base map for tests: its name, and its coordinates on the base map's grid. */
export interface TestPlace {
  name: string;
  x: number;
  y: number;
  people: number;
}

const toDifferences = (values: number[]): number[] => values.map((value, i) => value - (values[i - 1] ?? 0));

const toNamedPoints = (places: TestPlace[]): NamedPoints => ({
  names: places.map(({ name }) => name).join('\n'),
  x: toDifferences(places.map(({ x }) => x)),
  y: toDifferences(places.map(({ y }) => y)),
});

const noLines = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[][]>;

/** A base map with only these roads and places. */
export const createBasemap = (
  roads: OverviewFile['roads'],
  cities: TestPlace[],
  places: TestPlace[] = [],
): Basemap => {
  const people = (of: TestPlace[]) => of.map((place) => place.people);
  const overview: OverviewFile = {
    areas: noLines(AREAS),
    lines: noLines(LINES),
    roads,
    states: { ...toNamedPoints([]), short: [], width: [] },
    countries: toNamedPoints([]),
    cities: { ...toNamedPoints(cities), people: people(cities) },
  };
  return withDetail(toBasemap(overview), {
    countyLines: [],
    places: { ...toNamedPoints(places), people: people(places) },
  });
};
