import { expect, it, describe } from 'vitest';
import { carrierText } from './carrier';
import { isDemoUsdot } from '@/lib/identity/carrier-numbers';

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
  it('takes high numbers for made-up ones where the server shows the demo', () => {
    expect(isDemoUsdot('9000001', true)).toBe(true);
    expect(isDemoUsdot('9100001', true)).toBe(true);
  });

  it('takes the number of a carrier that was added to the demo for a real one', () => {
    expect(isDemoUsdot('1234567', true)).toBe(false);
  });

  it('takes every number for a real one elsewhere, however high it is', () => {
    expect(isDemoUsdot('9000001', false)).toBe(false);
    expect(isDemoUsdot('12345678', false)).toBe(false);
  });
});
