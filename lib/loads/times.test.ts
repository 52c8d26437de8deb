import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMoment, toIso, toIsoTime } from './times';

const ZONES = ['America/Chicago', 'America/Phoenix', 'America/New_York', 'UTC', 'Asia/Kolkata'];
const zoneArb = fc.constantFrom(...ZONES);
/** The moment of a day or a time. */
const toMs = (time: string, zone: string): number | null =>
  parseMoment(time.includes('T') ? time : `${time}T00:00`, zone);
const momentArb = fc
  .integer({ min: Date.parse('2000-01-01'), max: Date.parse('2090-01-01') })
  .map((atMs) => Math.floor(atMs / 1000) * 1000);

it('reads every moment that it writes, in whatever zone it is read', () => {
  fc.assert(
    fc.property(momentArb, zoneArb, zoneArb, (atMs, zone, other) => {
      expect(parseMoment(toIso(atMs, zone), other)).toBe(atMs);
      expect(parseMoment(`${toIso(atMs, zone)}[${zone}]`, other)).toBe(atMs);
    }),
  );
});

it('reads no text but a time, and never throws', () => {
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}[T ]\d{1,2}:\d{1,2}.{0,8}$/),
  );
  fc.assert(
    fc.property(text, zoneArb, (each, zone) => {
      const time = toIsoTime(each);
      for (const atMs of [parseMoment(each, zone), time === null ? null : toMs(time, zone)])
        expect(atMs === null || Number.isFinite(atMs)).toBe(true);
    }),
  );
});

it.each([
  ['2026-03-02T08:00', '2026-03-02T14:00:00Z'],
  ['2026-03-02 8:00', '2026-03-02T14:00:00Z'],
  ['2026-03-02T08:00Z', '2026-03-02T08:00:00Z'],
  ['2026-03-02T08:00:30.5-05:00', '2026-03-02T13:00:30Z'],
  ['2026-03-02T08:00[America/Phoenix]', '2026-03-02T15:00:00Z'],
  ['3/2/2026 8:00 AM', '2026-03-02T14:00:00Z'],
  ['03/02/2026, 12:30 pm', '2026-03-02T18:30:00Z'],
  ['3/2/2026 12:05 AM', '2026-03-02T06:05:00Z'],
  ['3/2/2026 14:00', '2026-03-02T20:00:00Z'],
  ['3/2/26 8:00 AM', '2026-03-02T14:00:00Z'],
  ['2026-03-02 8:00 PM', '2026-03-03T02:00:00Z'],
  // A day begins at midnight.
  ['3/2/2026', '2026-03-02T06:00:00Z'],
  ['2026-03-02', '2026-03-02T06:00:00Z'],
  // The clock goes forward at 2:00.
  ['2026-03-08T02:30', '2026-03-08T08:30:00Z'],
])('reads %s by the clock of Chicago as %s', (text, iso) => {
  expect(toMs(toIsoTime(text)!, 'America/Chicago')).toBe(Date.parse(iso));
});

it.each([
  '',
  '8:00',
  '2/30/2026',
  '2026-02-30T08:00',
  '2026-03-02T25:00',
  '2026-03-02T08:61',
  '13/2/2026 8:00 AM',
  '3/2/2026 13:00 PM',
  '2026-03-02T08:00[Nowhere/City]',
  '2026-03-02T08:00+99:99',
  '=NOW()',
])('refuses “%s”', (text) => expect(toIsoTime(text)).toBeNull());
