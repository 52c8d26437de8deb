import { expect, test } from 'vitest';
import { START_SETTINGS } from './schema';
import { isPreset, startSettingText, exactDurationText, toAmount } from './text';

test('has a label for every setting, with a value and without', () => {
  const labels = START_SETTINGS.map((name) => startSettingText(name, 2).label);
  expect(new Set(labels).size).toBe(START_SETTINGS.length);
  for (const name of START_SETTINGS)
    for (const value of [null, 2, 'x', true])
      expect(startSettingText(name, value).text, name).not.toMatch(/null|undefined|^$/);
});

test('explains what a value means', () => {
  expect(startSettingText('POLL_INTERVAL_MS', 10_000).text).toBe('10 seconds');
  expect(startSettingText('FIX_RETENTION_DAYS', 30).text).toBe('30 days');
  expect(startSettingText('ACTIVE_WINDOW_MIN', null).text).toBe('Set by the provider');
  expect(startSettingText('SMTP_URL', false).text).toBe('Not given');
  expect(startSettingText('CLIENT_REQUESTS_PER_S', 1).text).toBe('1 request a second');
  expect(startSettingText('ACCOUNTS', 'required').text).toBe('Required');
});

test('recognizes a threshold that is still the preset', () => {
  const preset = { enterMs: 0, leaveMs: 60_000 };
  const setting = { flag: 'badVin', preset, isFixed: false } as const;
  expect(isPreset({ ...setting, threshold: { ...preset } })).toBe(true);
  expect(isPreset({ ...setting, threshold: { ...preset, leaveMs: 60_001 } })).toBe(false);
});

test.each([
  [0, 'at once'],
  [250, '0.25 seconds'],
  [1000, '1 second'],
  [90_000, '90 seconds'],
  [60_000, '1 minute'],
  [360_000, '6 minutes'],
  [3_600_000, '1 hour'],
  [86_400_000, '1 day'],
  [2 * 86_400_000, '2 days'],
  [25 * 3_600_000, '25 hours'],
])('%d ms is %s', (ms, words) => {
  expect(exactDurationText(ms)).toBe(words);
  const { amount, unit } = toAmount(ms);
  expect(amount * unit.ms).toBe(ms);
});
