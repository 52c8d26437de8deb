import { expect, it } from 'vitest';
import { DWELL_LABELS, arrivalText, departureText, scanText } from './text';

const ZONE = 'America/Chicago';
const at = (text: string): number => Date.parse(`2026-11-${text}-06:00`);
const NOW_MS = at('24T12:00');
const textsOf = (arrivedAfterMs: number | null, arrivedMs: number) =>
  arrivalText({ arrivedAfterMs, arrivedMs }, NOW_MS, ZONE);

it('says between which fixes a unit came, if they are more than five minutes apart', () => {
  expect(textsOf(at('24T10:35'), at('24T10:40'))).toBe('10:40 AM');
  expect(textsOf(at('24T10:12'), at('24T10:40'))).toBe('between 10:12 AM and 10:40 AM');
  expect(textsOf(at('23T22:12'), at('23T22:40'))).toBe('between Nov 23, 10:12 PM and 10:40 PM');
  expect(textsOf(at('23T23:12'), at('24T00:40'))).toBe('between Nov 23, 11:12 PM and Nov 24, 12:40 AM');
  expect(textsOf(null, at('24T10:40'))).toBe('by 10:40 AM');
});

it('says when it left', () => {
  const left = (leftMs: number | null, leftByMs: number | null) =>
    departureText({ leftMs, leftByMs }, NOW_MS, ZONE);
  expect(left(null, null)).toBeNull();
  expect(left(at('24T10:40'), at('24T10:41'))).toBe('10:40 AM');
  expect(left(at('24T10:40'), at('24T11:41'))).toBe('between 10:40 AM and 11:41 AM');
  expect(left(at('24T10:40'), null)).toBe('after 10:40 AM');
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

it('says since when a site is watched while earlier visits are looked up', () => {
  const scan = { watchedFromMs: at('24T10:40'), share: 0.408 };
  expect(scanText(scan, NOW_MS, ZONE)).toBe(
    'Watched since 10:40 AM. Earlier visits are being looked up in the recording: 40%.',
  );
  expect(scanText({ ...scan, share: 1 }, NOW_MS, ZONE)).toBeNull();
  expect(scanText(null, NOW_MS, ZONE)).toBeNull();
});
