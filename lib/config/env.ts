import 'server-only';
import { join } from 'node:path';
import { isLoopbackHost } from '@/lib/base/http/same-origin';
import { toOidcFaults, toOidcSettings } from './oidc';
import type { FlagSettings } from '@/lib/motion/settings';
import { toHistoryFolder } from '@/lib/base/process/environment';
import type { Flag } from '@/lib/motion/status';
import { parseFlagSettings } from './flags';
import {
  listRetired,
  toClusterFaults,
  toMail,
  toMailFaults,
  MIB,
  variablesSchema,
  type Variables,
} from './variables';
import type { FleetSource, OwnCarrier } from '@/lib/identity/own-carrier';
import { parseFleetSource } from './fleet-source';
import { parseProviders, type ProviderAccount } from './providers';
import { isSet, type Source } from './values';
import type { SecretRedactor } from '@/lib/base/log';

/** `demo`: requests from this machine are signed in; `required`: every user signs in. */
export type AccountsMode = 'demo' | 'required';

const OPENSTREETMAP_TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';
const OPENSTREETMAP_ATTRIBUTION =
  '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';

export interface Env extends ReturnType<typeof toSettings> {
  /** Where the fleets come from; null while the database that names it has not been read. */
  source: FleetSource | null;
  /** The environment names the source, so that managers cannot choose another one. */
  isSourceFixed: boolean;
  /** The carrier of the source `own`; null for any other. */
  ownCarrier: OwnCarrier | null;
  /** Accounts of the tracking API, the first one first; empty where the embedded service is read. */
  providers: readonly ProviderAccount[];
  homeUsdot: string | null;
  /** Whether sign-in is required, or the demo is open to this machine without one. */
  accounts: AccountsMode;
  /** When each flag is raised and cleared, and which of these the environment sets: managers cannot change those. */
  flagSettings: FlagSettings;
  fixedFlags: readonly Flag[];
  /** Names of settings of earlier versions that are set, and ignored. */
  retired: readonly string[];
}

/** Every fault of the environment, without the value of any variable that may be secret. */
export class EnvError extends Error {
  override name = 'EnvError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

interface Tiles {
  url: string;
  attribution: string;
  isDefault: boolean;
}

const toTiles = ({ MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: attribution }: Variables): Tiles | null => {
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
/** The part of the time limit of a provider's answer within which its headers have to come. */
const HEADERS_SHARE = 0.75;

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

/** The settings that are variables of their own. */
const toSettings = (variables: Variables, source: Source) => ({
  /** As the environment sets it; null: as the source requires. */
  pollIntervalMs: variables.POLL_INTERVAL_MS,
  /** As the environment sets it; null: fleets are not recorded. */
  recordIntervalMs: variables.RECORD_INTERVAL_MS,
  /** The archive of what is recorded: its folder, how long it is kept, and the memory that reading and writing it may take. */
  history: {
    folder: toHistoryFolder(source),
    keptDays: variables.HISTORY_DAYS,
    memoryMb: variables.HISTORY_MEMORY_MB,
  },
  /** The time limit and size limit of a provider's answer. */
  answerLimits: {
    headersTimeoutMs: Math.round(variables.TRACKING_TIMEOUT_MS * HEADERS_SHARE),
    timeoutMs: variables.TRACKING_TIMEOUT_MS,
    maxAnswerBytes: variables.LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB * MIB,
  },
  /** How feeds retry a provider that fails, and how long they quarantine answers that contradict earlier ones. */
  feedSettings: {
    maxBackoffMs: variables.LINEHAUL_TEST_TRACKING_MAX_BACKOFF_MS,
    maxRetryAfterMs: variables.LINEHAUL_TEST_TRACKING_MAX_RETRY_AFTER_MS,
    anomalyHoldMs: variables.LINEHAUL_TEST_TRACKING_DOUBT_HOLD_MS,
  },
  databaseUrl: variables.DATABASE_URL ?? null,
  /** A copy of that database which may lag behind it, for the recorded past; null: none. */
  databaseReadUrl: variables.DATABASE_READ_URL ?? null,
  /** The Redis through which several servers share the fleets; null: this server is alone. */
  redisUrl: variables.REDIS_URL ?? null,
  /** The folder for this application's own files. */
  dataFolder: variables.LINEHAUL_DATA_DIR ?? join(process.cwd(), '.data'),
  /** Signs sessions; null: a secret that is kept in the data folder. */
  authSecret: variables.AUTH_SECRET ?? null,
  /** Scheme, host and port of this server for browsers, without a trailing slash; null: as requested. */
  publicUrl: variables.PUBLIC_URL ?? null,
  /** Managers who sign in by password need a second factor. */
  isSecondFactorRequired: variables.REQUIRE_SECOND_FACTOR === 'managers',
  /** OpenID Connect sign-in; null: none. */
  oidc: toOidcSettings(variables),
  /** How links are mailed; null: managers pass them on. */
  mail: toMail(variables.SMTP_URL, variables.MAIL_FROM),
  /** Whether addresses that people enter on pages may be of private networks. */
  isPrivateAllowed: variables.PRIVATE_ADDRESSES === 'allow',
  /** Raster tiles over the embedded base map; null: none. */
  tiles: variables.MAP_PMTILES === undefined ? toTiles(variables) : null,
  /** Path or URL of the street map's archive, which may hold credentials; null: none. It replaces raster tiles. */
  streets: variables.MAP_PMTILES ?? null,
  /** The engine that gives ways and times for loads under way; null: none. */
  routing: variables.ROUTING_URL ?? null,
  demoUnits: variables.DEMO_UNITS,
  /** How much of a past the demo fleet has at its first start; 0: none. */
  demoHistoryHours: variables.LINEHAUL_TEST_DEMO_HISTORY_HOURS,
  activeWindowMs: variables.ACTIVE_WINDOW_MIN * 60_000,
  fixRetentionDays: variables.FIX_RETENTION_DAYS,
  /** Background look-ups of a VIN's carrier at a provider, per minute; 0: none. */
  carrierLookupsPerMin: variables.CARRIER_LOOKUPS_PER_MIN,
  logLevel: variables.LOG_LEVEL,
  port: variables.PORT,
  hostname: variables.HOSTNAME ?? DEFAULT_HOSTNAME,
  /** The token for /metrics; null: there are no metrics. */
  metricsToken: variables.METRICS_TOKEN ?? null,
  /** How many proxies before this server add to X-Forwarded-For; 0: the header is not trusted. */
  trustedProxies: variables.TRUSTED_PROXIES,
  /** Sustained requests per second of one client address; null: no limit. */
  clientRequestsPerS: variables.CLIENT_REQUESTS_PER_S || null,
  /** Sustained provider requests per second of all pages together, besides the feeds; null: no limit. */
  pageCallsPerS: variables.LINEHAUL_TEST_TRACKING_PAGE_CALLS_PER_S || null,
});

/**
 * The settings of the application, from environment variables.
 *
 * @throws EnvError that lists every fault at once.
 */
export const parseEnv = (source: Source): Env => {
  // Formerly named for webhooks alone, and a setting of its own.
  const { ALERT_WEBHOOK_PRIVATE: PRIVATE_ADDRESSES, RECORDING } = source;
  const recorded = isSet(source, 'RECORDING') ? { RECORD_INTERVAL_MS: RECORDING } : {};
  const parsed = variablesSchema.safeParse({ PRIVATE_ADDRESSES, ...source, ...recorded });
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
  return {
    ...toSettings(parsed.data, source),
    ...fleetSource,
    providers,
    homeUsdot: fleetSource.ownCarrier?.usdot ?? homeUsdot,
    accounts: toAccountsMode(parsed.data, fleetSource.source === 'demo'),
    flagSettings,
    fixedFlags,
    retired: listRetired(source),
  };
};

type Secrets = Pick<Env, 'databaseUrl' | 'databaseReadUrl' | 'redisUrl' | 'metricsToken' | 'providers'> & {
  routing: Pick<NonNullable<Env['routing']>, 'secrets'> | null;
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
  env.routing?.secrets.forEach(addSecret);
  for (const { apiKey, providerToken } of env.providers) {
    addSecret(apiKey);
    addSecret(providerToken);
  }
};
