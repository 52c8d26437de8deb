import { describe, expect, it } from 'vitest';
import { createRateLimit, toRateLimitHeaders } from './rate-limit';
import { createTestService, toHeaders } from '../../testing/service/service';

describe('createRateLimit', () => {
  it('allows a burst, then as many as have grown back, each key for itself', () => {
    let nowMs = 0;
    const limit = createRateLimit({ now: () => nowMs });
    const take = (key: string) => limit.take(key, 30);
    for (let i = 0; i < 30; i++) expect(take('a')).toMatchObject({ isGranted: true, remaining: 29 - i });
    expect(take('a')).toEqual({ isGranted: false, requestsPerMinute: 30, remaining: 0, moreAfterS: 2 });
    expect(take('b').isGranted).toBe(true);
    nowMs += 1_500;
    expect(take('a')).toMatchObject({ isGranted: false, moreAfterS: 1 });
    nowMs += 500;
    expect(take('a')).toMatchObject({ isGranted: true, remaining: 0, moreAfterS: 2 });
    expect(take('a').isGranted).toBe(false);
  });

  it('holds a key to a lower allowance from the next request on', () => {
    const limit = createRateLimit({ now: () => 0 });
    expect(limit.take('a', 600).remaining).toBe(599);
    expect(limit.take('a', 2).remaining).toBe(1);
  });

  it('refuses a limit that would let nothing through', () => {
    expect(() => createRateLimit({ now: () => 0 }).take('a', 0)).toThrow(RangeError);
  });
});

describe('toRateLimitHeaders', () => {
  it('says what is allowed, what is left, and when there is more', () => {
    const allowance = { isGranted: true, requestsPerMinute: 60, remaining: 12, moreAfterS: 1 };
    expect(toRateLimitHeaders(allowance)).toEqual({
      'ratelimit-policy': '"key";q=60;w=60',
      ratelimit: '"key";r=12;t=1',
    });
  });
});

describe('GET /api/carrier', () => {
  const test = createTestService({ requestsPerMinute: 2 });

  it('GET /api/carrier answers 429 and when to come back, once a key has used up its requests', async () => {
    expect((await test.ask('/api/carrier')).status).toBe(200);
    expect((await test.ask('/api/carrier')).status).toBe(200);
    const response = await test.ask('/api/carrier');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('30');
    expect(response.headers.get('ratelimit')).toBe('"key";r=0;t=30');
    expect(response.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60');
    expect(await response.json()).toMatchObject({ code: 'too_many_requests', status: 429 });
    expect((await test.ask('/api/carrier', toHeaders(test.other))).status).toBe(200);
    test.stored.nowMs += 30_000;
    expect((await test.ask('/api/carrier')).status).toBe(200);
  });

  it('GET /api/carrier counts no request with wrong credentials against a key', async () => {
    test.stored.nowMs += 60_000;
    for (let i = 0; i < 5; i++) await test.ask('/api/carrier', { 'x-api-key': test.own.apiKey });
    expect((await test.ask('/api/carrier')).status).toBe(200);
  });
});
