import { createHash } from 'node:crypto';
import { fillFromVin, vinVehicleText, judgeVin } from '@/lib/identity/decode-vin';
import '@/lib/identity/all-makers';
import type { Executor } from '@/lib/database/database';
import { lockVehicleWriters } from '../../store/carriers';
import type { Vehicle } from '../../store/inputs';
import type { Store } from '../../store/store';
import type { StoredVehicle } from '../../store/vehicles';
import { VEHICLE_COLUMNS } from './vehicle-fields';
import type { Table } from '@/lib/table-files/table';
import { readVehicles, type FileFault, type FileVehicle } from './vehicle-table';

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
  /** Model years that have not begun are not read from a VIN. */
  nowMs: number;
  /** Columns that the caller reads. */
  otherColumns?: readonly string[];
  /** The identifier of a vehicle without a device, which had `before`; without this function it has none. */
  toDeviceId?: (vin: string, before: string | null, isTaken: (id: string) => boolean) => string | null;
  messages: ImportMessages;
}

/** The effect of importing a row. */
export interface PlannedVehicle {
  line: number;
  kind: 'added' | 'changed' | 'unchanged';
  /** the vehicle after the import */
  vehicle: Vehicle;
  /** "1992 or 2022 Kenworth", if make or year are filled in from the VIN */
  filledFrom: string | null;
  /** the fields of a changed vehicle, by column */
  changes: { column: string; before: string | number | null; after: string | number | null }[];
}

/** The changes that a file makes, and its faults. */
export interface ImportPlan {
  /** Equal for plans with the same changes. */
  id: string;
  /** in the order of the file */
  vehicles: PlannedVehicle[];
  added: number;
  changed: number;
  unchanged: number;
  faults: FileFault[];
  warnings: FileFault[];
  /** Writes all changes in one transaction. Must not be called where there are faults. */
  run(): Promise<void>;
}

/**
 * Reads a file of vehicles against the store; nothing is changed before `run`. With `tx`, vehicles cannot change until
 * that transaction ends.
 */
export const planImport = async (
  store: Store,
  table: Table,
  options: ImportOptions,
  tx?: Executor,
): Promise<ImportPlan> => {
  const { vehicles, faults, warnings } = readVehicles(table, options.defaultUsdot, options.otherColumns);
  if (tx !== undefined) await lockVehicleWriters(tx);
  const known = await readKnown(store, vehicles, tx);
  const deviceIds = chooseDevices(vehicles, known, options);
  const planned = vehicles.map((each, index) =>
    planVehicle(each, known.byVin.get(each.vin), deviceIds[index]!, options),
  );
  const changes = planned.filter(({ kind }) => kind !== 'unchanged');
  const added = planned.filter(({ kind }) => kind === 'added').length;
  const byLine = (a: FileFault, b: FileFault): number => a.line - b.line;
  return {
    id: toPlanId(changes),
    vehicles: planned,
    added,
    changed: changes.length - added,
    unchanged: planned.length - changes.length,
    faults: faults
      .concat(checkAgainstStore(vehicles, known, options), checkDevices(planned, known, faults))
      .sort(byLine),
    warnings: warnings.concat(changes.flatMap(compareWithVin)).sort(byLine),
    run: () =>
      store.vehicles.upsertMany(
        changes.map(({ vehicle }) => vehicle),
        tx,
      ),
  };
};

const toPlanId = (changes: PlannedVehicle[]): string => {
  const effects = changes.map((each) =>
    each.kind === 'added' ? each.vehicle : [each.vehicle.vin, each.changes],
  );
  return createHash('sha256').update(JSON.stringify(effects)).digest('hex').slice(0, 32);
};

interface Known {
  carriers: Set<string>;
  byVin: Map<string, StoredVehicle>;
  /** The VINs of the vehicles that are not in the file and have a device, by carrier and device id. */
  byDevice: Map<string, string>;
}

const readKnown = async (store: Store, vehicles: FileVehicle[], tx?: Executor): Promise<Known> => {
  const carriers = (await store.carriers.list(tx)).map(({ usdot }) => usdot);
  const held: StoredVehicle[] = [];
  // One after the other: a transaction has one connection.
  for (const usdot of carriers) held.push(...(await store.vehicles.list(usdot, tx)));
  const vins = new Set(vehicles.map(({ vin }) => vin));
  return {
    carriers: new Set(carriers),
    byVin: new Map(held.filter(({ vin }) => vins.has(vin)).map((vehicle) => [vehicle.vin, vehicle])),
    byDevice: new Map(
      held
        .filter(({ vin, deviceId }) => deviceId !== null && !vins.has(vin))
        .map(({ usdot, deviceId, vin }) => [`${usdot} ${deviceId}`, vin]),
    ),
  };
};

/** The device ids after the import, row by row; a made one is not that of another vehicle. */
const chooseDevices = (
  vehicles: FileVehicle[],
  known: Known,
  { toDeviceId }: ImportOptions,
): (string | null)[] => {
  const before = (vin: string): string | null => known.byVin.get(vin)?.deviceId ?? null;
  const given = vehicles.map(({ vin, fields }) =>
    fields.deviceId === undefined ? before(vin) : fields.deviceId,
  );
  const taken = new Set([
    ...known.byDevice.keys(),
    ...vehicles.map(({ usdot }, at) => `${usdot} ${given[at]}`),
  ]);
  return vehicles.map(({ usdot, vin }, at) => {
    if (given[at] !== null || toDeviceId === undefined) return given[at]!;
    const made = toDeviceId(vin, before(vin), (id) => taken.has(`${usdot} ${id}`));
    taken.add(`${usdot} ${made}`);
    return made;
  });
};

/** The devices that two vehicles would have after the import, besides those that are faults of the file by itself. */
const checkDevices = (
  planned: PlannedVehicle[],
  { byDevice }: Known,
  faults: readonly FileFault[],
): FileFault[] => {
  const found = new Set(faults.filter(({ column }) => column === 'device_id').map(({ line }) => line));
  const holders = new Map(byDevice);
  return planned.flatMap(({ line, vehicle: { usdot, vin, deviceId } }) => {
    if (deviceId === null) return [];
    const key = `${usdot} ${deviceId}`;
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, vin);
    if (holder === undefined || found.has(line)) return [];
    const message = `${JSON.stringify(deviceId)} belongs to ${holder} already`;
    return [{ line, column: 'device_id', message, isDuplicate: true as const }];
  });
};

const checkAgainstStore = (
  vehicles: FileVehicle[],
  known: Known,
  { isMoveMeant, messages }: ImportOptions,
): FileFault[] => {
  const faults: FileFault[] = [];
  for (const { line, usdot, vin } of vehicles) {
    if (!known.carriers.has(usdot)) {
      faults.push({ line, column: 'usdot', message: messages.unknownCarrier(usdot) });
    }
    const owner = known.byVin.get(vin)?.usdot ?? usdot;
    if (owner !== usdot && !isMoveMeant) {
      faults.push({ line, column: 'vin', message: messages.otherOwner(vin, owner) });
    }
  }
  return faults;
};

const NO_VEHICLE = Object.fromEntries(Object.values(VEHICLE_COLUMNS).map((name) => [name, null])) as Omit<
  Vehicle,
  'vin' | 'usdot'
>;

/**
 * A column that the file does not have leaves stored values unchanged. Make and year of an added vehicle are filled in from
 * its VIN; an empty cell does not clear them again.
 */
const planVehicle = (
  { line, usdot, vin, fields }: FileVehicle,
  stored: StoredVehicle | undefined,
  deviceId: string | null,
  { nowMs }: ImportOptions,
): PlannedVehicle => {
  const fill = fillFromVin(vin, nowMs);
  const { id: _id, ...before } = stored ?? { ...NO_VEHICLE, id: 0 };
  const vehicle = { ...before, ...fields, usdot, vin, deviceId };
  const isFilled = (name: 'make' | 'year'): boolean =>
    vehicle[name] === null && fill[name] !== null && (stored === undefined || stored[name] === fill[name]);
  const [isMakeFilled, isYearFilled] = [isFilled('make'), isFilled('year')];
  if (isMakeFilled) vehicle.make = fill.make;
  if (isYearFilled) vehicle.year = fill.year;
  if (stored === undefined) {
    const filledFrom = isMakeFilled || isYearFilled ? vinVehicleText(vin, nowMs) : null;
    return { line, kind: 'added', vehicle, filledFrom, changes: [] };
  }
  const changes = Object.entries({ usdot: 'usdot' as const, ...VEHICLE_COLUMNS })
    .map(([column, name]) => ({ column, before: stored[name], after: vehicle[name] }))
    .filter((change) => change.before !== change.after);
  return { line, kind: changes.length > 0 ? 'changed' : 'unchanged', vehicle, filledFrom: null, changes };
};

/** Warns of a make or year that contradicts the VIN. */
const compareWithVin = ({ line, vehicle }: PlannedVehicle): FileFault[] =>
  judgeVin(vehicle)
    .filter(({ about, verdict }) => verdict === 'wrong' && (about === 'year' || about === 'maker'))
    .map(({ about, text }) => ({ line, column: about === 'maker' ? 'make' : 'year', message: text }));
