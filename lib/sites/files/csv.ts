import { parseCsv } from '../../table-files/csv';
import { findHeader } from '../../table-files/table';
import type { Table } from '../../table-files/table';
import { toCsvFile } from '../../view/csv';
import type { Site, SiteShape } from '../schema';
import { isAddress, toCandidate, toCircle, toPolygon, toProperties } from './candidate';
import type { Candidate, FileDefaults, TextOf } from './candidate';

/** Other names of columns, by those that are read. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  name: ['site', 'site_name', 'location_name', 'location'],
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

/** The place of the column that a name stands for: its own name comes before another one. -1: there is none. */
const findColumn = (columns: readonly string[], name: string): number =>
  [name, ...(ALIASES[name] ?? [])].map((each) => columns.indexOf(each)).find((at) => at >= 0) ?? -1;

/** Whether the first line of a table of sites has these columns. */
export const isSiteHeader = (columns: readonly string[]): boolean =>
  findColumn(columns, 'name') >= 0 &&
  (findColumn(columns, 'corners') >= 0 ||
    ['latitude', 'longitude'].every((name) => findColumn(columns, name) >= 0));

const parseCorners = (text: string): string[][] =>
  text
    .split(';')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => pair.trim().split(/[\s,]+/));

const toShape = (textOf: TextOf, defaults: FileDefaults): SiteShape | string => {
  const corners = textOf('corners')?.trim();
  if (corners) return toPolygon(parseCorners(corners));
  const [lat = '', lng = ''] = [textOf('latitude')?.trim(), textOf('longitude')?.trim()];
  if (lat === '' || lng === '')
    return `It has no ${lat === '' ? 'latitude' : 'longitude'}: enter it in degrees, as in 32.7767.`;
  return toCircle([lat, lng], textOf, defaults);
};

const COLUMNS_WANTED = 'Name the columns name, latitude and longitude in the first line, above the sites.';

const toHeaderFault = (columns: readonly string[]): string => {
  const found = columns.filter((name) => name !== '');
  return found.length === 0
    ? `The file has no names of columns. ${COLUMNS_WANTED}`
    : `The first line names no column for ${findColumn(columns, 'name') < 0 ? 'the name' : 'the place'} of a site; it has ${found.map((name) => `“${name}”`).join(', ')}. ${COLUMNS_WANTED}`;
};

/** The sites of a table; a text: why it cannot be read. */
export const readTable = (table: Table, defaults: FileDefaults): Candidate[] | string => {
  const { columns, rows } = findHeader(table, isSiteHeader);
  if (columns.length === 0 && rows.length === 0) return 'The file is empty.';
  if (!isSiteHeader(columns)) return toHeaderFault(columns);
  const nameAt = findColumn(columns, 'name');
  const read = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ line, cells, faults: spoiled = {} }): Candidate => {
      const textOf: TextOf = (property) => cells[findColumn(columns, property)];
      const candidate = toCandidate(`Line ${line}`, textOf, toShape(textOf, defaults), defaults);
      const name = cells[nameAt] ?? '';
      if (columns[nameAt] === 'location' && isAddress(name))
        candidate.faults.push(`“${name}” is an address: give the site a name, in a column “name”.`);
      for (const [at, fault] of Object.entries(spoiled))
        candidate.faults.push(`Column “${columns[Number(at)]}”: ${fault}.`);
      return candidate;
    });
  const broken = table.broken.map(({ line, message }): Candidate => ({
    where: `Line ${line}`,
    site: { name: '' },
    faults: [`The line is not CSV: ${message}. Correct its quotes.`],
    warnings: [],
  }));
  return [...read, ...broken];
};

/** The sites of a CSV text; a text: why it cannot be read. */
export const readCsv = (text: string, defaults: FileDefaults): Candidate[] | string =>
  readTable(parseCsv(text), defaults);

const PROPERTIES = ['kind', 'color', 'margin_m', 'opening_hours', 'notes'];

/** One line for each site; the corners of a polygon are "lat lng; lat lng; …". */
export const writeCsv = (sites: readonly Site[]): string =>
  toCsvFile([
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
