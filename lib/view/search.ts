import type { Fleet, UnitIdentity } from '@/lib/wire/fleet';
import { fold } from '@/lib/base/text/text';
import { marksOf } from './marks';
import { keepRows, readAllRows, createPerIdentity } from './rows';
import { getOrMake } from '@/lib/base/maps';

const NOT_WRITTEN = /[^\p{L}\p{N}]+/gu;

/** Letters and digits alone: "TX R48-2207" is found as "txr482207". */
const squash = (text: string): string => text.replace(NOT_WRITTEN, '');

/** Texts as typed and as letters and digits alone: one line for each, so that no word is found across two of them. */
export const toLines = (texts: readonly string[]): string => {
  const lower = texts.map((text) => fold(text));
  const squashed = lower.map(squash).filter((text, i) => text !== lower[i]);
  return [...lower, ...squashed].join('\n');
};

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
    ...marksOf(identity).loads.flatMap(({ references }) => references),
    ...Object.values(marksOf(identity).contact ?? {}),
  ];
  return toLines(fields.filter((field) => field != null));
};

const readHaystacks = createPerIdentity(toHaystack);

/**
 * Builds the search index while `hasTime`, so that the first key press does not wait; returns whether it is complete.
 */
export const prepareSearch = (fleet: Fleet, hasTime: () => boolean): boolean =>
  readHaystacks(fleet, hasTime).isWhole;

/** `tag:flatbeds`, `tag:"night shift"`. */
const TAG_TERM = /(?<!\S)tag:(?:"([^"]*)"?|(\S*))/gi;

/** Whether a query names a tag. */
export const hasTagTerm = (query: string): boolean => query.search(TAG_TERM) >= 0;

/** A word of a query, as typed and as letters and digits alone. */
interface Term {
  typed: string;
  squashed: string;
}

/** What people write before a truck's number: "truck 264", "unit #264", "truck264"; also before the number is typed. */
const UNIT_WORDS =
  /^\s*(?:trucks?|units?|vehicles?)\s*$|(?<!\S)(?:trucks?|units?|vehicles?)(?:\s*#|\s*(?=\d)|\s+(?=\S*\d))|(?<!\S)#\s*$/gi;

/** The words of a query without those that only introduce a truck's number. */
const dropUnitWords = (words: string): string => words.replace(UNIT_WORDS, '');

const toTerms = (words: string): Term[] =>
  fold(words)
    .split(/\s+/)
    .map((typed) => ({ typed, squashed: squash(typed) }))
    .filter(({ squashed }) => squashed !== '');

/** Whether lines of toLines hold every word of a query, as searches compare them. */
export const toLineMatcher = (query: string): ((lines: string) => boolean) => {
  const terms = toTerms(dropUnitWords(query));
  return (lines) => terms.every((term) => holds(lines, term));
};

/** The same of some texts. */
export const toTextMatcher = (query: string): ((texts: readonly string[]) => boolean) => {
  const matches = toLineMatcher(query);
  return (texts) => matches(toLines(texts));
};

type Matcher = (row: number) => boolean;

const holds = (haystack: string, { typed, squashed }: Term): boolean =>
  haystack.includes(typed) || (typed !== squashed && haystack.includes(squashed));

const siteLines = new WeakMap<SiteNames, [id: number, lines: string][]>();

/** The sites whose names have each word; null where none has any. */
const findSites = (sites: SiteNames | null, terms: readonly Term[]): Set<number>[] | null => {
  if (sites === null) return null;
  const lines = getOrMake(siteLines, sites, () =>
    [...sites.names].map(([id, name]): [number, string] => [id, toLines([name])]),
  );
  const found = terms.map((term) => new Set(lines.filter(([, text]) => holds(text, term)).map(([id]) => id)));
  return found.some(({ size }) => size > 0) ? found : null;
};

const createTermMatcher = (
  fleet: Fleet,
  terms: readonly Term[],
  atSites: readonly Set<number>[] | null,
): Matcher => {
  const haystacks = readHaystacks(fleet).of;
  const { siteId } = fleet.columns;
  return (row) => {
    const haystack = haystacks[row];
    if (haystack == null) return false;
    for (let i = 0; i < terms.length; i++)
      if (!holds(haystack, terms[i]!) && !atSites?.[i]!.has(siteId[row]!)) return false;
    return true;
  };
};

/** Whether a row has every tag that a query names, whole; null where it names none. */
const createTagMatcher = ({ identities }: Fleet, query: string): Matcher | null => {
  const named = [...query.matchAll(TAG_TERM)].map(([, quoted, plain]) => squash(fold(quoted ?? plain ?? '')));
  // One whose name is still to be typed.
  const wanted = named.filter((tag) => tag !== '');
  if (wanted.length === 0) return null;
  const known = new Map<string, string>();
  const squashOnce = (tag: string): string => getOrMake(known, tag, () => squash(fold(tag)));
  return (row) => {
    const identity = identities[row];
    const tags = identity == null ? [] : marksOf(identity).tags;
    return wanted.every((tag) => tags.some((own) => squashOnce(own) === tag));
  };
};

/** A query without the tags that it names and the words before a truck's number. */
const toWords = (query: string): string => dropUnitWords(query.replace(TAG_TERM, '').trimStart());

/** Whether words that give no term are signs alone, which nothing is found by. */
const isSigns = (words: string): boolean => words.trim() !== '';
const NO_ROWS = new Int32Array(0);

/** The words of a query as typed, without the tags that it names and the words before a truck's number. */
export const toSearchTerms = (query: string): string[] => toTerms(toWords(query)).map(({ typed }) => typed);

/**
 * Whether a row holds every word of a query in its names, make, model, year, notes, tags or contacts, or its site's name, and has
 * each tag named as `tag:…`, whatever case, accents and signs. Null for a query without either; signs alone match none.
 */
export const createMatcher = (
  fleet: Fleet,
  query: string,
  sites: SiteNames | null = null,
): Matcher | null => {
  const words = toWords(query);
  const terms = toTerms(words);
  if (terms.length === 0 && isSigns(words)) return () => false;
  const hasWords = terms.length === 0 ? null : createTermMatcher(fleet, terms, findSites(sites, terms));
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

/** The rows that hold every word in their identities. */
const searchIdentities = (fleet: Fleet, words: string, terms: readonly Term[]): Int32Array => {
  const typed = fold(words);
  const known = getOrMake(found, fleet.identities, () => new Map<string, Int32Array>());
  const rows =
    known.get(typed) ??
    keepRows(findWithin(known, typed) ?? readAllRows(fleet), createTermMatcher(fleet, terms, null));
  known.delete(typed);
  known.set(typed, rows);
  if (known.size > CACHED_QUERIES) known.delete(known.keys().next().value!);
  return rows;
};

/** Rows that hold every word, ascending; null for no word. */
const searchWords = (fleet: Fleet, words: string, sites: SiteNames | null): Int32Array | null => {
  const terms = toTerms(words);
  if (terms.length === 0) return isSigns(words) ? NO_ROWS : null;
  const byIdentity = searchIdentities(fleet, words, terms);
  const atSites = findSites(sites, terms);
  if (atSites === null) return byIdentity;
  const isFound = new Uint8Array(fleet.rows);
  for (const row of byIdentity) isFound[row] = 1;
  const matches = createTermMatcher(fleet, terms, atSites);
  const { siteId } = fleet.columns;
  return keepRows(readAllRows(fleet), (row) => isFound[row] === 1 || (siteId[row] !== 0 && matches(row)));
};

/**
 * Rows that a query finds, ascending; null for all. A longer query searches the cached result of its prefix; tags are
 * compared whole, and the units at a named site are searched with each poll.
 */
export const searchRows = (
  fleet: Fleet,
  query: string,
  sites: SiteNames | null = null,
): Int32Array | null => {
  const rows = searchWords(fleet, toWords(query), sites);
  const hasTags = createTagMatcher(fleet, query);
  return hasTags === null ? rows : keepRows(rows ?? readAllRows(fleet), hasTags);
};

/** Whether a query finds any unit. */
export const hasMatch = (fleet: Fleet, query: string, sites: SiteNames | null): boolean =>
  (searchRows(fleet, query, sites)?.length ?? 1) > 0;

/** Letters and digits alone, as searches compare them. */
const toPlain = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, '');

const readPlainNumbers = createPerIdentity(({ truckNumber }) => toPlain(truckNumber ?? ''));

const EXACT = 0;
const BEGINS = 1;
const ELSEWHERE = 2;

/** The rows by how their truck numbers match a query: equal to one of its words, beginning with one, and the others. */
const groupMatches = (fleet: Fleet, rows: Int32Array, query: string): number[][] => {
  const terms = toSearchTerms(query).map(toPlain);
  const words = [...new Set([terms.join(''), ...terms])].filter((word) => word !== '');
  const numbers = readPlainNumbers(fleet).of;
  const groups: number[][] = [[], [], []];
  for (const row of rows) {
    const number = numbers[row] ?? '';
    const isBeginning = number !== '' && words.some((word) => number.startsWith(word));
    groups[isBeginning ? (words.includes(number) ? EXACT : BEGINS) : ELSEWHERE]!.push(row);
  }
  return groups;
};

/** Rows that a query finds in their order, but those first whose truck number it is, then those whose number begins with it. */
export const bestFirst = (fleet: Fleet, rows: Int32Array, query: string): Int32Array =>
  toSearchTerms(query).length === 0 ? rows : Int32Array.from(groupMatches(fleet, rows, query).flat());

/** The rows that match a query best, those that `bestFirst` has first; all for a query without words. */
export const findBestMatches = (fleet: Fleet, rows: Int32Array, query: string): ArrayLike<number> =>
  toSearchTerms(query).length === 0
    ? rows
    : (groupMatches(fleet, rows, query).find((group) => group.length > 0) ?? rows);

/** The names of a fleet's sites by their ids, for lists and searches of its units. */
export interface SiteNames {
  names: ReadonlyMap<number, string>;
  /** Place of each site in the order of the names, from 1. */
  ranks: ReadonlyMap<number, number>;
}
