import { parseArgs } from 'node:util';
import { parseMcNumber, parseUsdot } from '@/lib/identity/carrier-numbers';
import { CommandUsageError, type CommandContext } from './command';

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
  const types = Object.entries(kinds).map(
    ([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  );
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

export const requireUsdot = (value: string | undefined, name = '--usdot'): string => {
  if (value === undefined) throw new CommandUsageError(`${name} is missing.`);
  const usdot = parseUsdot(value);
  if (usdot === null)
    throw new CommandUsageError(`${name} is a USDOT number of 1 to 8 digits, got ${JSON.stringify(value)}.`);
  return usdot;
};

/** An MC number as "MC-990001", or null without the option. */
export const toMcNumber = (value: string | undefined, name: string): string | null => {
  if (value === undefined) return null;
  const mcNumber = parseMcNumber(value);
  if (mcNumber === null)
    throw new CommandUsageError(`--${name} is an MC number such as MC-990001, got ${JSON.stringify(value)}.`);
  return mcNumber;
};

interface IntegerBounds {
  min: number;
  max: number;
  fallback: number;
}

const requireInteger = (value: string, name: string, { min, max }: IntegerBounds): number => {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new CommandUsageError(
      `${name} is a whole number from ${min} to ${max}, got ${JSON.stringify(value)}.`,
    );
  }
  return number;
};

/** A whole number within bounds, or the fallback without the option. */
export const toInteger = (value: string | undefined, name: string, bounds: IntegerBounds): number =>
  value === undefined ? bounds.fallback : requireInteger(value, `--${name}`, bounds);

/** A whole number of an environment variable, or the fallback where it is unset or empty. */
export const readInteger = (
  { env = process.env }: CommandContext,
  variable: string,
  bounds: IntegerBounds,
): number => {
  const value = env[variable]?.trim();
  return value ? requireInteger(value, variable, bounds) : bounds.fallback;
};

/** A base address without a slash at its end. */
export const toBaseUrl = (value: string | undefined, name: string, fallback: string): string => {
  const text = value ?? fallback;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandUsageError(
      `--${name} is an address that begins with http:// or https://, got ${JSON.stringify(text)}.`,
    );
  }
  return text.replace(/\/+$/, '');
};

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span of time in milliseconds, written as 30m, 24h or 90d, or 0; null for anything else. */
export const parseDuration = (text: string): number | null => {
  if (text === '0') return 0;
  const match = /^(\d{1,6})([mhd])$/.exec(text);
  return match === null ? null : Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
};
