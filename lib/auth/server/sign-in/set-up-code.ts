import 'server-only';
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** Crockford's base 32, without letters that resemble digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_CHARACTERS = 4;

/** A code for manual entry: 80 bits as "7K3M-…" in four groups of four. */
export const createSetUpCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_CHARACTERS }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-');

/** Normalizes to upper case without separators, with look-alike letters as digits. */
const normalise = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');

const toHash = (code: string): Buffer => createHash('sha256').update(normalise(code)).digest();

/** Compares in constant time. */
export const isSetUpCode = (given: string, code: string): boolean =>
  timingSafeEqual(toHash(given), toHash(code));
