import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import { toWallClock } from '@/lib/trips/days';
import { parseAppointment, typeAppointment } from './typed-appointment';

const ZONE = 'America/Chicago';
/** A Sunday, 9:40 AM CST. */
const NOW_MS = Date.UTC(2026, 10, 29, 15, 40);

const read = (typed: string, afterMs?: number): string | null | undefined => {
  const found = parseAppointment(typed, ZONE, NOW_MS, afterMs);
  if (found == null) return found;
  return [found.fromMs, found.toMs].map((ms) => toWallClock(ms, ZONE).slice(5, 16)).join(' to ');
};

describe('parseAppointment', () => {
  it.each([
    ['8a', '11-30 08:00 to 11-30 08:00'],
    ['10a', '11-29 10:00 to 11-29 10:00'],
    ['14:30', '11-29 14:30 to 11-29 14:30'],
    ['1430', '11-29 14:30 to 11-29 14:30'],
    ['0800', '11-30 08:00 to 11-30 08:00'],
    ['2', '11-29 14:00 to 11-29 14:00'],
    ['noon', '11-29 12:00 to 11-29 12:00'],
    ['tomorrow 8-10', '11-30 08:00 to 11-30 10:00'],
    ['Tomorrow, 8 to 10 am', '11-30 08:00 to 11-30 10:00'],
    ['10-2p', '11-29 10:00 to 11-29 14:00'],
    ['10-2', '11-29 10:00 to 11-29 14:00'],
    ['8a-5', '11-29 08:00 to 11-29 17:00'],
    ['1-3p', '11-29 13:00 to 11-29 15:00'],
    ['10p-2a', '11-29 22:00 to 11-30 02:00'],
    ['today 6:15 pm', '11-29 18:15 to 11-29 18:15'],
    ['today 8a', '11-29 08:00 to 11-29 08:00'],
    ['wed 7a–9a', '12-02 07:00 to 12-02 09:00'],
    ['12/1 8a-2p', '12-01 08:00 to 12-01 14:00'],
    ['1/5 noon', '01-05 12:00 to 01-05 12:00'],
    ['Dec 3 13:00-15:00', '12-03 13:00 to 12-03 15:00'],
    ['2026-12-01 08:00 - 2026-12-02 10:00', '12-01 08:00 to 12-02 10:00'],
    ['mon 8a - tue 10a', '11-30 08:00 to 12-01 10:00'],
    ['tomorrow', '11-30 00:00 to 11-30 23:59'],
    ['mon-tue', '11-30 00:00 to 12-01 23:59'],
    ['mon 9a - 8', '11-30 09:00 to 11-30 20:00'],
    ['by 3p', '11-29 00:00 to 11-29 15:00'],
    ['by fri 15:00', '12-04 00:00 to 12-04 15:00'],
  ])('reads %s', (typed, expected) => {
    expect(read(typed)).toBe(expected);
  });

  it.each(['soon', '8x', '25:00', '8:75', '13pm', '2026-13-01 8a', '2/30 8a', '8a and 9a', '8a-', '-8a'])(
    'refuses %s',
    (typed) => {
      expect(read(typed)).toBeUndefined();
    },
  );

  it('has none for an empty text', () => {
    expect(read('  ')).toBeNull();
  });

  it('goes on from the stop before where no day is named', () => {
    expect(read('8a', NOW_MS + 2 * DAY_MS)).toBe('12-02 08:00 to 12-02 08:00');
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2026, 0, 2) / MINUTE_MS, max: Date.UTC(2027, 11, 30) / MINUTE_MS }),
        fc.integer({ min: 0, max: 5000 }),
        fc.constantFrom('America/New_York', 'America/Phoenix', ZONE),
        (fromMin, lengthMin, zone) => {
          const given = { fromMs: fromMin * MINUTE_MS, toMs: (fromMin + lengthMin) * MINUTE_MS };
          const typed = typeAppointment(given, zone);
          const found = parseAppointment(typed, zone, NOW_MS)!;
          // The hour that a clock shows twice has two moments.
          expect(typeAppointment(found, zone)).toBe(typed);
        },
      ),
    );
  });

  it('never fails on what people type', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (typed) => {
        const found = parseAppointment(typed, ZONE, NOW_MS);
        if (found) expect(found.fromMs).toBeLessThanOrEqual(found.toMs);
      }),
    );
  });
});
