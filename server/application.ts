import 'server-only';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { GET as readLive } from '@/app/api/fleets/[usdot]/live/route';
import { GET as readPast } from '@/app/api/fleets/[usdot]/past/route';
import { GET as readShare } from '@/app/t/[token]/route';
import { GET as readCalendar } from '@/app/t/[token]/calendar.ics/route';
import { POST as endMails } from '@/app/u/[token]/route';
import type { Env } from '@/lib/config/env';
import type { Fetch } from '@/lib/base/http/public-fetch';
import { createSharedFiles } from './http/files/shared-files';
import { createHttpServer, type UpgradeListener } from './http/http-server';
import { readStartAddress } from './http/pages';
import { openRuntime } from './open-runtime';
import { createServer, type RequestListener } from 'node:http';
import next from 'next';
import { getRequestListener } from '@hono/node-server';
import { createRoute } from '@/server/route';
import { withRequestId } from './service/upstream';

const serve = createRoute({
  summary: 'The embedded tracking service, which checks methods and credentials itself.',
  access: 'token',
  handle: ({ request, serveTracking }) => serveTracking(request),
});

export const answerTracking = (request: Request): Promise<Response> =>
  serve(request, { params: Promise.resolve({}) });

const trackingListener = getRequestListener((request) => answerTracking(withRequestId(request)), {
  overrideGlobalObjects: false,
});

interface NextMount {
  handle: RequestListener;
  /** The WebSocket of the development server; null in production. */
  upgrade: UpgradeListener | null;
  close: () => Promise<void>;
}

/** Loads the built application, or with `dev` the development server, to be mounted in our HTTP server. */
const openNext = async (options: {
  dev: boolean;
  dir: string;
  hostname: string;
  port: number;
}): Promise<NextMount> => {
  // Next.js attaches its WebSocket to the server that it is given: this one never listens, so that ours
  // decides.
  const upgrades = createServer();
  const app = next({ ...options, httpServer: upgrades });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (request, response) => void handle(request, response),
    upgrade: options.dev ? (...upgrade) => void upgrades.emit('upgrade', ...upgrade) : null,
    close: () => app.close(),
  };
};

/** npm and service managers give a process 5 s to end, and PostgreSQL ends after this. */
const CLOSE_WITHIN_MS = 2000;
/** Requests in flight may end in this time, once all else is closed. */
const GRACE_MS = 300;

export interface Application {
  stop: () => Promise<void>;
}

/** Starts the service, the feeds and the HTTP server; resolves when they answer. @throws AuthSecretError */
export const startApplication = async (options: {
  env: Env;
  dev: boolean;
  root: string;
  /** Node's own: Next.js replaces the global one with one that caches and ties each call to a page. */
  fetch: Fetch;
}): Promise<Application> => {
  const { env, dev, root, fetch } = options;
  const runtime = await openRuntime(env, fetch);
  const { log, metrics, cluster, secret } = runtime;
  if (env.retired.length > 0)
    log.warn(
      { settings: env.retired },
      'These settings are no more, and are ignored: docs/configuration.md.',
    );
  // Beside Next.js: it waits for the database most of the time.
  const starting = runtime.start();
  starting.catch(() => undefined);
  const next = await openNext({ dev, dir: root, hostname: env.hostname, port: env.port });
  const server = createHttpServer({
    env,
    log,
    metrics,
    limits: cluster?.limits ?? null,
    fastRoutes: { live: readLive, past: readPast, share: readShare, calendar: readCalendar, endMails },
    tracking: trackingListener,
    root: dev ? null : root,
    sharedFiles: cluster && createSharedFiles(cluster, { secret, log }),
    readStartAddress,
    next: next.handle,
    nextUpgrade: next.upgrade,
  });
  server.listen(env.port, env.hostname);
  // Rejects with the error of a server that cannot listen.
  await once(server, 'listening');
  await starting;
  return {
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const closing = runtime
        .close()
        .catch((error: unknown) => log.error({ err: error }, 'Shutting down went wrong.'));
      await Promise.race([closing, delay(CLOSE_WITHIN_MS)]);
      await Promise.race([closed, delay(GRACE_MS)]);
      server.closeAllConnections();
      await Promise.race([next.close(), delay(GRACE_MS)]);
    },
  };
};
