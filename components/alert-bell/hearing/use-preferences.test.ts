import { expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '@/lib/alerts/preferences';
import { parsePreferences } from './use-preferences';

const DAYS = [{ weekdays: [1, 7], fromMin: 0, toMin: 1439 }];
const STORED: AlertPreferences = {
  ...{ email: 'digest', push: true, sound: true, desktop: true, minSeverity: 'info' },
  quietHours: { timeZone: 'America/Chicago', days: DAYS },
};

it('stored preferences come back', () => {
  expect(parsePreferences(JSON.stringify(STORED))).toEqual(STORED);
  expect(parsePreferences(null)).toEqual(DEFAULT_PREFERENCES);
});

it('stored preferences that are cut short, damaged or of another build become the default ones', () => {
  const text = JSON.stringify(STORED);
  const cut = [...text].map((_, end) => text.slice(0, end));
  const damaged = [
    { sound: 'loud' },
    { minSeverity: 'loud' },
    { email: 'weekly' },
    { quietHours: {} },
    { quietHours: { timeZone: 'America/Chicago' } },
    { quietHours: { timeZone: 'America/Chicago', days: [{ weekdays: null }] } },
    { quietHours: { timeZone: 'Nowhere/At_All', days: DAYS } },
  ].map((change) => JSON.stringify({ ...STORED, ...change }));
  for (const each of [...cut, ...damaged, '[]', '7', 'null'])
    expect(parsePreferences(each), each).toEqual(DEFAULT_PREFERENCES);
});
