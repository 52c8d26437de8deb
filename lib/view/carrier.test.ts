import { expect, it, describe } from 'vitest';
import { carrierText, isDemoUsdot } from './carrier';

const ACCOUNT = { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' };

it('names the carrier of a fleet that is the account’s own', () => {
  expect(carrierText('9100001', ACCOUNT)).toEqual({
    name: 'Mesa Verde Lines',
    numbers: 'USDOT 9100001 · ID MVL-1',
  });
});

it('gives no fleet the name of another carrier, and names the account that shows it', () => {
  expect(carrierText('9100002', ACCOUNT)).toEqual({
    name: 'USDOT 9100002',
    numbers: 'seen with the key of Mesa Verde Lines',
  });
  expect(carrierText('9100002', null)).toEqual({ name: 'USDOT 9100002', numbers: '' });
});

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
