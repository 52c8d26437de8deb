import type { Fleet } from '@/lib/wire/fleet';
import { fold } from '@/lib/base/text/text';
import { createPerIdentity } from './rows';
import { toSearchTerms } from './search';

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
