import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AlertMessages } from '@/lib/alerts/server/outbox';
import type { Accounts } from '@/lib/auth/server/accounts';
import type { SharingServers } from '@/lib/cluster/server/lease-store';
import type { Clock } from '@/lib/base/clock';
import type { ChosenSource, Env } from '@/lib/config/env';
import type { ProviderAccount } from '@/lib/config/providers';
import type { Connected } from '@/lib/fleet-source/schema';
import type { StoredSource } from '@/lib/fleet-source/server/stored-source';
import type { Executor } from '@/lib/database/database';
import type { Feed } from '@/lib/feeds/feeds';
import type { Viewers } from '@/lib/feeds/viewers';
import type { WatchedFleets } from '@/lib/feeds/watched-fleets';
import type { Archive } from '@/lib/archive/archive';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { QueryLimit } from '@/lib/past/server/query-limit';
import type { PastFleets } from '@/lib/past/server/past-fleets';
import type { Recorder } from '@/lib/recording/recorder';
import type { FleetReports } from '@/lib/reports/server/fleet-reports';
import type { FeedJournal } from '@/lib/feeds/worker/health';
import type { MapSources } from '@/lib/map/server/map-sources';
import type { DatabaseState } from '@/lib/database/database-watch';
import type { Log } from '@/lib/base/log';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import type { Versions } from '@/lib/base/versions';
import type { Roster } from '@/lib/roster/roster';
import type { NotReadyReason } from '@/lib/status/schema';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Problem } from '@/lib/base/http/protocol';
import type { UnitAnswer, VinCarrier } from '@/lib/wire/unit';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';

/** What the server knows of a request before authentication; the client cannot set any of it. */
export interface RequestContext {
  requestId: string;
  /** The client's network address, from the socket and the trusted proxies; null if unknown. */
  address: string | null;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
  /** The browser uses TLS. */
  isTls: boolean;
  /** The target as the client wrote it. */
  target: string;
  /** The path and query of the page that is shown at another address; null: the page of the target. */
  shownAddress: string | null;
  /** Nonce of the page's content security policy; null for an answer that is not a page. */
  nonce: string | null;
}

/** The context of a handler that is called without a server, as in a unit test: the client is unknown. */
export const UNKNOWN_CONTEXT: RequestContext = {
  requestId: 'none',
  address: null,
  isLocal: false,
  isTls: false,
  target: '/',
  shownAddress: null,
  nonce: null,
};

/** One account of a provider and its state. */
export interface AccountState {
  /** The configured fleet; null: the account's own. */
  usdot: string | null;
  account: CarrierAccount | null;
  /** Why it cannot be read or renewed; null without a failure or before the first request. */
  problem: Problem | null;
}

/** The choice of where the fleets come from. */
export interface SourceControl {
  /** Reads a provider's fleet once for a user or a client's address. @throws AppError 'provider-refused', 'too-many-attempts' */
  check: (provider: ProviderAccount, client: string) => Promise<Connected>;
  /** @throws AppError 'accounts-unavailable' */
  read: () => Promise<StoredSource>;
  write: (
    tx: Executor,
    source: ChosenSource,
    changed: { changedBy: string; changedAtMs: number },
  ) => Promise<void>;
  /** Composes the server again if another source is stored; resolves when it answers. @throws if that cannot be read */
  reload: () => Promise<void>;
  /** Removes the demo's carriers, vehicles, positions and credentials; false where there were none. */
  removeDemo: () => Promise<boolean>;
}

/** What pages and route handlers use of the server. */
export interface Runtime {
  env: Env;
  log: Log;
  /** Process uptime in ms (monotonic). */
  readUptimeMs: () => number;
  clock: Clock;
  versions: Versions;
  map: MapSources;
  /** The script of the served build's service worker; null in development. */
  serviceWorker: string | null;
  /** The accounts that determine each viewer's scope. */
  accounts: Accounts;
  fleets: WatchedFleets;
  journal: FeedJournal;
  /** The recording; null if fleets are not recorded. */
  history: {
    recorder: Recorder;
    reader: HistoryReader;
    past: PastFleets;
    reports: FleetReports;
    limit: QueryLimit;
    archive: Archive;
  } | null;
  /** The messages about alerts; null if fleets are not recorded. */
  messages: AlertMessages | null;
  /** What the feeds watch for, which is read again after a change; absent in tests. */
  watch?: { reload: (usdot: string) => void };
  /** Null if metrics are off. */
  metrics: Metrics | null;
  viewers: Viewers;
  /** The watched fleets, and after them those watched earlier with retained problems. */
  listFeeds: () => { usdot: string; feed: Feed; isWatched: boolean }[];
  /** The watched fleets, and after them the others that this server polls: those that it records, or has the leases of. */
  listPolled: Runtime['listFeeds'];
  /** The servers that share the fleets; null: this one is alone. */
  readServers: () => SharingServers | null;
  /** Why requests should go elsewhere; empty if they need not. */
  readNotReady: () => NotReadyReason[];
  /**
   * Whether the fleet exists here; with one account only the provider knows, so every number counts as a
   * fleet.
   */
  hasFleet: (usdot: string) => boolean;
  /** Each account in its order, from the cache without waiting. */
  peekAccounts: () => AccountState[];
  /** Version of the embedded service's PostgreSQL; null without one, or before it was first reached. */
  readDatabaseVersion: () => string | null;
  /** The first account's carrier. */
  readAccount: () => Promise<CarrierAccount>;
  /** The provider's answer for a VIN of a fleet. It and the next two: @throws AppError 'unknown-fleet' */
  readVinCarrier: (usdot: string, vin: string) => Promise<VinCarrier>;
  readRoster: (usdot: string) => Promise<Roster>;
  readUnit: (usdot: string, vin: string) => Promise<UnitAnswer>;
  /** A request to the embedded service. @throws AppError 'not-embedded', 'database-unavailable' */
  serveTracking: (request: Request) => Promise<Response>;
  /** The embedded service for managers. @throws AppError 'not-embedded', 'database-unavailable' */
  openServiceAdmin: () => Promise<ServiceAdmin>;
  /** State of the embedded service's database; null if a provider is read instead. */
  readDatabase: () => DatabaseState | null;
  /** State of the accounts database. */
  readAccountsDatabase: () => DatabaseState;
  /** Where the fleets come from, as managers choose. */
  sources: SourceControl;
  /** Opens all that the first request needs. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * The one global of this process. Next.js bundles pages and route handlers separately from server/, so a
 * module variable would have one instance in each.
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

/** Called by server/ before the first request, and again whenever the source of the fleets changes. */
export const setRuntime = (runtime: Runtime): void => {
  readShared().runtime = runtime;
};

/** @throws Error before server/ has composed it */
export const readRuntime = (): Runtime => {
  const { runtime } = readShared();
  if (runtime === null) throw new Error('The runtime is read before the server has composed it.');
  return runtime;
};

/** Handles a request; all code that it calls can read its context. */
export const withRequestContext = <T>(context: RequestContext, handle: () => T): T =>
  readShared().contexts.run(context, handle);

/** The context of the current request; null outside of one. */
export const readRequestContext = (): RequestContext | null => readShared().contexts.getStore() ?? null;
