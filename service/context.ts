import type { Endpoint } from './store/credentials/key-access';
import type { FleetCache } from './answer/fleet-cache';
import type { ServiceLog } from './log';
import type { Store } from './store/store';

/** Counts requests by key in windows of `durationS` seconds, which start with the key's first request. */
export interface RequestCounter {
  consume: (keyId: string) => Promise<{ consumedPoints: number; msBeforeNext: number }>;
}
export type CreateCounter = (window: { points: number; durationS: number }) => RequestCounter;

/** Shared by all requests. */
export interface ServiceContext {
  store: Store;
  now: () => number;
  log: ServiceLog;
  /** The path where the service is mounted, without a trailing slash; empty at the root. */
  basePath: string;
  fleets: FleetCache;
  /** Allowance of keys that have none of their own; null for no limit. */
  requestsPerMinute: number | null;
  createCounter: CreateCounter | undefined;
  /** The client's address; null where it is not known. */
  readClientAddress: (request: Request) => string | null;
}

/** Set by the middleware for the handlers. */
export interface ServiceEnv {
  Variables: {
    requestId: string;
    /** The carrier that the request's key belongs to. */
    usdot: string;
    /** The endpoints that the key may use; null for all of them. */
    endpoints: Endpoint[] | null;
  };
}
