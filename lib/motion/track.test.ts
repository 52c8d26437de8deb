import { expect, test } from 'vitest';
import { fixAt } from '@/testing/motion/fixes';
import { countFixes, fixOf, newestOf, NO_TRACK, toFixes, withNewest } from './track';

const fixes = [fixAt(0, 0), fixAt(1, 800), fixAt(2, 1600)];
const track = fixes.reduce((before, fix) => withNewest(before, 0, fix), NO_TRACK);

test('returns every fix as it was added, oldest first', () => {
  expect(toFixes(track)).toEqual(fixes);
  expect(countFixes(track)).toBe(3);
  expect([0, 1, 2].map((index) => fixOf(track, index))).toEqual(fixes);
  expect(newestOf(track)).toEqual(fixes[2]);
});

test('has none before the first', () => {
  expect(toFixes(NO_TRACK)).toEqual([]);
  expect(newestOf(NO_TRACK)).toBeNull();
});

test('drops the oldest, and does not change the list before it', () => {
  const next = fixAt(3, 2400);
  expect(toFixes(withNewest(track, 2, next))).toEqual([fixes[2], next]);
  expect(toFixes(track)).toEqual(fixes);
});
