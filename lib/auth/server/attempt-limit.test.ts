import { describe, expect, it } from 'vitest';
import { createAttemptLimit } from './attempt-limit';

const create = () => {
  const clock = { ms: 0 };
  return { limit: createAttemptLimit({ elapsed: () => clock.ms }), clock };
};
const MINUTE_MS = 60_000;

describe('the limit of attempts', () => {
  it('lets an account be tried ten times from anywhere, and then every three minutes', () => {
    const { limit, clock } = create();
    const attempt = (n: number) => limit.take({ account: 'a@b.test', address: `198.51.100.${n}` });
    for (let n = 0; n < 10; n++) expect(attempt(n)).toBe(0);
    expect(attempt(10)).toBe(180);
    expect(limit.take({ account: 'other@b.test', address: '198.51.100.10' })).toBe(0);
    clock.ms += 3 * MINUTE_MS;
    expect(attempt(11)).toBe(0);
    expect(attempt(12)).toBeGreaterThan(0);
  });

  it('lets an address try thirty times, whatever the accounts, and then every minute', () => {
    const { limit, clock } = create();
    const attempt = (n: number) => limit.take({ account: `${n}@b.test`, address: '198.51.100.1' });
    for (let n = 0; n < 30; n++) expect(attempt(n)).toBe(0);
    expect(attempt(30)).toBe(60);
    clock.ms += MINUTE_MS;
    expect(attempt(31)).toBe(0);
  });

  it('does not let who guesses lock the owner out of an address that the account is known by', () => {
    const { limit } = create();
    const own = { account: 'a@b.test', address: '203.0.113.7' };
    expect(limit.take(own)).toBe(0);
    limit.succeed(own);
    for (let n = 0; n < 40; n++) limit.take({ account: own.account, address: `198.51.100.${n}` });
    expect(limit.take({ account: own.account, address: '198.51.100.99' })).toBeGreaterThan(0);
    for (let n = 0; n < 10; n++) expect(limit.take(own)).toBe(0);
    expect(limit.take(own)).toBeGreaterThan(0);
  });

  it('counts no attempt that was good', () => {
    const { limit } = create();
    const own = { account: 'a@b.test', address: '203.0.113.7' };
    for (let n = 0; n < 100; n++) {
      expect(limit.take(own)).toBe(0);
      limit.succeed(own);
    }
  });
});
