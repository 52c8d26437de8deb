import { expect, it } from 'vitest';
import { METERS_PER_MILE as MILE } from '@/lib/geo/units';
import { toActivityCsv, toMiles, toMilesCsv, type ReportedDay, type StateMiles } from './reports';
import { HOUR_MS } from '@/lib/base/time';

const dayOf = (key: string, day: string, states: StateMiles[]): ReportedDay => ({
  ...{ key, name: `T-${key}`, day, states, stops: 2 },
  ...{ firstMs: Date.parse(`${day}T12:30:00Z`), lastMs: null },
  ...{ movingMs: 1.5 * HOUR_MS, stoppedMs: 22 * HOUR_MS, silentMs: 0, notRecordedMs: 0.5 * HOUR_MS },
  drivenM: states.reduce((sum, { drivenM }) => sum + drivenM, 0),
  bridgedM: states.reduce((sum, { bridgedM }) => sum + bridgedM, 0),
});

const DAYS = [
  dayOf('A', '2026-11-16', [{ state: 'OH', drivenM: 10 * MILE, bridgedM: 0 }]),
  dayOf('B', '2026-11-16', [{ state: '', drivenM: 3 * MILE, bridgedM: MILE }]),
  dayOf('A', '2026-11-17', [
    { state: 'PA', drivenM: 25 * MILE, bridgedM: 0 },
    { state: 'OH', drivenM: 5 * MILE, bridgedM: 2 * MILE },
  ]),
];

it('adds up the miles of days by unit and state', () => {
  const { states, units } = toMiles(DAYS);
  const text = (each: StateMiles): string => `${each.state} ${each.drivenM / MILE} ${each.bridgedM / MILE}`;
  expect(states.map(text)).toEqual(['PA 25 0', 'OH 15 2', ' 3 1']);
  expect(units.map(({ key, drivenM }) => [key, drivenM / MILE])).toEqual([
    ['A', 40],
    ['B', 3],
  ]);
  expect(units[0]!.states.map(text)).toEqual(['PA 25 0', 'OH 15 2']);
});

it('writes both reports as CSV, with each unit and state in a row', () => {
  expect(toMilesCsv(toMiles(DAYS).units).split('\r\n')).toEqual([
    '\uFEFFtruck,key,state,miles_at_least,gap_miles',
    'T-A,A,PA,25.0,0.0',
    'T-A,A,OH,15.0,2.0',
    'T-B,B,outside,3.0,1.0',
    '',
  ]);
  expect(toActivityCsv(DAYS.slice(0, 1), 'America/New_York').split('\r\n')[1]).toBe(
    'T-A,A,2026-11-16,2026-11-16 07:30:00,,1.50,22.00,0.00,0.50,2,10.0,0.0',
  );
});
