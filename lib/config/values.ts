import 'server-only';
import { z } from 'zod';
import { findBaseUrlFault } from '@/lib/base/http/base-url';
import { parseUsdot } from '@/lib/identity/carrier-numbers';

/** Environment variables by name. */
export type Source = Readonly<Record<string, string | undefined>>;

/** Whether a variable is set to a value. */
export const isSet = (source: Source, name: string): boolean => Boolean(source[name]?.trim());

/** Docker Compose and shells pass a variable that is set to nothing, which counts as unset. */
export const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

/** Null for a malformed value. */
export const parseUrl = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null);

/** A text that a parser reads, which returns its fault as an object; unset it is `unset`. */
export const parsed = <Value, Unset>(parse: (text: string) => Value | { fault: string }, unset: Unset) =>
  text.transform((given, context): Value | Unset => {
    if (given === undefined) return unset;
    const value = parse(given);
    if (!(typeof value === 'object' && value !== null && 'fault' in value)) return value as Value;
    context.addIssue({ code: 'custom', message: value.fault });
    return z.NEVER;
  });

/** Without a trailing slash. */
export const baseUrl = parsed((value) => {
  const fault = findBaseUrlFault(value);
  return fault === null ? value.replace(/\/+$/, '') : { fault };
}, undefined);

const toWholeNumber = (value: string, min: number, max: number, otherwise = '') => {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  return { fault: `must be a whole number from ${min} to ${max}${otherwise}, not ${JSON.stringify(value)}` };
};

export const wholeNumber = <Preset extends number | null>(preset: Preset, min: number, max: number) =>
  parsed((value) => toWholeNumber(value, min, max), preset);

/** A number that "off" stands in for: null. */
export const wholeNumberOrOff = (preset: number, min: number, max: number) =>
  parsed((value) => (value === 'off' ? null : toWholeNumber(value, min, max, ' or "off"')), preset);

/** A setting that one word turns on. */
export const keyword = <Value extends string>(allowed: Value) =>
  parsed(
    (value) =>
      value === allowed
        ? allowed
        : { fault: `must be ${JSON.stringify(allowed)} or unset, not ${JSON.stringify(value)}` },
    undefined,
  );

/** Characters that an HTTP header can carry. */
export const secret = text.refine((value) => value === undefined || /^[\x21-\x7e]+$/.test(value), {
  error: 'must be printable ASCII without blanks, as an HTTP header needs',
});

/**
 * The digits of a USDOT number; null if none is given. Faults do not repeat the value: a secret may have been
 * put in its place.
 */
export const usdot = parsed(
  (value) => parseUsdot(value) ?? { fault: 'must be a USDOT number, 1 to 8 digits' },
  null,
);
