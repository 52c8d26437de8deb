import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAttemptLimit, createKeyLimit, type Attempt } from './rate-limits';

const HALF_AN_HOUR_MS = 1_800_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const create = () => {
  const limit = createAttemptLimit();
  /** Seconds until the next attempt; 0 if it is allowed now. */
  const take = (attempt: Attempt): Promise<number> =>
    limit.take(attempt).then(
      () => 0,
      (error: { retryAfterS: number }) => error.retryAfterS,
    );
  return { limit, take };
};

describe('the limit of attempts', () => {
  it('allows ten attempts per account in half an hour, from all addresses together', async () => {
    const { take } = create();
    const attempt = (n: number) => take({ account: 'a@b.test', address: `198.51.100.${n}` });
    for (let n = 0; n < 10; n++) expect(await attempt(n)).toBe(0);
    expect(await attempt(10)).toBe(1800);
    expect(await take({ account: 'other@b.test', address: '198.51.100.10' })).toBe(0);
    vi.advanceTimersByTime(HALF_AN_HOUR_MS + 1);
    expect(await attempt(11)).toBe(0);
  });

  it('allows thirty attempts per address in half an hour, for all accounts together', async () => {
    const { take } = create();
    const attempt = (n: number) => take({ account: `${n}@b.test`, address: '198.51.100.1' });
    for (let n = 0; n < 30; n++) expect(await attempt(n)).toBe(0);
    expect(await attempt(30)).toBe(1800);
    vi.advanceTimersByTime(HALF_AN_HOUR_MS + 1);
    expect(await attempt(31)).toBe(0);
  });

  it('does not let guesses lock the owner out at an address that the account has signed in from', async () => {
    const { limit, take } = create();
    const own = { account: 'a@b.test', address: '203.0.113.7' };
    expect(await take(own)).toBe(0);
    await limit.succeed(own);
    for (let n = 0; n < 40; n++) await take({ account: own.account, address: `198.51.100.${n}` });
    expect(await take({ account: own.account, address: '198.51.100.99' })).toBeGreaterThan(0);
    for (let n = 0; n < 10; n++) expect(await take(own)).toBe(0);
    expect(await take(own)).toBeGreaterThan(0);
  });

  it('does not count a successful attempt', async () => {
    const { limit, take } = create();
    const own = { account: 'a@b.test', address: '203.0.113.7' };
    for (let n = 0; n < 100; n++) {
      expect(await take(own)).toBe(0);
      await limit.succeed(own);
    }
  });

  it('names the minutes to wait', async () => {
    const { limit } = create();
    const attempt = { account: 'a@b.test', address: '203.0.113.7' };
    for (let n = 0; n < 10; n++) await limit.take(attempt);
    await expect(limit.take(attempt)).rejects.toMatchObject({
      code: 'too-many-attempts',
      detail: 'Too many attempts. Try again in 30 minutes.',
    });
  });

  it('keeps a bounded number of keys', async () => {
    const { take } = createKeyLimit({ points: 1, durationS: 1800 });
    await take('first');
    expect(await take('first')).toBeGreaterThan(0);
    for (let n = 0; n < 20_000; n++) await take(String(n));
    expect(await take('first')).toBe(0);
  });
});
