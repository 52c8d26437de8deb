import { describe, expect, it } from 'vitest';
import { evidenceText } from './explanations';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const NOW_MS = Date.UTC(2026, 10, 21, 20, 7, 31);

describe('the evidence of a status', () => {
  const moving = {
    reason: 'displaced',
    evidence: { distanceM: 4989, spanMs: 4 * MIN, fixes: 2 },
    usualIntervalMs: 30 * S,
  } as const;

  it('describes what the fixes showed', () => {
    expect(evidenceText(moving, NOW_MS, NOW_MS)).toBe('3.1 mi in 4 min, 2 fixes');
    const still = { distanceM: 18, spanMs: 2 * H, fixes: 14 };
    expect(evidenceText({ ...moving, reason: 'inPlace', evidence: still }, NOW_MS, NOW_MS)).toBe(
      'within 60 ft for 2 h 00 m, 14 fixes',
    );
    const slow = { distanceM: 400, spanMs: 10 * MIN, fixes: 2 };
    expect(evidenceText({ ...moving, reason: 'unclear', evidence: slow }, NOW_MS, NOW_MS)).toBe(
      '0.2 mi in 10 min, 2 fixes: too little to tell; known once it drives faster than 3 mph, or stays within 0.2 mi for 9 min',
    );
  });

  it('notes that the times of a unit are when its reports were received', () => {
    expect(evidenceText({ ...moving, reason: 'byReceipt' }, NOW_MS, NOW_MS)).toBe(
      'reporting, but its clock is wrong: times shown are when Linehaul received its reports (3.1 mi over 4 min, 2 reports)',
    );
    const once = { distanceM: 0, spanMs: 0, fixes: 1 };
    expect(evidenceText({ ...moving, reason: 'byReceipt', evidence: once }, NOW_MS, NOW_MS)).toBe(
      'reporting, but its clock is wrong: times shown are when Linehaul received its reports',
    );
  });

  it('names what may be a habit of the provider, while that is not known', () => {
    const late = { ...moving, reason: 'overdue', receivedAgeMs: 5 * MIN } as const;
    expect(evidenceText(late, NOW_MS - 6 * MIN, NOW_MS)).toBe(
      'usually every 30 s, last fix 6 min ago; it was 5 min old when it came, and whether the truck or the provider is behind is not known yet',
    );
    const held = { distanceM: 0, spanMs: 3 * MIN, fixes: 12 };
    const parked = { ...moving, reason: 'inPlace' } as const;
    expect(evidenceText({ ...parked, evidence: held }, NOW_MS, NOW_MS)).toBe(
      'within 0 ft for 3 min, 12 fixes; the same position to the last digit, which some providers repeat while a truck drives',
    );
    const longer = { ...held, spanMs: 6 * MIN };
    expect(evidenceText({ ...parked, evidence: longer }, NOW_MS, NOW_MS)).toBe(
      'within 0 ft for 6 min, 12 fixes',
    );
  });

  it('gives the usual interval of a late unit, where that is known', () => {
    const late = { ...moving, reason: 'overdue' } as const;
    expect(evidenceText(late, NOW_MS - 9 * MIN, NOW_MS)).toBe('usually every 30 s, last fix 9 min ago');
    expect(evidenceText({ ...late, usualIntervalMs: null }, null, NOW_MS)).toBe('no fix so far');
  });
});
