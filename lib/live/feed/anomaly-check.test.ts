import { describe, expect, test } from 'vitest';
import { toDoubt } from './anomaly-check';
import type { Comparison } from './anomaly-check';
import { DEFAULT_LIVE_SETTINGS } from '../settings';

const { doubtHoldMs } = DEFAULT_LIVE_SETTINGS;

/** An answer that continues the last one, with a test's changes. */
const doubt = (changes: Partial<Comparison>) =>
  toDoubt(
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
      wasClockDoubted: false,
      mostDepartures: 10,
      isStill: false,
      ...changes,
    },
    DEFAULT_LIVE_SETTINGS,
  );

test('an answer that continues the last one is no anomaly', () => {
  expect(doubt({})).toBeNull();
  expect(
    doubt({ before: 0, lastListed: 0, stillListed: 0, strangers: 100, newer: 0, onRoster: null }),
  ).toBeNull();
  expect(doubt({ units: 90, stillListed: 90, vins: 90, onRoster: 90 })).toBeNull();
});

describe('a fleet that drops', () => {
  const gone = { units: 0, stillListed: 0, newer: 0, vins: 0, onRoster: 0 };

  test('by more units than usual is quarantined, unless their records cannot be read', () => {
    const half = { units: 89, stillListed: 89, vins: 89, onRoster: 89 };
    expect(doubt(half)).toMatchObject({ kind: 'drop', holdMs: doubtHoldMs });
    expect(doubt({ ...half, unreadable: 1 })).toBeNull();
    expect(doubt({ ...half, mostDepartures: 11 })).toBeNull();
  });

  test('to nothing or nearly nothing is quarantined', () => {
    expect(doubt(gone)).toMatchObject({ kind: 'drop', holdMs: doubtHoldMs });
    expect(doubt({ ...gone, units: 3, stillListed: 3 })).toMatchObject({
      message: 'The tracking provider lists only 3 of the 100 units that it listed before.',
    });
  });

  test('is reported for as long as the list is empty', () => {
    expect(doubt({ ...gone, before: 0 })).toMatchObject({ kind: 'drop' });
    expect(doubt({ ...gone, before: 0, lastListed: 0 })).toBeNull();
  });

  test('of a few units is reported and not quarantined: they may all be parked', () => {
    expect(doubt({ ...gone, before: 4, lastListed: 4, mostDepartures: Infinity })).toMatchObject({
      kind: 'drop',
      holdMs: 0,
    });
  });

  test('because its records cannot be read is reported as unreadable records', () => {
    expect(doubt({ ...gone, units: 4, stillListed: 4, unreadable: 96, newer: 2 })).toMatchObject({
      kind: 'unusable',
    });
  });
});

describe('unknown units', () => {
  const others = { stillListed: 0, strangers: 100, newer: 0, onRoster: 0 };

  test('are quarantined for as long as the roster has none of them', () => {
    expect(doubt(others)).toMatchObject({ kind: 'otherFleet', holdMs: Infinity });
  });

  test('are quarantined for a while where there is no roster', () => {
    expect(doubt({ ...others, onRoster: null })).toMatchObject({ kind: 'otherFleet', holdMs: doubtHoldMs });
  });

  test('are accepted where the roster has them: another shift', () => {
    expect(doubt({ ...others, onRoster: 100 })).toBeNull();
  });

  test('are accepted where they were listed before, and are back', () => {
    expect(doubt({ ...others, strangers: 0, onRoster: null })).toBeNull();
  });

  test('are reported from the first answer on, where hardly any is on the roster', () => {
    const first = { ...others, before: 0, lastListed: 0 };
    expect(doubt(first)).toMatchObject({ kind: 'otherFleet', holdMs: 0 });
    expect(doubt(first)?.message).toContain('Hardly any of the 100 units');
  });
});

describe('older fixes', () => {
  test('are an older answer where no unit has a newer one', () => {
    expect(doubt({ newer: 0, older: 60 })).toMatchObject({ kind: 'older', holdMs: doubtHoldMs });
  });

  test('of some units among newer ones are no older answer', () => {
    expect(doubt({ newer: 1, older: 60 })).toBeNull();
    expect(doubt({ newer: 0, older: 5 })).toBeNull();
    expect(doubt({ newer: 0, older: 0 })).toBeNull();
  });
});

test('a still fleet is a repeated answer, unless nothing is listed or records cannot be read', () => {
  const still = { newer: 0, isStill: true };
  expect(doubt(still)).toMatchObject({ kind: 'repeated', holdMs: doubtHoldMs });
  expect(doubt({ ...still, unreadable: 1 })).toBeNull();
  expect(doubt({ ...still, units: 0, vins: 0, onRoster: 0 })).toMatchObject({ kind: 'drop' });
});

describe('clocks that contradict one another', () => {
  const HOUR_MS = 3_600_000;

  test('are reported, whichever of them is ahead, and quarantine no answer', () => {
    expect(doubt({ clockLeadMs: 3 * HOUR_MS })).toMatchObject({
      kind: 'clock',
      holdMs: 0,
      message: expect.stringContaining('are 3 h apart'),
      detail: expect.stringContaining('3 h ahead of'),
    });
    expect(doubt({ clockLeadMs: -10 * 60_000 })).toMatchObject({
      message: expect.stringContaining('are 10 min apart'),
      detail: expect.stringContaining('10 min behind'),
    });
    expect(doubt({ clockLeadMs: null })).toBeNull();
  });

  test('are reported from two minutes on, and until they agree again', () => {
    expect(doubt({ clockLeadMs: 119_000 })).toBeNull();
    expect(doubt({ clockLeadMs: 120_000 })).toMatchObject({ kind: 'clock' });
    expect(doubt({ clockLeadMs: 100_000, wasClockDoubted: true })).toMatchObject({ kind: 'clock' });
    expect(doubt({ clockLeadMs: 89_000, wasClockDoubted: true })).toBeNull();
  });

  test('rank below another fleet and a short list', () => {
    expect(doubt({ clockLeadMs: HOUR_MS, units: 10, unreadable: 90, stillListed: 10 })).toMatchObject({
      kind: 'unusable',
    });
  });
});
