import { describe, expect, it } from 'vitest';
import { checkDigit, hasValidCheckDigit, parseVin } from './vin';

describe('parseVin', () => {
  it('trims and upper-cases its input', () => {
    expect(parseVin('  1m8gdm9axkp042788\n')).toBe('1M8GDM9AXKP042788');
  });

  it('refuses the letters I, O and Q, other lengths and other characters', () => {
    expect(parseVin('1M8GDM9AXKPO42788')).toBeNull();
    expect(parseVin('IM8GDM9AXKP042788')).toBeNull();
    expect(parseVin('1M8GDM9AXKP04278Q')).toBeNull();
    expect(parseVin('1M8GDM9AXKP04278')).toBeNull();
    expect(parseVin('1M8GDM9AXKP0427888')).toBeNull();
    expect(parseVin('1M8GDM9AXKP 42788')).toBeNull();
    expect(parseVin('')).toBeNull();
  });
});

describe('checkDigit', () => {
  it('computes X where the remainder is ten', () => {
    expect(checkDigit('1M8GDM9AXKP042788')).toBe('X');
  });

  it('computes the digit of a VIN of ones, whose weights add up to 89', () => {
    expect(checkDigit('11111111111111111')).toBe('1');
  });

  it('does not read the ninth character', () => {
    expect(checkDigit('1M8GDM9A0KP042788')).toBe('X');
  });

  it('throws on a text that is not a VIN, and quotes it', () => {
    expect(() => checkDigit('SHORT')).toThrow('Got "SHORT" when a VIN of 17 characters is expected.');
  });
});

describe('hasValidCheckDigit', () => {
  it('distinguishes a right VIN from one with two characters swapped', () => {
    expect(hasValidCheckDigit('1M8GDM9AXKP042788')).toBe(true);
    expect(hasValidCheckDigit('1M8GDM9AXKP042878')).toBe(false);
  });

  it('is false for what is not a VIN at all', () => {
    expect(hasValidCheckDigit('')).toBe(false);
    expect(hasValidCheckDigit('1m8gdm9axkp042788')).toBe(false);
  });
});
