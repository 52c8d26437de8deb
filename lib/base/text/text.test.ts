import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shorten } from './text';

const FAMILY = '👨‍👩‍👧‍👦';

it('cuts a long name with an ellipsis, and leaves a short one whole', () => {
  expect(shorten('412')).toBe('412');
  expect(shorten('N'.repeat(24))).toBe('N'.repeat(24));
  expect(shorten('N'.repeat(120))).toBe(`${'N'.repeat(23)}…`);
  expect(shorten(`${'N'.repeat(22)} ${'M'.repeat(9)}`)).toBe(`${'N'.repeat(22)}…`);
  expect(shorten(FAMILY.repeat(24))).toBe(FAMILY.repeat(24));
  expect(shorten(FAMILY.repeat(30))).toBe(`${FAMILY.repeat(23)}…`);
  expect(shorten(`\u2068${'ש'.repeat(120)}\u2069`)).toMatch(/^\u2068ש+…\u2069$/u);
});

it('never divides a character as people see it', () => {
  const characters = fc.array(fc.constantFrom('a', 'é', 'e\u0301', FAMILY, '🇺🇸', '👍🏽', 'क्षि'), {
    maxLength: 80,
  });
  const segmenter = new Intl.Segmenter();
  const split = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  fc.assert(
    fc.property(characters, fc.integer({ min: 2, max: 40 }), (list, most) => {
      const whole = split(list.join(''));
      const short = split(shorten(list.join(''), most));
      expect(short.length).toBeLessThanOrEqual(most);
      if (whole.length <= most) expect(short).toEqual(whole);
      else expect(short).toEqual([...whole.slice(0, most - 1), '…']);
    }),
  );
});
