import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AlertMessages } from '@/lib/alerts/server/outbox';
import type { Clock } from '@/lib/base/clock';
import type { SourceControl } from '@/lib/fleet-source/server/change-source';
import type { Archive } from '@/lib/archive/archive';
import type { WatchedFleets } from '@/lib/feeds/watched-fleets';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { QueryLimit } from '@/lib/past/server/query-limit';
import type { PastFleets } from '@/lib/past/server/past-fleets';
import type { ProofServer } from '@/lib/proof/server/documents';
import type { Recorder } from '@/lib/recording/recorder';
import type { DataQuality } from '@/lib/data-quality/server/data-quality';
import type { FleetReports } from '@/lib/reports/server/fleet-reports';
import type { ShareReader } from '@/lib/shares/server/read-share';
import type { MapSources } from '@/lib/map/server/map-sources';
import type { Log } from '@/lib/base/log';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import type { Roster } from '@/lib/roster/roster';
import type { ListedFeed, StatusSource } from '@/lib/status/server/server-status';
import type { SignIn } from './sign-in';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { UnitAnswer, VinCarrier } from '@/lib/wire/unit';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';

/** The server's knowledge of a request before authentication; the client cannot set any of it. */
export interface RequestContext {
  requestId: string;
  /** The client's network address, from the socket and the trusted proxies; null if unknown. */
  address: string | null;
  /** The request came from this machine, to a name of this machine, and through no proxy. */
  isLocal: boolean;
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

export interface Runtime extends StatusSource, Omit<SignIn, 'linkMails' | 'applyChange' | 'start' | 'close'> {
  log: Log;
  clock: Clock;
  map: MapSources;
  /** The script of the served build's service worker; null in development. */
  serviceWorker: string | null;
  fleets: WatchedFleets;
  /** What links for people without an account show. */
  shares: ShareReader;
  /** Issues documents. */
  proof: ProofServer;
  /** The recording; null if fleets are not recorded. */
  history: {
    recorder: Recorder;
    reader: HistoryReader;
    past: PastFleets;
    reports: FleetReports;
    quality: DataQuality;
    limit: QueryLimit;
    archive: Archive;
  } | null;
  /** The messages about alerts; null if fleets are not recorded. */
  messages: AlertMessages | null;
  /** The watches of the feeds, which are read again after a change; absent in tests. */
  watch?: { reload: (usdot: string) => void };
  /** Null if metrics are off. */
  metrics: Metrics | null;
  /** The watched fleets, and after them the others that this server polls: those that it records, or has the leases of. */
  listPolled: () => ListedFeed[];
  /** Whether the fleet exists here; with one account every number counts as a fleet. */
  hasFleet: (usdot: string) => boolean;
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
  /** Where the fleets come from, as managers choose. */
  sources: SourceControl;
  /** Opens all that the first request needs. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}

/** The one global of this process: a module variable would exist once here and once in Next.js's bundles. */
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
