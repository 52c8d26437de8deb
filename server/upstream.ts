import 'server-only';
import { AppError } from '@/lib/http/problems';
import { createTrackingClient } from '@/lib/tracking/client';
import type { TrackingClient } from '@/lib/tracking/client';
import { TrackingNetworkError } from '@/lib/tracking/errors';
import type { Store } from '@/service/store/store';
import type { DatabaseState } from '@/lib/ops/database-watch';
import { REQUEST_ID_HEADER } from '@/service/http/http-server';
import { readRequestContext } from '@/lib/http/runtime';
import { createEmbeddedService } from './embedded-service';
import type { OpenedService } from './embedded-service';
import type { Env } from '@/lib/config/env';
import type { ProviderAccount } from '@/lib/config/providers';
import { createLateClient } from './late-client';
import type { Log, SecretKeeper } from '@/lib/ops/log';
import type { Fetch } from '@/lib/tracking/transport';
import type { TrackingAccount } from '@/lib/live/tracking-accounts';

/**
 * A request to the service on behalf of a browser carries that browser's request id into the service's log.
 */
const withOwnId = (request: Request): Request => {
  const requestId = readRequestContext()?.requestId;
  if (requestId !== undefined) request.headers.set(REQUEST_ID_HEADER, requestId);
  return request;
};

export interface Upstream {
  /** The configured accounts in their order, or the embedded service's only one. */
  accounts: readonly TrackingAccount[];
  /** A request to the embedded service, forwarded with its secrets. @throws as serve does */
  ask: Fetch;
  /** Opens what the first call needs; resolves even if that fails. */
  start: () => Promise<void>;
  /** A request to the embedded service. @throws AppError 'not-embedded', 'database-unavailable' */
  serve: (request: Request) => Promise<Response>;
  /** The store of the embedded service. @throws AppError 'not-embedded', 'database-unavailable' */
  openStore: () => Promise<Store>;
  /** Whether the embedded service has no carrier but the demo's. @throws as openStore does */
  holdsOnlyDemo: () => Promise<boolean>;
  /** State of the embedded service's database; null without one. */
  readDatabase: () => DatabaseState | null;
  readDatabaseVersion: () => string | null;
  close: () => Promise<void>;
}

interface UpstreamOptions {
  env: Env;
  now: () => number;
  /** Monotonic time in ms. */
  elapsed?: () => number;
  log: Log;
  keeper: SecretKeeper;
  /** Node's own, which Next.js does not patch. */
  fetch: Fetch;
}

const createAccount = (
  { baseUrl, apiKey, providerToken, usdot }: ProviderAccount,
  { env, now, log, fetch }: UpstreamOptions,
): TrackingAccount => {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    log.warn({ hostname }, "A provider's base URL is not https: both secrets travel in the clear.");
  }
  const client = createTrackingClient({
    fetch,
    baseUrl,
    credentials: { apiKey, providerToken },
    now,
    limits: env.answerLimits,
  });
  return { usdot, client };
};

const createProviders = (options: UpstreamOptions): Upstream => {
  const refuse = async (): Promise<never> => {
    throw new AppError('not-embedded');
  };
  return {
    accounts: options.env.providers.map((provider) => createAccount(provider, options)),
    start: async () => {},
    ask: refuse,
    serve: refuse,
    openStore: refuse,
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

const createEmbedded = (options: UpstreamOptions): Upstream => {
  const { env, now, log, keeper, elapsed = () => performance.now() } = options;
  const embedded = createEmbeddedService({ env, now, elapsed, log, keeper, fetch: options.fetch });
  const clients = new WeakMap<OpenedService, TrackingClient>();
  const createClient = ({ fetch, credentials }: OpenedService) =>
    createTrackingClient({
      fetch: async (request) => requireDatabase(await fetch(withOwnId(request))),
      baseUrl: embedded.baseUrl,
      credentials,
      now,
      limits: env.answerLimits,
    });
  const openClient = async (): Promise<TrackingClient> => {
    try {
      const opened = await embedded.open();
      const client = clients.get(opened) ?? createClient(opened);
      clients.set(opened, client);
      return client;
    } catch (cause) {
      throw new TrackingNetworkError('The embedded tracking service has no database.', { cause });
    }
  };
  return {
    accounts: [{ usdot: env.homeUsdot, client: createLateClient(openClient) }],
    start: async () => {
      try {
        await embedded.open();
      } catch (error) {
        log.error(
          { err: error },
          'Started without a tracking service; it is tried again when it is asked for.',
        );
      }
    },
    ask: async ({ url, headers }) => {
      const { fetch, credentials } = await embedded.open();
      // The units stand still because the server's copy is old, not because the trucks stopped: the copy is
      // marked as old.
      if (embedded.readDatabase().state === 'full') {
        throw new AppError('database-full', {
          message: 'The disk of the embedded tracking service is full.',
        });
      }
      const request = new Request(`${embedded.baseUrl}${new URL(url).pathname}`, { headers });
      request.headers.set('x-api-key', credentials.apiKey);
      request.headers.set('provider-token', credentials.providerToken);
      return requireDatabase(await fetch(request));
    },
    readDatabase: embedded.readDatabase,
    serve: async (request) => (await embedded.open()).fetch(request),
    openStore: async () => (await embedded.open()).store,
    holdsOnlyDemo: async () => {
      const { store, demoUsdot } = await embedded.open();
      return (await store.carriers.list()).every(({ usdot }) => usdot === demoUsdot);
    },
    readDatabaseVersion: embedded.readDatabaseVersion,
    close: embedded.close,
  };
};

/** The source of the fleets: the configured providers, or the service in this process. */
export const createUpstream = (options: UpstreamOptions): Upstream =>
  options.env.providers.length === 0 ? createEmbedded(options) : createProviders(options);
