import type { Endpoint } from './store/credentials/key-access';
import type { FleetCache } from './answer/fleet-cache';
import type { ServiceLog } from './log';
import type { Store } from './store/store';

/** Counts requests by key in windows of `durationS` seconds, which start with the key's first request. */
export interface RequestCounter {
  consume: (keyId: string) => Promise<{ consumedPoints: number; msBeforeNext: number }>;
}
export type CreateCounter = (window: { points: number; durationS: number }) => RequestCounter;

export interface ServiceOptions {
  store: Store;
  now: () => number;
  /** Maximum age of the newest fix of an active unit, in ms; half an hour by default. */
  activeWindowMs?: number;
  log?: ServiceLog;
  /** The path where the service is mounted, such as `/tracking`; the root by default. */
  basePath?: string;
  /** Allowance of keys that have none of their own; no limit by default. */
  requestsPerMinute?: number | null;
  /** Makes the counter of the keys' requests, where other processes count with this one. */
  createCounter?: CreateCounter | undefined;
  /** The client's address, null where it is not known. Without it every key that is bound to addresses is refused. */
  readClientAddress?: (request: Request) => string | null;
}

/** Shared by all requests. */
export interface ServiceContext extends Required<Omit<ServiceOptions, 'activeWindowMs' | 'createCounter'>> {
  createCounter: CreateCounter | undefined;
  fleets: FleetCache;
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
