import { readFile } from 'node:fs/promises';
import { parseArguments, requireUsdot } from './arguments';
import { CommandFailure } from './context';
import { toCount, writeJson } from './output';
import { parseVehicleCsv } from './vehicle-csv';
import { withStore } from './with-store';
import type { Store } from '../store/store';
import type { StoredVehicle } from '../store/vehicles';
import type { CommandContext } from './context';
import type { CsvFault, CsvVehicle } from './vehicle-csv';

/** A file full of faults should not fill the reader's screen. */
const SHOWN_FAULTS = 50;

/** `vehicles import FILE.csv`: all rows or none. */
export const importVehicles = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, words } = parseArguments(
    argv,
    { usdot: 'text', 'dry-run': 'flag', move: 'flag', json: 'flag' },
    ['The CSV file'],
  );
  const defaultUsdot = options.usdot === undefined ? null : requireUsdot(options.usdot);
  const file = words[0]!;
  const { vehicles, faults, warnings } = parseVehicleCsv(await readText(file), defaultUsdot);
  return withStore(context, async (store) => {
    const known = await readKnown(store, vehicles);
    faults.push(...checkAgainstStore(vehicles, known, options.move ?? false));
    faults.sort((a, b) => a.line - b.line);
    const changed = vehicles.filter(({ vin }) => known.byVin.has(vin)).length;
    const isImported = faults.length === 0 && !options['dry-run'];
    if (isImported) await store.vehicles.upsertMany(vehicles.map((vehicle) => toInput(vehicle, known.byVin)));
    const result = { imported: isImported, added: vehicles.length - changed, changed, faults, warnings };
    if (options.json) writeJson(context, result);
    else tell(context, file, result);
    return faults.length === 0 ? 0 : 1;
  });
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
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

const checkAgainstStore = (vehicles: CsvVehicle[], known: Known, isMoveMeant: boolean): CsvFault[] => {
  const vins = new Set(vehicles.map(({ vin }) => vin));
  const faults: CsvFault[] = [];
  for (const { line, usdot, vin, fields } of vehicles) {
    if (!known.carriers.has(usdot)) {
      faults.push({
        line,
        column: 'usdot',
        message: `there is no carrier ${usdot}; add it with: carriers add ${usdot} --name NAME`,
      });
    }
    const owner = known.byVin.get(vin)?.usdot ?? usdot;
    if (owner !== usdot && !isMoveMeant) {
      faults.push({
        line,
        column: 'vin',
        message: `${vin} drives for carrier ${owner}; --move takes it over`,
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

/** A column that the file does not have leaves what is known as it is. */
const toInput = ({ usdot, vin, fields }: CsvVehicle, byVin: Known['byVin']) => {
  const { id: _id, ...known } = byVin.get(vin) ?? { id: 0 };
  return { ...known, ...fields, usdot, vin };
};

interface Result {
  imported: boolean;
  added: number;
  changed: number;
  faults: CsvFault[];
  warnings: CsvFault[];
}

const tell = ({ stdout, stderr }: CommandContext, file: string, result: Result): void => {
  const { imported, added, changed, faults, warnings } = result;
  for (const each of warnings.slice(0, SHOWN_FAULTS)) stderr(`warning: ${toLine(each)}`);
  for (const each of faults.slice(0, SHOWN_FAULTS)) stderr(toLine(each));
  if (faults.length > SHOWN_FAULTS)
    stderr(`… and ${toCount(faults.length - SHOWN_FAULTS, 'more fault', 'more faults')}`);
  if (faults.length > 0) stderr(`${file}: ${toCount(faults.length, 'fault')}. Nothing was imported.`);
  else {
    const counts = `${toCount(added, 'vehicle')} added, ${changed.toLocaleString('en-US')} changed`;
    stdout(
      imported ? `${file}: ${counts}.` : `${file} is in order: ${counts} if it were imported (--dry-run).`,
    );
  }
};

const toLine = ({ line, column, message }: CsvFault): string =>
  `line ${line}${column === null ? '' : `, ${column}`}: ${message}`;
