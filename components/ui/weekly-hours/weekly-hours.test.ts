import { expect, it } from 'vitest';
import { toMinute, toTime, toZoneOptions } from './weekly-hours';

it('times of day are those of the field, and a midnight at the end of a day is 00:00', () => {
  expect([0, 485, 1439, 1440].map(toTime)).toEqual(['00:00', '08:05', '23:59', '00:00']);
  expect(['00:00', '08:05', '23:59:00', ''].map(toMinute)).toEqual([0, 485, 1439, null]);
});

it('a time zone that the browser does not list can stay chosen', () => {
  const valuesOf = (chosen: string) =>
    toZoneOptions(chosen).flatMap(({ items }) => items.map(({ value }) => value));
  expect(valuesOf('US/Central')).toContain('US/Central');
  expect(valuesOf('America/Chicago').filter((zone) => zone === 'America/Chicago')).toHaveLength(1);
});
