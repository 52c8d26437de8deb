import 'server-only';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { pino, type DestinationStream, type Logger, type SerializedError } from 'pino';
import { HIDDEN, redactSecrets, toSecretForms } from './credential-text';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = Logger;

const MAX_PATH_CHARACTERS = 200;

/** The path without possible secrets: the query, and the whole address where devices or links put their token. */
export const toLoggedPath = (url: string): string => {
  const [path = ''] = url.split('?', 1);
  if (path.startsWith('/tracking/')) return '/tracking/…';
  if (path.startsWith('/t/')) return '/t/…';
  if (path.startsWith('/u/')) return '/u/…';
  if (path.startsWith('/p/')) return '/p/…';
  if (path.startsWith('/d/')) return '/d/…';
  return redactSecrets(path.slice(0, MAX_PATH_CHARACTERS));
};

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
      if (value !== '') for (const form of toSecretForms(value)) secrets.add(form);
    },
    redact: (line) => {
      let redacted = line;
      for (const value of secrets) redacted = redacted.replaceAll(value, HIDDEN);
      return redacted;
    },
  };
};

/**
 * An e-mail address, after an escape of JSON, which stays. The local part is bounded, so that a long line costs little.
 */
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
