import 'server-only';
import { AppError } from './problems';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { parseVin } from '@/lib/identity/vin';

const EXCERPT_CHARACTERS = 40;
/** Longer than any key: a kind and the longest text that a record keeps. */
const MAX_KEY_CHARACTERS = 140;
const VERSION_PATTERN = /^[\w.:-]{1,80}$/;

const quote = (text: string): string =>
  JSON.stringify(text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text);

/** Whether PostgreSQL can store a text: it accepts every character but U+0000. */
export const isStorable = (value: unknown): boolean => typeof value !== 'string' || !value.includes('\0');

/** The variable parts of an address. @throws AppError for a malformed part */
export const requireStorable = (params: unknown): void => {
  if (
    Object.values(params ?? {})
      .flat()
      .every(isStorable)
  )
    return;
  throw new AppError('malformed-address', { detail: 'The address has a character that no name has.' });
};

/** @throws AppError */
export const requireUsdot = (text: string): string => {
  const usdot = parseUsdot(text);
  if (usdot !== null) return usdot;
  throw new AppError('malformed-usdot', {
    detail: `A USDOT number has 1 to 8 digits; the address has ${quote(text)}.`,
  });
};

/** @throws AppError */
export const requireVin = (text: string): string => {
  const vin = parseVin(text);
  if (vin !== null) return vin;
  throw new AppError('malformed-vin', {
    detail: `A VIN has 17 letters and digits, never I, O or Q; the address has ${quote(text)}.`,
  });
};

/** The name of a unit within its fleet. @throws AppError */
export const requireKey = (text: string): string => {
  if (text.length > 0 && text.length <= MAX_KEY_CHARACTERS) return text;
  throw new AppError('malformed-key', { detail: `No unit is called ${quote(text)}.` });
};

/** The version that a browser holds; null without one. @throws AppError */
export const requireVersion = (text: string | null): string | null => {
  if (text === null || text === '') return null;
  if (VERSION_PATTERN.test(text)) return text;
  throw new AppError('malformed-version', { detail: `${quote(text)} is not a version of a fleet.` });
};
