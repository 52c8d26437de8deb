import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';
import { createPerIdentity } from './per-identity';

const NOT_WRITTEN = /[^\p{L}\p{N}]+/gu;

/** Letters and digits alone: "TX R48-2207" is found as "txr482207". */
const squash = (text: string): string => text.replace(NOT_WRITTEN, '');

const toHaystack = (identity: UnitIdentity): string => {
  const plate = [identity.plateState, identity.plateNumber].filter(Boolean).join(' ');
  const fields = [
    identity.truckNumber,
    identity.vin,
    plate,
    identity.make,
    identity.model,
    identity.year?.toString(),
    identity.deviceId,
  ];
  const lower = fields.filter((field) => field != null).map((field) => field.toLowerCase());
  const squashed = lower.map(squash).filter((field, i) => field !== lower[i]);
  // A line a field, so that no word is found across two of them.
  return [...lower, ...squashed].join('\n');
};

const readHaystacks = createPerIdentity(toHaystack);

/**
 * Makes ready what the first search of a fleet needs, for as long as `hasTime`; whether all of it is. Without,
 * the first key pressed would wait for it: half a second at 100,000 units.
 */
export const prepareSearch = (fleet: Fleet, hasTime: () => boolean): boolean =>
  readHaystacks(fleet, hasTime).isWhole;

/** The words of a query, each as it was typed and as letters and digits alone. */
const toWords = (query: string): { typed: string; squashed: string }[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .map((typed) => ({ typed, squashed: squash(typed) }))
    .filter(({ squashed }) => squashed !== '');

/**
 * Whether a row holds every word of a query in its truck number, VIN, plate (with or without the state,
 * blanks or dashes), make, model, year or device; case does not matter. Null for a query without words,
 * which every row matches.
 */
export const createMatcher = (fleet: Fleet, query: string): ((row: number) => boolean) | null => {
  const words = toWords(query);
  if (words.length === 0) return null;
  const haystacks = readHaystacks(fleet).of;
  return (row) => {
    const haystack = haystacks[row];
    if (haystack == null) return false;
    for (const { typed, squashed } of words) {
      if (!haystack.includes(typed) && (typed === squashed || !haystack.includes(squashed))) return false;
    }
    return true;
  };
};
