import { expect, it } from 'vitest';
import { fixAgeWords, fixOldWords, shortFixAge } from './numbers';

it('gives the age of a fix, and marks one from the future as wrong', () => {
  expect(fixAgeWords(12_000)).toBe('12 s ago');
  expect(fixAgeWords(-110_000)).toBe('0 s ago');
  expect(fixAgeWords(-3_600_000)).toBe('in the future, so not to be believed');
  const told = (ageMs: number) => [shortFixAge(ageMs), `fix ${fixOldWords(ageMs)}`];
  expect(told(12_000)).toEqual(['12 s', 'fix 12 s old']);
  expect(told(-110_000)).toEqual(['0 s', 'fix 0 s old']);
  expect(told(-3_600_000)).toEqual(['future', 'fix dated in the future']);
});
