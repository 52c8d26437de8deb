import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_USDOT, startApplication, type Application } from './application';
import { startBalancer } from '@/testing/balancer';
import { findFreePorts } from '@/testing/ports';
import { startRedis } from '@/testing/redis-server';
import { TEMPLATE, createDatabase } from './databases';
import { runCommandLine, startProgram, stopProgram, waitForAnswer, type Variables } from './programs';
import { addSession, sendAsPage } from './session';

/**
 * The ways in which Linehaul runs: with the tracking service mounted inside it, connected to a separate process, like a
 * provider's, and so as three servers behind a balancer.
 */
export const TARGET_NAMES = ['embedded', 'external', 'balanced'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

interface Secrets {
  apiKey: string;
  providerToken: string;
  /** For reports of a device; goes with `${trackingUrl}/ingest/…`. */
  ingestToken: string;
}

/** An application with the demo fleet, and what a test needs to query its tracking API. */
export interface Target extends Secrets {
  name: TargetName;
  application: Application;
  /** Base URL of the tracking API that the application reads. */
  trackingUrl: string;
  /** USDOT number of the demo fleet. */
  usdot: string;
  /** The output of its processes. */
  logFiles: string[];
  stop(): Promise<void>;
}

/** Logs everything, so that a test can find a secret in it. */
const LOUD: Variables = { LOG_LEVEL: 'debug' };

/** A poll every two seconds, so that a test soon sees a unit move. */
const APPLICATION: Variables = { ...LOUD, POLL_INTERVAL_MS: '2000' };

const NAME = 'end-to-end tests';
const ALL_ACCESS = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };

/** The demo signs in its own machine as a manager, who may issue keys. */
const issueSecrets = async (url: string): Promise<Secrets> => {
  const issue = async <T>(path: string, body: object): Promise<T> => {
    const response = await sendAsPage(url, path, { usdot: DEMO_USDOT, name: NAME, ...body });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const [{ apiKey, providerToken }, { token }] = await Promise.all([
    issue<Secrets>('/api/api-keys', { access: ALL_ACCESS }),
    issue<{ token: string }>('/api/ingest-tokens', {}),
  ]);
  return { apiKey, providerToken, ingestToken: token };
};

const startEmbedded = async (log: string): Promise<Target> => {
  const application = await startApplication(APPLICATION, log);
  return {
    name: 'embedded',
    application,
    trackingUrl: `${application.url}/tracking`,
    usdot: DEMO_USDOT,
    ...(await issueSecrets(application.url)),
    logFiles: [log],
    stop: application.stop,
  };
};

/** The external application gets the same secrets as the target; the command line issues them. */
const createSecrets = async (variables: Variables): Promise<Secrets> => {
  const owner = ['--usdot', DEMO_USDOT, '--name', NAME];
  const [{ apiKey, providerToken }, { token }] = await Promise.all([
    runCommandLine<Secrets>(['keys', 'create', ...owner], variables),
    runCommandLine<{ token: string }>(['tokens', 'create', ...owner], variables),
  ]);
  return { apiKey, providerToken, ingestToken: token };
};

/** Servers with one database and one Redis, one for each log; the address is that of their balancer. */
export const startServers = async (given: Variables, logs: string[]): Promise<Application> => {
  const [redisPort] = (await findFreePorts(1)) as [number];
  const redis = await startRedis(redisPort);
  const variables = {
    ...given,
    REDIS_URL: redis.url,
    DATABASE_URL: given.DATABASE_URL ?? (await createDatabase(TEMPLATE)),
    HISTORY_DIR: join(dirname(logs[0]!), 'history'),
    TRUSTED_PROXIES: '1',
  };
  // The first one makes the tables.
  const first = await startApplication(variables, logs[0]!);
  const others = await Promise.all(logs.slice(1).map((log) => startApplication(variables, log)));
  const servers = [first, ...others];
  const { url, stop } = await startBalancer({
    servers: servers.map((server) => Number(new URL(server.url).port)),
  });
  return {
    ...first,
    url,
    fetch: (path, headers = {}) => fetch(`${url}${path}`, { headers: { ...headers, cookie: first.cookie } }),
    signIn: (context) => addSession(context, url, first.cookie),
    stop: async () => {
      await stop();
      await Promise.all(servers.map((server) => server.stop()));
      await redis.stop();
    },
  };
};

/** An application of one or several servers that reads a separate tracking service. */
const startWithService = async (
  name: TargetName,
  log: string,
  servers: number,
  start: typeof startServers,
): Promise<Target> => {
  const [port] = (await findFreePorts(1)) as [number];
  const trackingUrl = `http://127.0.0.1:${port}`;
  const toLog = (part: string | number): string => log.replace(/\.log$/, `-${part}.log`);
  const serviceLog = toLog('service');
  const logs = Array.from({ length: servers }, (_, index) => toLog(index));
  const variables = { ...LOUD, DATABASE_URL: await createDatabase() };
  const service = startProgram('service', ['serve', '--demo', '--port', String(port)], variables, serviceLog);
  try {
    await waitForAnswer(`${trackingUrl}/openapi.json`, service, serviceLog);
    const secrets = await createSecrets(variables);
    const account = {
      TRACKING_BASE_URL: trackingUrl,
      TRACKING_API_KEY: secrets.apiKey,
      TRACKING_PROVIDER_TOKEN: secrets.providerToken,
    };
    const application = await start({ ...APPLICATION, ...account }, logs);
    return {
      name,
      application,
      trackingUrl,
      usdot: DEMO_USDOT,
      ...secrets,
      logFiles: [...logs, serviceLog],
      stop: async () => {
        await application.stop();
        await stopProgram(service);
      },
    };
  } catch (error) {
    await stopProgram(service);
    throw error;
  }
};

const STARTS: Record<TargetName, (log: string) => Promise<Target>> = {
  embedded: startEmbedded,
  external: (log) =>
    startWithService('external', log, 1, (variables, logs) => startApplication(variables, logs[0]!)),
  balanced: (log) => startWithService('balanced', log, 3, startServers),
};

const isTargetName = (name: string): name is TargetName => (TARGET_NAMES as readonly string[]).includes(name);

/** Of the demo's 400 trucks; a few never report. */
const MIN_LISTED = 300;
const MAX_FIRST_REPORTS_MS = 90_000;

/** The demo's trucks report one after another within eight seconds of the start; tests expect them on the list. */
const waitForFirstReports = async ({ trackingUrl, usdot, apiKey, providerToken }: Target): Promise<void> => {
  const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
  const until = performance.now() + MAX_FIRST_REPORTS_MS;
  for (let listed = 0; listed < MIN_LISTED; await sleep(200)) {
    if (performance.now() > until) throw new Error(`The demo fleet lists ${listed} units after 90 s.`);
    const response = await fetch(`${trackingUrl}/api/units/${usdot}`, { headers });
    listed = response.ok ? ((await response.json()) as { units: unknown[] }).units.length : 0;
  }
};

/** Starts a target; its logs go to `folder`. */
export const startTarget = async (name: string, folder: string): Promise<Target> => {
  if (!isTargetName(name))
    throw new Error(`A project named ${name} when expected one of ${TARGET_NAMES.join(', ')}.`);
  const target = await STARTS[name](join(folder, 'application.log'));
  await waitForFirstReports(target);
  return target;
};
