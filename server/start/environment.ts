import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The command cannot do its work; the message explains the reason to a person. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** A variable's value; one that is set to nothing counts as unset. */
export const readVariable = (env: NodeJS.ProcessEnv, name: string): string | undefined =>
  env[name]?.trim() || undefined;

/**
 * Sets the variables of `.env.local` and `.env` that the real environment does not set, with literal values;
 * and, if none of them names a data folder, the one that systemd gives a unit with StateDirectory=. A unit
 * cannot set the variable itself, because an empty line in its EnvironmentFile= would override it.
 */
export const loadEnvFiles = (root: string): void => {
  for (const name of ['.env.local', '.env']) {
    const path = join(root, name);
    if (existsSync(path)) process.loadEnvFile(path);
  }
  const stateFolder = readVariable(process.env, 'STATE_DIRECTORY')?.split(':')[0];
  if (stateFolder !== undefined && readVariable(process.env, 'LINEHAUL_DATA_DIR') === undefined)
    process.env.LINEHAUL_DATA_DIR = stateFolder;
};

/** All variables that are set to a value. */
export const listVariables = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(Object.keys(env).map((name) => [name, readVariable(env, name)]));

export interface Address {
  host: string;
  port: number;
}

/**
 * The address to listen on. Containers and shells export the machine's own name as HOSTNAME, so that name is
 * ignored.
 */
export const readAddress = (env: NodeJS.ProcessEnv, machine = hostname()): Address => {
  const port = readVariable(env, 'PORT') ?? '3000';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new CommandError(`PORT must be a whole number from 1 to 65535, not ${JSON.stringify(port)}.`);
  }
  const host = readVariable(env, 'HOSTNAME');
  return { host: host === undefined || host === machine ? '127.0.0.1' : host, port: Number(port) };
};

/** The address to open in a browser on this machine; a wildcard address cannot be opened. */
export const toUrl = ({ host, port }: Address): string => {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
};

/**
 * Whether no database is configured: then Linehaul runs its own, which holds accounts even if it reads a
 * provider.
 */
export const needsOwnDatabase = (env: NodeJS.ProcessEnv): boolean =>
  readVariable(env, 'DATABASE_URL') === undefined;
