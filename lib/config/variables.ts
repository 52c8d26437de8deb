import 'server-only';
import { LOG_LEVELS, type LogLevel } from '@/lib/base/log';
import { z } from 'zod';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { OIDC_VARIABLES } from './oidc';
import { toEngine } from '@/lib/routing/engine';
import {
  keyword,
  parsed,
  parseUrl,
  secret,
  text,
  wholeNumber,
  wholeNumberOrOff,
  isSet,
  type Source,
} from './values';
import type { MailSettings } from '@/lib/jobs/mailer';

/** A shorter secret can be guessed. */
export const MIN_SECRET_CHARACTERS = 32;

const smtpUrl = text.refine(
  (value) => {
    const url = value === undefined ? null : parseUrl(value);
    return value === undefined || (/^smtps?:$/.test(url?.protocol ?? '') && url?.hostname !== '');
  },
  { error: 'must be an SMTP URL (smtp://user:password@host:587, or smtps://)' },
);

const mailFrom = text.refine(
  (value) =>
    value === undefined || /^([^<>,\r\n]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/.test(value),
  { error: 'must be an e-mail address, as in Linehaul <fleet@example.com>' },
);

/** A mailed link uses the configured address, because any client can forge the host of a request. */
export const toMailFaults = (source: Source): string[] => {
  if (isSet(source, 'SMTP_URL')) {
    return ['MAIL_FROM', 'PUBLIC_URL']
      .filter((name) => !isSet(source, name))
      .map((name) => `${name} must be set with SMTP_URL.`);
  }
  return isSet(source, 'MAIL_FROM') ? ['MAIL_FROM is set without SMTP_URL: set both or neither.'] : [];
};

/** Null where no mail server is configured. */
export const toMail = (url: string | undefined, from: string | undefined): MailSettings | null =>
  url && from ? { url, from } : null;

/** A token that can be guessed protects nothing. */
const MIN_TOKEN_CHARACTERS = 16;

export const MIB = 2 ** 20;

const publicUrl = parsed((value) => {
  const url = parseUrl(value);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin
    ? url.origin
    : { fault: 'must be scheme, host and port alone, as https://fleet.example.com' };
}, undefined);

/** A URL with one of some protocols. */
const urlOf = (protocols: RegExp, error: string) =>
  text.refine((value) => value === undefined || protocols.test(parseUrl(value)?.protocol ?? ''), { error });

const databaseUrl = urlOf(
  /^postgres(ql)?:$/,
  'must be a PostgreSQL URL (postgres://user:password@host:port/database)',
);
const redisUrl = urlOf(
  /^rediss?:$/,
  'must be a Redis URL (redis://user:password@host:6379, or rediss:// for TLS)',
);

/** Servers that share fleets share their database and the secret that signs sessions as well. */
export const toClusterFaults = (source: Source): string[] => [
  ...(isSet(source, 'DATABASE_READ_URL') && !isSet(source, 'DATABASE_URL')
    ? ['DATABASE_URL must be set with DATABASE_READ_URL, which is a copy of it.']
    : []),
  ...(isSet(source, 'REDIS_URL')
    ? ['DATABASE_URL', 'AUTH_SECRET']
        .filter((name) => !isSet(source, name))
        .map((name) => `${name} must be set with REDIS_URL, to the same value on each server.`)
    : []),
];

const tilesUrl = text.refine(
  (value) =>
    value === undefined ||
    value === 'none' ||
    (/^(https?:\/\/|\/)/.test(value) && ['{z}', '{x}', '{y}'].every((part) => value.includes(part))),
  { error: 'must be "none" or a URL with {z}, {x} and {y}' },
);

const routingEngine = parsed(toEngine, undefined);

const archivePlace = text.refine(
  (value) =>
    value === undefined || !value.includes('://') || /^https?:$/.test(parseUrl(value)?.protocol ?? ''),
  { error: 'must be the path of a PMTiles archive or an http or https URL of one' },
);

/** Quiet by default: `npm start` prints one line with the address, and then only problems. */
const logLevel = parsed(
  (value): LogLevel | { fault: string } =>
    LOG_LEVELS.find((name) => name === value) ?? {
      fault: `must be one of ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(value)}`,
    },
  'warn' as const,
);

/** Limits that no operator changes: tests and benches of a whole server set them, by a name with LINEHAUL_TEST_ before it. */
const TEST_VARIABLES = {
  LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB: wholeNumber(DEFAULT_ANSWER_LIMITS.maxAnswerBytes / MIB, 1, 400),
  LINEHAUL_TEST_TRACKING_MAX_BACKOFF_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.maxBackoffMs, 1000, 3_600_000),
  LINEHAUL_TEST_TRACKING_MAX_RETRY_AFTER_MS: wholeNumber(
    DEFAULT_LIVE_SETTINGS.maxRetryAfterMs,
    1000,
    86_400_000,
  ),
  LINEHAUL_TEST_TRACKING_DOUBT_HOLD_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.anomalyHoldMs, 0, 3_600_000),
  LINEHAUL_TEST_TRACKING_PAGE_CALLS_PER_S: wholeNumber(20, 0, 100_000),
  LINEHAUL_TEST_DEMO_HISTORY_HOURS: wholeNumber(48, 0, 31 * 24),
};

export const TEST_PREFIX = 'LINEHAUL_TEST_';

/** Settings of earlier versions, which are ignored with a warning. */
const RETIRED = [
  ...Object.keys(TEST_VARIABLES).map((name) => name.slice(TEST_PREFIX.length)),
  ...['IDENTITY_CHANGE_HOURS', 'MAX_URL_CHARACTERS', 'TRACKING_HEADERS_TIMEOUT_MS'],
];

export const listRetired = (source: Source): string[] => RETIRED.filter((name) => isSet(source, name));

/**
 * The allowed values of each variable, and its default. Accounts of providers and flags are read separately.
 */
export const variablesSchema = z.object({
  ...TEST_VARIABLES,
  POLL_INTERVAL_MS: wholeNumber(null, 1000, 3_600_000),
  RECORD_INTERVAL_MS: wholeNumberOrOff(30_000, 5000, 3_600_000),
  HISTORY_DIR: text,
  HISTORY_DAYS: wholeNumber(400, 1, 36_500),
  HISTORY_MEMORY_MB: wholeNumber(512, 128, 65_536),
  TRACKING_TIMEOUT_MS: wholeNumber(DEFAULT_ANSWER_LIMITS.timeoutMs, 100, 600_000),
  DATABASE_URL: databaseUrl,
  DATABASE_READ_URL: databaseUrl,
  REDIS_URL: redisUrl,
  LINEHAUL_DATA_DIR: text,
  ACCOUNTS: keyword('required'),
  AUTH_SECRET: secret.refine((value) => value === undefined || value.length >= MIN_SECRET_CHARACTERS, {
    error: `must have at least ${MIN_SECRET_CHARACTERS} characters`,
  }),
  PUBLIC_URL: publicUrl,
  REQUIRE_SECOND_FACTOR: keyword('managers'),
  ...OIDC_VARIABLES,
  SMTP_URL: smtpUrl,
  MAIL_FROM: mailFrom,
  PRIVATE_ADDRESSES: keyword('allow'),
  MAP_TILES_URL: tilesUrl,
  MAP_TILES_ATTRIBUTION: text,
  MAP_PMTILES: archivePlace,
  ROUTING_URL: routingEngine,
  DEMO_UNITS: wholeNumber(400, 1, 100_000),
  ACTIVE_WINDOW_MIN: wholeNumber(30, 1, 10_080),
  FIX_RETENTION_DAYS: wholeNumber(30, 1, 36_500),
  CARRIER_LOOKUPS_PER_MIN: wholeNumber(60, 0, 60),
  LOG_LEVEL: logLevel,
  PORT: wholeNumber(3000, 1, 65_535),
  HOSTNAME: text,
  METRICS_TOKEN: secret.refine((value) => value === undefined || value.length >= MIN_TOKEN_CHARACTERS, {
    error: `must have at least ${MIN_TOKEN_CHARACTERS} characters`,
  }),
  TRUSTED_PROXIES: wholeNumber(0, 0, 10),
  CLIENT_REQUESTS_PER_S: wholeNumber(250, 0, 100_000),
});

export type Variables = z.infer<typeof variablesSchema>;
