import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Accounts } from '@/lib/auth/server/accounts';
import type { Env } from '@/lib/config/env';
import type { Feed } from '@/lib/live/feeds';
import type { Viewers } from '@/lib/live/viewers';
import type { WatchedFleets } from '@/lib/live/watched-fleets';
import type { FeedJournal } from '@/lib/live/worker/feed-journal';
import type { DatabaseState } from '@/lib/ops/database-watch';
import type { Log } from '@/lib/ops/log';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import type { Versions } from '@/lib/ops/versions';
import type { Roster } from '@/lib/roster/schema';
import type { NotReadyReason } from '@/lib/status/schema';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Problem } from '@/lib/wire/problem';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { VinCarrier } from '@/lib/wire/carrier';
import type { Store } from '@/service/store/store';
import type { RequestContext } from './request-context';

/** One account of a provider and how it fares. */
export interface AccountState {
  /** The fleet that it is configured for; null: the account's own. */
  usdot: string | null;
  account: CarrierAccount | null;
  /** Why it cannot be read or renewed; null where it can, or was not requested yet. */
  problem: Problem | null;
}

/** What pages and route handlers use of the server. */
export interface Runtime {
  env: Env;
  log: Log;
  /** How long this process has been at it, whatever became of its clock. */
  readUptimeMs: () => number;
  now: () => number;
  versions: Versions;
  /** Who may see what. */
  accounts: Accounts;
  fleets: WatchedFleets;
  journal: FeedJournal;
  /** Null where nobody may read them. */
  metrics: Metrics | null;
  viewers: Viewers;
  /** The fleets that are watched, and after them those that were and of which something is remembered. */
  listFeeds: () => { usdot: string; feed: Feed; isWatched: boolean }[];
  /** Why requests should go elsewhere; empty where they need not. */
  readNotReady: () => NotReadyReason[];
  /** Whether there is such a fleet here; with one account the provider alone knows, and each is taken for one. */
  hasFleet: (usdot: string) => boolean;
  /** Each account in its order, as it is known without waiting for anybody. */
  peekAccounts: () => AccountState[];
  /** Of the embedded service's PostgreSQL; null where there is none, or it was never reached. */
  readDatabaseVersion: () => string | null;
  /** The first account's carrier. */
  readAccount: () => Promise<CarrierAccount>;
  /** What a fleet's provider says of a VIN. It and the next two: @throws UnknownFleetError */
  readVinCarrier: (usdot: string, vin: string) => Promise<VinCarrier>;
  readRoster: (usdot: string) => Promise<Roster>;
  readUnit: (usdot: string, vin: string) => Promise<UnitAnswer>;
  /** A request to the embedded service. @throws NotEmbeddedError, DatabaseUnavailableError */
  serveTracking: (request: Request) => Promise<Response>;
  /** What the embedded service keeps. @throws NotEmbeddedError, DatabaseUnavailableError */
  openServiceStore: () => Promise<Store>;
  /** How the embedded service's database fares; null where a provider is read instead. */
  readDatabase: () => DatabaseState | null;
  /** How the database of accounts fares. */
  readAccountsDatabase: () => DatabaseState;
  /** Opens what must be open before the first request. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * The one global of this process. Next.js bundles pages and route handlers apart from server/, so that a module's
 * variable here is another variable there.
 */
const SHARED = Symbol.for('linehaul');

interface Shared {
  runtime: Runtime | null;
  contexts: AsyncLocalStorage<RequestContext>;
}

const readShared = (): Shared => {
  const holder = globalThis as { [SHARED]?: Shared };
  return (holder[SHARED] ??= { runtime: null, contexts: new AsyncLocalStorage() });
};

/** Called once by server/, before the first request. */
export const setRuntime = (runtime: Runtime): void => {
  readShared().runtime = runtime;
};

/** @throws Error before server/ has composed it */
export const readRuntime = (): Runtime => {
  const { runtime } = readShared();
  if (runtime === null) throw new Error('The runtime is read before the server has composed it.');
  return runtime;
};

/** Handles a request; all that is called on the way can read its context. */
export const withRequestContext = <T>(context: RequestContext, handle: () => T): T =>
  readShared().contexts.run(context, handle);

/** The context of the request that is handled; null outside of one. */
export const readRequestContext = (): RequestContext | null => readShared().contexts.getStore() ?? null;
