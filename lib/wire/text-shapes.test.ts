import { describe, expect, it } from 'vitest';
import { fromTextColumn, toTextColumn } from './text-shapes';

const ALPHABET = [...'09AZaz-_ é字"\\\u0000', '😀'];

/** The same numbers for the same seed. */
const createRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

const thereAndBack = (texts: (string | null)[], groupOf: number[]): (string | null)[] => {
  const { column, numbers } = toTextColumn(texts, groupOf);
  const travelled = JSON.parse(JSON.stringify(column)) as typeof column;
  return fromTextColumn(travelled, numbers, groupOf);
};

describe('a column of texts in numbers', () => {
  it.each([
    ['of no texts', [], []],
    ['of none but null', [null, null], [0, 1]],
    ['of few shapes and many', Array.from({ length: 40 }, (_, i) => `R${i}-22${i}7 a`), []],
    [
      'of texts longer than any number',
      Array.from({ length: 20 }, (_, i) => `${'9Zz'.repeat(20)}${i % 10}`),
      [],
    ],
    ['with gaps and empty texts', Array.from({ length: 40 }, (_, i) => ['', null, '007', 'x'][i % 4]!), []],
  ])('comes back as it was: one %s', (_, texts, groupOf) => {
    expect(thereAndBack(texts, groupOf)).toEqual(texts);
  });

  it('comes back as it was, whatever is in it', () => {
    const random = createRandom(7);
    for (let round = 0; round < 200; round++) {
      const shape = Array.from({ length: random(14) }, () => ALPHABET[random(ALPHABET.length)]!).join('');
      const texts = Array.from({ length: random(60) }, () => {
        if (random(9) === 0) return null;
        return shape.replace(/\d/g, () => String(random(10))).replace(/[A-Z]/g, () => 'ABYZ'[random(4)]!);
      });
      const groupOf = texts.map(() => random(3) - 1);
      expect(thereAndBack(texts, groupOf), JSON.stringify(texts)).toEqual(texts);
    }
  });

  it('tells units that are numbered in order by how far they are apart', () => {
    const { column, numbers } = toTextColumn(
      Array.from({ length: 16 }, (_, i) => `TRK-${1000 + 5 * i}`),
      [],
    );
    expect(column).toEqual({ texts: ['AAA-9999'], steps: [true] });
    expect(Array.from(numbers[1]!).slice(1)).toEqual(new Array(15).fill(5));
  });

  it('sends texts as they are where no two are alike', () => {
    const texts = ['a', 'a1', 'a1-'];
    expect(toTextColumn(texts, []).column).toEqual({ texts, steps: null });
  });

  it.each([
    ['fewer lists than its shapes need', [[1], []]],
    ['a shape that it does not have', [[2], [7]]],
    ['lists of different lengths', [[1, 0], [7]]],
  ])('refuses %s', (_, numbers) => {
    const column = { texts: ['9'], steps: [false] };
    expect(() => fromTextColumn(column, numbers, [])).toThrow(RangeError);
  });
});
