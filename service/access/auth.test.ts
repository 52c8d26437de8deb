import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestService, toHeaders } from '../../testing/service/service';
import { createRateLimit, toRateLimitHeaders } from './auth';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

describe('createRateLimit', () => {
  it('grants the allowance of a minute, then refuses until the window ends, each key for itself', async () => {
    const take = createRateLimit();
    for (let i = 0; i < 30; i++)
      expect(await take('a', 30)).toMatchObject({ isGranted: true, remaining: 29 - i });
    expect(await take('a', 30)).toEqual({
      isGranted: false,
      requestsPerMinute: 30,
      remaining: 0,
      resetS: 60,
    });
    expect((await take('b', 30)).isGranted).toBe(true);
    pass(58_500);
    expect(await take('a', 30)).toMatchObject({ isGranted: false, resetS: 2 });
    pass(1_500);
    expect(await take('a', 30)).toMatchObject({ isGranted: true, remaining: 29, resetS: 60 });
  });

  it('holds a key to a lower allowance from the next request on', async () => {
    const take = createRateLimit();
    for (let i = 0; i < 3; i++) expect((await take('a', 600)).isGranted).toBe(true);
    expect(await take('a', 2)).toMatchObject({ isGranted: false, remaining: 0 });
    expect((await take('a', 600)).isGranted).toBe(true);
  });
});

describe('toRateLimitHeaders', () => {
  it('names what is allowed, what is left, and when the window ends', () => {
    const allowance = { isGranted: true, requestsPerMinute: 60, remaining: 12, resetS: 1 };
    expect(toRateLimitHeaders(allowance)).toEqual({
      'ratelimit-policy': '"key";q=60;w=60',
      ratelimit: '"key";r=12;t=1',
    });
  });
});

describe('GET /api/carrier', () => {
  const test = createTestService({ requestsPerMinute: 2 });

  it('answers 429 and when to come back, once a key has used up its requests', async () => {
    expect((await test.ask('/api/carrier')).status).toBe(200);
    expect((await test.ask('/api/carrier')).status).toBe(200);
    pass(30_000);
    const response = await test.ask('/api/carrier');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('30');
    expect(response.headers.get('ratelimit')).toBe('"key";r=0;t=30');
    expect(response.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60');
    expect(await response.json()).toMatchObject({ code: 'too_many_requests', status: 429 });
    expect((await test.ask('/api/carrier', toHeaders(test.other))).status).toBe(200);
    pass(30_000);
    expect((await test.ask('/api/carrier')).status).toBe(200);
  });

  it('counts no request with wrong credentials against a key', async () => {
    pass(60_000);
    for (let i = 0; i < 5; i++) await test.ask('/api/carrier', { 'x-api-key': test.own.apiKey });
    expect((await test.ask('/api/carrier')).status).toBe(200);
  });
});
