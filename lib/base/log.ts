import 'server-only';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { pino } from 'pino';
import type { DestinationStream, Logger, SerializedError } from 'pino';
import { toBase64Forms } from '@/lib/tracking/http/redact-secrets';
import { redactSecrets } from './credential-text';
import type { LogLevel } from '@/lib/config/variables';
import type { Env } from '@/lib/config/env';
import type { FeedProblem } from '@/lib/wire/fleet';

export type Log = Logger;

const MAX_PATH_CHARACTERS = 200;

/** The path without possible secrets: the query, and the whole address where devices put their token. */
export const toLoggedPath = (url: string): string => {
  const [path = ''] = url.split('?', 1);
  if (path.startsWith('/tracking/')) return '/tracking/…';
  return redactSecrets(path.slice(0, MAX_PATH_CHARACTERS));
};

const HIDDEN = '[hidden]';
/** Names under which a secret could be logged by mistake, at the top of an entry or one level down. */
const SECRET_FIELDS = [
  'apiKey',
  'providerToken',
  'ingestToken',
  'token',
  'password',
  'authorization',
  'cookie',
  'secret',
  'databaseUrl',
  'redisUrl',
];

export interface SecretRedactor {
  /** Redacts the value in every line from here on, wherever it occurs. */
  addSecret: (value: string) => void;
  redact: (line: string) => string;
}

/** Redacts known secrets in texts: the second line of defense, for an error or a URL that carries one. */
export const createSecretRedactor = (): SecretRedactor => {
  const secrets = new Set<string>();
  return {
    addSecret: (value) => {
      if (value === '') return;
      secrets.add(value);
      // A line of JSON holds the JSON-escaped value, a URL the percent-encoded one.
      secrets.add(JSON.stringify(value).slice(1, -1));
      secrets.add(encodeURIComponent(value));
      for (const form of toBase64Forms(value)) secrets.add(form);
    },
    redact: (line) => {
      let redacted = line;
      for (const value of secrets) redacted = redacted.replaceAll(value, HIDDEN);
      return redacted;
    },
  };
};

/** After an escape of JSON, which stays whole. The local part is bounded, so that a long line without one costs little. */
const EMAIL = /(\\(?:u[\da-f]{4}|.))?[^\s"'\\<>()[\]{},;:/@]{1,64}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,}/gi;

/** Hides e-mail addresses, as an answer of a mail server may quote one. */
const redactEmails = (line: string): string =>
  line.includes('@')
    ? line.replace(EMAIL, (_, escape: string | undefined) => `${escape ?? ''}${HIDDEN}`)
    : line;

/** An error without the values of a failed statement, which the error and PostgreSQL's details quote: they may be secrets. */
const serializeError = (error: Error): SerializedError => {
  const logged = pino.stdSerializers.err(error);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof DrizzleQueryError)) continue;
    const [quoted, statement] = [cause.message, `Failed query: ${cause.query}`];
    logged.message = logged.message.replaceAll(quoted, () => statement);
    logged.stack = logged.stack.replaceAll(quoted, () => statement);
  }
  return Object.assign(logged, { params: undefined, detail: undefined });
};

/** The application's log: lines of JSON on the standard output, without secrets and e-mail addresses. */
export const createLog = (redactor: SecretRedactor, level: LogLevel, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: HIDDEN },
      serializers: { err: serializeError },
      hooks: { streamWrite: (line) => redactEmails(redactSecrets(redactor.redact(line))) },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );

type Secrets = Pick<Env, 'databaseUrl' | 'databaseReadUrl' | 'redisUrl' | 'metricsToken' | 'providers'> & {
  mail: Pick<NonNullable<Env['mail']>, 'url'> | null;
  oidc: Pick<NonNullable<Env['oidc']>, 'clientSecret'> | null;
};

/** Redacts every secret of the environment in the log. */
export const addEnvSecrets = (env: Secrets, { addSecret }: Pick<SecretRedactor, 'addSecret'>): void => {
  addSecret(env.metricsToken ?? '');
  addSecret(env.oidc?.clientSecret ?? '');
  for (const url of [env.databaseUrl, env.databaseReadUrl, env.redisUrl, env.mail?.url ?? null]) {
    if (url === null) continue;
    addSecret(url);
    addSecret(decodeURIComponent(new URL(url).password));
  }
  for (const { apiKey, providerToken } of env.providers) {
    addSecret(apiKey);
    addSecret(providerToken);
  }
};

/**
 * Logs why polls fail: our own fault with its stack, a fault of the provider with its message. Without an
 * error the poll succeeded, and its answer is an anomaly.
 */
export const createPollLog =
  (log: Log) =>
  (usdot: string, { kind, detail }: FeedProblem, error: unknown): void => {
    if (kind === 'internal') log.error({ usdot, err: error }, 'A poll failed.');
    else if (error === null)
      log.warn({ usdot, kind, reason: detail }, 'An answer from the provider looks wrong.');
    else log.warn({ usdot, kind, reason: detail }, 'A poll failed.');
  };
