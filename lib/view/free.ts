import { marksOf } from './marks';
import { keepRows } from './rows';
import type { Fleet } from '@/lib/wire/fleet';

/** The tags that say which units are free: those with one of `has`, or all where it is empty, and none of `not`. */
export interface FreeTags {
  has: string[];
  not: string[];
}

export const isFree = (tags: readonly string[], { has, not }: FreeTags): boolean =>
  (has.length === 0 || tags.some((tag) => has.includes(tag))) && !tags.some((tag) => not.includes(tag));

/** The rows whose units are free, in their order. */
export const keepFree = ({ identities }: Fleet, rows: Int32Array, free: FreeTags): Int32Array =>
  keepRows(rows, (row) => {
    const identity = identities[row];
    return identity != null && isFree(marksOf(identity).tags, free);
  });

/** "with the tag empty or parked, without in shop". */
export const freeText = ({ has, not }: FreeTags): string =>
  [
    has.length === 0 ? null : `with the tag ${has.join(' or ')}`,
    not.length === 0 ? null : `without ${not.join(' and ')}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
