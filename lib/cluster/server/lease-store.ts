import 'server-only';
import type { ServerReport } from './server-report';

/** A killed server's fleets are free after this long. */
export const LEASE_MS = 4000;
/** A server that gives no sign is listed for this long. */
export const SHOWN_MS = 600_000;

export interface OwnLease {
  usdot: string;
  fence: number;
}

/** What a server sends with each beat. */
export interface Beat {
  /** The fleets that it wants to be polled. */
  wanted: string[];
  /** The fleets that its browsers show. */
  watched: string[];
  /** Its leases, which the beat renews. */
  leases: OwnLease[];
  report: ServerReport;
}

export interface LeasedFleet {
  isWatched: boolean;
  /** Null: none has a lease. */
  owner: string | null;
  /** The greatest fencing number of the fleet; 0 before the first. */
  fence: number;
}

/** The state of all servers, as one store has it after a beat. */
export interface LeaseView {
  /** The fleets of the beat whose leases are still the server's. */
  kept: string[];
  /** Whether the store may be relied on for the leases of others: one that was emptied has lost them. */
  isSettled: boolean;
  servers: { id: string; silentMs: number; report: ServerReport | null }[];
  fleets: Map<string, LeasedFleet>;
}

export interface TakenLease extends OwnLease {
  /** The time since its last owner polled it, ms; null where that owner has not handed it over. */
  polledAgoMs: number | null;
}

/**
 * Where servers keep the leases of their fleets. A lease ends LEASE_MS after its owner's last beat. Of two leases of one
 * fleet, the one with the greater fencing number replaces the other, so that two stores which were apart agree again. No
 * two stores give the same number.
 *
 * Each method rejects while the store is away.
 */
export interface LeaseStore {
  name: 'database' | 'redis';
  beat: (server: string, beat: Beat) => Promise<LeaseView>;
  /** Takes the leases of fleets that are free, with fencing numbers of at least these. */
  acquire: (server: string, fleets: readonly OwnLease[]) => Promise<TakenLease[]>;
  /** Ends a lease, and passes on when the fleet was polled last. */
  release: (server: string, lease: OwnLease, polledAgoMs: number | null) => Promise<void>;
  /** The server is listed no longer. */
  leave: (server: string) => Promise<void>;
}
