import { expect, it } from 'vitest';
import { formatMoment } from '@/lib/view/format';
import { UNNAMED } from '@/lib/wire/fleet';
import { LONGEST_MS, foundText, gapsOf, toTrailRange, toVisitText, toVisitsCsv } from './text';
import type { Visit } from './visits';
import { MINUTE_MS } from '@/lib/base/time';

const FROM_MS = Date.parse('2026-11-17T12:00:00Z');
const at = (minutes: number): number => FROM_MS + minutes * MINUTE_MS;
const RANGE = { fromMs: FROM_MS, toMs: at(120), nowMs: at(600) };
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
const PASSED: Visit = {
  ...{ certainty: 'fixes', fixes: 4, afterMs: at(9), firstMs: at(10), lastMs: at(40), beforeMs: at(45) },
  awayMs: 0,
};

const toText = (change: Partial<Visit>, range = RANGE) => {
  const { when, duration, certainty } = toVisitText({ ...PASSED, ...change }, range, timeOf);
  return [when, duration, certainty];
};

it('a visit has its arrival, departure and duration between the fixes about them', () => {
  expect(toText({})).toEqual(['Arrived 12:09–12:10, left 12:40–12:45', '30 min to 36 min', '4 fixes inside']);
  // Five minutes of it outside.
  expect(toText({ awayMs: 5 * MINUTE_MS })[1]).toBe('25 min to 36 min');
  expect(toText({ afterMs: null, beforeMs: null })).toEqual([
    'Inside since 12:10 or before, inside until 12:40 or later',
    'at least 30 min',
    '4 fixes inside',
  ]);
  expect(toText({ firstMs: at(-3), afterMs: at(-4) })[0]).toBe('Inside at the start, left 12:40–12:45');
  expect(toText({ lastMs: at(121), beforeMs: at(122) }).slice(0, 2)).toEqual([
    'Arrived 12:09–12:10, inside at the end',
    '1 h 50 m to 1 h 51 m',
  ]);
  expect(
    toText({ ...{ afterMs: at(-4), firstMs: at(-3), lastMs: at(125), beforeMs: at(126) }, fixes: 0 }),
  ).toEqual(['Inside all the time', '2 h 00 m', 'Fixes inside before and after']);
});

it('a unit that reported just now is still inside', () => {
  expect(toText({ beforeMs: null }, { ...RANGE, nowMs: at(50) })[0]).toBe(
    'Arrived 12:09–12:10, inside at the end',
  );
});

it('what is less sure says so', () => {
  expect(toText({ certainty: 'late', fixes: 1 })[2]).toBe('1 fix inside, all sent late');
  const line: Partial<Visit> = { certainty: 'line', afterMs: at(9), firstMs: null, lastMs: null, fixes: 0 };
  expect(toText({ ...line, beforeMs: at(12) })).toEqual([
    'Passed 12:09–12:12',
    'at most 3 min',
    'No fix inside: only a straight line between two fixes crosses it',
  ]);
});

it('the trail of a visit begins 20 min before it and ends 20 min after it, but no further outside the range', () => {
  const toRange = (change: Partial<Visit>, range = RANGE) => toTrailRange({ ...PASSED, ...change }, range);
  expect(toRange({})).toEqual({ fromMs: at(-11), toMs: at(65) });
  expect(toRange({ firstMs: at(-60), afterMs: at(-90) })).toEqual({ fromMs: at(-20), toMs: at(65) });
  expect(toRange({ lastMs: at(200), beforeMs: null })).toEqual({ fromMs: at(-11), toMs: at(140) });
  const longest = { ...RANGE, toMs: FROM_MS + LONGEST_MS };
  expect(toRange({ beforeMs: longest.toMs + MINUTE_MS }, longest)).toEqual({
    fromMs: at(-11),
    toMs: at(-11) + LONGEST_MS,
  });
});

it('times that were not recorded have their reasons, as that before the first recording', () => {
  const coverage = [
    { fromMs: at(5), toMs: at(60), state: 'answered' as const, problem: null },
    { fromMs: at(60), toMs: at(70), state: 'notRunning' as const, problem: null },
  ];
  expect(gapsOf(coverage, RANGE, timeOf).map(({ text }) => text)).toEqual([
    '12:00 to 12:05: The recording had not begun',
    '13:00 to 13:10: Linehaul was not running',
  ]);
  expect(gapsOf([], RANGE, timeOf).map(({ text }) => text)).toEqual([
    'All the time: The recording had not begun',
  ]);
});

it('each day of several is named once', () => {
  const [NIGHT, range] = [at(11 * 60 + 55), { ...RANGE, toMs: at(24 * 60), nowMs: at(48 * 60) }];
  const inUtc = (ms: number, besideMs: number | null = 0): string => formatMoment(ms, besideMs ?? 0, 'UTC');
  const toWhen = (visit: Partial<Visit>): string => toVisitText({ ...PASSED, ...visit }, range, inUtc).when;
  expect(toWhen({})).toBe('Arrived Nov 17, 12:09 PM–12:10 PM, left 12:40 PM–12:45 PM');
  expect(toWhen({ firstMs: NIGHT, afterMs: at(700), lastMs: at(730), beforeMs: at(740) })).toBe(
    'Arrived Nov 17, 11:40 PM–11:55 PM, left Nov 18, 12:10 AM–12:20 AM',
  );
  expect(toWhen({ firstMs: at(-3), beforeMs: null })).toBe(
    'Inside at the start, inside until Nov 17, 12:40 PM or later',
  );
  const coverage = [{ fromMs: at(-9), toMs: at(60), state: 'answered' as const, problem: null }];
  const gap = { fromMs: at(60), toMs: at(70), state: 'notRunning' as const, problem: null };
  expect(gapsOf([...coverage, gap], range, inUtc)[0]!.text).toBe(
    'Nov 17, 1:00 PM to 1:10 PM: Linehaul was not running',
  );
});

it('counts what was seen; that no unit was is said only where something was recorded', () => {
  const answer = { nowMs: at(600), units: [], visits: [], coverage: [] };
  expect(foundText(answer)).toBe('Nothing was recorded at this time.');
  const coverage = [{ fromMs: at(5), toMs: at(60), state: 'answered' as const, problem: null }];
  expect(foundText({ ...answer, coverage })).toBe('No truck was seen here.');
  const units = [{ ...UNNAMED, key: 'k', truckNumber: '1', vin: null }];
  const line = { ...PASSED, unit: 0, certainty: 'line' as const };
  const found = { ...answer, units, visits: [{ ...PASSED, unit: 0 }, line] };
  expect(foundText(found)).toBe('1 truck, 2 visits, 1 of them without a fix inside');
});

it('the file has a line for each visit, in UTC', () => {
  const units = [{ ...UNNAMED, key: 'k', truckNumber: '=1', vin: '1M8GDM9AXKP042788' }];
  const [, line] = toVisitsCsv({ units, visits: [{ ...PASSED, unit: 0, beforeMs: null }] }).split('\r\n');
  expect(line).toBe(
    "'=1,1M8GDM9AXKP042788,2026-11-17T12:09:00.000Z,2026-11-17T12:10:00.000Z,2026-11-17T12:40:00.000Z,,4,fixes inside",
  );
});
