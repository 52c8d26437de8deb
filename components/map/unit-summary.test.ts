import { describe, expect, it } from 'vitest';
import { toUnitText, type UnitSummary } from './unit-summary';

const SUMMARY: UnitSummary = {
  number: '412',
  title: 'Truck 412',
  status: 'moving',
  headingDeg: 90,
  flagged: true,
  statusText: 'Moving',
  speedText: '64 mph E',
  placeText: '6 mi E of Amarillo, TX',
  ageText: '12 s',
  fixText: '12 s old',
};

describe('toUnitText', () => {
  it('gives name, status, place, age and that there is a flag', () => {
    expect(toUnitText(SUMMARY)).toBe(
      'Truck 412, Moving, 64 mph E, 6 mi E of Amarillo, TX, fix 12 s old, needs a check',
    );
  });

  it('labels only truck numbers as such, and omits what is unknown', () => {
    const unknown = { flagged: false, speedText: null, placeText: null, ageText: null, fixText: null };
    const summary = { ...SUMMARY, ...unknown, number: 'phone-7', title: 'Device phone-7' };
    expect(toUnitText(summary)).toBe('Device phone-7, Moving');
  });
});
