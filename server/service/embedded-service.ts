import 'server-only';
import type { Clock } from '@/lib/clock';
import { AppError } from '@/lib/http/problems';
import type { Store } from '@/service/store/store';
import { createDatabaseWatch, toCauseCode, watchAnswers } from '@/lib/ops/database-watch';
import type { DatabaseState, DatabaseWatch } from '@/lib/ops/database-watch';
import { readRequestContext } from '@/lib/http/runtime';
import { createDrain } from './drain';
import type { Env } from '@/lib/config/env';
import type { Log, SecretRedactor } from '@/lib/ops/log';
import type { Fetch } from '@/lib/tracking/http/transport';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 200;

/** Waits until a server answers at the URL: true then, false when the signal aborts first. */
const untilListening = async (url: string, fetch: Fetch, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    try {
      const response = await fetch(new Request(url, { signal }));
      // Read to its end: an abandoned answer delays the server's shutdown.
      await response.arrayBuffer();
      return true;
    } catch {
      // Nothing listens yet, so the loop waits.
    }
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
};

export interface OpenedService {
  fetch: Fetch;
  credentials: { apiKey: string; providerToken: string };
  databaseVersion: string;
  /** The store, for managers' pages. */
  store: Store;
  /** USDOT number of the demo fleet. */
  demoUsdot: string;
  close: () => Promise<void>;
}

export interface EmbeddedService {
  baseUrl: string;
  /** The running service. @throws AppError 'database-unavailable' */
  open: () => Promise<OpenedService>;
  readDatabase: () => DatabaseState;
  /** Version of PostgreSQL; null before it was first reached. */
  readDatabaseVersion: () => string | null;
  close: () => Promise<void>;
}

interface EmbeddedOptions {
  env: Env;
  clock: Clock;
  fetch: Fetch;
  log: Log;
  redactor: SecretRedactor;
}

/** The shortest pause between two attempts to open the database. */
const RETRY_AFTER_MS = 3000;
/** The time for requests in flight to end before their database is closed. */
const DRAIN_MS = 1000;
/** The path at which the web application mounts the service: the folder of app/ that forwards requests. */
const BASE_PATH = '/tracking';

/** The address at which this process reaches itself: a wildcard address is for listening, not for calls. */
const toOwnOrigin = ({ hostname, port }: Pick<Env, 'hostname' | 'port'>): string => {
  const host = ['0.0.0.0', '::', 'localhost'].includes(hostname) ? '127.0.0.1' : hostname;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** Loaded only on use, so that a server that reads an external provider loads no code of the service. */
const loadService = async () => ({
  ...(await import('@/service/store/store')),
  ...(await import('@/service/demo/seed')),
  ...(await import('@/service/demo/simulated-faults')),
  ...(await import('@/service/service')),
  ...(await import('@/service/simulator/simulator')),
});

/** Opens the store, adds the demo fleet and starts its simulated devices, which report over HTTP. */
const startService = async (
  databaseUrl: string,
  database: DatabaseWatch,
  options: EmbeddedOptions,
): Promise<OpenedService> => {
  const { env, clock, fetch, log, redactor } = options;
  const now = clock.nowMs;
  const origin = toOwnOrigin(env);
  const { openStore, seedDemo, withSimulatedFaults, createService, startSimulator } = await loadService();
  const store = await openStore({
    databaseUrl,
    now,
    log: log.child({ part: 'store' }),
    retentionDays: env.fixRetentionDays,
  });
  const stopping = new AbortController();
  try {
    const { usdot, apiKey, providerToken, ingestToken, fleet } = await seedDemo(store, {
      units: env.demoUnits,
    });
    for (const secret of [apiKey, providerToken, ingestToken]) redactor.addSecret(secret);
    const { activeWindowMs } = env;
    const service = createService({
      store,
      now,
      activeWindowMs,
      log: log.child({ part: 'service' }),
      basePath: BASE_PATH,
      readClientAddress: () => readRequestContext()?.address ?? null,
    });
    const ingestUrl = `${origin}${BASE_PATH}/ingest`;
    const simulating = untilListening(`${origin}/api/health`, fetch, stopping.signal).then((isListening) =>
      isListening
        ? startSimulator({ ingestUrl, ingestToken, fleet, now, fetch, log: log.child({ part: 'simulator' }) })
        : null,
    );
    const faulty = withSimulatedFaults(service.fetch, fleet, now);
    const drain = createDrain(watchAnswers(faulty, database));
    return {
      fetch: drain.fetch,
      credentials: { apiKey, providerToken },
      databaseVersion: await store.readServerVersion(),
      store,
      demoUsdot: usdot,
      close: async () => {
        stopping.abort();
        await (await simulating)?.stop();
        await drain.untilIdle(DRAIN_MS);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/**
 * The tracking service with its demo fleet, inside this process: opened on first use, and retried on later
 * use if the database cannot be reached.
 */
export const createEmbeddedService = (options: EmbeddedOptions): EmbeddedService => {
  const { env, clock, log } = options;
  const database = createDatabaseWatch(clock);
  let opening: Promise<OpenedService> | null = null;
  let failed: { atMs: number; cause: unknown } | null = null;
  let databaseVersion: string | null = null;
  let isClosed = false;

  const start = (databaseUrl: string): Promise<OpenedService> => {
    const started = startService(databaseUrl, database, options);
    started.then(
      (service) => {
        database.note('ok');
        databaseVersion = service.databaseVersion;
      },
      (cause: unknown) => {
        log.error({ err: cause }, 'The embedded tracking service cannot be started.');
        database.note('away', toCauseCode(cause));
        failed = { atMs: clock.monotonicMs(), cause };
        opening = null;
      },
    );
    return started;
  };

  const open = async (): Promise<OpenedService> => {
    if (isClosed)
      throw new AppError('database-unavailable', {
        message: 'The embedded tracking service is shutting down.',
      });
    if (env.databaseUrl === null) {
      throw new AppError('database-unavailable', {
        message: 'Neither TRACKING_BASE_URL nor DATABASE_URL is set.',
      });
    }
    const message = 'The database of the embedded tracking service cannot be opened.';
    if (opening === null && failed !== null && clock.monotonicMs() - failed.atMs < RETRY_AFTER_MS) {
      throw new AppError('database-unavailable', { message, cause: failed.cause });
    }
    opening ??= start(env.databaseUrl);
    try {
      return await opening;
    } catch (cause) {
      throw new AppError('database-unavailable', { message, cause });
    }
  };

  return {
    baseUrl: `${toOwnOrigin(env)}${BASE_PATH}`,
    open,
    readDatabase: database.read,
    readDatabaseVersion: () => databaseVersion,
    close: async () => {
      isClosed = true;
      const opened = await opening?.catch(() => null);
      await opened?.close();
    },
  };
};
