import { FLEET_SOURCES } from '@/lib/identity/own-carrier';
import { z } from '@/lib/base/zod';
import { carrierAccountSchema, type CarrierAccount } from '../wire/fleet';

/** One problem of a feed, from the first answer that had it to the first without it; server times in Unix ms. */
const pastProblemSchema = z.object({
  kind: z.string(),
  /** For every reader. */
  message: z.string(),
  /** For engineers. */
  detail: z.string(),
  sinceMs: z.number(),
  /** Null while the problem lasts. */
  untilMs: z.number().nullable(),
  /** The number of consecutive polls that had it. */
  times: z.number(),
});
export type ListedProblem = z.infer<typeof pastProblemSchema>;

const feedStatusSchema = z.object({
  usdot: z.string(),
  /** False if no client has requested the fleet lately: it is polled only if it is recorded, and more seldom. */
  isWatched: z.boolean(),
  /** When its recording began, and when it was last written; null if the fleet is not recorded. */
  recording: z.object({ sinceMs: z.number().nullable(), writtenAtMs: z.number().nullable() }).nullable(),
  /** The time of the provider's last answer with units; null before the first. */
  fetchedAtMs: z.number().nullable(),
  staleSinceMs: z.number().nullable(),
  problem: z
    .object({ kind: z.string(), message: z.string(), detail: z.string(), sinceMs: z.number() })
    .nullable(),
  newestFixAtMs: z.number().nullable(),
  activeUnits: z.number(),
  rosterVins: z.number().nullable(),
  /** Screens with a recent request. */
  viewers: z.number(),
  /** Until when its mails to customers wait, because it has sent as many as it may; null: none wait for that. */
  mailsHeldUntilMs: z.number().nullable(),
  /** Duration of the latest poll; null before the first. */
  pollTookMs: z.number().nullable(),
  /** Fields of the latest answer that were dropped or repaired, with the first examples; null before the first. */
  salvage: z.object({ dropped: z.number(), repaired: z.number(), examples: z.array(z.string()) }).nullable(),
  problems: z.array(pastProblemSchema),
});
export type FeedStatus = z.infer<typeof feedStatusSchema>;

const accountStatusSchema = z.object({
  /** The fleet that it is configured for; null: the account's own. */
  usdot: z.string().nullable(),
  /** The account's carrier; null while unknown. */
  account: z.custom<CarrierAccount>(carrierAccountSchema.accepts).nullable(),
  /** Why the carrier is unknown or not refreshed, as text; null if it is known, or has not been read yet. */
  problem: z.string().nullable(),
});
export type AccountStatus = z.infer<typeof accountStatusSchema>;

/** `noAccounts`: the accounts database has never been reachable, so no request can be authenticated. */
export type NotReadyReason = 'starting' | 'stopping' | 'noDatabase' | 'noAccounts';

const databaseStateSchema = z.object({
  state: z.string(),
  sinceMs: z.number().nullable(),
  code: z.string().nullable(),
});

const sharingServerSchema = z.object({
  id: z.string(),
  isThis: z.boolean(),
  /** The time since its newest heartbeat, ms; 0 for this server. */
  silentMs: z.number(),
  /** The number of fleets that it polls, and those that the viewer may see. */
  fleets: z.number(),
  usdots: z.array(z.string()),
  /** Null for a server of a version that states it in another way. */
  report: z
    .object({
      name: z.string(),
      app: z.string(),
      build: z.string().nullable(),
      uptimeMs: z.number(),
      /** By how much its most overdue fleet is past its interval; null before the first answer. */
      lagMs: z.number().nullable(),
      /** How long a message took to reach it through Redis; null before the first. */
      echoMs: z.number().nullable(),
    })
    .nullable(),
});
export type SharingServerStatus = z.infer<typeof sharingServerSchema>;

export const serverStatusSchema = z.object({
  nowMs: z.number(),
  startedAtMs: z.number(),
  source: z.enum(FLEET_SOURCES).nullable(),
  pollIntervalMs: z.number(),
  /** How often a fleet is polled while no screen shows it; null if fleets are not recorded. */
  recordIntervalMs: z.number().nullable(),
  /** The recording on disk, with its archive; null before it is known. */
  recordedBytes: z.number().nullable(),
  /** The begin of the oldest archived hour, Unix ms; null: none, or not known. */
  archivedFromMs: z.number().nullable(),
  /** Why nothing is archived, and files of the archive that cannot be read. */
  archiveProblems: z.array(z.string()),
  /** Why the server is not ready for requests; empty if it is. A newer server may send unknown reasons. */
  notReady: z.array(z.string()),
  /** Health of the embedded service's database; null if a provider is read. */
  database: databaseStateSchema.nullable(),
  accountsDatabase: databaseStateSchema,
  /** The routing engine for loads, and what this server asked it since its start; null: there is none. */
  routing: z
    .object({
      engine: z.string(),
      state: z.string(),
      sinceMs: z.number().nullable(),
      /** Why it does not answer, as the end of a sentence. */
      reason: z.string().nullable(),
      found: z.number(),
      none: z.number(),
      failed: z.number(),
      skipped: z.number(),
      /** How long its newest answer took. */
      tookMs: z.number().nullable(),
    })
    .nullable(),
  /** The servers that share the fleets, by their names; null: it is alone. */
  sharing: z
    .object({
      /** For how long Redis has not answered this server, ms; null: it does. */
      redisAwayMs: z.number().nullable(),
      servers: z.array(sharingServerSchema),
    })
    .nullable(),
  versions: z.object({
    app: z.string(),
    /** Id of this build; null in development. */
    build: z.string().nullable(),
    node: z.string(),
    /** PostgreSQL version of the embedded service; null if there is none or it is unreachable. */
    database: z.string().nullable(),
  }),
  memory: z.object({
    residentBytes: z.number(),
    heapUsedBytes: z.number(),
    /** The heap of the polling thread; null before its first poll. */
    threadHeapUsedBytes: z.number().nullable(),
  }),
  /** The provider accounts that serve fleets, the first one first. */
  accounts: z.array(accountStatusSchema),
  feeds: z.array(feedStatusSchema),
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;
