interface Bucket {
  tokens: number;
  filledAtMs: number;
}

const MINUTE_MS = 60_000;

/**
 * A token bucket for each key: a full one allows a burst of a minute's requests, and it fills evenly.
 * Held in memory, so each process of a service counts for itself.
 */
export const createRateLimit = (options: { requestsPerMinute: number; now: () => number }) => {
  const { requestsPerMinute, now } = options;
  if (!(requestsPerMinute >= 1))
    throw new RangeError(`Got ${requestsPerMinute} requests a minute when expected 1 or more.`);
  const tokensPerMs = requestsPerMinute / MINUTE_MS;
  const buckets = new Map<string, Bucket>();

  return {
    /** Takes one request off a key's allowance: 0, or the seconds after which there is one again. */
    take(key: string): number {
      const nowMs = now();
      const bucket = buckets.get(key) ?? { tokens: requestsPerMinute, filledAtMs: nowMs };
      const gained = Math.max(0, nowMs - bucket.filledAtMs) * tokensPerMs;
      bucket.tokens = Math.min(requestsPerMinute, bucket.tokens + gained);
      bucket.filledAtMs = nowMs;
      buckets.set(key, bucket);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / tokensPerMs / 1000));
      bucket.tokens -= 1;
      return 0;
    },
  };
};
