import { readFileSync } from 'node:fs';

/** A secret that was to come from a file cannot be had; the message says which and why, and never what. */
export class SecretFileError extends Error {
  name = 'SecretFileError';
}

/** Settings that may stand in a file of their own, whose path NAME_FILE is: so orchestrators hand secrets over. */
const NAMES = ['AUTH_SECRET', 'DATABASE_URL', 'METRICS_TOKEN', 'TRACKING_API_KEY', 'TRACKING_PROVIDER_TOKEN'];

/** What the file of NAME_FILE says, less the line break at its end; null where no file is named. */
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
    throw new SecretFileError(`${name}_FILE names ${path}, which cannot be read (${error.code}).`, {
      cause: error,
    });
  }
  if (text === '') throw new SecretFileError(`${name}_FILE names ${path}, which is empty.`);
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

/**
 * Sets in `env` what it names files for, and the password of DATABASE_URL from DATABASE_PASSWORD_FILE.
 *
 * @throws SecretFileError for a file that cannot be read or is empty, and for a secret that is given twice
 */
export const loadSecretFiles = (env) => {
  for (const name of NAMES) {
    const text = readSecret(env, name);
    if (text !== null) env[name] = text;
    delete env[`${name}_FILE`];
  }
  const password = readSecret(env, 'DATABASE_PASSWORD');
  if (password !== null) env.DATABASE_URL = withPassword(env.DATABASE_URL, password);
  delete env.DATABASE_PASSWORD_FILE;
};
