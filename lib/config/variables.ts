import 'server-only';
import { z } from 'zod';
import { LEAST_SECRET_CHARACTERS } from '@/lib/auth/server/secret';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { mailFrom, smtpUrl } from './mail';
import { OIDC_VARIABLES } from './oidc';
import { oneWord, parseUrl, secret, text, wholeNumber } from './values';

/** A token that can be guessed protects nothing. */
const LEAST_TOKEN_CHARACTERS = 16;

export const MIB = 2 ** 20;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const publicUrl = text.transform((value, context) => {
  if (value === undefined) return undefined;
  const url = parseUrl(value);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin;
  context.addIssue({
    code: 'custom',
    message: 'must be scheme, host and port alone, as https://fleet.example.com',
  });
  return z.NEVER;
});

const databaseUrl = text.refine(
  (value) => value === undefined || /^postgres(ql)?:$/.test(parseUrl(value)?.protocol ?? ''),
  { error: 'must be a PostgreSQL URL (postgres://user:password@host:port/database)' },
);

const tilesUrl = text.refine(
  (value) =>
    value === undefined ||
    value === 'none' ||
    (/^(https?:\/\/|\/)/.test(value) && ['{z}', '{x}', '{y}'].every((part) => value.includes(part))),
  { error: 'must be "none" or a URL with {z}, {x} and {y}' },
);

const logLevel = text.transform((value, context) => {
  // Quiet by default: `npm start` prints one line with the address, and then only problems.
  const level = LOG_LEVELS.find((name) => name === (value ?? 'warn'));
  if (level !== undefined) return level;
  const message = `must be one of ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(value)}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/**
 * The allowed values of each variable, and its default. Accounts of providers and flags are read separately.
 */
export const variablesSchema = z.object({
  POLL_INTERVAL_MS: wholeNumber(10_000, 1000, 3_600_000),
  TRACKING_HEADERS_TIMEOUT_MS: wholeNumber(DEFAULT_ANSWER_LIMITS.headersTimeoutMs, 100, 600_000),
  TRACKING_TIMEOUT_MS: wholeNumber(DEFAULT_ANSWER_LIMITS.timeoutMs, 100, 600_000),
  TRACKING_MAX_ANSWER_MB: wholeNumber(DEFAULT_ANSWER_LIMITS.maxAnswerBytes / MIB, 1, 400),
  TRACKING_MAX_BACKOFF_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.maxBackoffMs, 1000, 3_600_000),
  TRACKING_MAX_RETRY_AFTER_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.maxRetryAfterMs, 1000, 86_400_000),
  TRACKING_DOUBT_HOLD_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.doubtHoldMs, 0, 3_600_000),
  DATABASE_URL: databaseUrl,
  LINEHAUL_DATA_DIR: text,
  ACCOUNTS: oneWord('required'),
  AUTH_SECRET: secret.refine((value) => value === undefined || value.length >= LEAST_SECRET_CHARACTERS, {
    error: `must have at least ${LEAST_SECRET_CHARACTERS} characters`,
  }),
  PUBLIC_URL: publicUrl,
  REQUIRE_SECOND_FACTOR: oneWord('managers'),
  ...OIDC_VARIABLES,
  SMTP_URL: smtpUrl,
  MAIL_FROM: mailFrom,
  MAP_TILES_URL: tilesUrl,
  MAP_TILES_ATTRIBUTION: text,
  DEMO_UNITS: wholeNumber(400, 1, 100_000),
  ACTIVE_WINDOW_MIN: wholeNumber(30, 1, 10_080),
  FIX_RETENTION_DAYS: wholeNumber(30, 1, 36_500),
  CARRIER_LOOKUPS_PER_MIN: wholeNumber(60, 0, 60),
  LOG_LEVEL: logLevel,
  PORT: wholeNumber(3000, 1, 65_535),
  HOSTNAME: text,
  METRICS_TOKEN: secret.refine((value) => value === undefined || value.length >= LEAST_TOKEN_CHARACTERS, {
    error: `must have at least ${LEAST_TOKEN_CHARACTERS} characters`,
  }),
  TRUSTED_PROXIES: wholeNumber(0, 0, 10),
  CLIENT_REQUESTS_PER_S: wholeNumber(250, 0, 100_000),
  TRACKING_PAGE_CALLS_PER_S: wholeNumber(20, 0, 100_000),
  MAX_URL_CHARACTERS: wholeNumber(4096, 256, 16_000),
});

export type Variables = z.infer<typeof variablesSchema>;
