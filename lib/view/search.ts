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
    ...marksOf(identity).tags,
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

/** `tag:flatbeds`, `tag:"night shift"`. */
const TAG_TERM = /(?<!\S)tag:(?:"([^"]*)"?|(\S*))/gi;

/** Whether a query names a tag. */
export const hasTagTerm = (query: string): boolean => query.search(TAG_TERM) >= 0;

/** The words of a query, each as typed and as letters and digits alone. */
const toTerms = (words: string): { typed: string; squashed: string }[] =>
  words
    .toLowerCase()
    .split(/\s+/)
    .map((typed) => ({ typed, squashed: squash(typed) }))
    .filter(({ squashed }) => squashed !== '');

type Matcher = (row: number) => boolean;

const createWordMatcher = (fleet: Fleet, words: string): Matcher | null => {
  const terms = toTerms(words);
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

/** Whether a row has every tag that a query names, whole; null where it names none. */
const createTagMatcher = ({ identities }: Fleet, query: string): Matcher | null => {
  const named = [...query.matchAll(TAG_TERM)].map(([, quoted, plain]) =>
    squash((quoted ?? plain ?? '').toLowerCase()),
  );
  // One whose name is still to be typed.
  const wanted = named.filter((tag) => tag !== '');
  if (wanted.length === 0) return null;
  const known = new Map<string, string>();
  const squashOnce = (tag: string): string => {
    const squashed = known.get(tag) ?? squash(tag);
    known.set(tag, squashed);
    return squashed;
  };
  return (row) => {
    const identity = identities[row];
    const tags = identity == null ? [] : marksOf(identity).tags;
    return wanted.every((tag) => tags.some((own) => squashOnce(own) === tag));
  };
};

/** A query without the tags that it names. */
const toWords = (query: string): string => query.replace(TAG_TERM, '').trimStart();

/**
 * Whether a row holds every word of a query in its truck number, VIN, plate (with or without the state,
 * blanks or dashes), make, model, year, device, notes or tags, and has each tag that the query names as
 * `tag:…`; case does not matter. Null for a query without either, which every row matches.
 */
export const createMatcher = (fleet: Fleet, query: string): Matcher | null => {
  const hasWords = createWordMatcher(fleet, toWords(query));
  const hasTags = createTagMatcher(fleet, query);
  if (hasWords === null || hasTags === null) return hasWords ?? hasTags;
  return (row) => hasTags(row) && hasWords(row);
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

/** Rows that hold every word, ascending; null for no word. */
const searchWords = (fleet: Fleet, words: string): Int32Array | null => {
  const matches = createWordMatcher(fleet, words);
  if (matches === null) return null;
  const typed = words.toLowerCase();
  const known = found.get(fleet.identities) ?? new Map<string, Int32Array>();
  found.set(fleet.identities, known);
  const rows = known.get(typed) ?? keepRows(findWithin(known, typed) ?? readAllRows(fleet), matches);
  known.delete(typed);
  known.set(typed, rows);
  if (known.size > CACHED_QUERIES) known.delete(known.keys().next().value!);
  return rows;
};

/**
 * Rows that a query finds, ascending; null for a query that finds all. A longer query searches the result of
 * its prefix, and recent results are cached: most key presses read a fraction of the fleet, or none. A tag is
 * compared whole, so that its results are in none of a prefix.
 */
export const searchRows = (fleet: Fleet, query: string): Int32Array | null => {
  const rows = searchWords(fleet, toWords(query));
  const hasTags = createTagMatcher(fleet, query);
  return hasTags === null ? rows : keepRows(rows ?? readAllRows(fleet), hasTags);
};
