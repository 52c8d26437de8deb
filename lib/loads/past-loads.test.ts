import { expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { pastStateText, toPastMarks, type PastLoad } from './past-loads';

/** 9:00 AM in Chicago. */
const AT_MS = Date.UTC(2026, 10, 29, 15);
const timeZone = 'America/Chicago';
const at = (min: number): number => AT_MS + min * MINUTE_MS;
const LOAD: PastLoad = {
  ...{ id: 1, reference: '8841', po: '', bol: '77', customer: 'Peachtree', endedMs: at(50) },
  stops: [
    { kind: 'pickup', name: 'Yard', timeZone },
    { kind: 'other', name: 'Fuel', timeZone },
    { kind: 'delivery', name: 'Plant', timeZone },
  ],
  trucks: [
    { unit: 'A', fromMs: at(0), toMs: at(20) },
    { unit: 'B', fromMs: at(25), toMs: null },
  ],
  events: [
    { kind: 'arrived', position: 0, atMs: at(5) },
    { kind: 'left', position: 0, atMs: at(10) },
    // Nothing is known of the stop between them.
    { kind: 'arrived', position: 2, atMs: at(40) },
    { kind: 'left', position: 2, atMs: at(50) },
  ],
};

it.each([
  [-1, null, ''],
  [0, 'A', 'On the way to pickup'],
  [5, 'A', 'At pickup, reached Yard at 9:05 AM'],
  [19, 'A', 'On the way, left Yard at 9:10 AM'],
  [20, null, ''],
  [25, 'B', 'On the way, left Yard at 9:10 AM'],
  [49, 'B', 'At delivery, reached Plant at 9:40 AM'],
  [50, null, ''],
])('at minute %i it was with %s: %s', (min, unit, text) => {
  const marks = toPastMarks([LOAD], at(min));
  expect(marks.map((mark) => mark.unit)).toEqual(unit === null ? [] : [unit]);
  if (unit === null) return;
  expect(marks[0]).toMatchObject({ references: ['8841', '77'], verdict: null });
  expect(pastStateText(LOAD, at(min)).replaceAll('\u202f', ' ').replaceAll(' CST', '')).toBe(text);
  expect(text.toLowerCase()).toContain(marks[0]!.label);
});
