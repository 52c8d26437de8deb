import { expect, it } from 'vitest';
import { DEFAULT_PREFERENCES } from '@/lib/alerts/preferences';
import { parsePreferences } from './use-preferences';

it('stored preferences come back, and those of another build become the default ones', () => {
  const stored = { ...DEFAULT_PREFERENCES, sound: true };
  expect(parsePreferences(JSON.stringify(stored))).toEqual(stored);
  expect(parsePreferences('{"sound":"loud"}')).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences(null)).toEqual(DEFAULT_PREFERENCES);
});
