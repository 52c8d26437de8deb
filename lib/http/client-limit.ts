import 'server-only';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** A bucket holds this many seconds of requests: a page that opens sends thirty requests at once. */
const BURST_S = 10;
/** Maximum number of clients kept. A dropped client starts with a full bucket, as after ten idle seconds. */
const MAX_CLIENTS = 20_000;

/** A token bucket for each client address, with a bounded number of clients. */
export const createClientLimit = (options: {
  requestsPerS: number;
  /** Monotonic time in ms. */
  elapsed: () => number;
  maxClients?: number;
}) => {
  const { requestsPerS, elapsed, maxClients = MAX_CLIENTS } = options;
  const burst = requestsPerS * BURST_S;
  /** In the order of their last requests. */
  const buckets = new Map<string, Bucket>();

  return {
    /** Takes one request off a client's allowance: 0, or the seconds until the next one is available. */
    take(client: string): number {
      const nowMs = elapsed();
      const bucket = buckets.get(client) ?? { tokens: burst, filledAtMs: nowMs };
      const gained = ((nowMs - bucket.filledAtMs) / 1000) * requestsPerS;
      bucket.tokens = Math.min(burst, bucket.tokens + gained);
      bucket.filledAtMs = nowMs;
      buckets.delete(client);
      buckets.set(client, bucket);
      if (buckets.size > maxClients) {
        const [oldest] = buckets.keys();
        buckets.delete(oldest!);
      }
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / requestsPerS));
      bucket.tokens -= 1;
      return 0;
    },
    size: () => buckets.size,
  };
};
