import { describe, expect, it } from 'vitest';
import { parseMcNumber, parseUsdot, toSaferUrl } from './carrier-numbers';

describe('parseUsdot', () => {
  it('gives one carrier one name, without blanks and leading zeros', () => {
    expect(parseUsdot('9000001')).toBe('9000001');
    expect(parseUsdot(' 0009000001 ')).toBe('9000001');
    expect(parseUsdot('1')).toBe('1');
  });

  it('refuses what is not a number, zero, and more digits than FMCSA assigns', () => {
    for (const text of ['', '0', '000', '-1', '1.5', '12e3', '123456789', '9000001x', '٣', '../1']) {
      expect(parseUsdot(text), text).toBeNull();
    }
  });
});

describe('parseMcNumber', () => {
  it('reads the ways in which docket numbers are written', () => {
    for (const text of ['MC-990001', 'MC990001', 'mc 990001', 'MC#990001', '990001', 'MC-0990001']) {
      expect(parseMcNumber(text), text).toBe('MC-990001');
    }
  });

  it('keeps the prefix of another kind of authority', () => {
    expect(parseMcNumber('FF-1234')).toBe('FF-1234');
    expect(parseMcNumber('mx1234')).toBe('MX-1234');
  });

  it('refuses what is not a docket number', () => {
    for (const text of ['', 'MC', 'MC-0', 'US-1234', '12-34']) expect(parseMcNumber(text), text).toBeNull();
  });
});

describe('toSaferUrl', () => {
  it('links to the Company Snapshot by USDOT number', () => {
    expect(toSaferUrl('9000001')).toBe(
      'https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&query_type=queryCarrierSnapshot&query_param=USDOT&query_string=9000001',
    );
  });

  it('is absent for what is not a USDOT number', () => {
    expect(toSaferUrl('n/a')).toBeNull();
  });
});
