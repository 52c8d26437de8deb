import { expect, it } from 'vitest';
import { DWELL_LABELS, arrivalText, departureText } from './text';

const ZONE = 'America/Chicago';
const at = (text: string): number => Date.parse(`2026-11-${text}-06:00`);
const NOW_MS = at('24T12:00');
const textsOf = (arrivedAfterMs: number | null, arrivedMs: number) =>
  arrivalText({ arrivedAfterMs, arrivedMs }, NOW_MS, ZONE);

it('says between which fixes a unit came, if they are more than five minutes apart', () => {
  expect(textsOf(at('24T10:35'), at('24T10:40'))).toBe('10:40');
  expect(textsOf(at('24T10:12'), at('24T10:40'))).toBe('between 10:12 and 10:40');
  expect(textsOf(at('23T22:12'), at('23T22:40'))).toBe('between Nov 23, 22:12 and 22:40');
  expect(textsOf(at('23T23:12'), at('24T00:40'))).toBe('between Nov 23, 23:12 and Nov 24, 00:40');
  expect(textsOf(null, at('24T10:40'))).toBe('by 10:40');
});

it('says when it left', () => {
  const left = (leftMs: number | null, leftByMs: number | null) =>
    departureText({ leftMs, leftByMs }, NOW_MS, ZONE);
  expect(left(null, null)).toBeNull();
  expect(left(at('24T10:40'), at('24T10:41'))).toBe('10:40');
  expect(left(at('24T10:40'), at('24T11:41'))).toBe('between 10:40 and 11:41');
  expect(left(at('24T10:40'), null)).toBe('after 10:40');
});

it('names each bar of the histogram', () => {
  expect(DWELL_LABELS).toEqual([
    'under 15 min',
    '15–30 min',
    '30–60 min',
    '1–2 h',
    '2–4 h',
    '4–8 h',
    '8–24 h',
    '1 day or more',
  ]);
});
