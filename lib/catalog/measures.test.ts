import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { betweenText, momentText, rangeText, timeText, withZone } from './measures';
import { toReader } from './reader';

const ZONE = 'America/Chicago';
const readerOf = (language: string) => ({
  ...toReader(language, { language: null, zone: ZONE }),
  zone: ZONE,
});
const US = readerOf('en-US');
/** Clocks are set back from 2 AM to 1 AM, and forward from 2 AM to 3 AM. */
const BACK_MS = Date.UTC(2026, 10, 1, 7);
const FORWARD_MS = Date.UTC(2026, 2, 8, 8);
const plain = (text: string): string => text.replaceAll(/[\u00a0\u2009\u202f]/g, ' ');

describe('an hour that comes twice', () => {
  const [before, after] = [BACK_MS - 30 * MINUTE_MS, BACK_MS + 15 * MINUTE_MS];

  it('says which one a time is of, in each language', () => {
    expect(['en-US', 'es-US', 'fr-CA'].map((each) => plain(timeText(readerOf(each), before)))).toEqual([
      '1:30 AM CDT',
      '1:30 a.m. CDT',
      '1 h 30 HAC',
    ]);
    expect(plain(momentText(US, after, 0))).toBe('Sun, Nov 1, 1:15 AM CST');
  });

  it('is left out of no range, in which a later time may read as an earlier one', () => {
    expect(plain(rangeText(US, before, after, BACK_MS))).toBe('1:30 AM CDT – 1:15 AM CST');
    expect(plain(rangeText(US, before, before + HOUR_MS, 0))).toBe('Sun, Nov 1, 1:30 AM CDT – 1:30 AM CST');
    expect(plain(rangeText(US, before - HOUR_MS, after, BACK_MS))).toBe('12:30 AM – 1:15 AM CST');
    expect(plain(betweenText(US, before, after))).toBe('Sun, Nov 1, between 1:30 AM CDT and 1:15 AM CST');
  });

  it('names a zone once, and no zone beside it', () => {
    const zoned = (ms: number) => plain(withZone(US, timeText(US, ms), ms));
    expect(zoned(after)).toBe('1:15 AM CST');
    expect(zoned(BACK_MS + HOUR_MS)).toBe('2:00 AM CST');
    for (const ms of [BACK_MS - HOUR_MS - MINUTE_MS, BACK_MS + HOUR_MS, FORWARD_MS, FORWARD_MS - MINUTE_MS])
      expect(plain(timeText(US, ms))).toMatch(/^\d+:\d\d AM$/);
  });
});

it('a range over an hour that is left out is written as its clock reads', () => {
  expect(plain(rangeText(US, FORWARD_MS - 30 * MINUTE_MS, FORWARD_MS + 15 * MINUTE_MS, FORWARD_MS))).toBe(
    '1:30 – 3:15 AM',
  );
});
