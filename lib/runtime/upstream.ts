import 'server-only';
import { createTrackingClient } from '@/lib/tracking/client';
import type { TrackingClient } from '@/lib/tracking/client';
import { TrackingNetworkError } from '@/lib/tracking/errors';
import { createEmbeddedService } from './embedded';
import type { OpenedService } from './embedded';
import type { Env } from './env';
import { createLateClient } from './late-client';
import type { Log, SecretKeeper } from './log';
import { readPlainFetch } from './plain-fetch';
import type { Fetch } from './plain-fetch';

/** The application reads a provider elsewhere, so that it has no service of its own to show. */
export class NotEmbeddedError extends Error {
  override name = 'NotEmbeddedError';
}

export interface Upstream {
  client: TrackingClient;
  /** A request to the embedded service, made again with its secrets. @throws as serve does */
  ask: Fetch;
  /** Opens what must be open before the first call; resolves also where that fails. */
  start: () => Promise<void>;
  /** A request to the embedded service. @throws NotEmbeddedError, DatabaseUnavailableError */
  serve: (request: Request) => Promise<Response>;
  close: () => Promise<void>;
}

interface UpstreamOptions {
  env: Env;
  now: () => number;
  log: Log;
  keeper: SecretKeeper;
}

const createProvider = (
  provider: NonNullable<Env['provider']>,
  { env, now, log, keeper }: UpstreamOptions,
): Upstream => {
  const { baseUrl, apiKey, providerToken } = provider;
  keeper.conceal(apiKey);
  keeper.conceal(providerToken);
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    log.warn({ hostname }, 'TRACKING_BASE_URL is not https: both secrets travel in the clear.');
  }
  const credentials = { apiKey, providerToken };
  const refuse = async (): Promise<never> => {
    throw new NotEmbeddedError(
      'A provider is configured: this application serves no tracking API of its own.',
    );
  };
  return {
    client: createTrackingClient({
      fetch: readPlainFetch(),
      baseUrl,
      credentials,
      now,
      limits: env.answerLimits,
    }),
    start: async () => {},
    ask: refuse,
    serve: refuse,
    close: async () => {},
  };
};

const createEmbedded = ({ env, now, log, keeper }: UpstreamOptions): Upstream => {
  if (env.databaseUrl !== null) {
    keeper.conceal(env.databaseUrl);
    keeper.conceal(decodeURIComponent(new URL(env.databaseUrl).password));
  }
  const embedded = createEmbeddedService({ env, now, log, keeper, fetch: readPlainFetch() });
  const clients = new WeakMap<OpenedService, TrackingClient>();
  const createClient = ({ fetch, credentials }: OpenedService) =>
    createTrackingClient({
      fetch,
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
    client: createLateClient(openClient),
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
      const request = new Request(`${embedded.baseUrl}${new URL(url).pathname}`, { headers });
      request.headers.set('x-api-key', credentials.apiKey);
      request.headers.set('provider-token', credentials.providerToken);
      return fetch(request);
    },
    serve: async (request) => (await embedded.open()).fetch(request),
    close: embedded.close,
  };
};

/** Where the fleets come from: the configured provider, or the service in this very process. */
export const createUpstream = (options: UpstreamOptions): Upstream =>
  options.env.provider === null ? createEmbedded(options) : createProvider(options.env.provider, options);
