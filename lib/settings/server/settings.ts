import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { type ServerSettings, type SetSettings, toThreshold, withSetFlags } from './server-settings';
import { FLAGS } from '@/lib/motion/status';
import {
  type SettingsAnswer,
  type SettingsChange,
  type StartSetting,
  type StartValue,
  START_SETTINGS,
} from '@/lib/settings/schema';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import { type Viewer, maySeeFleet } from '@/lib/base/viewer';
import type { Clock } from '@/lib/base/clock';
import type { Requester } from '@/lib/audit/change';
import { toCarrierPauseMs, toPollIntervalMs, type Env } from '@/lib/config/env';
import { DEFAULT_FLAG_SETTINGS } from '@/lib/config/flags';
import { MIB } from '@/lib/config/variables';
import { MINUTE_MS } from '@/lib/base/time';

interface SettingsContext {
  env: Env;
  settings: Pick<ServerSettings, 'read' | 'change'>;
}

/** The provider addresses of the fleets in the viewer's scope; null: the embedded service. */
const toProviders = ({ providers }: Env, viewer: Pick<Viewer, 'usdots'>): string | null => {
  if (providers.length === 0) return null;
  const seen = providers.filter(({ usdot }) =>
    usdot === null ? viewer.usdots === null : maySeeFleet(viewer, usdot),
  );
  return [...new Set(seen.map(({ baseUrl }) => new URL(baseUrl).host))].join(', ');
};

/**
 * The effective value of each variable; null: none, or not applicable. A possible secret is shown only as set or not
 * set.
 */
const toValues = (env: Env, viewer: Pick<Viewer, 'usdots'>): Record<StartSetting, StartValue> => {
  const isEmbedded = env.providers.length === 0;
  const carrierPauseMs = toCarrierPauseMs(env);
  return {
    TRACKING_BASE_URL: toProviders(env, viewer),
    POLL_INTERVAL_MS: toPollIntervalMs(env),
    CARRIER_LOOKUPS_PER_MIN: carrierPauseMs === null ? null : Math.round(MINUTE_MS / carrierPauseMs),
    TRACKING_TIMEOUT_MS: env.answerLimits.timeoutMs,
    TRACKING_MAX_ANSWER_MB: env.answerLimits.maxAnswerBytes / MIB,
    TRACKING_MAX_BACKOFF_MS: env.feedSettings.maxBackoffMs,
    TRACKING_MAX_RETRY_AFTER_MS: env.feedSettings.maxRetryAfterMs,
    TRACKING_DOUBT_HOLD_MS: env.feedSettings.anomalyHoldMs,
    TRACKING_PAGE_CALLS_PER_S: env.pageCallsPerS,
    ACTIVE_WINDOW_MIN: isEmbedded ? env.activeWindowMs / MINUTE_MS : null,
    FIX_RETENTION_DAYS: isEmbedded ? env.fixRetentionDays : null,
    ACCOUNTS: env.accounts,
    PUBLIC_URL: env.publicUrl,
    OIDC_ISSUER: env.oidc?.issuer ?? null,
    SMTP_URL: env.mail !== null,
    MAP_TILES_URL: env.tiles === null ? null : new URL(env.tiles.url, 'http://this-server').host,
    MAP_PMTILES: env.streets !== null,
    TRUSTED_PROXIES: env.trustedProxies,
    CLIENT_REQUESTS_PER_S: env.clientRequestsPerS,
    METRICS_TOKEN: env.metricsToken !== null,
    LOG_LEVEL: env.logLevel,
  };
};

/** The start settings that a manager may see. */
const readStartSettings = (
  env: Env,
  viewer: Pick<Viewer, 'usdots'>,
): { name: StartSetting; value: StartValue }[] => {
  const values = toValues(env, viewer);
  return START_SETTINGS.map((name) => ({ name, value: values[name] }));
};

/** Only managers of all fleets change settings, and these are hidden from a manager of some. */
const toChanged = (
  changed: SetSettings['flagsChanged'],
  { usdots }: Viewer,
): SettingsAnswer['flagsChanged'] =>
  changed && { by: usdots === null ? changed.changedBy : HIDDEN_MANAGER, atMs: changed.changedAtMs };

/** The server-wide settings: those of managers, and the start settings. @throws AppError 'accounts-unavailable' */
export const readSettings = async (
  { env, settings, clock }: SettingsContext & { clock: Pick<Clock, 'nowMs'> },
  viewer: Viewer,
): Promise<SettingsAnswer> => {
  const set = await settings.read();
  const held = withSetFlags(env.flagSettings, env.fixedFlags, set.flags);
  return {
    nowMs: clock.nowMs(),
    mayChange: viewer.usdots === null,
    secondFactor: {
      isRequired: env.isSecondFactorRequired || set.isSecondFactorRequired,
      isFixed: env.isSecondFactorRequired,
      changed: toChanged(set.secondFactorChanged, viewer),
    },
    flags: FLAGS.map((flag) => ({
      flag,
      threshold: toThreshold(held, flag),
      preset: toThreshold(DEFAULT_FLAG_SETTINGS, flag),
      isFixed: env.fixedFlags.includes(flag),
    })),
    flagsChanged: toChanged(set.flagsChanged, viewer),
    start: readStartSettings(env, viewer),
  };
};

const requireFree = (env: Env, { isSecondFactorRequired, flags = {} }: SettingsChange): void => {
  if (isSecondFactorRequired !== undefined && env.isSecondFactorRequired) throw new AppError('fixed-setting');
  const fixed = env.fixedFlags.find((flag) => flags[flag] !== undefined);
  if (fixed !== undefined) throw new AppError('fixed-setting');
};

/** @throws AppError 'fixed-setting', 'whole-server', 'accounts-unavailable' */
export const changeSettings = async (
  { env, settings }: SettingsContext,
  change: SettingsChange,
  requester: Requester,
): Promise<void> => {
  requireFree(env, change);
  await settings.change(change, requester);
};
