import 'server-only';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { toBase64Forms } from '@/lib/tracking/redact-secrets';
import { redactSecrets } from '@/service/log';
import type { LogLevel } from '../config/variables';

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
];

export interface SecretKeeper {
  /** Redacts the value in every line from here on, wherever it occurs. */
  conceal: (value: string) => void;
  strike: (line: string) => string;
}

/** Redacts known secrets in texts: the second line of defense, for an error or a URL that carries one. */
export const createSecretKeeper = (): SecretKeeper => {
  const secrets = new Set<string>();
  return {
    conceal: (value) => {
      if (value === '') return;
      secrets.add(value);
      // A line of JSON holds the JSON-escaped value, a URL the percent-encoded one.
      secrets.add(JSON.stringify(value).slice(1, -1));
      secrets.add(encodeURIComponent(value));
      for (const form of toBase64Forms(value)) secrets.add(form);
    },
    strike: (line) => {
      let struck = line;
      for (const value of secrets) struck = struck.replaceAll(value, HIDDEN);
      return struck;
    },
  };
};

/** The application's log: lines of JSON on the standard output, without secrets. */
export const createLog = (keeper: SecretKeeper, level: LogLevel, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: HIDDEN },
      hooks: { streamWrite: (line) => redactSecrets(keeper.strike(line)) },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
