import { describe, expect, it } from 'vitest';
import { decodeVin, fillFromVin, vinVehicleText } from './decode-vin';

/** A heavy truck by default; "1FM" is the identifier of a light vehicle's maker. */
const yearsOf = (code: string, seventh = 'H', wmi = '1FU') =>
  decodeVin(`${wmi}JHH${seventh}R0${code}LN00001`).years;

describe('the model years of a VIN', () => {
  it('gives both cycles of a code for a heavy truck', () => {
    expect(yearsOf('A')).toEqual([1980, 2010]);
    expect(yearsOf('N')).toEqual([1992, 2022]);
    expect(yearsOf('Y')).toEqual([2000, 2030]);
    expect(yearsOf('1')).toEqual([2001, 2031]);
    expect(yearsOf('9')).toEqual([2009, 2039]);
  });

  it('decides by the seventh character for a light vehicle', () => {
    expect(yearsOf('K', '4', '1FM')).toEqual([1989]);
    expect(yearsOf('K', 'E', '1FM')).toEqual([2019]);
  });

  it('returns none for characters that encode no year, and for what is not a VIN', () => {
    for (const code of ['U', 'Z', '0']) expect(yearsOf(code), code).toEqual([]);
    expect(decodeVin('short').years).toEqual([]);
  });
});

const NOW_MS = Date.parse('2026-06-01T00:00:00Z');

describe('vinVehicleText', () => {
  it('gives both years that the VIN of a heavy truck may encode', () => {
    expect(vinVehicleText('1FUJGLDR0NLM12041', NOW_MS)).toBe('1992 or 2022 Freightliner');
  });

  it('leaves out a model year that has not begun', () => {
    expect(vinVehicleText('1XKYD49X8KJ900001', Date.parse('2015-06-01T00:00:00Z'))).toBe('1989 Kenworth');
  });

  it('is null for a VIN that fails its own check digit', () => {
    expect(vinVehicleText('1FUJGLDR1NLM12041', NOW_MS)).toBeNull();
  });
});

describe('fillFromVin', () => {
  it('gives the make, and of two years the later one that has begun', () => {
    expect(fillFromVin('1FUJGLDR0NLM12041', NOW_MS)).toEqual({ make: 'Freightliner', year: 2022 });
    expect(fillFromVin('1FUJGLDR0NLM12041', Date.parse('2020-06-01'))).toEqual({
      make: 'Freightliner',
      year: 1992,
    });
  });

  it('gives nothing for a VIN that fails its own check digit', () => {
    expect(fillFromVin('1FUJGLDR1NLM12041', NOW_MS)).toEqual({ make: null, year: null });
  });
});
