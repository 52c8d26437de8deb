import { readFileSync } from 'node:fs';

/** Secrets from files cannot be read; the message gives each file and the reason, and never a value. */
export class SecretFileError extends Error {
  name = 'SecretFileError';
}

/**
 * Settings that may be in a file of their own, whose path is in NAME_FILE: orchestrators pass secrets this
 * way, and JSON keeps its form.
 */
const NAMES = [
  'AUTH_SECRET',
  'DATABASE_URL',
  'FLAG_THRESHOLDS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
];
/** Every setting of a provider account, the first or a numbered one. */
const ACCOUNT_FILE = /^(TRACKING_(?:\d+_)?(?:BASE_URL|API_KEY|PROVIDER_TOKEN|USDOT))_FILE$/;

const listNames = (env) => [
  ...NAMES,
  ...Object.keys(env).flatMap((variable) => ACCOUNT_FILE.exec(variable)?.[1] ?? []),
];

/**
 * A path in the form for messages: a value that is no path may be the secret itself, put in the wrong place.
 */
const tellPath = (path) => (path.startsWith('/') ? path : 'a file');

/** The content of NAME_FILE's file without its final line break; null if no file is named. */
const readSecret = (env, name) => {
  const path = env[`${name}_FILE`]?.trim();
  if (!path) return null;
  if (env[name]?.trim()) {
    throw new SecretFileError(`${name} and ${name}_FILE are both set: give one of them.`);
  }
  let text;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SecretFileError(`${name}_FILE names ${tellPath(path)}, which cannot be read (${error.code}).`);
  }
  if (text === '') throw new SecretFileError(`${name}_FILE names ${tellPath(path)}, which is empty.`);
  return text;
};

const withPassword = (databaseUrl, password) => {
  if (!databaseUrl?.trim() || !URL.canParse(databaseUrl)) {
    throw new SecretFileError(
      'DATABASE_PASSWORD_FILE is set without a DATABASE_URL that it could belong to.',
    );
  }
  const url = new URL(databaseUrl);
  url.password = encodeURIComponent(password);
  return url.href;
};

const loadSecret = (env, name) => {
  const text = readSecret(env, name);
  if (text !== null) env[name] = text;
  delete env[`${name}_FILE`];
};

const loadPassword = (env) => {
  const password = readSecret(env, 'DATABASE_PASSWORD');
  if (password !== null) env.DATABASE_URL = withPassword(env.DATABASE_URL, password);
  delete env.DATABASE_PASSWORD_FILE;
};

/**
 * Sets in `env` the variables with files, and the password of DATABASE_URL from DATABASE_PASSWORD_FILE.
 *
 * @throws SecretFileError that lists every file that cannot be read or is empty, and every secret that is
 * given twice
 */
export const loadSecretFiles = (env) => {
  const faults = [];
  const attempt = (load) => {
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
