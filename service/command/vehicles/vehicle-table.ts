import {
  findHeader,
  findRepeatedColumns,
  findWrongLength,
  toQuotedList,
  type Table,
  type TableBody,
  type TableRow,
} from '@/lib/table-files/table';
import {
  FieldFault,
  VEHICLE_COLUMNS,
  isVehicleColumn,
  parseVehicleField,
  parseVinField,
  requireUsdotField,
  type VehicleFields,
} from './vehicle-fields';

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
 * @param otherColumns columns that the caller reads
 */
export const readVehicles = (
  table: Table,
  defaultUsdot: string | null,
  otherColumns: readonly string[] = [],
): FileVehicles => {
  const body = findHeader(table, (names) => names.includes('vin'));
  const { columns, headerLine, rows } = body;
  const result: FileVehicles = {
    vehicles: [],
    faults: [
      ...checkHeader(body, defaultUsdot, otherColumns),
      ...table.broken.map((row) => ({ ...row, column: null })),
    ],
    warnings: (table.otherSheets ?? []).map((name) => ({
      line: headerLine,
      column: null,
      message: `the sheet “${name}” has vehicles too and is not read; import it by itself`,
    })),
  };
  // Rows under a header that cannot be trusted would only repeat its fault, line by line.
  if (result.faults.some(({ line }) => line === headerLine)) return result;
  const read = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map((row) => readRow(row, columns, defaultUsdot, result));
  const repeated = findRepeated(read.filter((vehicle) => vehicle !== null));
  return { ...result, faults: result.faults.concat(repeated).sort((a, b) => a.line - b.line) };
};

const checkHeader = (
  { columns, names, headerLine: line }: TableBody,
  defaultUsdot: string | null,
  otherColumns: readonly string[],
): FileFault[] => {
  const faults: FileFault[] = findRepeatedColumns(columns).map((repeated) => ({
    line,
    column: columns[repeated[0]!]!,
    message: `the column is there twice, as ${toQuotedList(repeated.map((at) => names[at]!))}; delete one`,
  }));
  const known = ['usdot', 'vin', ...Object.keys(VEHICLE_COLUMNS)];
  for (const column of new Set(columns))
    if (column !== '' && !known.includes(column) && !otherColumns.includes(column))
      faults.push({ line, column, message: `unknown column; known are ${known.join(', ')}` });
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
  const message = findWrongLength({ cells }, { columns });
  if (message !== null) {
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
    return isName(column) ? warnOfName(cell) : null;
  }
  return null;
};

const isName = (column: string): boolean => ['device_id', 'truck_number', 'plate_number'].includes(column);

const A_MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
/** Dates, which a spreadsheet makes of 3-4. `NO_VALUE` is the text that a program writes for a missing number. */
const DATE = new RegExp(
  `^(?:\\d{1,2}-(?:${A_MONTH})|(?:${A_MONTH})-\\d{2}|\\d{1,2}/\\d{1,2}/\\d{2,4})$`,
  'i',
);
const NO_VALUE = /^(?:nan|null|none|nil|n\/a|undefined|unknown|-+|\?+)$/i;

/** Why a name may not be what the truck or its device has. */
const warnOfName = (cell: string): string | null => {
  // A spreadsheet keeps 15 digits of a number.
  if (/^\d{15}0+$/.test(cell))
    return `${cell} has zeros from the 16th digit on, as a spreadsheet writes them for digits that it has lost; compare it with the device`;
  if (/^\d+\.0+$/.test(cell))
    return `${cell} ends in .0, as programs write it behind a whole number; if that is not part of it, delete it`;
  if (DATE.test(cell))
    return `${cell} is a date, as a spreadsheet makes it of a number such as 3-4; compare it`;
  return NO_VALUE.test(cell) ? `“${cell}” is stored as it is; leave the cell empty if there is none` : null;
};

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
