import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeTime } from './time';
import { NOW_MS } from '@/testing/tracking/records';

const FIX_MS = NOW_MS - 30_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Bounded in time too: a regular expression with excessive backtracking fails. */
const RUNS = { numRuns: 2000, interruptAfterTimeLimit: 3000, markInterruptAsFailure: true };

const read = (timestamp: unknown, unixTimestamp: unknown) => {
  const repaired: string[] = [];
  const { fixAtMs, fault } = normalizeTime({ timestamp, unixTimestamp }, NOW_MS, (field) =>
    repaired.push(field),
  );
  return { fixAtMs, fault, repaired };
};

/** The instant of a record that has only a text; one without a zone counts as repaired. */
const parseTimestamp = (timestamp: string) => {
  const repairs: string[] = [];
  const { fixAtMs, otherAtMs } = normalizeTime({ timestamp }, NOW_MS, (field) => repairs.push(field));
  const atMs = fixAtMs ?? otherAtMs;
  return atMs === null ? null : { atMs, hasZone: repairs.length === 0 };
};

describe('the time in a text', () => {
  it('reads the zones in which ISO 8601 is written', () => {
    const atMs = Date.UTC(2026, 2, 1, 17, 5, 9);
    for (const text of [
      '2026-03-01T17:05:09Z',
      '2026-03-01T11:05:09-06:00',
      '2026-03-01 11:05:09-0600',
      '2026-03-01T18:05:09+01',
    ]) {
      expect(parseTimestamp(text), text).toEqual({ atMs, hasZone: true });
    }
  });

  it('reads fractions of any length and times without seconds', () => {
    expect(parseTimestamp('2026-03-01T17:05:09.1239999Z')?.atMs).toBe(Date.UTC(2026, 2, 1, 17, 5, 9, 123));
    expect(parseTimestamp('2026-03-01T17:05Z')?.atMs).toBe(Date.UTC(2026, 2, 1, 17, 5));
  });

  it('reports that a time has no zone', () => {
    expect(parseTimestamp('2026-03-01T17:05:09')).toEqual({
      atMs: Date.UTC(2026, 2, 1, 17, 5, 9),
      hasZone: false,
    });
  });

  it('refuses days that do not exist and texts that are no time', () => {
    for (const text of [
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-03-01',
      'yesterday',
      '',
      '1772366400',
    ]) {
      expect(parseTimestamp(text), text).toBeNull();
    }
  });

  it('reads a year below 100 as that year, not as one of the last century', () => {
    for (const text of ['0001-01-01T00:00:00Z', '0070-02-28T12:00:00Z', '0000-02-29T23:59:59Z']) {
      expect(parseTimestamp(text)?.atMs, text).toBe(Date.parse(text));
    }
    expect(parseTimestamp('0099-02-29T00:00:00Z')).toBeNull();
  });

  it('round-trips every instant of years 0 to 9999 to the millisecond', () => {
    const instant = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: 253_402_300_799_999 });
    fc.assert(
      fc.property(instant, (atMs) => {
        expect(parseTimestamp(new Date(atMs).toISOString())).toEqual({ atMs, hasZone: true });
      }),
      RUNS,
    );
  });

  it('gives an instant within the range of a Date, or null, for any text', () => {
    const digits = fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?([+-]\d\d:\d\d|Z)?$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        const parsed = parseTimestamp(text);
        if (parsed !== null) expect(new Date(parsed.atMs).getTime()).toBe(parsed.atMs);
      }),
      RUNS,
    );
  });
});

describe('normalizeTime', () => {
  it('distinguishes seconds from milliseconds by their size', () => {
    expect(read(null, FIX_MS / 1000)).toEqual({ fixAtMs: FIX_MS, fault: null, repaired: [] });
    expect(read(null, FIX_MS)).toEqual({ fixAtMs: FIX_MS, fault: null, repaired: [] });
  });

  it('uses the Unix time where the timestamp has no zone', () => {
    expect(read('2026-03-01T05:59:30', FIX_MS / 1000)).toEqual({
      fixAtMs: FIX_MS,
      fault: null,
      repaired: [],
    });
  });

  it('orders two fixes of one second by the text, where that has fractions', () => {
    const [first, second] = ['11:59:30.100Z', '11:59:30.950Z'].map(
      (time) => read(`2026-03-01T${time}`, FIX_MS / 1000).fixAtMs,
    );
    expect([first, second]).toEqual([FIX_MS + 100, FIX_MS + 950]);
    expect(read('2026-03-01T11:59:32.500Z', FIX_MS / 1000).fixAtMs).toBe(FIX_MS);
    expect(read('2026-03-01T11:59:30.100Z', FIX_MS + 7).fixAtMs).toBe(FIX_MS + 7);
  });

  it('reads a timestamp without a zone as UTC where it is the only time, and notes it', () => {
    expect(read('2026-03-01T11:59:30', null)).toEqual({
      fixAtMs: FIX_MS,
      fault: null,
      repaired: ['timestamp'],
    });
  });

  it('gives the time that did not decide too, so that it distinguishes two records', () => {
    const otherOf = (timestamp: unknown, unixTimestamp: unknown) =>
      normalizeTime({ timestamp, unixTimestamp }, NOW_MS, () => undefined).otherAtMs;
    expect(otherOf('2026-03-01T05:59:30', FIX_MS / 1000)).toBe(FIX_MS - 6 * 3_600_000);
    expect(otherOf('2026-03-01T11:59:30Z', NOW_MS + 86_400_000)).toBe(NOW_MS + 86_400_000);
    expect(otherOf(null, FIX_MS)).toBeNull();
    expect(otherOf('2026-03-01T11:59:30Z', null)).toBeNull();
    expect(otherOf(null, 42)).toBe(42_000);
  });

  it('notes a Unix time in a text', () => {
    expect(read(null, String(FIX_MS / 1000))).toEqual({
      fixAtMs: FIX_MS,
      fault: null,
      repaired: ['unixTimestamp'],
    });
  });

  it('takes two times within two minutes of each other for one', () => {
    expect(read('2026-03-01T11:57:31Z', FIX_MS / 1000).fault).toBeNull();
  });

  it('describes both times where they are further apart', () => {
    expect(read('2026-03-01T05:59:30Z', FIX_MS / 1000)).toMatchObject({
      fixAtMs: FIX_MS,
      fault:
        'Its written time is 6 h behind its Unix time: a time zone was left out. It says 2026-03-01 05:59:30 UTC and, as Unix time, 2026-03-01 11:59:30 UTC.',
    });
    expect(read('2026-03-01T12:59:00Z', FIX_MS / 1000).fault).toContain('is 1 h ahead of its Unix time');
    expect(read('2026-03-01T11:19:30Z', FIX_MS / 1000).fault).toBe(
      'Its two times are 40 min apart: 2026-03-01 11:19:30 UTC and, as Unix time, 2026-03-01 11:59:30 UTC.',
    );
  });

  it('reports which time was multiplied or divided by a thousand, and uses the other', () => {
    const small = read('2026-03-01T11:59:30Z', Math.floor(FIX_MS / 1_000_000));
    expect(small).toMatchObject({
      fixAtMs: FIX_MS,
      fault: 'Its Unix time is a thousand times too small: seconds were taken for milliseconds.',
    });
    const large = read('2026-03-01T11:59:30Z', FIX_MS * 1000);
    expect(large).toMatchObject({
      fixAtMs: FIX_MS,
      fault: 'Its Unix time is a thousand times too large: milliseconds were taken for seconds.',
    });
    expect(read(null, FIX_MS / 1_000_000)).toMatchObject({ fixAtMs: null, fault: small.fault });
    expect(read(null, FIX_MS * 1000).fault).toBe(large.fault);
  });

  it('reports a missing time zone for a clock that is whole hours ahead, whatever the age of the fix', () => {
    expect(read(null, FIX_MS + 5 * 3_600_000).fault).toBe(
      'Its clock is 5 h ahead, as with a time zone left out: the fix is dated 2026-03-01 16:59:30 UTC.',
    );
    expect(read(null, FIX_MS + 5.5 * 3_600_000).fault).toContain('is 5 h 30 min ahead: ');
  });

  it('falls back on the timestamp where the Unix time is implausible', () => {
    const time = read('2026-03-01T11:59:30Z', NOW_MS / 1000 + 86_400);
    expect(time.fixAtMs).toBe(FIX_MS);
    expect(time.fault).toContain('apart');
  });

  it('flags a fix that lies more than two minutes in the future, and no sooner', () => {
    expect(read(null, NOW_MS + 120_000).fault).toBeNull();
    expect(read(null, NOW_MS + 300_000)).toMatchObject({
      fixAtMs: NOW_MS + 300_000,
      fault: 'Its clock is 5 min ahead: the fix is dated 2026-03-01 12:05:00 UTC.',
    });
  });

  it('recognizes a GPS week rollover, 1024 weeks back', () => {
    const time = read(null, FIX_MS - 1024 * WEEK_MS);
    expect(time.fixAtMs).toBe(FIX_MS - 1024 * WEEK_MS);
    expect(time.fault).toBe(
      'Its clock is 1024 weeks behind, as after a GPS week rollover: the fix is dated 2006-07-16 11:59:30 UTC.',
    );
    expect(read(null, FIX_MS - 1000 * WEEK_MS).fault).toBeNull();
  });

  it('has no time for a clock that was never set', () => {
    expect(read('1970-01-01T00:00:00Z', 0)).toMatchObject({
      fixAtMs: null,
      fault: 'Its clock was never set: the fix is dated 1970-01-01 00:00:00 UTC.',
    });
  });

  it('has neither time nor fault where nothing is given, and a fault where it cannot be read', () => {
    expect(read(null, undefined)).toEqual({ fixAtMs: null, fault: null, repaired: [] });
    expect(read('yesterday', null).fault).toBe(
      'The provider gives "yesterday" as its time, which cannot be read.',
    );
    expect(read(null, 1e300)).toMatchObject({
      fixAtMs: null,
      fault: expect.stringContaining('cannot be read') as string,
    });
  });

  it('reports that a clock of year 1 was never set', () => {
    expect(read('0001-01-01T00:00:00Z', null)).toMatchObject({
      fixAtMs: null,
      fault: 'Its clock was never set: the fix is dated 0001-01-01 00:00:00 UTC.',
    });
  });

  it('gives a time from 1980 on within the range of a Date, or none, for any pair of values', () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger());
    const near = fc.integer({ min: -2 * WEEK_MS, max: 2 * WEEK_MS }).map((ms) => NOW_MS + ms);
    const text = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      near.map((ms) => new Date(ms).toISOString().slice(0, 19)),
    );
    const value = fc.oneof(number, near, near.map(String), text, fc.jsonValue());
    fc.assert(
      fc.property(value, value, (timestamp, unixTimestamp) => {
        const { fixAtMs, fault } = read(timestamp, unixTimestamp);
        if (fixAtMs !== null) {
          expect(fixAtMs).toBeGreaterThanOrEqual(Date.UTC(1980, 0, 6));
          expect(fixAtMs).toBeLessThanOrEqual(8.64e15);
        }
        expect(fault?.length ?? 0).toBeLessThan(500);
        if (fixAtMs !== null && fixAtMs > NOW_MS + 120_000) expect(fault).not.toBeNull();
      }),
      RUNS,
    );
  });

  it('names a day beyond year 9999 with its time in full', () => {
    expect(read(null, 8.64e15).fault).toContain('+275760-09-13 00:00:00 UTC');
  });
});
