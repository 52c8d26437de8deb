import { parseArguments, requireUsdot } from '../arguments';
import {
  CommandFailure,
  CommandUsageError,
  runSubcommand,
  type Command,
  type CommandContext,
} from '../command';
import { toTable, writeJson } from '../output';
import { withStore } from '../with-store';
import { importVehicles } from './import';
import { toVehicleCsv } from './vehicle-csv';
import {
  FieldFault,
  VEHICLE_COLUMNS,
  isVehicleColumn,
  parseVehicleField,
  parseVinField,
  type VehicleFields,
} from './vehicle-fields';

const FIELD_OPTIONS = Object.fromEntries(
  Object.keys(VEHICLE_COLUMNS).map((column) => [column.replaceAll('_', '-'), 'text' as const]),
);

const add = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(
    argv,
    { usdot: 'text', move: 'flag', json: 'flag', ...FIELD_OPTIONS },
    ['The VIN'],
  );
  const usdot = requireUsdot(options.usdot);
  const { vin, warning } = parseVin(args[0]!);
  const fields = readFields(options as Record<string, string | boolean | undefined>);
  return withStore(context, async ({ vehicles }) => {
    const known = await vehicles.readByVin(vin);
    if (known !== null && known.usdot !== usdot && !options.move) {
      throw new CommandFailure(`${vin} drives for carrier ${known.usdot}. Say --move to take it over.`);
    }
    const { id: _id, ...held } = known ?? { id: 0 };
    await vehicles.upsertMany([{ ...held, ...fields, usdot, vin }]);
    if (warning !== null) context.stderr(`warning: ${warning}`);
    if (options.json) writeJson(context, await vehicles.readByVin(vin));
    else context.stdout(`${known === null ? 'Added' : 'Changed'} vehicle ${vin} of carrier ${usdot}.`);
    return 0;
  });
};

const parseVin = (text: string) => asUsage('The VIN', () => parseVinField(text));

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

const list = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options } = parseArguments(argv, { usdot: 'text', json: 'flag' });
  const usdot = requireUsdot(options.usdot);
  return withStore(context, async ({ vehicles }) => {
    const rows = await vehicles.list(usdot);
    if (options.json)
      writeJson(
        context,
        rows.map(({ id: _id, ...vehicle }) => vehicle),
      );
    else if (rows.length === 0) context.stdout(`Carrier ${usdot} has no vehicle.`);
    else {
      const cells = rows.map((row) => [
        row.vin,
        row.truckNumber,
        row.deviceId,
        [row.plateState, row.plateNumber].filter(Boolean).join(' '),
        [row.year, row.make, row.model].filter(Boolean).join(' '),
      ]);
      toTable(['VIN', 'TRUCK', 'DEVICE', 'PLATE', 'VEHICLE'], cells).forEach(context.stdout);
    }
    return 0;
  });
};

const exportVehicles = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options } = parseArguments(argv, { usdot: 'text' });
  const usdot = requireUsdot(options.usdot);
  return withStore(context, async ({ vehicles }) => {
    // The output adds the last line break.
    context.stdout(toVehicleCsv(await vehicles.list(usdot)).trimEnd());
    return 0;
  });
};

const remove = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(argv, { yes: 'flag' }, ['The VIN']);
  const { vin } = parseVin(args[0]!);
  return withStore(context, async ({ vehicles }) => {
    if ((await vehicles.readByVin(vin)) === null) throw new CommandFailure(`There is no vehicle ${vin}.`);
    if (!options.yes)
      throw new CommandUsageError(`This removes ${vin} with its fixes for good. Say --yes if that is meant.`);
    await vehicles.remove(vin);
    context.stdout(`Removed vehicle ${vin} with its fixes.`);
    return 0;
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
    '  --move          take over a vehicle that drives for another carrier',
    '  --yes           remove the vehicle with its fixes',
    'An imported file is CSV or an Excel workbook (.xlsx); "-" reads standard input. Its first line names the columns:',
    `  usdot, vin, ${Object.keys(VEHICLE_COLUMNS).join(', ')}`,
    '  Only vin is required, and usdot unless --usdot gives it. A column that is absent leaves what is known as it is.',
    '  Make and year of an added vehicle that the file does not give are filled in from the VIN.',
    '  --dry-run       print what would be added and changed, and import nothing',
    'Either the whole file is imported or nothing of it; faults are listed by line and column.',
    'export prints a CSV file that can be edited and imported again.',
  ],
  run: (argv, context) =>
    runSubcommand({ add, list, remove, import: importVehicles, export: exportVehicles }, argv, context),
};
