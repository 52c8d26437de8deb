import 'server-only';
import { LRUCache } from 'lru-cache';
import { roomFor } from '../cache';
import type { Clock } from '../clock';
import { createSharedLimiter, type LimitStore } from '../rate-limits';

interface Bucket {
  tokens: number;
  filledAtMs: number;
  /** Requests that the other servers do not know of yet. */
  unshared: number;
  /** Until when all servers together have granted the client enough, in monotonic ms. */
  spentUntilMs: number;
}

/** A bucket holds this many seconds of requests: a page that opens sends thirty requests at once. */
const BURST_S = 10;
/** Maximum number of clients kept. A dropped client starts with a full bucket, as after ten idle seconds. */
const MAX_CLIENTS = 20_000;
/** The part of a bucket after which requests are added to the count of all servers. */
const SHARED_PART = 0.01;

/** Where several servers count together, and the name of a limit there. */
export interface SharedCount {
  store: LimitStore;
  name: string;
}

/**
 * A token bucket for each client address, with a bounded number of clients. Written here because its callers decide
 * without waiting, on monotonic time; rate-limiter-flexible answers by a promise, in fixed windows of the wall clock.
 *
 * With `shared`, all servers together also grant a client no more than one bucket in each window of ten seconds. They count
 * in Redis without a request waiting for it, a hundredth of a bucket at a time, so each server may exceed it by that much.
 */
export const createClientLimit = (options: {
  requestsPerS: number;
  clock: Pick<Clock, 'monotonicMs'>;
  maxClients?: number;
  /** Null: there is no other server. */
  shared?: SharedCount | null;
}) => {
  const { requestsPerS, clock, maxClients = MAX_CLIENTS, shared = null } = options;
  const burst = requestsPerS * BURST_S;
  const buckets = new LRUCache<string, Bucket>(roomFor(maxClients));
  const ofAll =
    shared && createSharedLimiter(shared.store, shared.name, { points: burst, durationS: BURST_S });

  const share = async (client: string, bucket: Bucket): Promise<void> => {
    const requests = bucket.unshared;
    bucket.unshared = 0;
    // It counts in memory where Redis is away, so this does not reject.
    const { consumedPoints, msBeforeNext } = await ofAll!.penalty(client, requests);
    if (consumedPoints >= burst) bucket.spentUntilMs = clock.monotonicMs() + msBeforeNext;
  };

  return {
    /** Takes one request off a client's allowance: 0, or the seconds until the next one is available. */
    take(client: string): number {
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(client) ?? {
        tokens: burst,
        filledAtMs: nowMs,
        unshared: 0,
        spentUntilMs: -Infinity,
      };
      const gained = ((nowMs - bucket.filledAtMs) / 1000) * requestsPerS;
      bucket.tokens = Math.min(burst, bucket.tokens + gained);
      bucket.filledAtMs = nowMs;
      buckets.set(client, bucket);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / requestsPerS));
      if (nowMs < bucket.spentUntilMs) return Math.ceil((bucket.spentUntilMs - nowMs) / 1000);
      bucket.tokens -= 1;
      bucket.unshared += 1;
      if (ofAll !== null && bucket.unshared >= burst * SHARED_PART) void share(client, bucket);
      return 0;
    },
    size: () => buckets.size,
  };
};

/** The IPv6 prefix of one subscriber (RFC 6177): its hosts count as one client. */
const SUBSCRIBER_GROUPS = 4;

/** An IPv6 address as its network of 64 bits: "2001:db8:0:1::/64". */
const toNetwork = (address: string): string => {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = !tail ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, SUBSCRIBER_GROUPS).join(':')}::/64`;
};

/**
 * The client key of an address: all addresses of one IPv6 subscriber are one client, and so are all unknown
 * addresses.
 */
export const toClientKey = (address: string | null): string => {
  if (address === null) return 'unknown';
  return address.includes(':') ? toNetwork(address) : address;
};

/** Whether the nearest trusted proxy reports that the client used TLS; no other header is trusted. */
export const isForwardedTls = (forwardedProto: string | undefined, trustedProxies: number): boolean =>
  trustedProxies > 0 && (forwardedProto ?? '').split(',').at(-1)?.trim().toLowerCase() === 'https';
