import { describe, expect, it } from 'vitest';
import { toUnitWords } from './unit-text';
import type { UnitSummary } from './fleet-map-props';

const SUMMARY: UnitSummary = {
  number: '412',
  title: 'Truck 412',
  status: 'moving',
  headingDeg: 90,
  flagged: true,
  statusWords: 'Moving',
  speedWords: '64 mph E',
  placeWords: '6 mi E of Amarillo, TX',
  ageWords: '12 s',
  oldWords: '12 s old',
};

describe('toUnitWords', () => {
  it('says who, what, where, how old and that something is to check', () => {
    expect(toUnitWords(SUMMARY)).toBe(
      'Truck 412, Moving, 64 mph E, 6 mi E of Amarillo, TX, fix 12 s old, needs a check',
    );
  });

  it('calls nothing a truck number that is another kind of name, and leaves out what is not known', () => {
    const unknown = { flagged: false, speedWords: null, placeWords: null, ageWords: null, oldWords: null };
    const summary = { ...SUMMARY, ...unknown, number: 'phone-7', title: 'Device phone-7' };
    expect(toUnitWords(summary)).toBe('Device phone-7, Moving');
  });
});
