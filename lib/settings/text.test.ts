import { expect, test } from 'vitest';
import { START_SETTINGS } from './schema';
import { isPreset, startSettingWords } from './text';

test('has a label for every setting, with a value and without', () => {
  const labels = START_SETTINGS.map((name) => startSettingWords(name, 2).label);
  expect(new Set(labels).size).toBe(START_SETTINGS.length);
  for (const name of START_SETTINGS)
    for (const value of [null, 2, 'x', true])
      expect(startSettingWords(name, value).words, name).not.toMatch(/null|undefined|^$/);
});

test('explains what a value means', () => {
  expect(startSettingWords('POLL_INTERVAL_MS', 10_000).words).toBe('10 seconds');
  expect(startSettingWords('FIX_RETENTION_DAYS', 30).words).toBe('30 days');
  expect(startSettingWords('ACTIVE_WINDOW_MIN', null).words).toBe('As the provider says');
  expect(startSettingWords('SMTP_URL', false).words).toBe('Not given');
  expect(startSettingWords('CLIENT_REQUESTS_PER_S', 1).words).toBe('1 request a second');
  expect(startSettingWords('ACCOUNTS', 'required').words).toBe('Everybody needs to');
});

test('recognizes a threshold that is still the preset', () => {
  const preset = { enterMs: 0, leaveMs: 60_000 };
  const setting = { flag: 'badVin', preset, isFixed: false } as const;
  expect(isPreset({ ...setting, threshold: { ...preset } })).toBe(true);
  expect(isPreset({ ...setting, threshold: { ...preset, leaveMs: 60_001 } })).toBe(false);
});
