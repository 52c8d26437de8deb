import { toCsvFile } from '@/lib/base/text/csv';
import type { Vehicle } from '../../store/inputs';
import { VEHICLE_COLUMNS } from './vehicle-fields';

const COLUMNS = { usdot: 'usdot', vin: 'vin', ...VEHICLE_COLUMNS } as const;

/** Vehicles as a CSV file with every column, whose import changes nothing. */
export const toVehicleCsv = (vehicles: Vehicle[]): string => {
  const fields = Object.values(COLUMNS);
  return toCsvFile([Object.keys(COLUMNS), ...vehicles.map((each) => fields.map((field) => each[field]))]);
};
