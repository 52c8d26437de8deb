import { z } from 'zod';
import { carrierAccountSchema } from '../wire/carrier';

/** One problem of a feed from its first answer to the one that had it no more; times are the server's, Unix milliseconds. */
const pastProblemSchema = z.object({
  kind: z.string(),
  /** For everybody. */
  message: z.string(),
  /** For an engineer. */
  detail: z.string(),
  sinceMs: z.number(),
  /** Null while it goes on. */
  untilMs: z.number().nullable(),
  /** How many polls in a row had it. */
  times: z.number(),
});
export type PastProblem = z.infer<typeof pastProblemSchema>;

const feedStatusSchema = z.object({
  usdot: z.string(),
  /** Nobody has asked for the fleet lately: it is not polled, and its ages are those of the last time. */
  isWatched: z.boolean(),
  /** When the provider last answered with units; null before it ever did. */
  fetchedAtMs: z.number().nullable(),
  staleSinceMs: z.number().nullable(),
  problem: z
    .object({ kind: z.string(), message: z.string(), detail: z.string(), sinceMs: z.number() })
    .nullable(),
  newestFixAtMs: z.number().nullable(),
  activeUnits: z.number(),
  rosterVins: z.number().nullable(),
  /** Screens that asked lately. */
  viewers: z.number(),
  /** How long the newest poll took; null before the first. */
  pollTookMs: z.number().nullable(),
  /** What of the newest answer was left out or mended, with the first cases; null before the first. */
  salvage: z.object({ dropped: z.number(), repaired: z.number(), examples: z.array(z.string()) }).nullable(),
  problems: z.array(pastProblemSchema),
});
export type FeedStatus = z.infer<typeof feedStatusSchema>;

/** One account of a provider and how it fares. */
const accountStatusSchema = z.object({
  /** The fleet that it is configured for; null: the account's own. */
  usdot: z.string().nullable(),
  /** Whose it is; null while that is not known. */
  account: carrierAccountSchema.nullable(),
  /** Why it is not known or not renewed, in words; null where it is, or was not asked for yet. */
  problem: z.string().nullable(),
});
export type AccountStatus = z.infer<typeof accountStatusSchema>;

/** `noAccounts`: their database was never reached, so that nobody can be shown anything. */
export type NotReadyReason = 'starting' | 'stopping' | 'noDatabase' | 'noAccounts';

const databaseStateSchema = z.object({
  state: z.string(),
  sinceMs: z.number().nullable(),
  code: z.string().nullable(),
});

/** How the server and all that it depends on fare. */
export const serverStatusSchema = z.object({
  nowMs: z.number(),
  startedAtMs: z.number(),
  source: z.enum(['provider', 'embedded']),
  pollIntervalMs: z.number(),
  /** Why requests should go elsewhere; empty where they need not. A newer server may know reasons that we do not. */
  notReady: z.array(z.string()),
  /** How the embedded service's database fares; null where a provider is read. */
  database: databaseStateSchema.nullable(),
  /** How the database of accounts fares. */
  accountsDatabase: databaseStateSchema,
  versions: z.object({
    app: z.string(),
    /** Of this very build; null while developing. */
    build: z.string().nullable(),
    node: z.string(),
    /** Of the embedded service's PostgreSQL; null where there is none or it is out of reach. */
    database: z.string().nullable(),
  }),
  memory: z.object({
    residentBytes: z.number(),
    heapUsedBytes: z.number(),
    /** Of the thread that polls; null before its first poll. */
    threadHeapUsedBytes: z.number().nullable(),
  }),
  /** The accounts of providers that fleets are read with, the first one first. */
  accounts: z.array(accountStatusSchema),
  feeds: z.array(feedStatusSchema),
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;
