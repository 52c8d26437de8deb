import { MOTION_COLUMNS, STATE_COLUMNS, type Column, type Fleet } from '@/lib/wire/fleet';

/** Bits that an ideal order-0 coder needs for a list of numbers of known distribution (Shannon 1948). */
export const toEntropyBits = (values: readonly number[]): number => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / values.length);
  return bits;
};

const toGroupBits = (names: readonly Column[], previous: Fleet, next: Fleet): number => {
  const isChanged: number[] = [];
  const rows: number[] = [];
  for (let row = 0; row < next.rows; row++) {
    const differs = names.some((name) => next.columns[name][row] !== (previous.columns[name][row] ?? 0));
    isChanged.push(differs ? 1 : 0);
    if (differs) rows.push(row);
  }
  return names.reduce((bits, name) => {
    const by = rows.map((row) => next.columns[name][row]! - (previous.columns[name][row] ?? 0));
    return bits + toEntropyBits(by);
  }, toEntropyBits(isChanged));
};

/** Entropy of the change from one version of a fleet to the next, bytes. */
export const toChangeEntropyBytes = (previous: Fleet, next: Fleet): number =>
  (toGroupBits(MOTION_COLUMNS, previous, next) + toGroupBits(STATE_COLUMNS, previous, next)) / 8;
