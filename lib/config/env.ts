import 'server-only';
import { join } from 'node:path';
import type { AccountsMode } from '@/lib/auth/server/accounts';
import { isLoopbackHost } from '@/lib/auth/server/demo';
import type { MailSettings } from '@/lib/users/server/mailer';
import type { OidcSettings } from '@/lib/auth/server/sign-in/oidc';
import type { LiveSettings } from '@/lib/live/settings';
import type { FlagSettings } from '@/lib/motion/settings';
import type { AnswerLimits } from '@/lib/tracking/limits';
import type { Flag } from '@/lib/wire/status';
import { parseFlagSettings } from './flags';
import { toMail, toMailFaults } from './mail';
import { toOidcFaults, toOidcSettings } from './oidc';
import { parseProviders } from './providers';
import type { ProviderAccount } from './providers';
import type { Source } from './values';
import { MIB, variablesSchema } from './variables';
import type { LogLevel, Variables } from './variables';

const OPENSTREETMAP_TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';
const OPENSTREETMAP_ATTRIBUTION =
  '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';

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
  /** When each flag is put up and taken down, and of which the environment says anything: nobody changes those. */
  flagSettings: FlagSettings;
  fixedFlags: readonly Flag[];
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
export const parseEnv = (source: Source): Env => {
  const parsed = variablesSchema.safeParse(source);
  const { faults: providerFaults, providers, homeUsdot } = parseProviders(source);
  const { faults: flagFaults, flagSettings, fixedFlags } = parseFlagSettings(source);
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
    fixedFlags,
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
