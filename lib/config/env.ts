import 'server-only';
import { join } from 'node:path';
import { isLoopbackHost } from '@/lib/base/http/same-origin';
import type { MailSettings } from '@/lib/jobs/mailer';
import { type OidcSettings, toOidcFaults, toOidcSettings } from './oidc';
import type { LiveSettings } from '@/lib/fleet/settings';
import type { FlagSettings } from '@/lib/motion/settings';
import type { AnswerLimits } from '@/lib/tracking/limits';
import { toHistoryFolder } from '@/lib/base/process/environment';
import type { Flag } from '@/lib/motion/status';
import { parseFlagSettings } from './flags';
import { toClusterFaults, toMail, toMailFaults, MIB, variablesSchema, type Variables } from './variables';
import type { FleetSource, OwnCarrier } from '@/lib/identity/own-carrier';
import { parseFleetSource } from './fleet-source';
import { parseProviders, type ProviderAccount } from './providers';
import { isSet, type Source } from './values';
import type { LogLevel } from '@/lib/base/log';

/** `demo`: requests from this machine are signed in; `required`: every user signs in. */
export type AccountsMode = 'demo' | 'required';

const OPENSTREETMAP_TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';
const OPENSTREETMAP_ATTRIBUTION =
  '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';

export interface Env {
  /** Where the fleets come from; null while the database that names it has not been read. */
  source: FleetSource | null;
  /** The environment names the source, so that managers cannot choose another one. */
  isSourceFixed: boolean;
  /** The carrier of the source `own`; null for any other. */
  ownCarrier: OwnCarrier | null;
  /** Accounts of the tracking API, the first one first; empty where the embedded service is read. */
  providers: readonly ProviderAccount[];
  homeUsdot: string | null;
  /** As the environment sets it; null: as the source requires. */
  pollIntervalMs: number | null;
  /** As the environment sets it; null: fleets are not recorded. */
  recordIntervalMs: number | null;
  /** The archive of what is recorded: its folder, how long it is kept, and the memory that reading and writing it may take. */
  history: { folder: string; keptDays: number; memoryMb: number };
  /** The time limit and size limit of a provider's answer. */
  answerLimits: AnswerLimits;
  /**
   * How feeds retry a provider that fails, and how long they quarantine answers that contradict earlier ones.
   */
  feedSettings: Pick<LiveSettings, 'maxBackoffMs' | 'maxRetryAfterMs' | 'anomalyHoldMs'>;
  databaseUrl: string | null;
  /** A copy of that database which may lag behind it, for the recorded past; null: none. */
  databaseReadUrl: string | null;
  /** The Redis through which several servers share the fleets; null: this server is alone. */
  redisUrl: string | null;
  /** The folder for this application's own files. */
  dataFolder: string;
  /** Whether sign-in is required, or the demo is open to this machine without one. */
  accounts: AccountsMode;
  /** Signs sessions; null: a secret that is kept in the data folder. */
  authSecret: string | null;
  /** Scheme, host and port of this server for browsers, without a trailing slash; null: as requested. */
  publicUrl: string | null;
  /** Managers who sign in by password need a second factor. */
  isSecondFactorRequired: boolean;
  /** OpenID Connect sign-in; null: none. */
  oidc: OidcSettings | null;
  /** How links are mailed; null: managers pass them on. */
  mail: MailSettings | null;
  /** Whether addresses that people enter on pages may be of private networks. */
  isPrivateAllowed: boolean;
  /** Raster tiles over the embedded base map; null: none. */
  tiles: { url: string; attribution: string; isDefault: boolean } | null;
  /** Path or URL of the street map's archive, which may hold credentials; null: none. It replaces raster tiles. */
  streets: string | null;
  demoUnits: number;
  /** How much of a past the demo fleet has at its first start; 0: none. */
  demoHistoryHours: number;
  activeWindowMs: number;
  fixRetentionDays: number;
  /** Background look-ups of a VIN's carrier at a provider, per minute; 0: none. */
  carrierLookupsPerMin: number;
  /**
   * When each flag is raised and cleared, and which of these the environment sets: managers cannot change
   * those.
   */
  flagSettings: FlagSettings;
  fixedFlags: readonly Flag[];
  logLevel: LogLevel;
  port: number;
  hostname: string;
  /** The token for /metrics; null: there are no metrics. */
  metricsToken: string | null;
  /** How many proxies before this server add to X-Forwarded-For; 0: the header is not trusted. */
  trustedProxies: number;
  /** Sustained requests per second of one client address; null: no limit. */
  clientRequestsPerS: number | null;
  /** Sustained provider requests per second of all pages together, besides the feeds; null: no limit. */
  pageCallsPerS: number | null;
  /** The longest path and query that the server accepts. */
  maxUrlCharacters: number;
}

/** Every fault of the environment, without the value of any variable that may be secret. */
export class EnvError extends Error {
  override name = 'EnvError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

const toTiles = ({ MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: attribution }: Variables): Env['tiles'] => {
  if (url === 'none') return null;
  if (url === undefined)
    return {
      url: OPENSTREETMAP_TILES,
      attribution: attribution ?? OPENSTREETMAP_ATTRIBUTION,
      isDefault: true,
    };
  return { url, attribution: attribution ?? '', isDefault: false };
};

const DEFAULT_HOSTNAME = '127.0.0.1';

/** The demo opens without accounts only if no other machine can reach it, not even through a proxy. */
const toAccountsMode = (variables: Variables, isDemo: boolean): AccountsMode => {
  const isAlone =
    isLoopbackHost(variables.HOSTNAME ?? DEFAULT_HOSTNAME) &&
    variables.TRUSTED_PROXIES === 0 &&
    variables.PUBLIC_URL === undefined;
  return isDemo && isAlone && variables.ACCOUNTS === undefined ? 'demo' : 'required';
};

const POLL_INTERVAL_MS = 10_000;
/** An installer waits beside a truck for its report, and the embedded service costs no provider anything. */
const OWN_POLL_INTERVAL_MS = 2000;

/** How often a fleet is polled while a browser shows it. */
export const toPollIntervalMs = ({
  pollIntervalMs,
  source,
}: Pick<Env, 'pollIntervalMs' | 'source'>): number =>
  pollIntervalMs ?? (source === 'own' ? OWN_POLL_INTERVAL_MS : POLL_INTERVAL_MS);

/** How often a fleet is polled for the recording while no browser shows it; null: fleets are not recorded. */
export const toRecordIntervalMs = (
  env: Pick<Env, 'recordIntervalMs' | 'pollIntervalMs' | 'source'>,
): number | null =>
  // A feed rests for the poll interval after each poll.
  env.recordIntervalMs && Math.max(env.recordIntervalMs, toPollIntervalMs(env));

const toHistory = (source: Source, variables: Variables): Env['history'] => ({
  folder: toHistoryFolder(source),
  keptDays: variables.HISTORY_DAYS,
  memoryMb: variables.HISTORY_MEMORY_MB,
});

/** The embedded service is our own: frequent requests show leased trucks within a minute. */
const EMBEDDED_CARRIER_PAUSE_MS = 100;

/** The shortest pause between two background look-ups of a VIN's carrier; null: no look-ups. */
export const toCarrierPauseMs = ({
  carrierLookupsPerMin: perMinute,
  providers,
}: Pick<Env, 'carrierLookupsPerMin' | 'providers'>): number | null => {
  if (perMinute === 0) return null;
  return providers.length === 0 ? EMBEDDED_CARRIER_PAUSE_MS : 60_000 / perMinute;
};

/** The source that managers chose: a provider's account or the own carrier; null: the demo. */
export type ChosenSource =
  | { kind: 'provider'; provider: ProviderAccount }
  | { kind: 'own'; carrier: OwnCarrier }
  | null;

/**
 * The settings with the source that managers chose; undefined: it could not be read, so that nothing is open without a
 * sign-in. A chosen source always needs one.
 */
export const withChosenSource = (env: Env, chosen: ChosenSource | undefined): Env => {
  if (chosen === null || env.isSourceFixed) return env;
  const required = { ...env, accounts: 'required' as const };
  if (chosen === undefined) return { ...required, source: null };
  if (chosen.kind === 'own')
    return { ...required, source: 'own', ownCarrier: chosen.carrier, homeUsdot: chosen.carrier.usdot };
  const { provider } = chosen;
  return { ...required, source: 'provider', providers: [provider], homeUsdot: provider.usdot };
};

/** How long answers of a provider may take and be, and how it is retried. */
const toProviderLimits = (variables: Variables): Pick<Env, 'answerLimits' | 'feedSettings'> => ({
  answerLimits: {
    headersTimeoutMs: variables.TRACKING_HEADERS_TIMEOUT_MS,
    timeoutMs: variables.TRACKING_TIMEOUT_MS,
    maxAnswerBytes: variables.TRACKING_MAX_ANSWER_MB * MIB,
  },
  feedSettings: {
    maxBackoffMs: variables.TRACKING_MAX_BACKOFF_MS,
    maxRetryAfterMs: variables.TRACKING_MAX_RETRY_AFTER_MS,
    anomalyHoldMs: variables.TRACKING_DOUBT_HOLD_MS,
  },
});

/**
 * The settings of the application, from environment variables.
 *
 * @throws EnvError that lists every fault at once.
 */
export const parseEnv = (source: Source): Env => {
  // Formerly named for webhooks alone.
  const { ALERT_WEBHOOK_PRIVATE: PRIVATE_ADDRESSES } = source;
  const parsed = variablesSchema.safeParse({ PRIVATE_ADDRESSES, ...source });
  const { faults: providerFaults, providers, homeUsdot } = parseProviders(source);
  const { faults: flagFaults, flagSettings, fixedFlags } = parseFlagSettings(source);
  const hasProvider = isSet(source, 'TRACKING_BASE_URL');
  const { faults: sourceFaults, ...fleetSource } = parseFleetSource(source, hasProvider);
  const faults = [
    ...providerFaults,
    ...sourceFaults,
    ...toOidcFaults(source),
    ...toMailFaults(source),
    ...toClusterFaults(source),
    ...flagFaults,
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}.`),
  ];
  if (faults.length > 0 || !parsed.success) throw new EnvError(faults);
  const variables = parsed.data;
  return {
    ...fleetSource,
    providers,
    homeUsdot: fleetSource.ownCarrier?.usdot ?? homeUsdot,
    pollIntervalMs: variables.POLL_INTERVAL_MS,
    recordIntervalMs: variables.RECORDING === 'off' ? null : variables.RECORD_INTERVAL_MS,
    history: toHistory(source, variables),
    ...toProviderLimits(variables),
    databaseUrl: variables.DATABASE_URL ?? null,
    databaseReadUrl: variables.DATABASE_READ_URL ?? null,
    redisUrl: variables.REDIS_URL ?? null,
    dataFolder: variables.LINEHAUL_DATA_DIR ?? join(process.cwd(), '.data'),
    accounts: toAccountsMode(variables, fleetSource.source === 'demo'),
    authSecret: variables.AUTH_SECRET ?? null,
    publicUrl: variables.PUBLIC_URL ?? null,
    isSecondFactorRequired: variables.REQUIRE_SECOND_FACTOR === 'managers',
    oidc: toOidcSettings(variables),
    mail: toMail(variables.SMTP_URL, variables.MAIL_FROM),
    isPrivateAllowed: variables.PRIVATE_ADDRESSES === 'allow',
    tiles: variables.MAP_PMTILES === undefined ? toTiles(variables) : null,
    streets: variables.MAP_PMTILES ?? null,
    demoUnits: variables.DEMO_UNITS,
    demoHistoryHours: variables.DEMO_HISTORY_HOURS,
    activeWindowMs: variables.ACTIVE_WINDOW_MIN * 60_000,
    fixRetentionDays: variables.FIX_RETENTION_DAYS,
    carrierLookupsPerMin: variables.CARRIER_LOOKUPS_PER_MIN,
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
