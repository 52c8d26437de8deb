import { describe, expect, it } from 'vitest';
import { clockOf } from '@/testing/clock';
import { createFetchCache } from './cache';

const setUp = (max = 10) => {
  const clock = { nowMs: 1000 };
  const asked: string[] = [];
  const cache = createFetchCache<string>({ ttlMs: 1000, max, clock: clockOf(() => clock.nowMs) });
  const read = (key: string, answer = `${key}!`) =>
    cache.read(key, async () => {
      asked.push(key);
      return answer;
    });
  return { clock, asked, cache, read };
};

describe('createFetchCache', () => {
  it('shares one fetch among concurrent requests', async () => {
    const { asked, read } = setUp();
    expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual(['a!', 'a!', 'b!']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('caches for its TTL, counted from the answer, and then fetches again', async () => {
    const { asked, clock, read } = setUp();
    await read('a', 'first');
    clock.nowMs += 1000;
    expect(await read('a', 'second')).toBe('first');
    clock.nowMs += 1;
    expect(await read('a', 'second')).toBe('second');
    expect(asked).toHaveLength(2);
  });

  it('does not cache a failure, and rejects all concurrent requests with it', async () => {
    const { cache, read } = setUp();
    const failing = () => cache.read('a', () => Promise.reject(new Error('down')));
    const results = await Promise.allSettled([failing(), failing()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read('a')).toBe('a!');
  });

  it('holds at most its maximum, and evicts the oldest first', async () => {
    const { asked, read } = setUp(2);
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await read(key);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('keeps a newer fetch when an evicted one ends', async () => {
    const { cache, read } = setUp(1);
    let fail = (_: Error) => {};
    const slow = cache.read('a', () => new Promise((_, reject) => (fail = reject)));
    await read('b');
    await read('a', 'new');
    fail(new Error('late'));
    await expect(slow).rejects.toThrow('late');
    expect(await read('a', 'newer')).toBe('new');
  });
});
