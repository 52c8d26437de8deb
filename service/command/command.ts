import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { pino } from 'pino';
import { redactSecrets } from '@/lib/base/credential-text';
import type { ServiceLog } from '../log';
import {
  DeviceTakenError,
  InvalidRecordError,
  RepeatedVehicleError,
  UnknownCarrierError,
} from '../store/errors';
import { openStore, type Store, type StoreOptions } from '../store/store';

/** Everything outside a command that it uses. */
export interface CommandContext {
  /** postgres://user:password@host:port/database */
  databaseUrl: string;
  now: () => number;
  /** One line for the reader, or for the program behind `--json`. */
  stdout: (line: string) => void;
  /** One line about progress or a failure. */
  stderr: (line: string) => void;
  /** Aborted when the command should stop. */
  signal: AbortSignal;
  /** Input of a command that reads `-`; that of the process by default. */
  stdin?: Readable;
  /** HTTP transport; the global fetch by default. */
  fetch?: typeof fetch;
  /** Records a past of the demo fleet for the map; false if it has one. Absent where the application is not installed. */
  recordPast?: (past: { units: number; seed: number; hours: number }) => Promise<boolean>;
  /** Environment variables; those of the process by default. */
  env?: Record<string, string | undefined>;
}

export interface Command {
  /** one line, for the overview */
  summary: string;
  /** the forms in which it can be typed, without the `npm run service --` before them */
  usage: string[];
  /** what it does and every option, for `help COMMAND` */
  details: string[];
  run: Run;
}

/** Runs a command, or a subcommand. Resolves to the exit code, or to nothing for 0. @throws CommandUsageError, CommandFailure */
export type Run = (argv: string[], context: CommandContext) => Promise<number | void>;

/** The command line is wrong; the message has the reason, and the usage follows it. Exit code 2. */
export class CommandUsageError extends Error {
  override name = 'CommandUsageError';
}

/** The command failed for a reason that the user can act on. Exit code 1. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
}

/** Runs the subcommand that the first word names. @throws CommandUsageError */
export const toSubcommands =
  (subcommands: Record<string, Run>): Run =>
  ([name, ...rest], context) => {
    const run = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (run !== undefined) return run(rest, context);
    const known = Object.keys(subcommands).join(', ');
    throw new CommandUsageError(
      name === undefined ? `Choose one of ${known}.` : `${JSON.stringify(name)} is not one of ${known}.`,
    );
  };

/** The options of a command, and whether a value follows each. */
export type OptionKinds = Record<string, 'text' | 'flag'>;

/** The options of one call: text or absent, true or absent. */
export type Options<K extends OptionKinds> = {
  [Name in keyof K]?: K[Name] extends 'flag' ? boolean : string;
};

/**
 * The arguments after a command's name.
 * @param positionals names of the required positional arguments, in order
 * @throws CommandUsageError for an unknown option, a missing value, or the wrong number of arguments
 */
export const parseArguments = <K extends OptionKinds>(
  argv: string[],
  kinds: K,
  positionals: string[] = [],
): { options: Options<K>; args: string[] } => {
  const types = Object.entries(kinds).map(([name, kind]): [string, { type: 'boolean' | 'string' }] => [
    name,
    { type: kind === 'flag' ? 'boolean' : 'string' },
  ]);
  const parsed = parse(argv, Object.fromEntries(types));
  if (parsed.positionals.length < positionals.length) {
    throw new CommandUsageError(`${positionals[parsed.positionals.length]} is missing.`);
  }
  if (parsed.positionals.length > positionals.length) {
    throw new CommandUsageError(`One argument too many: ${parsed.positionals[positionals.length]}.`);
  }
  return { options: parsed.values as Options<K>, args: parsed.positionals };
};

const parse = (args: string[], options: Record<string, { type: 'boolean' | 'string' }>) => {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node adds advice on '--' that does not apply here; its first sentence is the error.
    throw new CommandUsageError(error.message.replace(/\. To specify .*$/s, '.'), { cause: error });
  }
};

export const requireOption = (value: string | undefined, name: string): string => {
  const text = value?.trim();
  if (!text) throw new CommandUsageError(`--${name} is missing.`);
  return text;
};

/** A parsed value. @throws CommandUsageError where it could not be parsed */
export const requireValid = <T>(parsed: T | null, name: string, expected: string, value: string): T => {
  if (parsed !== null) return parsed;
  throw new CommandUsageError(`${name} is ${expected}, got ${JSON.stringify(value)}.`);
};

export const requireUsdot = (value: string | undefined, name = '--usdot'): string => {
  if (value === undefined) throw new CommandUsageError(`${name} is missing.`);
  return requireValid(parseUsdot(value), name, 'a USDOT number of 1 to 8 digits', value);
};

export interface IntegerBounds {
  min: number;
  max: number;
  fallback: number;
}

const requireInteger = (value: string, name: string, { min, max }: IntegerBounds): number => {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  const isWithin = number >= min && number <= max;
  return requireValid(isWithin ? number : null, name, `a whole number from ${min} to ${max}`, value);
};

/** A whole number within bounds, or the fallback without the option. */
export const toInteger = (value: string | undefined, name: string, bounds: IntegerBounds): number =>
  value === undefined ? bounds.fallback : requireInteger(value, `--${name}`, bounds);

/** A variable of the environment; undefined where it is unset or empty. */
export const readVariable = ({ env = process.env }: CommandContext, name: string): string | undefined =>
  env[name]?.trim() || undefined;

/** A whole number of an environment variable, or the fallback where it is unset or empty. */
export const readInteger = (context: CommandContext, name: string, bounds: IntegerBounds): number => {
  const value = readVariable(context, name);
  return value === undefined ? bounds.fallback : requireInteger(value, name, bounds);
};

/** The base address of `--url`, without a slash at its end; by default that of a service on this machine. */
export const toBaseUrl = (text = 'http://127.0.0.1:4000'): string => {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  const expected = 'an address that begins with http:// or https://';
  return requireValid(isWeb ? text.replace(/\/+$/, '') : null, '--url', expected, text);
};

/** The ingest token of `--token`, or of the environment, where the list of processes does not show it. */
export const readIngestToken = (token: string | undefined, context: CommandContext): string | undefined =>
  token ?? readVariable(context, 'LINEHAUL_INGEST_TOKEN');

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span of time in milliseconds, written as 30m, 24h or 90d, or 0; null for anything else. */
export const parseDuration = (text: string): number | null => {
  if (text === '0') return 0;
  const match = /^(\d{1,6})([mhd])$/.exec(text);
  return match === null ? null : Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
};

/** Rows as columns of text, wide enough for their longest entry; an empty cell shows as a dash. Without rows, `none`. */
export const toTable = (header: string[], rows: (string | number | null)[][], none: string): string[] => {
  if (rows.length === 0) return [none];
  const lines = [
    header,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '–' : String(cell)))),
  ];
  const widths = header.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]!.length), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
};

/** Prints a result: for programs as JSON on one line, for people as lines of text. */
export const print = (
  { stdout }: CommandContext,
  isJson: boolean | undefined,
  value: unknown,
  text: string | string[],
): void => {
  if (isJson) stdout(JSON.stringify(value));
  else [text].flat().forEach((line) => stdout(line));
};

/** "1 vehicle", "2 vehicles", "45,386 vehicles". */
export const toCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** A time for people, to the minute, in UTC. */
export const toMinute = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const LEVELS = ['debug', 'info', 'warn', 'error'];

/**
 * The log of a long-running command on stderr: one JSON object a line, credentials of the service redacted.
 *
 * @throws CommandFailure when LOG_LEVEL is no level.
 */
export const createServiceLog = (context: CommandContext): ServiceLog => {
  const level = readVariable(context, 'LOG_LEVEL') ?? 'info';
  if (!LEVELS.includes(level)) {
    throw new CommandFailure(`LOG_LEVEL must be one of ${LEVELS.join(', ')}, not ${JSON.stringify(level)}.`);
  }
  return pino(
    { level, base: null, hooks: { streamWrite: redactSecrets } },
    { write: (line: string) => context.stderr(line.trimEnd()) },
  );
};

const EXPECTED_ERRORS = [UnknownCarrierError, InvalidRecordError, RepeatedVehicleError, DeviceTakenError];

/** Opens the store while `act` runs. Expected errors of the store become CommandFailure. */
export const withStore = async <T>(
  { databaseUrl, now }: CommandContext,
  act: (store: Store) => Promise<T>,
  options: Pick<StoreOptions, 'log' | 'retentionDays'> = {},
): Promise<T> => {
  const store = await openStore({ databaseUrl, now, ...options });
  try {
    return await act(store);
  } catch (error) {
    const expected = EXPECTED_ERRORS.some((kind) => error instanceof kind);
    if (error instanceof Error && expected) throw new CommandFailure(error.message, { cause: error });
    throw error;
  } finally {
    await store.close();
  }
};

/** Creates an ingest token of a carrier while `act` runs. */
export const withTemporaryToken = async <T>(
  { ingestTokens }: Store,
  usdot: string,
  name: string,
  act: (token: string) => Promise<T>,
): Promise<T> => {
  const { id, token } = await ingestTokens.create({ usdot, name, createdBy: 'command line' });
  try {
    return await act(token);
  } finally {
    await ingestTokens.revoke(id);
  }
};
