import { readFile } from 'node:fs/promises';
import { decodeText } from '@/lib/identity/text';
import { parseArguments, requireUsdot } from '../arguments';
import { CommandFailure } from '../command';
import { toCount, writeJson } from '../output';
import { planImport } from './import-plan';
import type { ImportMessages } from './import-plan';
import { withStore } from '../with-store';
import type { CommandContext } from '../command';
import type { CsvFault } from './vehicle-csv';

/** More faults than this are only counted. */
const SHOWN_FAULTS = 50;

const MESSAGES: ImportMessages = {
  unknownCarrier: (usdot) => `there is no carrier ${usdot}; add it with: carriers add ${usdot} --name NAME`,
  otherOwner: (vin, owner) => `${vin} drives for carrier ${owner}; --move takes it over`,
};

/** `vehicles import FILE.csv`: all rows or none. */
export const importVehicles = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(
    argv,
    { usdot: 'text', 'dry-run': 'flag', move: 'flag', json: 'flag' },
    ['The CSV file'],
  );
  const defaultUsdot = options.usdot === undefined ? null : requireUsdot(options.usdot);
  const file = args[0]!;
  const csv = await readText(file);
  return withStore(context, async (store) => {
    const plan = await planImport(store, csv, {
      defaultUsdot,
      isMoveMeant: options.move ?? false,
      messages: MESSAGES,
    });
    const { faults, warnings, added, changed, unchanged } = plan;
    const isImported = faults.length === 0 && !options['dry-run'];
    if (isImported) await plan.run();
    const result = { imported: isImported, added, changed, unchanged, faults, warnings };
    if (options.json) writeJson(context, result);
    else printResult(context, file, result);
    return faults.length === 0 ? 0 : 1;
  });
};

const readText = async (file: string): Promise<string> => {
  try {
    return decodeText(await readFile(file));
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

interface Result {
  imported: boolean;
  added: number;
  changed: number;
  unchanged: number;
  faults: CsvFault[];
  warnings: CsvFault[];
}

const printResult = ({ stdout, stderr }: CommandContext, file: string, result: Result): void => {
  const { imported, added, changed, unchanged, faults, warnings } = result;
  for (const each of warnings.slice(0, SHOWN_FAULTS)) stderr(`warning: ${toLine(each)}`);
  for (const each of faults.slice(0, SHOWN_FAULTS)) stderr(toLine(each));
  if (faults.length > SHOWN_FAULTS)
    stderr(`… and ${toCount(faults.length - SHOWN_FAULTS, 'more fault', 'more faults')}`);
  if (faults.length > 0) stderr(`${file}: ${toCount(faults.length, 'fault')}. Nothing was imported.`);
  else {
    const counts = `${toCount(added, 'vehicle')} added, ${changed.toLocaleString('en-US')} changed, ${unchanged.toLocaleString('en-US')} unchanged`;
    stdout(
      imported ? `${file}: ${counts}.` : `${file} is in order: ${counts} if it were imported (--dry-run).`,
    );
  }
};

const toLine = ({ line, column, message }: CsvFault): string =>
  `line ${line}${column === null ? '' : `, ${column}`}: ${message}`;
