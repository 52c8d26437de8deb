import { findHeader } from '@/lib/table-files/table';
import type { Table, TableRow } from '@/lib/table-files/table';
import {
  FieldFault,
  VEHICLE_COLUMNS,
  isVehicleColumn,
  parseVehicleField,
  parseVinField,
  requireUsdotField,
} from './vehicle-fields';
import type { VehicleFields } from './vehicle-fields';

/** A fault in a file, with its place: a line of the file or row of the sheet, from 1. */
export interface FileFault {
  line: number;
  column: string | null;
  message: string;
  /** the cell repeats one of another line */
  isDuplicate?: true;
}

export interface FileVehicle {
  line: number;
  usdot: string;
  vin: string;
  /** the fields whose columns the file has */
  fields: VehicleFields;
}

export interface FileVehicles {
  vehicles: FileVehicle[];
  faults: FileFault[];
  warnings: FileFault[];
}

/**
 * The vehicles of a file. Every fault of every row is listed, so that a file can be corrected in one pass.
 * @param defaultUsdot the carrier of rows that name none
 */
export const readVehicles = (table: Table, defaultUsdot: string | null): FileVehicles => {
  const { columns, headerLine, rows } = findHeader(table, (names) => names.includes('vin'));
  const result: FileVehicles = {
    vehicles: [],
    faults: [
      ...checkHeader(columns, headerLine, defaultUsdot),
      ...table.broken.map((row) => ({ ...row, column: null })),
    ],
    warnings: [],
  };
  // Rows under a header that cannot be trusted would only repeat its fault, line by line.
  if (result.faults.some(({ line }) => line === headerLine)) return result;
  const read = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map((row) => readRow(row, columns, defaultUsdot, result));
  const repeated = findRepeated(read.filter((vehicle) => vehicle !== null));
  return { ...result, faults: result.faults.concat(repeated).sort((a, b) => a.line - b.line) };
};

const checkHeader = (columns: string[], line: number, defaultUsdot: string | null): FileFault[] => {
  const faults: FileFault[] = [];
  const known = ['usdot', 'vin', ...Object.keys(VEHICLE_COLUMNS)];
  columns.forEach((column, index) => {
    if (column === '') return;
    if (!known.includes(column))
      faults.push({ line, column, message: `unknown column; known are ${known.join(', ')}` });
    else if (columns.indexOf(column) !== index)
      faults.push({ line, column, message: 'the column is there twice' });
  });
  if (!columns.includes('vin')) faults.push({ line, column: 'vin', message: 'the column is missing' });
  if (!columns.includes('usdot') && defaultUsdot === null) {
    faults.push({
      line,
      column: 'usdot',
      message: 'the column is missing; add it, or name the carrier with --usdot',
    });
  }
  return faults;
};

/** Reads a row into the result; returns what could be read of it, also of a faulty row. */
const readRow = (
  { line, cells, faults: spoiled }: TableRow,
  columns: string[],
  defaultUsdot: string | null,
  result: FileVehicles,
): FileVehicle | null => {
  // Spreadsheets write separators behind the last column, too.
  if (cells.length < columns.length || cells.slice(columns.length).some((cell) => cell !== '')) {
    const message = `expected ${columns.length} cells as in the header, got ${cells.length}`;
    result.faults.push({ line, column: null, message });
    return null;
  }
  const vehicle: FileVehicle = { line, usdot: defaultUsdot ?? '', vin: '', fields: {} };
  let isGood = true;
  columns.forEach((column, index) => {
    try {
      const fault = spoiled?.[index];
      if (fault !== undefined) throw new FieldFault(fault);
      if (column === '') requireEmpty(index, cells[index]!);
      const warning = readCell(vehicle, column, cells[index]!);
      if (warning !== null) result.warnings.push({ line, column, message: warning });
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      result.faults.push({ line, column: column || null, message: error.message });
      isGood = false;
    }
  });
  if (isGood) result.vehicles.push(vehicle);
  return vehicle;
};

const requireEmpty = (index: number, cell: string): void => {
  if (cell !== '') throw new FieldFault(`column ${index + 1} has a value and no name in the header`);
};

/** Puts one cell into the vehicle; returns a warning about it, or null. */
const readCell = (vehicle: FileVehicle, column: string, cell: string): string | null => {
  if (column === 'vin') {
    const { vin, warning } = parseVinField(cell);
    vehicle.vin = vin;
    return warning;
  }
  if (column === 'usdot') {
    vehicle.usdot = cell === '' && vehicle.usdot !== '' ? vehicle.usdot : requireUsdotField(cell);
  } else if (isVehicleColumn(column)) {
    Object.assign(vehicle.fields, parseVehicleField(column, cell));
    return column === 'device_id' ? warnOfRounding(cell) : null;
  }
  return null;
};

/** A spreadsheet keeps 15 digits of a number and writes zeros for the others. */
const warnOfRounding = (cell: string): string | null =>
  /^\d{15}0+$/.test(cell)
    ? `${cell} has zeros from the 16th digit on, as a spreadsheet writes them for digits that it has lost; compare it with the device`
    : null;

const findRepeated = (vehicles: FileVehicle[]): FileFault[] => {
  const faults: FileFault[] = [];
  const lines = new Map<string, number>();
  const check = (key: string, line: number, column: string, what: string) => {
    const first = lines.get(key);
    if (first === undefined) lines.set(key, line);
    else faults.push({ line, column, message: `${what} is on line ${first} already`, isDuplicate: true });
  };
  for (const { line, usdot, vin, fields } of vehicles) {
    if (vin !== '') check(`vin ${vin}`, line, 'vin', vin);
    if (fields.deviceId)
      check(`device ${usdot} ${fields.deviceId}`, line, 'device_id', JSON.stringify(fields.deviceId));
  }
  return faults;
};
