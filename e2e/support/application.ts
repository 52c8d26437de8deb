import { readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import { createScratchFolder, removeScratchFolder } from '@/scripts/testing/scratch';
import { findFreePorts } from './ports';
import { startProgram, stopProgram, waitForAnswer } from './programs';
import type { Variables } from './programs';
import { addSession, signInAsManager } from './session';

/** Whose fleet the demo shows. */
export const DEMO_USDOT = '9000001';

/** A web application that one spec started for itself. */
export interface Application {
  /** http://127.0.0.1:port, without a slash at its end. */
  url: string;
  /** Of a manager's session, as "name=value"; empty where the demo asks nobody to sign in. */
  cookie: string;
  /** Asks for a path as the manager. */
  fetch(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Signs a browser in. */
  signIn(context: BrowserContext): Promise<void>;
  stop(): Promise<void>;
}

const SCRATCH = 'linehaul-e2e-application-';

/** Whether it asks everybody to sign in, as far as our tests configure it. */
const asksToSignIn = ({ TRACKING_BASE_URL, ACCOUNTS }: Variables): boolean =>
  Boolean(TRACKING_BASE_URL) || ACCOUNTS === 'required';

/**
 * Starts the built application on a port of its own, or again on a given one; all that it prints goes to the file `log`.
 * Its data folder goes with it, unless one is given.
 */
export const startApplication = async (
  variables: Variables,
  log: string,
  givenPort?: number,
): Promise<Application> => {
  const port = givenPort ?? (await findFreePorts(1))[0];
  const url = `http://127.0.0.1:${port}`;
  const isOwnFolder = !variables.LINEHAUL_DATA_DIR && !variables.DATABASE_URL;
  const folder = isOwnFolder ? createScratchFolder(SCRATCH) : null;
  const program = startProgram(
    'start',
    [],
    {
      MAP_TILES_URL: 'none',
      POLL_INTERVAL_MS: '1000',
      ...(folder === null ? {} : { LINEHAUL_DATA_DIR: folder }),
      ...variables,
      PORT: String(port),
    },
    log,
  );
  const stop = async () => {
    await stopProgram(program);
    if (folder !== null) await removeScratchFolder(folder);
  };
  try {
    await waitForAnswer(`${url}/api/health`, program, log);
    const cookie = asksToSignIn(variables) ? await signInAsManager(url, () => readFileSync(log, 'utf8')) : '';
    return {
      url,
      cookie,
      fetch: (path, headers = {}) => fetch(`${url}${path}`, { headers: { ...headers, cookie } }),
      signIn: async (context) => {
        if (cookie !== '') await addSession(context, url, cookie);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
