interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** What a request found of its key's allowance. */
export interface Allowance {
  isGranted: boolean;
  requestsPerMinute: number;
  /** How many requests may follow at once. */
  remaining: number;
  /** Whole seconds until there is one more; 0 where there are all. */
  moreAfterS: number;
}

const MINUTE_S = 60;

/**
 * A token bucket for each key: a full one allows a burst of a minute's requests, and it fills evenly.
 * Held in memory, so each process of a service counts for itself.
 */
export const createRateLimit = ({ now }: { now: () => number }) => {
  const buckets = new Map<string, Bucket>();

  return {
    /** Takes one request off a key's allowance, if there is one. @throws RangeError for an allowance of nothing */
    take(key: string, requestsPerMinute: number): Allowance {
      if (!(requestsPerMinute >= 1))
        throw new RangeError(`Got ${requestsPerMinute} requests a minute when expected 1 or more.`);
      const tokensPerMs = requestsPerMinute / MINUTE_S / 1000;
      const nowMs = now();
      const bucket = buckets.get(key) ?? { tokens: requestsPerMinute, filledAtMs: nowMs };
      const gained = Math.max(0, nowMs - bucket.filledAtMs) * tokensPerMs;
      bucket.tokens = Math.min(requestsPerMinute, bucket.tokens + gained);
      bucket.filledAtMs = nowMs;
      buckets.set(key, bucket);
      const isGranted = bucket.tokens >= 1;
      if (isGranted) bucket.tokens -= 1;
      const remaining = Math.floor(bucket.tokens);
      const moreAfterS = Math.max(1, Math.ceil((remaining + 1 - bucket.tokens) / tokensPerMs / 1000));
      return {
        isGranted,
        requestsPerMinute,
        remaining,
        moreAfterS: remaining === requestsPerMinute ? 0 : moreAfterS,
      };
    },
  };
};

/** The name under which the fields speak of a key's allowance. */
const POLICY = '"key"';

/**
 * An allowance as header fields (draft-ietf-httpapi-ratelimit-headers-11): q requests in a window of w seconds, of which
 * r are left, and t seconds until there are more.
 */
export const toRateLimitHeaders = ({ requestsPerMinute, remaining, moreAfterS }: Allowance) => ({
  'ratelimit-policy': `${POLICY};q=${requestsPerMinute};w=${MINUTE_S}`,
  ratelimit: `${POLICY};r=${remaining};t=${moreAfterS}`,
});
