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
  /** How many requests a key may make in a minute; null for as many as it likes. */
  requestsPerMinute: number | null;
}

/** What a request carries from the middleware to its handler. */
export interface ServiceEnv {
  Variables: {
    requestId: string;
    /** The carrier that the request's key belongs to. */
    usdot: string;
  };
}
