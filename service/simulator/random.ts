/**
 * A 32-bit hash of whole numbers: the same numbers in the same order give the same bits.
 * Mixing constants: C. Wellons, "Hash Function Prospector" (lowbias32).
 */
const hash32 = (...numbers: number[]): number => {
  let mixed = 0x9e3779b9;
  for (const number of numbers) {
    mixed ^= Math.trunc(number) | 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
};

/** A number in [0, 1) that depends on these whole numbers alone. */
export const hashUnit = (...numbers: number[]): number => hash32(...numbers) / 2 ** 32;

/** A stream of numbers in [0, 1) that a seed and a name decide. */
export const createRandom = (...seeds: number[]) => {
  let drawn = 0;
  const next = (): number => hashUnit(...seeds, drawn++);
  const between = (low: number, high: number): number => low + (high - low) * next();
  const integer = (low: number, high: number): number => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    integer,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('Picked from an empty list.');
      return list[Math.floor(next() * list.length)]!;
    },
    /** The index of one weight, drawn in proportion to it. */
    weighted: (weights: readonly number[]): number => {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const at = weights.findIndex((weight) => (left -= weight) < 0);
      return at < 0 ? weights.length - 1 : at;
    },
  };
};

export type Random = ReturnType<typeof createRandom>;
