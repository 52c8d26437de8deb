import { parseMcNumber, parseUsdot } from '@/lib/identity/carrier-numbers';
import { isPrintable, toPrintable } from '@/lib/identity/text';
import { checkDigit, hasValidCheckDigit, parseVin } from '@/lib/identity/vin';
import { findSpoiled } from '@/lib/table-files/table';
import { MAX_TEXT_CHARACTERS, YEARS, type Vehicle } from '../../store/inputs';
import type { StoredVehicle } from '../../store/vehicles';
import { toCsvFile } from '@/lib/base/text/csv';

/** The given fields of a vehicle; others are absent. */
export type VehicleFields = Partial<Omit<StoredVehicle, 'id' | 'vin' | 'usdot'>>;

/** The fields of a vehicle besides its VIN and carrier, by column name. */
export const VEHICLE_COLUMNS = {
  truck_number: 'truckNumber',
  device_id: 'deviceId',
  plate_state: 'plateState',
  plate_number: 'plateNumber',
  asset_type: 'assetType',
  make: 'make',
  model: 'model',
  year: 'year',
  fuel_type: 'fuelType',
  registered_usdot: 'registeredUsdot',
  registered_mc: 'registeredMcNumber',
} as const;
export type VehicleColumn = keyof typeof VEHICLE_COLUMNS;

export const isVehicleColumn = (name: string): name is VehicleColumn => Object.hasOwn(VEHICLE_COLUMNS, name);

/** An invalid text; the message continues a sentence that begins with the name of the field. */
export class FieldFault extends Error {
  override name = 'FieldFault';
}

/**
 * One field of a vehicle from its text; empty text means unknown.
 * @throws FieldFault
 */
export const parseVehicleField = (column: VehicleColumn, text: string): VehicleFields => {
  const trimmed = text.trim();
  if (trimmed === '') return { [VEHICLE_COLUMNS[column]]: null };
  return { [VEHICLE_COLUMNS[column]]: parseValue(column, trimmed) };
};

const parseValue = (column: VehicleColumn, text: string): string | number => {
  if (column === 'year') return parseYear(text);
  if (column === 'registered_usdot')
    return requireParsed(parseUsdot(text), 'a USDOT number of 1 to 8 digits', text);
  if (column === 'registered_mc')
    return requireParsed(parseMcNumber(text), 'an MC number such as MC-990001', text);
  const spoiled = findSpoiled(text);
  if (spoiled !== null) throw new FieldFault(spoiled);
  if (text.length > MAX_TEXT_CHARACTERS || !isPrintable(text)) {
    throw new FieldFault(
      `expected at most ${MAX_TEXT_CHARACTERS} printable characters, got ${toShown(text)}`,
    );
  }
  return text;
};

const parseYear = (text: string): number => {
  const year = Number(text);
  // Programs write 2019.0 for a year of a column that has empty cells.
  if (/^\d{4}(?:\.0+)?$/.test(text) && year >= YEARS.first && year <= YEARS.last) return year;
  throw new FieldFault(`expected a year from ${YEARS.first} to ${YEARS.last}, got ${toShown(text)}`);
};

export const requireUsdotField = (text: string): string =>
  requireParsed(parseUsdot(text), 'a USDOT number of 1 to 8 digits', text);

const requireParsed = (value: string | null, expected: string, text: string): string => {
  if (value === null) throw new FieldFault(`expected ${expected}, got ${toShown(text)}`);
  return value;
};

/** A VIN in upper case, with a warning for a wrong check digit, which real fleets do have. */
export const parseVinField = (text: string): { vin: string; warning: string | null } => {
  const vin = parseVin(text);
  if (vin === null)
    throw new FieldFault(`expected a VIN of 17 letters and digits without I, O and Q, got ${toShown(text)}`);
  return {
    vin,
    warning: hasValidCheckDigit(vin)
      ? null
      : `${vin} has a wrong check digit: ${vin.charAt(8)} instead of ${checkDigit(vin)}; it is kept as it is`,
  };
};

const SHOWN_CHARACTERS = 40;

const toShown = (text: string): string => {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return text === ''
    ? 'nothing'
    : `${toPrintable(JSON.stringify(cut))}${/^\w{1,40}$/.test(text) ? ` (${text.length} ${text.length === 1 ? 'character' : 'characters'})` : ''}`;
};

const COLUMNS = { usdot: 'usdot', vin: 'vin', ...VEHICLE_COLUMNS } as const;

/** Vehicles as a CSV file with every column, and those of `more`, whose import changes nothing. */
export const toVehicleCsv = (
  vehicles: Vehicle[],
  more: { names: readonly string[]; cellsOf: (vin: string) => readonly string[] } = {
    names: [],
    cellsOf: () => [],
  },
): string => {
  const fields = Object.values(COLUMNS);
  return toCsvFile([
    [...Object.keys(COLUMNS), ...more.names],
    ...vehicles.map((each) => [...fields.map((field) => each[field]), ...more.cellsOf(each.vin)]),
  ]);
};
