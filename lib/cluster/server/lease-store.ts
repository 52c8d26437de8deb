import 'server-only';
import { z } from 'zod';

const text = z.string().max(200);
const ms = z.number().min(0);

/** A server's report about itself, sent with each heartbeat. */
const serverReportSchema = z.object({
  /** The name of its machine, with its port. */
  name: text,
  app: text,
  /** Id of its build; null in development. */
  build: text.nullable(),
  uptimeMs: ms,
  /** How far the most overdue of its fleets is past its interval, whatever the cause, ms; null before the first answer. */
  lagMs: ms.nullable(),
  /** How long its newest message to itself took through Redis, or has taken so far, ms; null before the first. */
  echoMs: ms.nullable(),
  /** For how long it has reached the store of leases in Redis, ms; negative: has not reached it. */
  redisForMs: z.number().optional(),
  /** For how long it has reached PostgreSQL, in the same way. */
  databaseForMs: z.number().optional(),
});
export type ServerReport = z.infer<typeof serverReportSchema>;

export interface SharingServer {
  /** Random, and another after each start. */
  id: string;
  isThis: boolean;
  /** The time since its newest heartbeat that is known here, ms; 0 for this server. */
  silentMs: number;
  /** The fleets that it polls, as of that heartbeat. */
  usdots: string[];
  /** Null for a server of another version that states none, or states it in another way. */
  report: ServerReport | null;
}

/** The servers that share the fleets, as this one knows them. */
export interface SharingServers {
  /** For how long messages through Redis have not reached this server, ms; null: they do. */
  redisAwayMs: number | null;
  servers: SharingServer[];
  counts: Readonly<SharingCounts>;
}

/** Counts of the work for and from the other servers since the start. */
export interface SharingCounts {
  publishedVersions: number;
  /** Snapshots and changes as they are stored in Redis. */
  publishedBytes: number;
  readVersions: number;
  readBytes: number;
  lostLeases: number;
}

/** Null for what another version of Linehaul states in another way. */
export const toServerReport = (stated: unknown): ServerReport | null =>
  serverReportSchema.nullable().catch(null).parse(stated);

/** The report of a JSON text; null as above. */
export const parseServerReport = (stored: string): ServerReport | null => {
  try {
    return toServerReport(JSON.parse(stored));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** A killed server's fleets are free after this long. */
export const LEASE_MS = 4000;
/** A server that gives no sign is listed for this long. */
export const SHOWN_MS = 600_000;

export interface OwnLease {
  usdot: string;
  fence: number;
}

/** The content of a server's heartbeat. */
export interface Beat {
  /** The fleets that it wants to be polled. */
  wanted: string[];
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
  leave: (server: string) => Promise<void>;
}
