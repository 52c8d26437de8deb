import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { readCsvText, toCsv } from '../../view/csv';
import type { Site, SiteShape } from '../schema';
import { toCandidate, toCircle, toProperties } from './candidate';
import type { Candidate, TextOf } from './candidate';
import { toPropertyName } from './geojson';

/** Other names of columns, by those that are read. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  name: ['site', 'site_name', 'location'],
  latitude: ['lat', 'y'],
  longitude: ['lng', 'lon', 'long', 'x'],
  radius_m: ['radius_meters', 'radius_metres', 'radius_meter'],
  radius_mi: ['radius_miles', 'radius_mile'],
  radius_ft: ['radius_feet', 'radius_foot'],
  kind: ['type', 'category'],
  notes: ['note', 'comment', 'comments', 'description'],
  opening_hours: ['hours'],
  margin_m: ['margin_meters'],
};

const toColumn = (header: string): string => {
  const name = toPropertyName(header);
  return Object.entries(ALIASES).find(([, others]) => others.includes(name))?.[0] ?? name;
};

const parseCorners = (text: string): [number, number][] =>
  text.split(';').map((pair) => {
    const [lat, lng] = pair.trim().split(/[\s,]+/);
    return [Number(lat || NaN), Number(lng || NaN)];
  });

const toShape = (textOf: TextOf, defaultRadiusM: number | null): SiteShape | string => {
  const corners = textOf('corners')?.trim();
  if (corners) return { type: 'polygon', corners: parseCorners(corners) };
  const [lat, lng] = [textOf('latitude')?.trim(), textOf('longitude')?.trim()];
  if (!lat || !lng) return 'It has no latitude or no longitude.';
  return toCircle({ lat: Number(lat), lng: Number(lng) }, textOf, defaultRadiusM);
};

const faultOf = (columns: readonly string[]): string | null => {
  if (columns.includes('radius'))
    return 'The column “radius” does not say its unit: name it radius_m, radius_ft or radius_mi.';
  if (!columns.includes('name')) return 'The first line has no column “name”.';
  const hasPlace =
    columns.includes('corners') || ['latitude', 'longitude'].every((each) => columns.includes(each));
  return hasPlace ? null : 'The first line has no columns “latitude” and “longitude”.';
};

/** The separator that the first line has most of: a spreadsheet writes that of its country. */
const delimiterOf = (text: string): string => {
  const [head = ''] = text.split(/\r?\n/, 1);
  const counted = [',', ';', '\t'].map((sign) => [head.split(sign).length, sign] as const);
  return counted.reduce((most, each) => (each[0] > most[0] ? each : most))[1];
};

interface Line {
  record: string[];
  info: { lines: number };
}

/** The sites of a CSV text; a text: why it cannot be read. */
export const readCsv = (text: string, defaultRadiusM: number | null): Candidate[] | string => {
  let lines: Line[];
  try {
    const options = { bom: true, info: true, relaxColumnCount: true, skipEmptyLines: true };
    lines = parse(text, { ...options, delimiter: delimiterOf(text) }) as unknown as Line[];
  } catch (error) {
    if (error instanceof CsvError) return `The file is not CSV that can be read: ${error.message}.`;
    throw error;
  }
  const [head, ...rows] = lines;
  if (head === undefined) return 'The file is empty.';
  const columns = head.record.map(toColumn);
  const fault = faultOf(columns);
  if (fault !== null) return fault;
  return rows.map(({ record, info }) => {
    const textOf: TextOf = (property) => {
      const at = columns.indexOf(property);
      return at < 0 ? undefined : readCsvText(record[at] ?? '');
    };
    return toCandidate(`Line ${info.lines}`, textOf, toShape(textOf, defaultRadiusM));
  });
};

const PROPERTIES = ['kind', 'color', 'margin_m', 'opening_hours', 'notes'];

/** One line for each site; the corners of a polygon are "lat lng; lat lng; …". */
export const writeCsv = (sites: readonly Site[]): string =>
  toCsv([
    ['name', 'latitude', 'longitude', 'radius_m', 'corners', ...PROPERTIES],
    ...sites.map((site) => {
      const { name, shape } = site;
      const place =
        shape.type === 'circle'
          ? [shape.lat, shape.lng, shape.radiusM, null]
          : [null, null, null, shape.corners.map((corner) => corner.join(' ')).join('; ')];
      const properties = toProperties(site);
      return [name, ...place, ...PROPERTIES.map((property) => properties[property])];
    }),
  ]);
