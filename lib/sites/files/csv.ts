import { parseCsv } from '../../table-files/csv';
import {
  findHeader,
  findSpoiled,
  hasSurplus,
  toQuotedList,
  type Table,
  type TableBody,
  type TableRow,
} from '../../table-files/table';
import { toCsvFile } from '@/lib/base/text/csv';
import type { Site, SiteShape } from '@/lib/rules/site';
import {
  isAddress,
  toCandidate,
  toCircle,
  toPolygon,
  toProperties,
  type Candidate,
  type FileDefaults,
  type TextOf,
} from './candidate';
import { checkColumns, findColumn } from './columns';

/** Whether the first line of a table of sites has these columns. */
export const isSiteHeader = (columns: readonly string[]): boolean =>
  findColumn(columns, 'name') >= 0 &&
  (findColumn(columns, 'corners') >= 0 ||
    ['latitude', 'longitude'].every((name) => findColumn(columns, name) >= 0));

/** The numbers of a corner: "32.7 -96.8", "32.7, -96.8", "32,7 -96,8". */
const parseCorner = (pair: string): string[] => {
  const parts = pair
    .trim()
    .split(/\s+|\s*,\s+|\s+,\s*/)
    .filter((part) => part !== '' && part !== ',');
  return parts.length === 1 ? parts[0]!.split(',') : parts.map((part) => part.replace(/,$/, ''));
};

/** The corners of a text, or what of it is none. */
const parseCorners = (text: string): string[][] | string => {
  const pairs = text.split(';').filter((pair) => pair.trim() !== '');
  const corners = pairs.map(parseCorner);
  const odd = corners.findIndex(({ length }) => length !== 2);
  return odd < 0
    ? corners
    : `Corner ${odd + 1} is “${pairs[odd]!.trim().slice(0, 60)}”: write “latitude longitude; latitude longitude; …”, as in 32.7 -96.8; 32.8 -96.8; 32.8 -96.9.`;
};

const toShape = (textOf: TextOf, defaults: FileDefaults): SiteShape | string => {
  const corners = textOf('corners')?.trim();
  const [lat = '', lng = ''] = [textOf('latitude')?.trim(), textOf('longitude')?.trim()];
  if (corners) {
    if (lat !== '' || lng !== '')
      return `It has corners, and “${lat}”, “${lng}” as its place: a site is a polygon or a circle.`;
    const parsed = parseCorners(corners);
    return typeof parsed === 'string' ? parsed : toPolygon(parsed);
  }
  // A text that is no number says more than that the other one is missing.
  if ((lat === '' || lng === '') && /^[-+\d.,]*$/.test(lat + lng))
    return `It has no ${lat === '' ? 'latitude' : 'longitude'}: enter it in degrees, as in 32.7767.`;
  return toCircle([lat, lng], textOf, defaults);
};

const COLUMNS_WANTED = 'Name the columns name, latitude and longitude in the first line, above the sites.';

const toHeaderFault = (columns: readonly string[]): string => {
  const found = columns.filter((name) => name !== '');
  return found.length === 0
    ? `The file has no names of columns. ${COLUMNS_WANTED}`
    : `The first line names no column for ${findColumn(columns, 'name') < 0 ? 'the name' : 'the place'} of a site; it has ${toQuotedList(found)}. ${COLUMNS_WANTED}`;
};

/** The cells of a row that a spreadsheet has spoiled, and whether it has more than the header. */
const toRowFaults = ({ cells, faults = {} }: TableRow, { columns, names }: TableBody): string[] => {
  const spoiled = cells.map((cell, at) => faults[at] ?? findSpoiled(cell));
  return [
    ...spoiled.flatMap((fault, at) => (fault === null ? [] : [`Column “${names[at] ?? at + 1}”: ${fault}.`])),
    ...(hasSurplus({ cells }, { columns })
      ? [
          `It has ${cells.length} cells, and the header has ${columns.length}: put quotes around a text with separators, or name the column of “${cells.at(-1)}”.`,
        ]
      : []),
  ];
};

const toRowCandidate = (row: TableRow, body: TableBody, defaults: FileDefaults): Candidate => {
  const { columns } = body;
  const nameAt = findColumn(columns, 'name');
  const textOf: TextOf = (property) => row.cells[findColumn(columns, property)];
  const candidate = toCandidate(`Line ${row.line}`, textOf, toShape(textOf, defaults), defaults);
  const name = row.cells[nameAt] ?? '';
  if (columns[nameAt] === 'location' && isAddress(name))
    candidate.faults.push(`“${name}” is an address: give the site a name, in a column “name”.`);
  candidate.faults.push(...toRowFaults(row, body));
  return candidate;
};

/** The sites of a file, and what of the file as a whole may be a mistake. */
export interface ReadSites {
  candidates: Candidate[];
  warnings: string[];
}

/** The sites of a table; a text: why it cannot be read. */
export const readTable = (table: Table, defaults: FileDefaults): ReadSites | string => {
  const body = findHeader(table, isSiteHeader);
  const { columns, names, rows } = body;
  if (columns.length === 0 && rows.length === 0) return 'The file is empty.';
  if (!isSiteHeader(columns)) return toHeaderFault(columns);
  const { fault, warnings } = checkColumns(columns, names);
  if (fault !== null) return fault;
  const read = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map((row) => toRowCandidate(row, body, defaults));
  const broken = table.broken.map(({ line, message }): Candidate => ({
    where: `Line ${line}`,
    site: { name: '' },
    faults: [`The line is not CSV: ${message}. Correct its quotes.`],
    warnings: [],
  }));
  const sheets = (table.otherSheets ?? []).map(
    (name) => `The sheet “${name}” has sites too and is not read: import it by itself.`,
  );
  return { candidates: [...read, ...broken], warnings: [...warnings, ...sheets] };
};

/** The sites of a CSV text; a text: why it cannot be read. */
export const readCsv = (text: string, defaults: FileDefaults): ReadSites | string =>
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
