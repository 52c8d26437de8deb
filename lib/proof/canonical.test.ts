import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCanonical } from './canonical';
import { parseNumber, toNumber } from './number';

it('sorts names by UTF-16 code units and writes texts as RFC 8785 does', () => {
  // The example of RFC 8785, 3.2.3, and the text of 3.2.2 without its numbers.
  const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
  const order = [...toCanonical(names).matchAll(/:(\d)/g)].map(([, digit]) => Number(digit)).join('');
  expect(order).toBe('2467153');
  const text = '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002F';
  expect(toCanonical({ string: text, literals: [null, true, false] })).toBe(
    String.raw`{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

it('is the same for fields in any order, and reads back as what was written', () => {
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false),
      fc.maxSafeInteger(),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const text = toCanonical(value);
      expect(toCanonical(JSON.parse(text))).toBe(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        expect(toCanonical(Object.fromEntries(Object.entries(value).reverse()))).toBe(text);
    }),
  );
});

it('refuses what other programs could write in another way', () => {
  for (const value of [
    0.5,
    NaN,
    Infinity,
    2 ** 53,
    undefined,
    () => 1,
    1n,
    '\ud800',
    { a: undefined },
    [Symbol('x')],
  ])
    expect(() => toCanonical(value)).toThrow(TypeError);
  expect(toCanonical(-0)).toBe('0');
});

it('a number is read as people write it, and as nothing else', () => {
  const number = toNumber(Uint8Array.from({ length: 12 }, (_, i) => i * 17))!;
  expect(number).toMatch(/^[0-9B-DF-HJKMNP-TV-Z]{4}(-[0-9B-DF-HJKMNP-TV-Z]{4}){2}$/);
  for (const text of [
    number,
    number.toLowerCase(),
    number.replaceAll('-', ''),
    ` ${number.replaceAll('-', ' – ')}`,
  ])
    expect(parseNumber(text)).toBe(number);
  expect(parseNumber('OOOO-IIII-LLLL')).toBe('0000-1111-1111');
  for (const text of [
    '',
    number.slice(1),
    `${number}0`,
    'AAAA-AAAA-AAAA',
    '7K3M/92QX/4HTD',
    'x'.repeat(5000),
  ])
    expect(parseNumber(text)).toBeNull();
  // Bytes that would favor the first symbols are skipped.
  expect(toNumber(new Uint8Array(12).fill(255))).toBeNull();
});
