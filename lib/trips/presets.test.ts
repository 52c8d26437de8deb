import { expect, it } from 'vitest';
import { presetOf, presetSpan } from './presets';

it('names the days of a month and a quarter up to today, and of those before whole', () => {
  const span = (preset: Parameters<typeof presetSpan>[0], today = '2026-11-23'): string => {
    const { from, to } = presetSpan(preset, today);
    return `${from} ${to}`;
  };
  expect(span('today')).toBe('2026-11-23 2026-11-23');
  expect(span('yesterday', '2026-03-01')).toBe('2026-02-28 2026-02-28');
  expect(span('week')).toBe('2026-11-17 2026-11-23');
  expect(span('month')).toBe('2026-11-01 2026-11-23');
  expect(span('lastMonth', '2026-03-31')).toBe('2026-02-01 2026-02-28');
  expect(span('quarter')).toBe('2026-10-01 2026-11-23');
  expect(span('lastQuarter', '2026-01-02')).toBe('2025-10-01 2025-12-31');
});

it('finds the preset of chosen days', () => {
  expect(presetOf({ from: '2026-07-01', to: '2026-09-30' }, '2026-11-23')).toBe('lastQuarter');
  expect(presetOf({ from: '2026-07-01', to: '2026-09-29' }, '2026-11-23')).toBeNull();
});
