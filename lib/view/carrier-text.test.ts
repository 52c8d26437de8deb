import { expect, it } from 'vitest';
import { carrierWords } from './carrier-text';

const ACCOUNT = { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' };

it('names the carrier of a fleet that is the account’s own', () => {
  expect(carrierWords('9100001', ACCOUNT)).toEqual({
    name: 'Mesa Verde Lines',
    numbers: 'USDOT 9100001 · ID MVL-1',
  });
});

it('gives no fleet the name of another carrier, and names the account that shows it', () => {
  expect(carrierWords('9100002', ACCOUNT)).toEqual({
    name: 'USDOT 9100002',
    numbers: 'seen with the key of Mesa Verde Lines',
  });
  expect(carrierWords('9100002', null)).toEqual({ name: 'USDOT 9100002', numbers: '' });
});
