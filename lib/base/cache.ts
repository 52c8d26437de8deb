import { LRUCache } from 'lru-cache';
import type { Clock } from './clock';

interface FetchCache<T> {
  /** The cached value of the key, or else the result of `fetch`; concurrent reads of one key share one fetch. */
  read: (key: string, fetch: () => Promise<T>) => Promise<T>;
}

/** Caches values for `ttlMs` after their fetch, at most `max` of them. A failure is not cached. */
export const createFetchCache = <T extends object | string>(options: {
  ttlMs: number;
  max: number;
  clock: Clock;
}): FetchCache<T> => {
  const { ttlMs, max, clock } = options;
  const cache = new LRUCache<string, T, () => Promise<T>>({
    max,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: () => clock.monotonicMs() },
    // A fetch whose entry was evicted still answers those who wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: fetch }) => fetch(),
  });
  return { read: async (key, fetch) => (await cache.fetch(key, { context: fetch }))! };
};

/**
 * Options of an LRUCache whose memory grows with what it holds: `max` takes 20 bytes for each possible entry at once.
 */
export const roomFor = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
