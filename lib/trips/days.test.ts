import { expect, test, it } from 'vitest';
import {
  addDays,
  dayOf,
  dayRange,
  daysWithin,
  fromClockAddress,
  hoursWithin,
  isDay,
  toClockAddress,
  toMoment,
  presetOf,
  presetSpan,
} from './days';
import { HOUR_MS } from '@/lib/base/time';

const ZONE = 'America/New_York';

test.each([
  ['2026-11-17', 24],
  ['2026-03-08', 23],
  ['2026-11-01', 25],
])('%s has %i hours', (day, hours) => {
  const { fromMs, toMs } = dayRange(day, ZONE);
  expect((toMs - fromMs) / HOUR_MS).toBe(hours);
  expect([dayOf(fromMs, ZONE), dayOf(toMs - 1, ZONE), dayOf(toMs, ZONE)]).toEqual([
    day,
    day,
    addDays(day, 1),
  ]);
});

test('finds the moment of a time of day, also where a clock shows it twice or never', () => {
  expect(toMoment('2026-11-17', '13:36:12', ZONE)).toBe(Date.parse('2026-11-17T18:36:12Z'));
  expect(toMoment('2026-11-01', '01:30:00', ZONE)).toBe(Date.parse('2026-11-01T05:30:00Z'));
  expect(toMoment('2026-03-08', '02:30:00', ZONE)).toBe(Date.parse('2026-03-08T07:30:00Z'));
});

test('an address names each moment, also in the hour that comes twice', () => {
  expect(toClockAddress(Date.parse('2026-11-01T05:30:00Z'), ZONE)).toEqual(['2026-11-01', '01:30:00']);
  expect(toClockAddress(Date.parse('2026-11-01T06:30:00Z'), ZONE)).toEqual(['2026-11-01', '01:30:00-05:00']);
  expect(fromClockAddress('2026-11-01', '01:30:00 05:30', ZONE)).toBe(Date.parse('2026-10-31T20:00:00Z'));
  for (const zone of [ZONE, 'Europe/London', 'Australia/Lord_Howe', 'America/Phoenix'])
    for (const day of ['2026-03-08', '2026-04-05', '2026-10-25', '2026-11-01'])
      for (let atMs = Date.parse(day) - 12 * HOUR_MS; atMs < Date.parse(day) + 36 * HOUR_MS; atMs += 700_000)
        expect(fromClockAddress(...toClockAddress(atMs, zone), zone)).toBe(Math.floor(atMs / 1000) * 1000);
});

test('lists the days and the hours of a range', () => {
  const { fromMs, toMs } = dayRange('2026-11-01', ZONE);
  expect(daysWithin(fromMs, toMs, ZONE)).toEqual(['2026-11-01']);
  expect(daysWithin(fromMs - 1, toMs + 1, ZONE)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
  // Noon is the thirteenth hour of a day that has 25.
  expect(hoursWithin(fromMs, toMs, ZONE, 12).map((atMs) => (atMs - fromMs) / HOUR_MS)).toEqual([0, 13]);
});

test('knows which texts are days', () => {
  expect(['2026-02-28', '2026-02-29', '2026-13-01', '26-01-01', ''].map(isDay)).toEqual([
    true,
    ...[false, false, false, false],
  ]);
});

it('names the days of a month and a quarter up to today, and of those before whole', () => {
  const span = (preset: Parameters<typeof presetSpan>[0], today = '2026-11-23'): string => {
    const { from, to } = presetSpan(preset, today);
    return `${from} ${to}`;
  };
  expect(span('today')).toBe('2026-11-23 2026-11-23');
  expect(span('yesterday', '2026-03-01')).toBe('2026-02-28 2026-02-28');
  expect(span('week')).toBe('2026-11-17 2026-11-23');
  expect(span('days30')).toBe('2026-10-25 2026-11-23');
  expect(span('month')).toBe('2026-11-01 2026-11-23');
  expect(span('lastMonth', '2026-03-31')).toBe('2026-02-01 2026-02-28');
  expect(span('quarter')).toBe('2026-10-01 2026-11-23');
  expect(span('lastQuarter', '2026-01-02')).toBe('2025-10-01 2025-12-31');
});

it('finds the preset of chosen days', () => {
  expect(presetOf({ from: '2026-07-01', to: '2026-09-30' }, '2026-11-23')).toBe('lastQuarter');
  expect(presetOf({ from: '2026-07-01', to: '2026-09-29' }, '2026-11-23')).toBeNull();
});
