import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { GET as readLive } from '@/app/api/fleets/[usdot]/live/route';
import type { Env } from '@/lib/config/env';
import { spareMemory } from '@/lib/ops/little-memory';
import type { Fetch } from '@/lib/tracking/transport';
import { createHttpServer } from './http';
import { openNext } from './next';
import { openRuntime } from './runtime';
import { trackingListener } from './tracking';

/** npm and service managers give a process 5 s to end, and PostgreSQL ends after this. */
const CLOSE_WITHIN_MS = 2000;
/** Requests in flight may end in this time, once all else is closed. */
const GRACE_MS = 300;

export interface Application {
  stop: () => Promise<void>;
}

const listen = (server: ReturnType<typeof createHttpServer>, { port, hostname }: Env): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Starts the service, the feeds and the HTTP server; resolves when they answer. @throws AuthSecretError */
export const startApplication = async (options: {
  env: Env;
  dev: boolean;
  root: string;
  /** Node's own: Next.js replaces the global one with one that caches and ties each call to a page. */
  fetch: Fetch;
}): Promise<Application> => {
  const { env, dev, root, fetch } = options;
  spareMemory();
  const runtime = openRuntime(env, fetch);
  const { log, metrics } = runtime;
  const next = await openNext({ dev, dir: root, hostname: env.hostname, port: env.port });
  const server = createHttpServer({
    env,
    log,
    metrics,
    live: readLive,
    tracking: trackingListener,
    next: next.handle,
    nextUpgrade: next.upgrade,
  });
  await listen(server, env);
  await runtime.start();
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
