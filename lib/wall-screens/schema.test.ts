import { describe, expect, it } from 'vitest';
import { newWallScreenSchema } from './schema';

const readUsdots = (usdots: unknown) => newWallScreenSchema.safeParse({ name: 'Yard', usdots }).data?.usdots;

describe('newWallScreenSchema', () => {
  it('normalizes USDOT numbers as for users: without leading zeros or duplicates', () => {
    expect(readUsdots(['09100001', '9100001', ' 12 '])).toEqual(['9100001', '12']);
    expect(readUsdots(null)).toBeNull();
  });

  it.each([[[]], [['0']], [['123456789']], [['12a']]])('refuses %j', (usdots) => {
    expect(readUsdots(usdots)).toBeUndefined();
  });
});
