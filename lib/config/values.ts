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

/** Without a trailing slash. */
export const baseUrl = text.transform((value, context) => {
  if (value === undefined) return undefined;
  const fault = findBaseUrlFault(value);
  if (fault === null) return value.replace(/\/+$/, '');
  context.addIssue({ code: 'custom', message: fault });
  return z.NEVER;
});

export const wholeNumber = <Preset extends number | null>(preset: Preset, min: number, max: number) =>
  text.transform((value, context): Preset | number => {
    if (value === undefined) return preset;
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    context.addIssue({
      code: 'custom',
      message: `must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`,
    });
    return z.NEVER;
  });

/** A setting that one word turns on. */
export const keyword = <Value extends string>(allowed: Value) =>
  text.transform((value, context) => {
    if (value === undefined || value === allowed) return value as Value | undefined;
    context.addIssue({
      code: 'custom',
      message: `must be ${JSON.stringify(allowed)} or unset, not ${JSON.stringify(value)}`,
    });
    return z.NEVER;
  });

/** Characters that an HTTP header can carry. */
export const secret = text.refine((value) => value === undefined || /^[\x21-\x7e]+$/.test(value), {
  error: 'must be printable ASCII without blanks, as an HTTP header needs',
});

/**
 * The digits of a USDOT number; null if none is given. Faults do not repeat the value: a secret may have been
 * put in its place.
 */
export const usdot = text.transform((value, context) => {
  if (value === undefined) return null;
  const number = parseUsdot(value);
  if (number !== null) return number;
  context.addIssue({ code: 'custom', message: 'must be a USDOT number, 1 to 8 digits' });
  return z.NEVER;
});
