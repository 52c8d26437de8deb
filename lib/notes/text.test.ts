import { expect, it } from 'vitest';
import { noteAboutText } from './text';

/** By the clock of this process, as the text is. */
const at = (month: number, day: number, hour = 0, minute = 0): number =>
  new Date(2026, month - 1, day, hour, minute).getTime();
const NOW_MS = at(11, 24, 12);
const note = { id: 1, unit: 'A', text: 'Brakes', author: 'Ann Lee', createdMs: at(11, 24, 10, 12) };

it.each([
  [null, 'Ann Lee · 10:12 AM'],
  [at(11, 28), 'Ann Lee · 10:12 AM · until Fri, Nov 27'],
])('names the author, the time and the last day: %s', (expiresMs, text) => {
  expect(noteAboutText({ ...note, expiresMs }, NOW_MS, 0)).toBe(text);
});

it('names the time at which a note ends within a day, and that of an earlier one with its day', () => {
  const text = noteAboutText({ ...note, createdMs: at(11, 20, 8), expiresMs: at(11, 27, 13, 36) }, NOW_MS, 0);
  expect(text).toMatch(/^Ann Lee · Nov 20, 8:00 AM · until Fri, Nov 27, 1:36 PM \S+$/);
});

it('is by the clock of the viewer', () => {
  expect(noteAboutText({ ...note, expiresMs: null }, NOW_MS + 60_000, 60_000)).toBe('Ann Lee · 10:11 AM');
});
