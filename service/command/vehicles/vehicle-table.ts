import { parseCsv } from './csv';
import {
  FieldFault,
  VEHICLE_COLUMNS,
  isVehicleColumn,
  parseVehicleField,
  parseVinField,
  requireUsdotField,
} from './vehicle-fields';
import type { CsvRow } from './csv';
import type { VehicleFields } from './vehicle-fields';

/** A fault in a file, with its place: line 1 is the header. */
export interface CsvFault {
  line: number;
  column: string | null;
  message: string;
}

export interface CsvVehicle {
  line: number;
  usdot: string;
  vin: string;
  /** the fields whose columns the file has */
  fields: VehicleFields;
}

export interface VehicleCsv {
  vehicles: CsvVehicle[];
  faults: CsvFault[];
  warnings: CsvFault[];
}

/**
 * The vehicles of a CSV file. Every fault of every row is listed, so that a file can be corrected in one pass.
 * @param defaultUsdot the carrier of rows that name none
 */
export const parseVehicleCsv = (text: string, defaultUsdot: string | null): VehicleCsv => {
  const { header, headerLine, rows, broken } = parseCsv(text);
  const columns = header.map((name) => name.replace(/[\s-]+/g, '_'));
  const result: VehicleCsv = {
    vehicles: [],
    faults: [
      ...checkHeader(columns, headerLine, defaultUsdot),
      ...broken.map((row) => ({ ...row, column: null })),
    ],
    warnings: [],
  };
  // Rows under a header that cannot be trusted would only repeat its fault, line by line.
  if (result.faults.some(({ line }) => line === headerLine)) return result;
  const read = rows.map((row) => readRow(row, columns, defaultUsdot, result));
  const repeated = findRepeated(read.filter((vehicle) => vehicle !== null));
  return { ...result, faults: result.faults.concat(repeated).sort((a, b) => a.line - b.line) };
};

const checkHeader = (columns: string[], line: number, defaultUsdot: string | null): CsvFault[] => {
  const faults: CsvFault[] = [];
  const known = ['usdot', 'vin', ...Object.keys(VEHICLE_COLUMNS)];
  columns.forEach((column, index) => {
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
  { line, cells }: CsvRow,
  columns: string[],
  defaultUsdot: string | null,
  result: VehicleCsv,
): CsvVehicle | null => {
  if (cells.length !== columns.length) {
    const message = `expected ${columns.length} cells as in the header, got ${cells.length}`;
    result.faults.push({ line, column: null, message });
    return null;
  }
  const vehicle: CsvVehicle = { line, usdot: defaultUsdot ?? '', vin: '', fields: {} };
  let isGood = true;
  columns.forEach((column, index) => {
    try {
      const warning = readCell(vehicle, column, cells[index]!);
      if (warning !== null) result.warnings.push({ line, column, message: warning });
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      result.faults.push({ line, column, message: error.message });
      isGood = false;
    }
  });
  if (isGood) result.vehicles.push(vehicle);
  return vehicle;
};

/** Puts one cell into the vehicle; returns a warning about it, or null. */
const readCell = (vehicle: CsvVehicle, column: string, cell: string): string | null => {
  if (column === 'vin') {
    const { vin, warning } = parseVinField(cell);
    vehicle.vin = vin;
    return warning;
  }
  if (column === 'usdot') {
    vehicle.usdot = cell === '' && vehicle.usdot !== '' ? vehicle.usdot : requireUsdotField(cell);
  } else if (isVehicleColumn(column)) {
    Object.assign(vehicle.fields, parseVehicleField(column, cell));
  }
  return null;
};

const findRepeated = (vehicles: CsvVehicle[]): CsvFault[] => {
  const faults: CsvFault[] = [];
  const lines = new Map<string, number>();
  const check = (key: string, line: number, column: string, what: string) => {
    const first = lines.get(key);
    if (first === undefined) lines.set(key, line);
    else faults.push({ line, column, message: `${what} is on line ${first} already` });
  };
  for (const { line, usdot, vin, fields } of vehicles) {
    if (vin !== '') check(`vin ${vin}`, line, 'vin', vin);
    if (fields.deviceId)
      check(`device ${usdot} ${fields.deviceId}`, line, 'device_id', JSON.stringify(fields.deviceId));
  }
  return faults;
};
