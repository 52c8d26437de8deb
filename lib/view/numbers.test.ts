import { expect, it } from 'vitest';
import { fixAgeWords } from './numbers';

it('says how old a fix is, and of one that is dated ahead that it cannot be believed', () => {
  expect(fixAgeWords(12_000)).toBe('12 s ago');
  expect(fixAgeWords(-110_000)).toBe('0 s ago');
  expect(fixAgeWords(-3_600_000)).toBe('in the future, so not to be believed');
});
