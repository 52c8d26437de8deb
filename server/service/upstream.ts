import 'server-only';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';
import { isOwnCredential } from '@/service/store/credentials/keys';
import type { Store } from '@/service/store/store';
import { AppError } from '@/lib/base/http/problems';
import { createTrackingClient, type TrackingClient } from '@/lib/tracking/client';
import { TrackingError } from '@/lib/tracking/errors';
import type { DatabaseState } from '@/lib/database/database-health';
import { REQUEST_ID_HEADER } from '@/service/http/http-server';
import { readRequestContext } from '@/server/runtime';
import {
  createEmbeddedService,
  type EmbeddedOptions,
  type EmbeddedService,
  type OpenedService,
} from './embedded-service';
import type { ProviderAccount } from '@/lib/config/providers';
import type { Fetch } from '@/lib/base/http/public-fetch';
import type { StoredFixes } from '@/lib/recording/stored-fixes';
import type { TrackingAccount } from '@/lib/feeds/feeds';
import { VehicleNames } from './vehicle-names';

/** The store of the embedded service for managers: without the keys and tokens that the service made for itself. */
export const createServiceAdmin = (store: Store): ServiceAdmin => ({
  ...store,
  keys: {
    ...store.keys,
    list: async (usdot, tx) => (await store.keys.list(usdot, tx)).filter((key) => !isOwnCredential(key)),
  },
  ingestTokens: {
    ...store.ingestTokens,
    list: async (usdot, tx) =>
      (await store.ingestTokens.list(usdot, tx)).filter((token) => !isOwnCredential(token)),
  },
  planImport: async (table, options, tx) => {
    // Loaded only here, because a server without an embedded service loads none of its code.
    const { planImport } = await import('@/service/command/vehicles/import-plan');
    return planImport(store, table, options, tx);
  },
  exportVehicles: async (usdot, more) => {
    const { toVehicleCsv } = await import('@/service/command/vehicles/vehicle-fields');
    return toVehicleCsv(await store.vehicles.list(usdot), more);
  },
});

/** A lazy client of a service that is yet to open: each call waits for the opening. */
const createLazyClient = (open: () => Promise<TrackingClient>): TrackingClient => ({
  readUnits: async (usdot, options) => (await open()).readUnits(usdot, options),
  readUnit: async (usdot, vin, options) => (await open()).readUnit(usdot, vin, options),
  readVins: async (usdot, options) => (await open()).readVins(usdot, options),
  readAccount: async (options) => (await open()).readAccount(options),
  readCarrier: async (vin, options) => (await open()).readCarrier(vin, options),
  readReported: async (usdot, vin, options) => (await open()).readReported(usdot, vin, options),
});

/** A request on behalf of a browser, which carries its request id into the service's log. */
export const withRequestId = (request: Request): Request => {
  const requestId = readRequestContext()?.requestId;
  if (requestId !== undefined) request.headers.set(REQUEST_ID_HEADER, requestId);
  return request;
};

export interface Upstream {
  /** The configured accounts in their order, or the embedded service's only one. */
  accounts: readonly TrackingAccount[];
  /** A request to the embedded service, forwarded with its secrets. @throws as serve does */
  forward: Fetch;
  /** The fixes of the embedded service, for the recording; null: a provider has the fleets. */
  stored: StoredFixes | null;
  /** The names of the embedded service's vehicles; null: a provider has the fleets. */
  names: VehicleNames | null;
  /** Opens what the first call needs; resolves even if that fails. */
  start: () => Promise<void>;
  /** A request to the embedded service. @throws AppError 'not-embedded', 'database-unavailable' */
  serve: (request: Request) => Promise<Response>;
  /** The embedded service for managers. @throws AppError 'not-embedded', 'database-unavailable' */
  openAdmin: () => Promise<ServiceAdmin>;
  /** Whether the embedded service has no carrier but the demo's. @throws as openAdmin does */
  holdsOnlyDemo: () => Promise<boolean>;
  /** State of the embedded service's database; null without one. */
  readDatabase: () => DatabaseState | null;
  readDatabaseVersion: () => string | null;
  close: () => Promise<void>;
}

const createAccount = (
  { baseUrl, apiKey, providerToken, usdot }: ProviderAccount,
  { env, clock, log, fetch }: EmbeddedOptions,
): TrackingAccount => {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    log.warn({ hostname }, "A provider's base URL is not https: both secrets travel in the clear.");
  const client = createTrackingClient({
    fetch,
    baseUrl,
    credentials: { apiKey, providerToken },
    clock,
    limits: env.answerLimits,
  });
  return { usdot, client };
};

const createProviders = (options: EmbeddedOptions): Upstream => {
  const refuse = async (): Promise<never> => {
    throw new AppError('not-embedded');
  };
  return {
    accounts: options.env.providers.map((provider) => createAccount(provider, options)),
    start: async () => {},
    forward: refuse,
    stored: null,
    names: null,
    serve: refuse,
    openAdmin: refuse,
    holdsOnlyDemo: async () => false,
    readDatabase: () => null,
    readDatabaseVersion: () => null,
    close: async () => {},
  };
};

/** Converts the service's answer that its database is away to the error for its readers. */
const requireDatabase = (response: Response): Response => {
  if (response.status !== 503) return response;
  throw new AppError('database-unavailable', {
    message: 'The database of the embedded tracking service cannot be reached.',
  });
};

/** Sends a feed's request to the embedded service with the service's credentials. */
const forward = async (embedded: EmbeddedService, { url, headers }: Request): Promise<Response> => {
  const { fetch, credentials } = await embedded.open();
  // The units stand still because the server's copy is old, not because the trucks stopped: the copy is marked
  // as old.
  if (embedded.readDatabase().state === 'full')
    throw new AppError('database-full', { message: 'The disk of the embedded tracking service is full.' });
  const request = new Request(`${embedded.baseUrl}${new URL(url).pathname}`, { headers });
  request.headers.set('x-api-key', credentials.apiKey);
  request.headers.set('provider-token', credentials.providerToken);
  return requireDatabase(await fetch(request));
};

/** The USDOT number of a request for a fleet's units; null for any other. */
const toPolledUsdot = ({ url }: Request): string | null =>
  /\/api\/units\/([^/]+)$/.exec(new URL(url).pathname)?.[1] ?? null;

/** The embedded service's fixes, and `beforePoll`, which notes how far they are before a poll is answered. */
const createStored = (
  embedded: EmbeddedService,
): StoredFixes & { beforePoll: (request: Request) => Promise<void> } => {
  const revisions = new Map<string, number>();
  return {
    revisionAtPoll: (usdot) => revisions.get(usdot) ?? null,
    readRevision: async (usdot) => (await embedded.open()).fixes.readRevision(usdot),
    listSince: async (usdot, since, until) => (await embedded.open()).fixes.listSince(usdot, since, until),
    beforePoll: async (request) => {
      const usdot = toPolledUsdot(request);
      if (usdot === null) return;
      revisions.delete(usdot);
      const revision = await (await embedded.open()).fixes.readRevision(usdot);
      if (revision !== null) revisions.set(usdot, revision);
    },
  };
};

const createEmbedded = (options: EmbeddedOptions): Upstream => {
  const { env, clock, log } = options;
  const embedded = createEmbeddedService(options);
  const stored = createStored(embedded);
  const clients = new WeakMap<OpenedService, TrackingClient>();
  const createClient = ({ fetch, credentials }: OpenedService) =>
    createTrackingClient({
      fetch: async (request) => requireDatabase(await fetch(withRequestId(request))),
      baseUrl: embedded.baseUrl,
      credentials,
      clock,
      limits: env.answerLimits,
    });
  const openClient = async (): Promise<TrackingClient> => {
    try {
      const opened = await embedded.open();
      const client = clients.get(opened) ?? createClient(opened);
      clients.set(opened, client);
      return client;
    } catch (cause) {
      throw new TrackingError('network', 'The embedded tracking service has no database.', { cause });
    }
  };
  return {
    accounts: [{ usdot: env.homeUsdot, client: createLazyClient(openClient), hasExtensions: true }],
    start: async () => {
      try {
        await embedded.open();
      } catch (error) {
        log.error({ err: error }, 'Started without a tracking service; the next request opens it.');
      }
    },
    forward: async (request) => {
      // Without a database the service's own answer has the reason.
      await stored.beforePoll(request).catch(() => undefined);
      return forward(embedded, request);
    },
    stored,
    names: new VehicleNames(async () => (await embedded.open()).store, log),
    readDatabase: embedded.readDatabase,
    serve: async (request) => (await embedded.open()).fetch(request),
    openAdmin: async () => createServiceAdmin((await embedded.open()).store),
    holdsOnlyDemo: async () => {
      const { DEMO_CARRIER } = await import('@/service/simulator/vehicles');
      const { store } = await embedded.open();
      return (await store.carriers.list()).every(({ usdot }) => usdot === DEMO_CARRIER.usdot);
    },
    readDatabaseVersion: embedded.readDatabaseVersion,
    close: embedded.close,
  };
};

/** The source of the fleets: the configured providers, or the service in this process. */
export const createUpstream = (options: EmbeddedOptions): Upstream =>
  options.env.providers.length === 0 ? createEmbedded(options) : createProviders(options);
