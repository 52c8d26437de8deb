import { parseVehicleCsv } from './vehicle-csv';
import type { Executor } from '@/lib/postgres/database';
import type { Store } from '../../store/store';
import type { StoredVehicle } from '../../store/vehicles';
import type { CsvFault, CsvVehicle } from './vehicle-csv';

/** Fault messages with what the user can do, which differs between the command line and the page. */
export interface ImportMessages {
  unknownCarrier(usdot: string): string;
  otherOwner(vin: string, owner: string): string;
}

export interface ImportOptions {
  /** The carrier of rows that name none. */
  defaultUsdot: string | null;
  /** Vehicles that drive for another carrier are taken over. */
  isMoveMeant: boolean;
  messages: ImportMessages;
}

/** The changes that a file makes, and its faults. */
export interface ImportPlan {
  vehicles: CsvVehicle[];
  added: number;
  changed: number;
  /** Vehicles whose rows equal what is stored. */
  unchanged: number;
  faults: CsvFault[];
  warnings: CsvFault[];
  /** Writes all changes in one transaction. Must not be called where there are faults. */
  run(tx?: Executor): Promise<void>;
}

/** Reads a CSV file of vehicles against the store; nothing is changed before `run`. */
export const planImport = async (store: Store, csv: string, options: ImportOptions): Promise<ImportPlan> => {
  const { vehicles, faults: csvFaults, warnings } = parseVehicleCsv(csv, options.defaultUsdot);
  const known = await readKnown(store, vehicles);
  const faults = csvFaults
    .concat(checkAgainstStore(vehicles, known, options))
    .sort((a, b) => a.line - b.line);
  const held = vehicles.filter(({ vin }) => known.byVin.has(vin));
  const changes = vehicles.filter((vehicle) => !isAsKnown(vehicle, known.byVin.get(vehicle.vin)));
  const added = vehicles.length - held.length;
  return {
    vehicles,
    added,
    changed: changes.length - added,
    unchanged: vehicles.length - changes.length,
    faults,
    warnings,
    run: (tx) =>
      store.vehicles.upsertMany(
        changes.map((vehicle) => toInput(vehicle, known.byVin)),
        tx,
      ),
  };
};

interface Known {
  carriers: Set<string>;
  byVin: Map<string, StoredVehicle>;
  /** by carrier and device id */
  byDevice: Map<string, StoredVehicle>;
}

const readKnown = async (store: Store, vehicles: CsvVehicle[]): Promise<Known> => {
  const carriers = new Set((await store.carriers.list()).map(({ usdot }) => usdot));
  const held = (await Promise.all([...carriers].map((usdot) => store.vehicles.list(usdot)))).flat();
  const vins = new Set(vehicles.map(({ vin }) => vin));
  return {
    carriers,
    byVin: new Map(held.filter(({ vin }) => vins.has(vin)).map((vehicle) => [vehicle.vin, vehicle])),
    byDevice: new Map(held.map((vehicle) => [`${vehicle.usdot} ${vehicle.deviceId}`, vehicle])),
  };
};

const checkAgainstStore = (
  vehicles: CsvVehicle[],
  known: Known,
  { isMoveMeant, messages }: ImportOptions,
): CsvFault[] => {
  const vins = new Set(vehicles.map(({ vin }) => vin));
  const faults: CsvFault[] = [];
  for (const { line, usdot, vin, fields } of vehicles) {
    if (!known.carriers.has(usdot)) {
      faults.push({
        line,
        column: 'usdot',
        message: messages.unknownCarrier(usdot),
      });
    }
    const owner = known.byVin.get(vin)?.usdot ?? usdot;
    if (owner !== usdot && !isMoveMeant) {
      faults.push({
        line,
        column: 'vin',
        message: messages.otherOwner(vin, owner),
      });
    }
    const holder = fields.deviceId ? known.byDevice.get(`${usdot} ${fields.deviceId}`) : undefined;
    // A vehicle that is itself in the file may be giving its device away there.
    if (holder !== undefined && !vins.has(holder.vin)) {
      faults.push({
        line,
        column: 'device_id',
        message: `${JSON.stringify(fields.deviceId)} belongs to ${holder.vin} already`,
      });
    }
  }
  return faults;
};

const isAsKnown = ({ usdot, fields }: CsvVehicle, known: StoredVehicle | undefined): boolean =>
  known !== undefined &&
  known.usdot === usdot &&
  Object.entries(fields).every(([name, value]) => known[name as keyof StoredVehicle] === value);

/** A column that the file does not have leaves stored values unchanged. */
const toInput = ({ usdot, vin, fields }: CsvVehicle, byVin: Known['byVin']) => {
  const { id: _id, ...known } = byVin.get(vin) ?? { id: 0 };
  return { ...known, ...fields, usdot, vin };
};
