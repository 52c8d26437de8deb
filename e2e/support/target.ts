import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_USDOT, startApplication } from './application';
import type { Application } from './application';
import { createDatabase } from './databases';
import { findFreePorts } from '@/testing/ports';
import { runCommandLine, startProgram, stopProgram, waitForAnswer } from './programs';
import type { Variables } from './programs';
import { sendAsPage } from './session';

/**
 * The two ways in which Linehaul runs: with the tracking service mounted inside it, and connected to a
 * separate process, like a provider's.
 */
export const TARGET_NAMES = ['embedded', 'external'] as const;
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

const startExternal = async (log: string): Promise<Target> => {
  const [port] = (await findFreePorts(1)) as [number];
  const trackingUrl = `http://127.0.0.1:${port}`;
  const serviceLog = log.replace(/\.log$/, '-service.log');
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
    const application = await startApplication({ ...APPLICATION, ...account }, log);
    return {
      name: 'external',
      application,
      trackingUrl,
      usdot: DEMO_USDOT,
      ...secrets,
      logFiles: [log, serviceLog],
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
  external: startExternal,
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
