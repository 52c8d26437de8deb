import 'server-only';
import { join } from 'node:path';
import { z } from 'zod';
import type { AccountsMode } from '@/lib/accounts/accounts';
import { isLoopbackHost } from '@/lib/accounts/demo';
import type { MailSettings } from '@/lib/accounts/mailer';
import { LEAST_SECRET_CHARACTERS } from '@/lib/accounts/secret';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import type { LiveSettings } from '@/lib/live/settings';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import type { AnswerLimits } from '@/lib/tracking/limits';
import { parseFlagSettings } from './env-flags';
import type { FlagSettings } from './env-flags';
import { mailFrom, smtpUrl, toMail, toMailFaults } from './env-mail';
import { parseProviders } from './env-providers';
import type { ProviderAccount } from './env-providers';
import { parseUrl, secret, text, wholeNumber } from './env-values';
import type { OidcSettings } from '@/lib/accounts/oidc';
import { OIDC_VARIABLES, toOidcFaults, toOidcSettings } from './oidc-env';

const OPENSTREETMAP_TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';
const OPENSTREETMAP_ATTRIBUTION =
  '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';

/** A token that could be guessed is none. */
const LEAST_TOKEN_CHARACTERS = 16;

const MIB = 2 ** 20;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Env {
  /** The accounts to read a tracking API with, the first one first; none: the embedded service with its demo fleet. */
  providers: readonly ProviderAccount[];
  homeUsdot: string | null;
  pollIntervalMs: number;
  /** How long an answer of the provider may take and be. */
  answerLimits: AnswerLimits;
  /** How feeds retry a provider that fails, and how long they doubt one that contradicts itself. */
  feedSettings: Pick<LiveSettings, 'maxBackoffMs' | 'maxRetryAfterMs' | 'doubtHoldMs'>;
  databaseUrl: string | null;
  /** Where this application keeps files of its own. */
  dataFolder: string;
  /** Whether everybody signs in, or this very machine is shown the demo without. */
  accounts: AccountsMode;
  /** Signs sessions; null: one that is kept in the data folder. */
  authSecret: string | null;
  /** Scheme, host and port that browsers know this server by, without a slash at its end; null: as they ask. */
  publicUrl: string | null;
  /** Managers who sign in by password need a second factor. */
  isSecondFactorRequired: boolean;
  /** Where people may sign in besides; null: nowhere. */
  oidc: OidcSettings | null;
  /** By what links are mailed; null: managers hand them over. */
  mail: MailSettings | null;
  /** Raster tiles over the embedded base map; null: none. */
  tiles: { url: string; attribution: string } | null;
  demoUnits: number;
  activeWindowMs: number;
  fixRetentionDays: number;
  /** The least pause between two look-ups of a VIN's carrier in the background; null: none is made. */
  carrierPauseMs: number | null;
  /** When each flag is put up and taken down. */
  flagSettings: FlagSettings;
  logLevel: LogLevel;
  port: number;
  hostname: string;
  /** What a reader of /metrics must say; null: there are none. */
  metricsToken: string | null;
  /** How many proxies stand before this server and add to X-Forwarded-For; 0: nobody's word is taken. */
  trustedProxies: number;
  /** What one client address may ask for, lasting; null: as much as it likes. */
  clientRequestsPerS: number | null;
  /** What all pages together may ask the provider for beside the feeds, lasting; null: as much as they like. */
  pageCallsPerS: number | null;
  /** The longest path and query that are answered. */
  maxUrlCharacters: number;
}

/** What is wrong with the environment, every fault of it, without the value of any variable that may be secret. */
export class EnvError extends Error {
  override name = 'EnvError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

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

const accounts = text.transform((value, context) => {
  if (value === undefined || value === 'required') return value;
  context.addIssue({
    code: 'custom',
    message: `must be "required" or unset, not ${JSON.stringify(value)}`,
  });
  return z.NEVER;
});

const requireSecondFactor = text.transform((value, context) => {
  if (value === undefined || value === 'managers') return value;
  context.addIssue({
    code: 'custom',
    message: `must be "managers" or unset, not ${JSON.stringify(value)}`,
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
  // Quiet unless asked: `npm start` prints one line with the address, and then what is wrong.
  const level = LOG_LEVELS.find((name) => name === (value ?? 'warn'));
  if (level !== undefined) return level;
  const message = `must be one of ${LOG_LEVELS.join(', ')}, not ${JSON.stringify(value)}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const variablesSchema = z.object({
  POLL_INTERVAL_MS: wholeNumber(10_000, 1000, 3_600_000),
  TRACKING_HEADERS_TIMEOUT_MS: wholeNumber(DEFAULT_ANSWER_LIMITS.headersTimeoutMs, 100, 600_000),
  TRACKING_TIMEOUT_MS: wholeNumber(DEFAULT_ANSWER_LIMITS.timeoutMs, 100, 600_000),
  TRACKING_MAX_ANSWER_MB: wholeNumber(DEFAULT_ANSWER_LIMITS.maxAnswerBytes / MIB, 1, 400),
  TRACKING_MAX_BACKOFF_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.maxBackoffMs, 1000, 3_600_000),
  TRACKING_MAX_RETRY_AFTER_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.maxRetryAfterMs, 1000, 86_400_000),
  TRACKING_DOUBT_HOLD_MS: wholeNumber(DEFAULT_LIVE_SETTINGS.doubtHoldMs, 0, 3_600_000),
  DATABASE_URL: databaseUrl,
  LINEHAUL_DATA_DIR: text,
  ACCOUNTS: accounts,
  AUTH_SECRET: secret.refine((value) => value === undefined || value.length >= LEAST_SECRET_CHARACTERS, {
    error: `must have at least ${LEAST_SECRET_CHARACTERS} characters`,
  }),
  PUBLIC_URL: publicUrl,
  REQUIRE_SECOND_FACTOR: requireSecondFactor,
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

type Variables = z.infer<typeof variablesSchema>;

const toTiles = ({ MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: attribution }: Variables): Env['tiles'] => {
  if (url === 'none') return null;
  if (url === undefined)
    return { url: OPENSTREETMAP_TILES, attribution: attribution ?? OPENSTREETMAP_ATTRIBUTION };
  return { url, attribution: attribution ?? '' };
};

const DEFAULT_HOSTNAME = '127.0.0.1';

/** The demo opens without accounts where nobody but this machine can reach it, not even through a proxy. */
const toAccountsMode = (variables: Variables, isEmbedded: boolean): AccountsMode => {
  const isAlone =
    isLoopbackHost(variables.HOSTNAME ?? DEFAULT_HOSTNAME) &&
    variables.TRUSTED_PROXIES === 0 &&
    variables.PUBLIC_URL === undefined;
  return isEmbedded && isAlone && variables.ACCOUNTS === undefined ? 'demo' : 'required';
};

/** The service inside is no stranger: it may be asked often enough that the demo's leased trucks show within a minute. */
const EMBEDDED_CARRIER_PAUSE_MS = 100;

const toCarrierPauseMs = (
  { CARRIER_LOOKUPS_PER_MIN: perMinute }: Variables,
  isEmbedded: boolean,
): number | null => {
  if (perMinute === 0) return null;
  return isEmbedded ? EMBEDDED_CARRIER_PAUSE_MS : 60_000 / perMinute;
};

/**
 * The settings of the application, from environment variables.
 *
 * @throws EnvError that lists every fault at once.
 */
export const parseEnv = (source: Record<string, string | undefined>): Env => {
  const parsed = variablesSchema.safeParse(source);
  const { faults: providerFaults, providers, homeUsdot } = parseProviders(source);
  const { faults: flagFaults, flagSettings } = parseFlagSettings(source);
  const faults = [...providerFaults, ...toOidcFaults(source), ...toMailFaults(source), ...flagFaults];
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`));
  }
  if (faults.length > 0 || !parsed.success) throw new EnvError(faults);
  const variables = parsed.data;
  return {
    providers,
    homeUsdot,
    pollIntervalMs: variables.POLL_INTERVAL_MS,
    answerLimits: {
      headersTimeoutMs: variables.TRACKING_HEADERS_TIMEOUT_MS,
      timeoutMs: variables.TRACKING_TIMEOUT_MS,
      maxAnswerBytes: variables.TRACKING_MAX_ANSWER_MB * MIB,
    },
    feedSettings: {
      maxBackoffMs: variables.TRACKING_MAX_BACKOFF_MS,
      maxRetryAfterMs: variables.TRACKING_MAX_RETRY_AFTER_MS,
      doubtHoldMs: variables.TRACKING_DOUBT_HOLD_MS,
    },
    databaseUrl: variables.DATABASE_URL ?? null,
    dataFolder: variables.LINEHAUL_DATA_DIR ?? join(process.cwd(), '.data'),
    accounts: toAccountsMode(variables, providers.length === 0),
    authSecret: variables.AUTH_SECRET ?? null,
    publicUrl: variables.PUBLIC_URL ?? null,
    isSecondFactorRequired: variables.REQUIRE_SECOND_FACTOR === 'managers',
    oidc: toOidcSettings(variables),
    mail: toMail(variables.SMTP_URL, variables.MAIL_FROM),
    tiles: toTiles(variables),
    demoUnits: variables.DEMO_UNITS,
    activeWindowMs: variables.ACTIVE_WINDOW_MIN * 60_000,
    fixRetentionDays: variables.FIX_RETENTION_DAYS,
    carrierPauseMs: toCarrierPauseMs(variables, providers.length === 0),
    flagSettings,
    logLevel: variables.LOG_LEVEL,
    port: variables.PORT,
    hostname: variables.HOSTNAME ?? DEFAULT_HOSTNAME,
    metricsToken: variables.METRICS_TOKEN ?? null,
    trustedProxies: variables.TRUSTED_PROXIES,
    clientRequestsPerS: variables.CLIENT_REQUESTS_PER_S || null,
    pageCallsPerS: variables.TRACKING_PAGE_CALLS_PER_S || null,
    maxUrlCharacters: variables.MAX_URL_CHARACTERS,
  };
};
