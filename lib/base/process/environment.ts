import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Environment = Record<string, string | undefined>;

/** A variable's value; one that is set to nothing counts as unset. */
export const readVariable = (env: Environment, name: string): string | undefined =>
  env[name]?.trim() || undefined;

/**
 * Sets the variables of `.env.local` and `.env` that the environment does not set, with literal values, and the data
 * folder of systemd's StateDirectory=, which a unit's EnvironmentFile= with an empty line would override.
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

/** The folder of the history's archive. */
export const toHistoryFolder = (env: Environment): string =>
  resolve(
    readVariable(env, 'HISTORY_DIR') ?? join(readVariable(env, 'LINEHAUL_DATA_DIR') ?? '.data', 'history'),
  );

/** All variables that are set to a value. */
export const listVariables = (env: Environment): Environment =>
  Object.fromEntries(Object.keys(env).map((name) => [name, readVariable(env, name)]));

/** Secrets from files cannot be read; the message gives each file and the reason, and never a value. */
export class SecretFileError extends Error {
  override name = 'SecretFileError';
}

/** Settings that NAME_FILE may name a file of: orchestrators pass secrets this way, and JSON keeps its form. */
const NAMES = [
  'AUTH_SECRET',
  'DATABASE_READ_URL',
  'DATABASE_URL',
  'FLAG_THRESHOLDS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'REDIS_URL',
  'ROUTING_URL',
  'SMTP_URL',
];
/** Every setting of a provider account, the first or a numbered one. */
const ACCOUNT_FILE = /^(TRACKING_(?:\d+_)?(?:BASE_URL|API_KEY|PROVIDER_TOKEN|USDOT))_FILE$/;

const listNames = (env: Environment): string[] => [
  ...NAMES,
  ...Object.keys(env).flatMap((variable) => ACCOUNT_FILE.exec(variable)?.[1] ?? []),
];

/** A path in the form for messages: a value that is no path may be the secret itself, put in the wrong place. */
const formatPath = (path: string): string => (path.startsWith('/') ? path : 'a file');

/** The content of NAME_FILE's file without its final line break; null if no file is named. */
const readSecret = (env: Environment, name: string): string | null => {
  const path = readVariable(env, `${name}_FILE`);
  if (path === undefined) return null;
  if (readVariable(env, name) !== undefined) {
    throw new SecretFileError(`${name} and ${name}_FILE are both set: give one of them.`);
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SecretFileError(
      `${name}_FILE names ${formatPath(path)}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  if (text === '') throw new SecretFileError(`${name}_FILE names ${formatPath(path)}, which is empty.`);
  return text;
};

const withPassword = (databaseUrl: string | undefined, password: string): string => {
  if (!databaseUrl?.trim() || !URL.canParse(databaseUrl)) {
    throw new SecretFileError(
      'DATABASE_PASSWORD_FILE is set without a DATABASE_URL that it could belong to.',
    );
  }
  const url = new URL(databaseUrl);
  url.password = encodeURIComponent(password);
  return url.href;
};

const loadSecret = (env: Environment, name: string): void => {
  const text = readSecret(env, name);
  if (text !== null) env[name] = text;
  delete env[`${name}_FILE`];
};

const loadPassword = (env: Environment): void => {
  const password = readSecret(env, 'DATABASE_PASSWORD');
  if (password !== null) env.DATABASE_URL = withPassword(env.DATABASE_URL, password);
  delete env.DATABASE_PASSWORD_FILE;
};

/**
 * Sets in `env` the variables with files, and DATABASE_URL's password. @throws SecretFileError that lists every file
 * that cannot be read or is empty, and every secret that is given twice
 */
export const loadSecretFiles = (env: Environment): void => {
  const faults: string[] = [];
  const attempt = (load: () => void): void => {
    try {
      load();
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      faults.push(error.message);
    }
  };
  for (const name of listNames(env)) attempt(() => loadSecret(env, name));
  attempt(() => loadPassword(env));
  if (faults.length > 0) throw new SecretFileError(faults.join('\n'));
};
