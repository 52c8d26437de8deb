import { describe, expect, test } from 'vitest';
import { findAnomaly, type Comparison } from './anomaly-check';
import { DEFAULT_LIVE_SETTINGS } from './settings';

const { anomalyHoldMs } = DEFAULT_LIVE_SETTINGS;

/** An answer that continues the last one, with a test's changes. */
const check = (changes: Partial<Comparison>) =>
  findAnomaly(
    {
      units: 100,
      unreadable: 0,
      before: 100,
      lastListed: 100,
      stillListed: 100,
      strangers: 0,
      older: 0,
      newer: 60,
      repeated: 40,
      vins: 100,
      onRoster: 100,
      rosterVins: 120,
      clockLeadMs: 400,
      hadClockAnomaly: false,
      mostDepartures: 10,
      isStill: false,
      ...changes,
    },
    DEFAULT_LIVE_SETTINGS,
  );

test('an answer that continues the last one is no anomaly', () => {
  expect(check({})).toBeNull();
  expect(
    check({ before: 0, lastListed: 0, stillListed: 0, strangers: 100, newer: 0, onRoster: null }),
  ).toBeNull();
  expect(check({ units: 90, stillListed: 90, vins: 90, onRoster: 90 })).toBeNull();
});

test('an error that the provider reports beside its list is shown, and the list is accepted', () => {
  expect(check({ errorBeside: '"partial"' })).toEqual({
    kind: 'errorInside',
    message:
      'The tracking provider lists 100 trucks and reports an error beside them: others may be missing.',
    detail: 'The answer has an error beside its list: "partial".',
    holdMs: 0,
  });
});

describe('a fleet that drops', () => {
  const gone = { units: 0, stillListed: 0, newer: 0, vins: 0, onRoster: 0 };

  test('by more units than usual is quarantined, unless their records cannot be read', () => {
    const half = { units: 89, stillListed: 89, vins: 89, onRoster: 89 };
    expect(check(half)).toMatchObject({ kind: 'drop', holdMs: anomalyHoldMs });
    expect(check({ ...half, unreadable: 1 })).toBeNull();
    expect(check({ ...half, mostDepartures: 11 })).toBeNull();
  });

  test('to nothing or nearly nothing is quarantined', () => {
    expect(check(gone)).toMatchObject({ kind: 'drop', holdMs: anomalyHoldMs });
    expect(check({ ...gone, units: 3, stillListed: 3 })).toMatchObject({
      message: 'The tracking provider lists only 3 of the 100 trucks that it listed before.',
    });
  });

  test('is reported for as long as the list is empty', () => {
    expect(check({ ...gone, before: 0 })).toMatchObject({ kind: 'drop' });
    expect(check({ ...gone, before: 0, lastListed: 0 })).toBeNull();
  });

  test('of a few units is reported and not quarantined: they may all be parked', () => {
    expect(check({ ...gone, before: 4, lastListed: 4, mostDepartures: Infinity })).toMatchObject({
      kind: 'drop',
      holdMs: 0,
    });
  });

  test('because its records cannot be read is reported as unreadable records', () => {
    expect(check({ ...gone, units: 4, stillListed: 4, unreadable: 96, newer: 2 })).toMatchObject({
      kind: 'unusable',
    });
  });
});

describe('unknown units', () => {
  const others = { stillListed: 0, strangers: 100, newer: 0, onRoster: 0 };

  test('are quarantined for as long as the roster has none of them', () => {
    expect(check(others)).toMatchObject({ kind: 'otherFleet', holdMs: Infinity });
  });

  test('are quarantined for a while where there is no roster', () => {
    expect(check({ ...others, onRoster: null })).toMatchObject({ kind: 'otherFleet', holdMs: anomalyHoldMs });
  });

  test('are accepted where the roster has them: another shift', () => {
    expect(check({ ...others, onRoster: 100 })).toBeNull();
  });

  test('are accepted where they were listed before, and are back', () => {
    expect(check({ ...others, strangers: 0, onRoster: null })).toBeNull();
  });

  test('are reported from the first answer on, where hardly any is on the roster', () => {
    const first = { ...others, before: 0, lastListed: 0 };
    expect(check(first)).toMatchObject({ kind: 'otherFleet', holdMs: 0 });
    expect(check(first)?.message).toContain('Hardly any of the 100 trucks');
  });
});

describe('older fixes', () => {
  test('are an older answer where no unit has a newer one', () => {
    expect(check({ newer: 0, older: 60 })).toMatchObject({ kind: 'older', holdMs: anomalyHoldMs });
  });

  test('of some units among newer ones are no older answer', () => {
    expect(check({ newer: 1, older: 60 })).toBeNull();
    expect(check({ newer: 0, older: 5 })).toBeNull();
    expect(check({ newer: 0, older: 0 })).toBeNull();
  });
});

test('a still fleet is a repeated answer, unless nothing is listed or records cannot be read', () => {
  const still = { newer: 0, isStill: true };
  expect(check(still)).toMatchObject({ kind: 'repeated', holdMs: anomalyHoldMs });
  expect(check({ ...still, unreadable: 1 })).toBeNull();
  expect(check({ ...still, units: 0, vins: 0, onRoster: 0 })).toMatchObject({ kind: 'drop' });
});

describe('clocks that contradict one another', () => {
  const HOUR_MS = 3_600_000;

  test('are reported, whichever of them is ahead, and quarantine no answer', () => {
    expect(check({ clockLeadMs: 3 * HOUR_MS })).toMatchObject({
      kind: 'clock',
      holdMs: 0,
      message: expect.stringContaining('are 3 h apart'),
      detail: expect.stringContaining('3 h ahead of'),
    });
    expect(check({ clockLeadMs: -10 * 60_000 })).toMatchObject({
      message: expect.stringContaining('are 10 min apart'),
      detail: expect.stringContaining('10 min behind'),
    });
    expect(check({ clockLeadMs: null })).toBeNull();
  });

  test('are reported from two minutes on, and until they agree again', () => {
    expect(check({ clockLeadMs: 119_000 })).toBeNull();
    expect(check({ clockLeadMs: 120_000 })).toMatchObject({ kind: 'clock' });
    expect(check({ clockLeadMs: 100_000, hadClockAnomaly: true })).toMatchObject({ kind: 'clock' });
    expect(check({ clockLeadMs: 89_000, hadClockAnomaly: true })).toBeNull();
  });

  test('rank below another fleet and a short list', () => {
    expect(check({ clockLeadMs: HOUR_MS, units: 10, unreadable: 90, stillListed: 10 })).toMatchObject({
      kind: 'unusable',
    });
  });
});
