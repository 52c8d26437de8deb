import { describe, expect, it } from 'vitest';
import { createRateLimit } from './rate-limit';
import { createTestService, toHeaders } from './testing/service';

describe('createRateLimit', () => {
  it('allows a burst, then as many as have grown back, each key for itself', () => {
    let nowMs = 0;
    const limit = createRateLimit({ requestsPerMinute: 30, now: () => nowMs });
    for (let i = 0; i < 30; i++) expect(limit.take('a')).toBe(0);
    expect(limit.take('a')).toBe(2);
    expect(limit.take('b')).toBe(0);
    nowMs += 1_500;
    expect(limit.take('a')).toBe(1);
    nowMs += 500;
    expect(limit.take('a')).toBe(0);
    expect(limit.take('a')).toBe(2);
  });

  it('refuses a limit that would let nothing through', () => {
    expect(() => createRateLimit({ requestsPerMinute: 0, now: () => 0 })).toThrow(RangeError);
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
