import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UnreadableFileError } from '@/lib/table-files/table';
import { parseArguments, requireUsdot } from '../arguments';
import { CommandFailure, type CommandContext } from '../command';
import { toCount, writeJson } from '../output';
import {
  planImport,
  type ImportMessages,
  type ImportOptions,
  type ImportPlan,
  type PlannedVehicle,
} from './import-plan';
import { withStore } from '../with-store';
import type { Store } from '../../store/store';
import type { FileFault } from './vehicle-table';

/** More faults than this are only counted, and so are more vehicles. */
const SHOWN_LINES = 50;
/** The file name that stands for standard input. */
const STDIN = '-';

const MESSAGES: ImportMessages = {
  unknownCarrier: (usdot) => `there is no carrier ${usdot}; add it with: carriers add ${usdot} --name NAME`,
  otherOwner: (vin, owner) => `${vin} drives for carrier ${owner}; --move takes it over`,
};

/** `vehicles import FILE`: all rows or none. */
export const importVehicles = async (argv: string[], context: CommandContext): Promise<number> => {
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
    messages: MESSAGES,
  };
  return withStore(context, async (store) => {
    const isDryRun = options['dry-run'] ?? false;
    const plan = await (isDryRun ? planImport : importFile)(store, bytes, planOptions).catch(
      (error: unknown) => {
        if (error instanceof UnreadableFileError)
          throw new CommandFailure(`${file}: ${error.message}`, { cause: error });
        throw error;
      },
    );
    if (options.json) writeJson(context, toResult(plan, isDryRun));
    else printResult(context, file, plan, isDryRun);
    return plan.faults.length === 0 ? 0 : 1;
  });
};

/** Imports a file without faults. */
const importFile = (store: Store, bytes: Uint8Array, options: ImportOptions): Promise<ImportPlan> =>
  store.inTransaction(async (tx) => {
    const plan = await planImport(store, bytes, options, tx);
    if (plan.faults.length === 0) await plan.run();
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
