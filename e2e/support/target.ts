import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toBrowserCookie } from './session';

/**
 * The two ways in which Linehaul runs: with the tracking service mounted inside it, and connected to one that
 * runs as a separate process, as a provider's would. The same tests are run against both.
 */
export const TARGET_NAMES = ['embedded', 'external'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** A running application, and what a test needs to ask its tracking API itself. */
export interface Target {
  name: TargetName;
  /** http://host:port of the application, without a slash at its end. */
  appUrl: string;
  /** Base URL of the tracking API that the application reads. */
  trackingUrl: string;
  /** The demo fleet's. */
  usdot: string;
  /** Made by the command line. In `external` they are the very secrets that the application was given. */
  apiKey: string;
  providerToken: string;
  /** For reports of a device; goes with `${trackingUrl}/ingest/…`. */
  ingestToken: string;
  /** Of a manager's session, as "name=value"; empty where the demo asks nobody to sign in. */
  cookie: string;
  /** Where everything goes that the processes print. */
  logFiles: string[];
}

const FOLDER = join('.cache', 'e2e');

export const isTargetName = (name: string): name is TargetName =>
  (TARGET_NAMES as readonly string[]).includes(name);

const targetFile = (name: TargetName): string => join(FOLDER, `${name}.json`);

export const logFile = (name: TargetName, program: string): string => join(FOLDER, `${name}-${program}.log`);

/** Where a browser of a target's tests finds its session. */
export const sessionFile = (name: TargetName): string => join(FOLDER, `${name}-session.json`);

/** Readable by us alone: it holds secrets. */
export const writeTarget = (target: Target): void => {
  const { name, appUrl, cookie } = target;
  const cookies = cookie === '' ? [] : [toBrowserCookie(appUrl, cookie)];
  writeFileSync(sessionFile(name), JSON.stringify({ cookies, origins: [] }), { mode: 0o600 });
  writeFileSync(targetFile(name), JSON.stringify(target), { mode: 0o600 });
};

/** Makes sure that nothing of an earlier run can be taken for this one's. */
export const clearTarget = (name: TargetName): void => {
  mkdirSync(FOLDER, { recursive: true });
  rmSync(targetFile(name), { force: true });
};

export const readTarget = (name: string): Target => {
  if (!isTargetName(name))
    throw new Error(`A project named ${name} when expected one of ${TARGET_NAMES.join(', ')}.`);
  return JSON.parse(readFileSync(targetFile(name), 'utf8')) as Target;
};
