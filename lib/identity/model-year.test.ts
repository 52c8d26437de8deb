import { describe, expect, it } from 'vitest';
import { modelYears } from './model-year';

const withYear = (code: string, seventh = 'H') => `1FUJHH${seventh}R0${code}LN00001`;

describe('modelYears', () => {
  it('gives both cycles of a code for a heavy truck', () => {
    expect(modelYears(withYear('A'))).toEqual([1980, 2010]);
    expect(modelYears(withYear('N'))).toEqual([1992, 2022]);
    expect(modelYears(withYear('Y'))).toEqual([2000, 2030]);
    expect(modelYears(withYear('1'))).toEqual([2001, 2031]);
    expect(modelYears(withYear('9'))).toEqual([2009, 2039]);
  });

  it('lets the seventh character choose for a light vehicle', () => {
    expect(modelYears(withYear('K', '4'), { isLight: true })).toEqual([1989]);
    expect(modelYears(withYear('K', 'E'), { isLight: true })).toEqual([2019]);
  });

  it('gives none for characters that stand for no year, and for what is not a VIN', () => {
    for (const code of ['U', 'Z', '0']) expect(modelYears(withYear(code)), code).toEqual([]);
    expect(modelYears('short')).toEqual([]);
  });
});
