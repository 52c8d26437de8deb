import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fetch } from '@/lib/base/http/public-fetch';
import type { Clock } from '@/lib/base/clock';
import { createSharedLimiter, type LimitStore } from '@/lib/base/rate-limits';
import { AppError } from '@/lib/base/http/problems';
import { createLazy } from '@/lib/base/lazy';
import type { FixReader } from '@/service/store/fixes/fixes';
import type { Store } from '@/service/store/store';
import { readRequestContext, type Runtime } from '@/server/runtime';
import { createDatabaseHealth, noteAnswers, type DatabaseHealth } from '@/lib/database/database-health';
import { toCauseCode } from '@/lib/database/failure';
import type { Env } from '@/lib/config/env';
import type { Log, SecretRedactor } from '@/lib/base/log';

/** Counts the requests in flight, so that their resources are closed after them. */
export const createDrain = (fetch: Fetch) => {
  const inFlight = new Set<Promise<Response>>();
  return {
    fetch: (request: Request): Promise<Response> => {
      const answer = fetch(request);
      inFlight.add(answer);
      const end = () => void inFlight.delete(answer);
      answer.then(end, end);
      return answer;
    },
    /** Resolves when no request is in flight, or after the given milliseconds. */
    untilIdle: async (limitMs: number): Promise<void> => {
      const timeout = new AbortController();
      const idle = (async () => {
        while (inFlight.size > 0 && !timeout.signal.aborted) await Promise.allSettled(inFlight);
      })();
      await Promise.race([
        idle,
        delay(limitMs, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    },
  };
};

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
  store: Store;
  /** The fixes that devices reported, for the recording. */
  fixes: FixReader;
  close: () => Promise<void>;
}

export interface EmbeddedOptions {
  env: Env;
  /** Where several servers count the requests of keys together; absent: there is no other server. */
  limits?: LimitStore | null;
  /** Reads the source of the fleets where `env` does not name it. @throws while the database cannot be read */
  reloadSource: () => Promise<void>;
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
  ...(await import('@/service/simulator/demo-fleet')),
  ...(await import('@/service/simulator/simulator')),
  ...(await import('@/service/simulator/vehicles')),
});

/** The carrier whose fleet the embedded service answers for. */
interface OpenedCarrier {
  /** The store, which accepts these credentials. */
  store: Store;
  credentials: OpenedService['credentials'];
  /** Changes the service's answers. */
  wrap: (fetch: Fetch) => Fetch;
  fixes: OpenedService['fixes'];
  close: () => Promise<void>;
}

/** A larger demo fleet begins with the reports of its devices, which come in batches. */
const MOST_REPORTED = 2000;

/** Adds the demo fleet and starts its simulated devices, which report over HTTP. */
const openDemo = async (store: Store, options: EmbeddedOptions): Promise<OpenedCarrier> => {
  const { env, clock, fetch, log, redactor } = options;
  const now = clock.nowMs;
  const origin = toOwnOrigin(env);
  const { seedDemo, listNewestReports, withSimulatedFaults, withoutSimulatedFaults, startSimulator } =
    await loadService();
  const demo = await seedDemo(store, { units: env.demoUnits });
  const { apiKey, providerToken, ingestToken, fleet } = demo;
  redactor.addSecret(ingestToken);
  const ingestUrl = `${origin}${BASE_PATH}/ingest`;
  const isUpToDate = fleet.vehicles.length <= MOST_REPORTED;
  // Otherwise all trucks would be silent until their first reports have come.
  if (isUpToDate) await store.fixes.record(demo.usdot, listNewestReports(fleet, now()));
  const stopping = new AbortController();
  const simulating = untilListening(`${origin}/api/health`, fetch, stopping.signal).then((isListening) =>
    isListening
      ? startSimulator({
          ...{ ingestUrl, ingestToken, fleet, isUpToDate, now, fetch },
          log: log.child({ part: 'simulator' }),
        })
      : null,
  );
  return {
    store,
    credentials: { apiKey, providerToken },
    wrap: (answer) => withSimulatedFaults(answer, fleet, now),
    fixes: withoutSimulatedFaults(store.fixes, fleet),
    close: async () => {
      stopping.abort();
      await (await simulating)?.stop();
    },
  };
};

const openCarrier = async (store: Store, options: EmbeddedOptions): Promise<OpenedCarrier> => {
  const { ownCarrier } = options.env;
  if (ownCarrier === null) return openDemo(store, options);
  const { openOwnCarrier } = await loadService();
  return {
    ...(await openOwnCarrier(store, ownCarrier)),
    wrap: (fetch) => fetch,
    fixes: store.fixes,
    close: async () => {},
  };
};

const startService = async (
  databaseUrl: string,
  database: DatabaseHealth,
  options: EmbeddedOptions,
): Promise<OpenedService> => {
  const { env, limits, clock, log, redactor, reloadSource } = options;
  if (env.source === null) {
    await reloadSource();
    throw new AppError('database-unavailable', { message: 'The source of the fleets was only now read.' });
  }
  const now = clock.nowMs;
  const { openStore, createService } = await loadService();
  const store = await openStore({
    databaseUrl,
    now,
    log: log.child({ part: 'store' }),
    retentionDays: env.fixRetentionDays,
  });
  try {
    // Before the carrier is opened, whose devices start then: a failure after that would leave them running.
    const databaseVersion = await store.readServerVersion();
    const { credentials, wrap, fixes, close, ...carrier } = await openCarrier(store, options);
    for (const secret of Object.values(credentials)) redactor.addSecret(secret);
    const service = createService({
      store: carrier.store,
      now,
      activeWindowMs: env.activeWindowMs,
      log: log.child({ part: 'service' }),
      basePath: BASE_PATH,
      readClientAddress: () => readRequestContext()?.address ?? null,
      ...(limits && { createCounter: (window) => createSharedLimiter(limits, 'key-requests', window) }),
    });
    const drain = createDrain(noteAnswers(wrap(service.fetch), database));
    return {
      fetch: drain.fetch,
      credentials,
      databaseVersion,
      store,
      fixes,
      close: async () => {
        await close();
        await drain.untilIdle(DRAIN_MS);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** Removes the demo, what is kept about it and its recording from a database that is not read from; false where there is none. */
export const removeDemoFrom = async (
  databaseUrl: string,
  { nowMs }: Clock,
  { history, database, screens }: Pick<Runtime, 'history' | 'database' | 'screens'>,
): Promise<boolean> => {
  const { openStore, removeDemo, DEMO_CARRIER } = await loadService();
  const store = await openStore({ databaseUrl, now: nowMs });
  try {
    if ((await store.carriers.read(DEMO_CARRIER.usdot)) === null) return false;
    const { removeKept } = await import('./sample-data');
    // From their next request on they have no access, as after a removed link.
    screens.forget(await removeKept({ database }, DEMO_CARRIER.usdot));
    await removeDemo(store);
  } finally {
    await store.close();
  }
  await history?.recorder.remove(DEMO_CARRIER.usdot);
  return true;
};

/** The tracking service inside this process: opened on first use, and retried while the database is away. */
export const createEmbeddedService = (options: EmbeddedOptions) => {
  const { env, clock, log } = options;
  const database = createDatabaseHealth(clock);
  let databaseVersion: string | null = null;
  let isClosed = false;

  const start = async (): Promise<OpenedService> => {
    try {
      const service = await startService(env.databaseUrl!, database, options);
      database.note('ok');
      databaseVersion = service.databaseVersion;
      return service;
    } catch (error) {
      log.error({ err: error }, 'The embedded tracking service cannot be started.');
      database.note('away', toCauseCode(error));
      throw error;
    }
  };
  const lazy = createLazy(start, { pauseMs: RETRY_AFTER_MS, clock });

  const refuse = (message: string, cause?: unknown): never => {
    throw new AppError('database-unavailable', { message, cause });
  };

  const open = async (): Promise<OpenedService> => {
    if (isClosed) return refuse('The embedded tracking service is shutting down.');
    if (env.databaseUrl === null) return refuse('Neither TRACKING_BASE_URL nor DATABASE_URL is set.');
    const message = 'The database of the embedded tracking service cannot be opened.';
    try {
      return await lazy.open();
    } catch (cause) {
      return refuse(message, cause);
    }
  };

  return {
    baseUrl: `${toOwnOrigin(env)}${BASE_PATH}`,
    /** The running service. @throws AppError 'database-unavailable' */
    open,
    readDatabase: database.read,
    /** Version of PostgreSQL; null before it was first reached. */
    readDatabaseVersion: () => databaseVersion,
    close: async (): Promise<void> => {
      isClosed = true;
      await lazy.close((opened) => opened.close());
    },
  };
};

export type EmbeddedService = ReturnType<typeof createEmbeddedService>;
