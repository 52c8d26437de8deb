import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UnreadableFileError, type Table } from '@/lib/table-files/table';
import {
  parseArguments,
  requireUsdot,
  CommandFailure,
  type CommandContext,
  toCount,
  print,
  withStore,
  CommandUsageError,
  toSubcommands,
  type Run,
  type Command,
  toTable,
} from '../command';
import { CONTACT_COLUMN_NAMES } from '@/lib/table-files/contact-columns';
import { readTableFile } from '@/lib/table-files/table-file';
import {
  planImport,
  type ImportMessages,
  type ImportOptions,
  type ImportPlan,
  type PlannedVehicle,
} from './import-plan';
import { endKept, endKeptOfMoved } from '../kept';
import { lockVehicleWriters } from '../../store/carriers';
import type { Store } from '../../store/store';
import type { FileFault } from './vehicle-table';
import {
  toVehicleCsv,
  FieldFault,
  VEHICLE_COLUMNS,
  isVehicleColumn,
  parseVehicleField,
  parseVinField,
  type VehicleFields,
} from './vehicle-fields';

/** More faults than this are only counted, and so are more vehicles. */
const SHOWN_LINES = 50;
/** The file name that stands for standard input. */
const STDIN = '-';

const MESSAGES: ImportMessages = {
  unknownCarrier: (usdot) => `there is no carrier ${usdot}; add it with: carriers add ${usdot} --name NAME`,
  otherOwner: (vin, owner) => `${vin} drives for carrier ${owner}; --move takes it over`,
};

/** `vehicles import FILE`: all rows or none. */
const importVehicles: Run = async (argv, context) => {
  const { options, args } = parseArguments(
    argv,
    { usdot: 'text', 'dry-run': 'flag', move: 'flag', json: 'flag' },
    ['The CSV or XLSX file'],
  );
  const defaultUsdot = options.usdot === undefined ? null : requireUsdot(options.usdot);
  const file = args[0] === STDIN ? 'standard input' : args[0]!;
  const bytes = await readBytes(args[0]!, context);
  const planOptions = {
    defaultUsdot,
    isMoveMeant: options.move ?? false,
    nowMs: context.now(),
    // The people to call are not of the tracking service: the page Devices imports them.
    otherColumns: CONTACT_COLUMN_NAMES,
    messages: MESSAGES,
  };
  const table = await readTableFile(bytes).catch((error: unknown) => {
    if (error instanceof UnreadableFileError)
      throw new CommandFailure(`${file}: ${error.message}`, { cause: error });
    throw error;
  });
  return withStore(context, async (store) => {
    const isDryRun = options['dry-run'] ?? false;
    const plan = await (isDryRun ? planImport : importFile)(store, table, planOptions);
    if (options.json) print(context, true, toResult(plan, isDryRun), []);
    else printResult(context, file, plan, isDryRun);
    return plan.faults.length === 0 ? 0 : 1;
  });
};

/** Imports a file without faults. */
const importFile = (store: Store, table: Table, options: ImportOptions): Promise<ImportPlan> =>
  store.inTransaction(async (tx) => {
    const plan = await planImport(store, table, options, tx);
    if (plan.faults.length > 0) return plan;
    await endKeptOfMoved(
      tx,
      plan.vehicles.map(({ vehicle }) => vehicle),
    );
    await plan.run();
    return plan;
  });

const readBytes = async (file: string, { stdin, signal }: CommandContext): Promise<Uint8Array> => {
  try {
    return file === STDIN
      ? await buffer(addAbortSignal(signal, stdin ?? process.stdin))
      : await readFile(file);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

const toResult = (
  { vehicles, added, changed, unchanged, faults, warnings }: ImportPlan,
  isDryRun: boolean,
) => ({
  imported: faults.length === 0 && !isDryRun,
  added,
  changed,
  unchanged,
  changes: vehicles.filter(({ kind }) => kind !== 'unchanged'),
  faults,
  warnings,
});

const printResult = (
  { stdout, stderr }: CommandContext,
  file: string,
  { vehicles, added, changed, unchanged, faults, warnings }: ImportPlan,
  isDryRun: boolean,
): void => {
  for (const each of warnings.slice(0, SHOWN_LINES)) stderr(`warning: ${toFaultLine(each)}`);
  for (const each of faults.slice(0, SHOWN_LINES)) stderr(toFaultLine(each));
  if (faults.length > SHOWN_LINES)
    stderr(`… and ${toCount(faults.length - SHOWN_LINES, 'more fault', 'more faults')}`);
  if (faults.length > 0) {
    stderr(`${file}: ${toCount(faults.length, 'fault')}. Nothing was imported.`);
    return;
  }
  const changes = vehicles.filter(({ kind }) => kind !== 'unchanged');
  if (isDryRun) changes.slice(0, SHOWN_LINES).map(toChangeLine).forEach(stdout);
  if (isDryRun && changes.length > SHOWN_LINES)
    stdout(`… and ${toCount(changes.length - SHOWN_LINES, 'more vehicle', 'more vehicles')}`);
  const counts = `${toCount(added, 'vehicle')} added, ${changed.toLocaleString('en-US')} changed, ${unchanged.toLocaleString('en-US')} unchanged`;
  stdout(
    isDryRun ? `${file} is in order: ${counts} if it were imported (--dry-run).` : `${file}: ${counts}.`,
  );
};

const toFaultLine = ({ line, column, message }: FileFault): string =>
  `line ${line}${column === null ? '' : `, ${column}`}: ${message}`;

const toChangeLine = ({ line, kind, vehicle, filledFrom, changes }: PlannedVehicle): string => {
  const { vin, year, make, model } = vehicle;
  const fields = changes.map(({ column, before, after }) => `${column} ${before ?? '–'} → ${after ?? '–'}`);
  const about = [year, make, model].filter((part) => part !== null).join(' ');
  const source = filledFrom === null ? '' : ` (by its VIN: ${filledFrom})`;
  return `line ${line}: ${vin} ${kind}: ${kind === 'changed' ? fields.join(', ') : `${about || 'no make or year'}${source}`}`;
};

const FIELD_OPTIONS = Object.fromEntries(
  Object.keys(VEHICLE_COLUMNS).map((column) => [column.replaceAll('_', '-'), 'text' as const]),
);

const add: Run = async (argv, context) => {
  const { options, args } = parseArguments(
    argv,
    { usdot: 'text', move: 'flag', json: 'flag', ...FIELD_OPTIONS },
    ['The VIN'],
  );
  const usdot = requireUsdot(options.usdot);
  const { vin, warning } = asUsage('The VIN', () => parseVinField(args[0]!));
  const fields = readFields(options as Record<string, string | boolean | undefined>);
  await withStore(context, async ({ vehicles, inTransaction }) => {
    const known = await vehicles.readByVin(vin);
    if (known !== null && known.usdot !== usdot && !options.move) {
      throw new CommandFailure(`${vin} drives for carrier ${known.usdot}. Say --move to take it over.`);
    }
    const { id: _id, ...held } = known ?? { id: 0 };
    await inTransaction(async (tx) => {
      await lockVehicleWriters(tx);
      await endKeptOfMoved(tx, [{ usdot, vin }]);
      await vehicles.upsertMany([{ ...held, ...fields, usdot, vin }], tx);
    });
    if (warning !== null) context.stderr(`warning: ${warning}`);
    const done = `${known === null ? 'Added' : 'Changed'} vehicle ${vin} of carrier ${usdot}.`;
    print(context, options.json, await vehicles.readByVin(vin), done);
  });
};

const readFields = (options: Record<string, string | boolean | undefined>): VehicleFields =>
  Object.entries(options).reduce<VehicleFields>((fields, [name, value]) => {
    const column = name.replaceAll('-', '_');
    if (typeof value !== 'string' || !isVehicleColumn(column)) return fields;
    return { ...fields, ...asUsage(`--${name}`, () => parseVehicleField(column, value)) };
  }, {});

const asUsage = <T>(name: string, parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FieldFault)
      throw new CommandUsageError(`${name}: ${error.message}.`, { cause: error });
    throw error;
  }
};

const list: Run = async (argv, context) => {
  const { options } = parseArguments(argv, { usdot: 'text', json: 'flag' });
  const usdot = requireUsdot(options.usdot);
  await withStore(context, async ({ vehicles }) => {
    const rows = await vehicles.list(usdot);
    const cells = rows.map((row) => [
      row.vin,
      row.truckNumber,
      row.deviceId,
      [row.plateState, row.plateNumber].filter(Boolean).join(' '),
      [row.year, row.make, row.model].filter(Boolean).join(' '),
    ]);
    const none = `Carrier ${usdot} has no vehicle.`;
    const table = toTable(['VIN', 'TRUCK', 'DEVICE', 'PLATE', 'VEHICLE'], cells, none);
    const listed = rows.map(({ id: _id, ...vehicle }) => vehicle);
    print(context, options.json, listed, table);
  });
};

const exportVehicles: Run = async (argv, context) => {
  const { options } = parseArguments(argv, { usdot: 'text' });
  const usdot = requireUsdot(options.usdot);
  await withStore(context, async ({ vehicles }) => {
    // The output adds the last line break.
    context.stdout(toVehicleCsv(await vehicles.list(usdot)).trimEnd());
  });
};

const remove: Run = async (argv, context) => {
  const { options, args } = parseArguments(argv, { yes: 'flag' }, ['The VIN']);
  const { vin } = asUsage('The VIN', () => parseVinField(args[0]!));
  await withStore(context, async ({ vehicles, inTransaction }) => {
    if ((await vehicles.readByVin(vin)) === null) throw new CommandFailure(`There is no vehicle ${vin}.`);
    if (!options.yes)
      throw new CommandUsageError(`This removes ${vin} with its fixes for good. Say --yes if that is meant.`);
    await inTransaction(async (tx) => {
      const removed = await vehicles.remove(vin, null, tx);
      if (removed !== null) await endKept(tx, removed.usdot, [vin]);
    });
    context.stdout(`Removed vehicle ${vin} with its fixes.`);
  });
};

export const vehiclesCommand: Command = {
  summary: 'Add, list, remove, import and export vehicles',
  usage: [
    'vehicles add VIN --usdot USDOT [--truck-number TEXT] [--device-id TEXT] [--plate-state TEXT] …',
    'vehicles list --usdot USDOT [--json]',
    'vehicles remove VIN --yes',
    'vehicles import FILE [--usdot USDOT] [--dry-run] [--move] [--json]',
    'vehicles export --usdot USDOT',
  ],
  details: [
    'A vehicle belongs to one carrier and may have one device, by whose id its reports are recognized.',
    'Adding one that exists changes what is mentioned and leaves the rest.',
    `  ${Object.keys(FIELD_OPTIONS)
      .map((name) => `--${name}`)
      .join(' ')}`,
    '                  details of the vehicle; empty text deletes one',
    '  --move          take over a vehicle that drives for another carrier, without its contact, notes, tags and report mails',
    '  --yes           remove the vehicle with its fixes',
    'An imported file is CSV or an Excel workbook (.xlsx); "-" reads standard input. Its first line names the columns:',
    `  usdot, vin, ${Object.keys(VEHICLE_COLUMNS).join(', ')}`,
    '  Only vin is required, and usdot unless --usdot gives it. A column that is absent leaves what is known as it is.',
    '  Make and year of an added vehicle that the file does not give are filled in from the VIN.',
    '  --dry-run       print what would be added and changed, and import nothing',
    'Either the whole file is imported or nothing of it; faults are listed by line and column.',
    'export prints a CSV file that can be edited and imported again.',
  ],
  run: toSubcommands({ add, list, remove, import: importVehicles, export: exportVehicles }),
};
