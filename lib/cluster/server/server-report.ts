import 'server-only';
import { z } from 'zod';

const text = z.string().max(200);
const ms = z.number().min(0);

/** What a server states about itself with each heartbeat. */
const serverReportSchema = z.object({
  /** Of its machine, with its port. */
  name: text,
  app: text,
  /** Id of its build; null in development. */
  build: text.nullable(),
  uptimeMs: ms,
  /**
   * By how much the most overdue of its fleets is past the interval in which it should have an answer of the provider,
   * whatever the cause, ms; null before the first answer.
   */
  lagMs: ms.nullable(),
  /** How long its newest message to itself took through Redis, or has taken so far, ms; null before the first. */
  echoMs: ms.nullable(),
  /** For how long it has reached the store of leases in Redis, ms; negative: has not reached it. */
  redisForMs: z.number().optional(),
  /** The same of PostgreSQL. */
  databaseForMs: z.number().optional(),
});
export type ServerReport = z.infer<typeof serverReportSchema>;

/** One of the servers that share the fleets. */
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
  /** By their names. */
  servers: SharingServer[];
  counts: Readonly<SharingCounts>;
}

/** What this server has done for the others and read of them since it started. */
export interface SharingCounts {
  publishedVersions: number;
  /** Snapshots and changes as they are stored in Redis. */
  publishedBytes: number;
  readVersions: number;
  readBytes: number;
  /** Leases that ended against this server's will. */
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
