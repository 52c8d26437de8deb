import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';
import { marksOf } from './marks';
import { keepRows, readAllRows, createPerIdentity } from './rows';

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
    ...marksOf(identity).notes.map(({ text }) => text),
  ];
  const lower = fields.filter((field) => field != null).map((field) => field.toLowerCase());
  const squashed = lower.map(squash).filter((field, i) => field !== lower[i]);
  // One line for each field, so that no word is found across two of them.
  return [...lower, ...squashed].join('\n');
};

const readHaystacks = createPerIdentity(toHaystack);

/**
 * Prepares the index of a fleet's first search, for as long as `hasTime`; returns whether it is complete.
 * Without it the first key press would wait half a second at 100,000 units.
 */
export const prepareSearch = (fleet: Fleet, hasTime: () => boolean): boolean =>
  readHaystacks(fleet, hasTime).isWhole;

/** The words of a query, each as typed and as letters and digits alone. */
const toTerms = (query: string): { typed: string; squashed: string }[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .map((typed) => ({ typed, squashed: squash(typed) }))
    .filter(({ squashed }) => squashed !== '');

/**
 * Whether a row holds every word of a query in its truck number, VIN, plate (with or without the state,
 * blanks or dashes), make, model, year, device or notes; case does not matter. Null for a query without
 * words, which every row matches.
 */
export const createMatcher = (fleet: Fleet, query: string): ((row: number) => boolean) | null => {
  const terms = toTerms(query);
  if (terms.length === 0) return null;
  const haystacks = readHaystacks(fleet).of;
  return (row) => {
    const haystack = haystacks[row];
    if (haystack == null) return false;
    for (const { typed, squashed } of terms) {
      if (!haystack.includes(typed) && (typed === squashed || !haystack.includes(squashed))) return false;
    }
    return true;
  };
};

/** Cached searches for each list of identities: enough to delete a few characters. */
const CACHED_QUERIES = 8;
const found = new WeakMap<Fleet['identities'], Map<string, Int32Array>>();

/** The result of the longest cached prefix of the query, which contains the results of every longer query. */
const findWithin = (known: ReadonlyMap<string, Int32Array>, typed: string): Int32Array | null => {
  let longest = '';
  for (const before of known.keys())
    if (typed.startsWith(before) && before.length > longest.length) longest = before;
  return known.get(longest) ?? null;
};

/**
 * Rows that a query finds, ascending; null for a query without words, which finds all. A longer query
 * searches the result of its prefix, and recent results are cached: most key presses read a fraction of the
 * fleet, or none.
 */
export const searchRows = (fleet: Fleet, query: string): Int32Array | null => {
  const matches = createMatcher(fleet, query);
  if (matches === null) return null;
  const typed = query.toLowerCase();
  const known = found.get(fleet.identities) ?? new Map<string, Int32Array>();
  found.set(fleet.identities, known);
  const rows = known.get(typed) ?? keepRows(findWithin(known, typed) ?? readAllRows(fleet), matches);
  known.delete(typed);
  known.set(typed, rows);
  if (known.size > CACHED_QUERIES) known.delete(known.keys().next().value!);
  return rows;
};
