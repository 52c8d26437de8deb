import { METERS_PER_DEGREE, RADIANS_PER_DEGREE, distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { HOUR_MS } from '@/lib/base/time';

/** Roads are known by the cells of a grid that they cross; parallel roads closer than this are one. */
export const CELL_M = 500;

/** Cells around a position in which one is looked for: about 1.5 km. */
const NEAR_CELLS = 3;

const COLUMNS = 2 ** 20;

const toRow = (lat: number): number => Math.floor((lat * METERS_PER_DEGREE) / CELL_M);

/** Columns in a degree of longitude, in one row. */
const toColumnsPerDegree = (row: number): number =>
  (METERS_PER_DEGREE / CELL_M) * Math.cos(((row + 0.5) * CELL_M * RADIANS_PER_DEGREE) / METERS_PER_DEGREE);

const toColumn = (lng: number, row: number): number =>
  Math.floor(lng * toColumnsPerDegree(row)) + COLUMNS / 2;

/** The cell of a position, a whole number. */
export const toCell = ({ lat, lng }: LatLng): number => {
  const row = toRow(lat);
  return row * COLUMNS + toColumn(lng, row);
};

export const centerOf = (cell: number): LatLng => {
  const row = Math.floor(cell / COLUMNS);
  return {
    lat: ((row + 0.5) * CELL_M) / METERS_PER_DEGREE,
    lng: (cell - row * COLUMNS - COLUMNS / 2 + 0.5) / toColumnsPerDegree(row),
  };
};

/** Spreads cells over whole numbers of 32 bits. */
export const hashOf = (cell: number): number => {
  const row = Math.floor(cell / COLUMNS);
  const hash = Math.imul(row, 0x9e3779b1) ^ Math.imul(cell - row * COLUMNS, 0x85ebca6b);
  return hash ^ (hash >>> 15);
};

/** The nearest cell within about 1.5 km of a position that `isKnown`; null where there is none. */
export const findNearCell = (point: LatLng, isKnown: (cell: number) => boolean): number | null => {
  const own = toCell(point);
  if (isKnown(own)) return own;
  const row = toRow(point.lat);
  for (let ring = 1; ring <= NEAR_CELLS; ring += 1) {
    let [nearest, nearestM] = [null as number | null, Infinity];
    for (let r = row - ring; r <= row + ring; r += 1) {
      const column = toColumn(point.lng, r);
      const apart = Math.abs(r - row) === ring ? 1 : 2 * ring;
      for (let c = column - ring; c <= column + ring; c += apart) {
        const cell = r * COLUMNS + c;
        if (!isKnown(cell)) continue;
        const m = distanceM(point, centerOf(cell));
        if (m < nearestM) [nearest, nearestM] = [cell, m];
      }
    }
    if (nearest !== null) return nearest;
  }
  return null;
};

/** The hour of the day by the sun at a cell: it needs no table of time zones, and traffic does not mind. */
export const toHour = (cell: number, atMs: number): number =>
  Math.floor((((atMs / HOUR_MS + centerOf(cell).lng / 15) % 24) + 24) % 24);
