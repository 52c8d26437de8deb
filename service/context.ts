import type { Endpoint } from './access/key-access';
import type { FleetCache } from './answer/fleet-cache';
import type { ServiceLog } from './log';
import type { Store } from './store/store';

/** What every request may use. */
export interface ServiceContext {
  store: Store;
  now: () => number;
  log: ServiceLog;
  /** The path under which the service is mounted, without a slash at its end; empty at the root. */
  basePath: string;
  fleets: FleetCache;
  /** How many requests a minute a key may make that has no allowance of its own; null for as many as it likes. */
  requestsPerMinute: number | null;
  /** Who sent a request, told by address; null where that is not known. */
  readClientAddress: (request: Request) => string | null;
}

/** What a request carries from the middleware to its handler. */
export interface ServiceEnv {
  Variables: {
    requestId: string;
    /** The carrier that the request's key belongs to. */
    usdot: string;
    /** The endpoints that the key may ask; null for all of them. */
    endpoints: Endpoint[] | null;
  };
}
