import { RateLimiterMemory } from 'rate-limiter-flexible';

const WINDOW_S = 60;

/** What is left of a key's allowance after one request was counted. */
export interface Allowance {
  isGranted: boolean;
  requestsPerMinute: number;
  remaining: number;
  /** Whole seconds until the window ends and the whole allowance is there again. */
  resetS: number;
}

/**
 * Counts the requests of each key in windows of a minute, which start with the key's first request. Each process of a
 * service counts for itself.
 */
export const createRateLimit = () => {
  // No limit by points: each key has an allowance of its own, which may change within a window.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_S });
  return async (keyId: string, requestsPerMinute: number): Promise<Allowance> => {
    const { consumedPoints, msBeforeNext } = await limiter.consume(keyId);
    return {
      isGranted: consumedPoints <= requestsPerMinute,
      requestsPerMinute,
      remaining: Math.max(0, requestsPerMinute - consumedPoints),
      resetS: Math.ceil(msBeforeNext / 1000),
    };
  };
};

/**
 * An allowance as header fields (draft-ietf-httpapi-ratelimit-headers-11): q requests in a window of w seconds, of which
 * r are left, and t seconds until the window ends.
 */
export const toRateLimitHeaders = ({ requestsPerMinute, remaining, resetS }: Allowance) => ({
  'ratelimit-policy': `"key";q=${requestsPerMinute};w=${WINDOW_S}`,
  ratelimit: `"key";r=${remaining};t=${resetS}`,
});
