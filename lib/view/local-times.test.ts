import { expect, test } from 'vitest';
import { inLocalTimes } from './local-times';

const NOW_MS = Date.UTC(2026, 10, 20, 20);
const inChicago = (words: string) => inLocalTimes(words, NOW_MS, 'America/Chicago');

test('converts UTC times to the reader’s zone, with the day where it differs there', () => {
  expect(
    inChicago('Its device was D1 until 2026-11-20 14:07:31 UTC and is D2 since 2026-11-20 05:59:59 UTC.'),
  ).toBe('Its device was D1 until 08:07:31 CST and is D2 since Nov 19, 23:59:59 CST.');
});

test('leaves times of another year, and all other text, unchanged', () => {
  for (const words of ['Its clock says 2007-04-07 00:00:00 UTC.', 'No time at all, 2026-11-20.', ''])
    expect(inChicago(words)).toBe(words);
});
