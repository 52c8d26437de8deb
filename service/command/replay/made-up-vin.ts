import { createHash } from 'node:crypto';
import { checkDigit } from '@/lib/identity/vin';

/** 1Z9 belongs to no maker: a third character of 9 marks makers of few vehicles, identified by further characters. */
const MAKER = '1Z9';

/** Letters and digits that may stand anywhere in a VIN, also for the model year. */
const ANYWHERE = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const DIGITS = '0123456789';

/** A VIN that no vehicle has, with the right check digit; the same text always gives the same one. */
export const toMadeUpVin = (text: string): string => {
  const hash = createHash('sha256').update(text).digest();
  const pick = (alphabet: string, from: number, count: number) =>
    [...hash.subarray(from, from + count)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  const descriptor = MAKER + pick(ANYWHERE, 0, 5);
  const identifier = pick(ANYWHERE, 5, 2) + pick(DIGITS, 7, 6);
  return descriptor + checkDigit(`${descriptor}0${identifier}`) + identifier;
};
