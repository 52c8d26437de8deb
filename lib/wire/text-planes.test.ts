import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromTextColumn, toTextColumn } from './text-planes';

const thereAndBack = (texts: (string | null)[]): (string | null)[] => {
  const { column, numbers } = toTextColumn(texts);
  return fromTextColumn(JSON.parse(JSON.stringify(column)) as typeof column, numbers);
};

it.each([
  ['no texts', []],
  ['null alone', [null, null]],
  ['empty texts and null', ['', null, '007', 'x']],
  ['long texts among short ones', ['7', 'x'.repeat(25), 'y', 'z'.repeat(5000)]],
  ['texts with the code of an end', ['a\0b', 'c', '\0']],
])('decodes what it encoded: %s', (_, texts) => {
  expect(thereAndBack(texts)).toEqual(texts);
});

it('decodes what it encoded, for any texts', () => {
  const text = fc.option(fc.uint16Array({ maxLength: 40 }).map((codes) => String.fromCharCode(...codes)));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      expect(thereAndBack(texts)).toEqual(texts);
    }),
  );
});

it('has at most 24 lists, however long a text is', () => {
  expect(toTextColumn(['x'.repeat(5000)]).numbers).toHaveLength(1);
  expect(toTextColumn(['x'.repeat(24)]).numbers).toHaveLength(24);
});

it.each([
  ['fewer lists than its width', { width: 2, long: [] }, [[55]]],
  ['lists of different lengths', { width: 2, long: [] }, [[55, 56], [55]]],
  ['fewer long texts than its numbers name', { width: 1, long: [] }, [[-2]]],
])('refuses %s', (_, column, numbers) => {
  expect(() => fromTextColumn(column, numbers)).toThrow(RangeError);
});
