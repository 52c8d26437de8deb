import { describe, expect, test } from 'vitest';
import { START_MS } from '@/testing/motion/fixes';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { USDOT, createTracker, flagsOf, minute, evidenceOf } from '@/testing/live/shown-flags';
import { identityOf, unitAt } from '@/testing/live/tracked-units';

/** A Freightliner of model year 2022. */
const VIN = '3AKJHHDR5NSLV5024';

describe('a VIN that is not on the roster', () => {
  test('is flagged after a minute, and no more once the roster has had it for longer than one reading', () => {
    const tracker = createTracker();
    const roster = new Set(['OTHER']);
    const tell = (at: number, known: ReadonlySet<string>) =>
      tracker.observe([unitAt('A', at, at * 1500)], known, minute(at));
    tell(0, roster);
    expect(flagsOf(tracker, 'A')).toEqual([]);
    tell(1, roster);
    expect(flagsOf(tracker, 'A')).toEqual(['notOnRoster']);
    const grown = new Set(['OTHER', 'A']);
    tell(2, grown);
    tell(7.9, grown);
    expect(flagsOf(tracker, 'A')).toEqual(['notOnRoster']);
    expect(evidenceOf(tracker, 'A')).toBe(
      'It has not been so since 2026-03-10 14:02:00 UTC; the flag goes if it stays that way.',
    );
    tell(8, grown);
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });

  test('is not flagged against an empty roster, nor where the VIN is a placeholder', () => {
    const tracker = createTracker();
    const placeholder = unitAt('device:7', 0, 0, { identity: identityOf('device:7', { vin: '0' }) });
    for (const at of [0, 1, 2, 5]) {
      tracker.observe([unitAt('A', at, 0)], new Set(), minute(at));
    }
    expect(flagsOf(tracker, 'A')).toEqual([]);
    for (const at of [6, 7, 8]) tracker.observe([placeholder], new Set(['OTHER']), minute(at));
    expect(flagsOf(tracker, 'device:7')).toEqual([]);
  });

  test('does not flap with a roster that has it every other time', () => {
    const tracker = createTracker();
    const rosters = [new Set(['OTHER']), new Set(['A'])];
    const seen = Array.from({ length: 12 }, (_, i) => {
      tracker.observe([unitAt('A', i * 5, 0)], rosters[i % 2]!, minute(i * 5));
      tracker.observe([unitAt('A', i * 5 + 2, 0)], rosters[i % 2]!, minute(i * 5 + 2));
      return flagsOf(tracker, 'A').length;
    });
    expect(seen).toEqual(Array(12).fill(1));
  });
});

describe('a VIN that is registered to another carrier', () => {
  const carrier = { vin: 'A', mcNumber: '990002', usdot: '9000002', requestedAtMs: minute(1) };

  const { othersAnswers, ownAnswers } = DEFAULT_LIVE_SETTINGS.motion;

  test('is flagged once two answers named it, with both numbers and the time of the answer', () => {
    const tracker = createTracker();
    tracker.observe([unitAt('A', 0, 0)], null, minute(0));
    tracker.learnCarrier({ carrier, times: othersAnswers - 1 });
    tracker.observe([unitAt('A', 0, 0)], null, minute(1));
    expect(flagsOf(tracker, 'A')).toEqual([]);
    tracker.learnCarrier({ carrier, times: othersAnswers });
    tracker.observe([unitAt('A', 0, 0)], null, minute(1));
    expect(flagsOf(tracker, 'A')).toEqual(['wrongCarrier']);
    expect(evidenceOf(tracker, 'A')).toBe(
      'Its VIN is registered to USDOT 9000002 (MC-990002), and it drives for USDOT 9000001. A leased truck may rightly differ. Provider data from 2026-03-10 14:01:00 UTC.',
    );
  });

  test('is flagged no more a minute after two answers named the fleet’s own number', () => {
    const tracker = createTracker();
    const own = { ...carrier, usdot: USDOT };
    tracker.observe([unitAt('A', 0, 0)], null, minute(0));
    tracker.learnCarrier({ carrier, times: othersAnswers });
    tracker.learnCarrier({ carrier: own, times: ownAnswers - 1 });
    tracker.observe([unitAt('A', 0, 0)], null, minute(1));
    tracker.observe([unitAt('A', 0, 0)], null, minute(9));
    expect(evidenceOf(tracker, 'A')).toContain('Its VIN is registered to USDOT 9000002');
    tracker.learnCarrier({ carrier: own, times: ownAnswers });
    tracker.observe([unitAt('A', 0, 0)], null, minute(10));
    expect(evidenceOf(tracker, 'A')).toContain('It has not been so since 2026-03-10 14:10:00 UTC');
    tracker.observe([unitAt('A', 0, 0)], null, minute(11));
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });

  test('does not flap with a provider that alternates between the two', () => {
    const tracker = createTracker();
    const seen = Array.from({ length: 12 }, (_, i) => {
      tracker.observe([unitAt('A', i, 0)], null, minute(i));
      tracker.learnCarrier({ carrier: i % 2 === 0 ? carrier : { ...carrier, usdot: USDOT }, times: 1 });
      return flagsOf(tracker, 'A').length;
    });
    expect(seen).toEqual(Array(12).fill(0));
  });

  test('is not flagged where the provider knows none, and is where it was known before the unit came', () => {
    const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT, (vin) => ({
      carrier: { ...carrier, vin },
      times: othersAnswers,
    }));
    tracker.observe([unitAt('A', 0, 0)], null, minute(0));
    expect(flagsOf(tracker, 'A')).toEqual(['wrongCarrier']);
    tracker.learnCarrier({ carrier: { ...carrier, usdot: null }, times: ownAnswers });
    tracker.observe([unitAt('A', 0, 0)], null, minute(1));
    tracker.observe([unitAt('A', 0, 0)], null, minute(2));
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });

  test('is flagged at the first answer where background look-ups are off', () => {
    const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, carrierPauseMs: null }, USDOT);
    tracker.observe([unitAt('A', 0, 0)], null, minute(0));
    tracker.learnCarrier({ carrier, times: 1 });
    tracker.observe([unitAt('A', 0, 0)], null, minute(1));
    expect(flagsOf(tracker, 'A')).toEqual(['wrongCarrier']);
  });
});

describe('an invalid VIN', () => {
  const FAULT = { flag: 'badVin', text: 'Its check digit is wrong.' } as const;
  const tell = (tracker: FleetTracker, seconds: number, isBad: boolean) =>
    tracker.observe([{ ...unitAt('A', 0, 0), flags: isBad ? [FAULT] : [] }], null, START_MS + seconds * 1000);

  test('is flagged once two answers in a row have it, and no more a minute after the last', () => {
    const tracker = createTracker();
    tell(tracker, 0, true);
    expect(flagsOf(tracker, 'A')).toEqual([]);
    tell(tracker, 10, true);
    expect(flagsOf(tracker, 'A')).toEqual(['badVin']);
    expect(evidenceOf(tracker, 'A')).toBe(FAULT.text);
    tell(tracker, 20, false);
    tell(tracker, 79, false);
    expect(flagsOf(tracker, 'A')).toEqual(['badVin']);
    tell(tracker, 80, false);
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });

  test('does not flap with records that have it every other time', () => {
    const [before, after] = [createTracker(), createTracker()];
    tell(after, -20, true);
    tell(after, -10, true);
    const seen = Array.from({ length: 12 }, (_, i) => {
      tell(before, i * 10, i % 2 === 0);
      tell(after, i * 10, i % 2 === 1);
      return [flagsOf(before, 'A').length, flagsOf(after, 'A').length];
    });
    expect(seen).toEqual(Array(12).fill([0, 1]));
  });
});

describe('a VIN against its year and make', () => {
  const flagsWith = (make: string | null, year: number | null, model: string | null = null) => {
    const tracker = createTracker();
    tracker.observe(
      [unitAt(VIN, 0, 0, { identity: identityOf(VIN, { make, model, year }) })],
      null,
      minute(0),
    );
    return { flags: flagsOf(tracker, VIN), text: evidenceOf(tracker, VIN) };
  };

  test('is flagged where it encodes another one', () => {
    expect(flagsWith('Freightliner', 2022)).toEqual({ flags: [], text: '' });
    expect(flagsWith('Freightliner', 2015)).toEqual({
      flags: ['vinMismatch'],
      text: 'Model year 2015 is given; the VIN says 1992 or 2022.',
    });
    expect(flagsWith('Kenworth', 2022, 'T680')).toEqual({
      flags: ['vinMismatch'],
      text: 'Kenworth T680 is given; the VIN says Freightliner.',
    });
  });

  test('is not flagged for a make alone', () => {
    expect(flagsWith('Kenworth', 2022).flags).toEqual([]);
    expect(flagsWith('Daimler Trucks North America', 2022).flags).toEqual([]);
  });

  test('is not flagged where neither is given, or the make is not in the table', () => {
    expect(flagsWith(null, null).flags).toEqual([]);
    expect(flagsWith('Acme Motor Works', 2022).flags).toEqual([]);
  });
});
