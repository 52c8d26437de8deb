import { expect, it, test } from 'vitest';
import {
  fixAgeText,
  fixOldText,
  formatDay,
  formatDayAndTime,
  formatExactTime,
  formatMoment,
  formatTime,
  formatWhole,
  shortFixAgeText,
  inLocalTimes,
} from './format';

test('groups the digits of a whole number as Intl does', () => {
  for (const count of [0, 7, 999, 1000, 1214, 98_765, 100_000, 1_234_567, -45_000])
    expect(formatWhole(count)).toBe(count.toLocaleString('en-US'));
});

it('gives the age of a fix, and marks one from the future as wrong', () => {
  expect(fixAgeText(12_000)).toBe('12 s ago');
  expect(fixAgeText(-110_000)).toBe('0 s ago');
  expect(fixAgeText(-3_600_000)).toBe('in the future (its clock is wrong)');
  const texts = (ageMs: number) => [shortFixAgeText(ageMs), `fix ${fixOldText(ageMs)}`];
  expect(texts(12_000)).toEqual(['12 s', 'fix 12 s old']);
  expect(texts(-110_000)).toEqual(['0 s', 'fix 0 s old']);
  expect(texts(-3_600_000)).toEqual(['future', 'fix dated in the future']);
});

const NOW_MS = Date.UTC(2026, 10, 20, 20);
const inChicago = (text: string) => inLocalTimes(text, NOW_MS, 'America/Chicago');

test('converts UTC times to the reader’s zone, with the day where it differs there', () => {
  expect(
    inChicago('Its device was D1 until 2026-11-20 14:07:31 UTC and is D2 since 2026-11-20 05:59:59 UTC.'),
  ).toBe('Its device was D1 until 08:07:31 CST and is D2 since Nov 19, 23:59:59 CST.');
});

test('gives a date its year half a year away, unless it is not known how far that is', () => {
  const DAY_MS = 86_400_000;
  const texts = (nowMs: number) => [
    formatMoment(NOW_MS, nowMs, 'America/Chicago'),
    formatExactTime(NOW_MS, nowMs, 'America/Chicago'),
    formatDayAndTime(NOW_MS, nowMs, 'America/Chicago'),
    formatDay(NOW_MS, nowMs),
  ];
  const near = ['Nov 20, 14:00', 'Nov 20, 14:00:00 CST', 'Fri, Nov 20, 14:00 CST', 'Fri, Nov 20'];
  expect(texts(NOW_MS + 100 * DAY_MS)).toEqual(near);
  expect(texts(0)).toEqual(near);
  for (const days of [-360, 360])
    expect(texts(NOW_MS + days * DAY_MS)).toEqual(near.map((text) => text.replace('20', '20, 2026')));
});

test('leaves times of another year, and all other text, unchanged', () => {
  for (const text of ['Its clock says 2007-04-07 00:00:00 UTC.', 'No time at all, 2026-11-20.', ''])
    expect(inChicago(text)).toBe(text);
});

test('gives the same times in the viewer’s zone as in a named one', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (let ms = NOW_MS; ms > NOW_MS - 400 * 86_400_000; ms -= 7_654_321) {
    expect(formatTime(ms)).toBe(formatTime(ms, timeZone));
    expect(formatMoment(ms, NOW_MS)).toBe(formatMoment(ms, NOW_MS, timeZone));
  }
});
