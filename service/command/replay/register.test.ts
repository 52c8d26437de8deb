import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '@/lib/identity/vin';
import { toMadeUpVin } from './replay';

describe('toMadeUpVin', () => {
  it('makes VINs with the right check digit, one for each text', () => {
    const vins = Array.from({ length: 2_000 }, (_, index) => toMadeUpVin(`9000100/${index}`));
    expect(vins.filter((vin) => !hasValidCheckDigit(vin))).toEqual([]);
    expect(new Set(vins).size).toBe(vins.length);
  });

  it('makes the same VIN from the same text', () => {
    expect(toMadeUpVin('9000100/2619')).toBe(toMadeUpVin('9000100/2619'));
  });
});
