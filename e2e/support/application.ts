import { readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import { TEMPLATE, createDatabase, readSharedPostgres } from './databases';
import { findFreePorts } from '@/testing/ports';
import { startProgram, stopProgram, waitForAnswer, type Variables } from './programs';
import { addSession, signInAsManager } from './session';

/** The demo fleet's carrier. */
export const DEMO_USDOT = '9000001';

/** Signs the sessions of every application, so that the session in the template is valid in each clone. */
export const SESSION_SECRET = 'signs-the-sessions-of-the-end-to-end-tests';

/** A web application that one worker or one spec started. */
export interface Application {
  /** http://127.0.0.1:port, without a slash at its end. */
  url: string;
  databaseUrl: string;
  /** Of a manager's session, as "name=value"; empty where the demo requires no sign-in. */
  cookie: string;
  /** Fetches a path as the manager. */
  fetch(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Signs a browser in. */
  signIn(context: BrowserContext): Promise<void>;
  stop(): Promise<void>;
}

/** Whether the application requires sign-in, as far as our tests configure it. */
const requiresSignIn = ({ TRACKING_BASE_URL, ACCOUNTS }: Variables): boolean =>
  Boolean(TRACKING_BASE_URL) || ACCOUNTS === 'required';

/**
 * Starts the built application on its own port, or on a given one; all its output goes to the file `log`.
 * Unless DATABASE_URL names one, it gets its own database on the run's server: with the first manager where
 * sign-in is required, without tables otherwise.
 */
export const startApplication = async (
  variables: Variables,
  log: string,
  givenPort?: number,
): Promise<Application> => {
  const port = givenPort ?? (await findFreePorts(1))[0];
  const url = `http://127.0.0.1:${port}`;
  const hasManagers = requiresSignIn(variables);
  const isOwnDatabase = variables.DATABASE_URL !== undefined;
  const databaseUrl = variables.DATABASE_URL ?? (await createDatabase(hasManagers ? TEMPLATE : undefined));
  const program = startProgram(
    'start',
    [],
    {
      MAP_TILES_URL: 'none',
      POLL_INTERVAL_MS: '1000',
      AUTH_SECRET: SESSION_SECRET,
      ...variables,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
    },
    log,
  );
  const signIn = async (): Promise<string> => {
    if (!hasManagers) return '';
    return isOwnDatabase
      ? signInAsManager(url, () => readFileSync(log, 'utf8'))
      : readSharedPostgres().managerCookie;
  };
  const stop = () => stopProgram(program);
  try {
    await waitForAnswer(`${url}/api/health`, program, log);
    const cookie = await signIn();
    return {
      url,
      databaseUrl,
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
