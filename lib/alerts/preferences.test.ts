import { expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, isWanted } from './preferences';

const NIGHT = {
  timeZone: 'America/Chicago',
  days: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], fromMin: 1320, toMin: 360 }],
};
/** 16:00 and 23:00 in Chicago. */
const [DAY_MS, NIGHT_MS] = [Date.UTC(2026, 10, 24, 22), Date.UTC(2026, 10, 25, 5)];

it('an alert is wanted from a severity on, and in quiet hours only if it is critical', () => {
  const preferences = { ...DEFAULT_PREFERENCES, quietHours: NIGHT };
  const wanted = (atMs: number) =>
    (['info', 'warning', 'critical'] as const).filter((severity) => isWanted(preferences, severity, atMs));
  expect(wanted(DAY_MS)).toEqual(['warning', 'critical']);
  expect(wanted(NIGHT_MS)).toEqual(['critical']);
  expect(isWanted(DEFAULT_PREFERENCES, 'warning', NIGHT_MS)).toBe(true);
});
