import { describe, expect, it } from 'vitest';
import { isDemoUsdot } from './demo';

describe('isDemoUsdot', () => {
  it('takes the high numbers of the embedded service for demo numbers', () => {
    expect(isDemoUsdot('9000001', 'embedded')).toBe(true);
    expect(isDemoUsdot('9100001', 'embedded')).toBe(true);
  });

  it('leaves a carrier alone whose own number the embedded service was given', () => {
    expect(isDemoUsdot('1234567', 'embedded')).toBe(false);
  });

  it('never takes a provider’s number for a demo number, however high it is', () => {
    expect(isDemoUsdot('9000001', 'provider')).toBe(false);
    expect(isDemoUsdot('12345678', 'provider')).toBe(false);
  });
});
