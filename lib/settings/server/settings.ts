import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { FLAGS, type Flag } from '@/lib/motion/status';
import {
  type SettingsAnswer,
  type SettingsChange,
  type StartSetting,
  type StartValue,
  START_SETTINGS,
  THRESHOLD_SCHEMAS,
  type Threshold,
} from '@/lib/settings/schema';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import { type Viewer, maySeeFleet } from '@/lib/base/viewer';
import type { Clock } from '@/lib/base/clock';
import { listChanges, type Requester, type ActionContext } from '@/lib/audit/audit';
import { toCarrierPauseMs, toPollIntervalMs, type Env } from '@/lib/config/env';
import { DEFAULT_FLAG_SETTINGS } from '@/lib/config/flags';
import { MINUTE_MS } from '@/lib/base/time';
import type { Database, Executor } from '@/lib/database/database';
import { changeAsManager } from '@/lib/users/server/user-scope';
import {
  lockSettings,
  readSetting,
  writeSetting,
  type SettingRecord,
} from '@/lib/database/setting-repository';
import type { FlagSettings } from '@/lib/motion/settings';

/** Thresholds that managers set; a missing flag has none. */
export type SetFlags = Readonly<Partial<Record<Flag, Threshold>>>;

type Changed = Pick<SettingRecord, 'changedBy' | 'changedAtMs'> | null;

/** The values that managers set, and who made the last change; null if there is none. */
export interface SetSettings {
  isSecondFactorRequired: boolean;
  secondFactorChanged: Changed;
  flags: SetFlags;
  flagsChanged: Changed;
}

const SECOND_FACTOR = 'second-factor-required';
const FLAG_THRESHOLDS = 'flag-thresholds';

/** A value of another version that this one cannot parse counts as not set. */
const toFlags = (value: unknown): SetFlags => {
  const given: Partial<Record<string, unknown>> = typeof value === 'object' && value !== null ? value : {};
  const flags: Partial<Record<Flag, Threshold>> = {};
  for (const flag of FLAGS) {
    const threshold = THRESHOLD_SCHEMAS[flag].safeParse(given[flag]);
    if (threshold.success) flags[flag] = threshold.data;
  }
  return flags;
};

const readAll = async (tx: Executor): Promise<SetSettings> => {
  const secondFactor = await readSetting(tx, SECOND_FACTOR);
  const flags = await readSetting(tx, FLAG_THRESHOLDS);
  return {
    isSecondFactorRequired: secondFactor?.value === true,
    secondFactorChanged: secondFactor,
    flags: toFlags(flags?.value),
    flagsChanged: flags,
  };
};

export const isSecondFactorSet = async (orm: Executor): Promise<boolean> =>
  (await readSetting(orm, SECOND_FACTOR))?.value === true;

const withChange = (set: SetFlags, change: NonNullable<SettingsChange['flags']>): SetFlags => {
  const merged = { ...set, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, threshold]) => threshold)) as SetFlags;
};

/** The changed values, old and new, for the audit log. */
const toDetails = (before: SetSettings, after: SetSettings): Record<string, unknown> => {
  const flagsOf = ({ flags }: SetSettings) =>
    Object.fromEntries(FLAGS.map((flag) => [flag, flags[flag] ?? 'preset'])) as Record<Flag, unknown>;
  return {
    ...listChanges(before, after, ['isSecondFactorRequired']),
    ...listChanges(flagsOf(before), flagsOf(after), FLAGS),
  };
};

/** Server-wide settings that managers change. */
export const createServerSettings = (options: {
  database: ActionContext['database'];
  audit: ActionContext['audit'];
  clock: Clock;
  /** The next request of each session reads the database. */
  forgetSessions: () => void;
  /** Called with the thresholds when the database opens, and after each change. */
  onFlagsSet: (flags: SetFlags) => void;
}) => {
  const { database, audit, clock, forgetSessions, onFlagsSet } = options;

  const change = async (input: SettingsChange, requester: Requester): Promise<void> => {
    const context = { ...requester, database, audit };
    const set = await changeAsManager(context, 'settings.change', [], async (tx, record, manager) => {
      if (manager.usdots !== null) throw new AppError('whole-server');
      await lockSettings(tx);
      const before = await readAll(tx);
      const after = {
        ...before,
        isSecondFactorRequired: input.isSecondFactorRequired ?? before.isSecondFactorRequired,
        flags: withChange(before.flags, input.flags ?? {}),
      };
      const details = toDetails(before, after);
      if (Object.keys(details).length === 0) return before;
      const changed = { changedBy: manager.email ?? manager.name, changedAtMs: clock.nowMs() };
      if (after.isSecondFactorRequired !== before.isSecondFactorRequired)
        await writeSetting(tx, SECOND_FACTOR, { value: after.isSecondFactorRequired, ...changed });
      if (FLAGS.some((flag) => flag in details))
        await writeSetting(tx, FLAG_THRESHOLDS, { value: after.flags, ...changed });
      await record(undefined, details);
      return after;
    });
    forgetSessions();
    onFlagsSet(set.flags);
  };

  return {
    /** @throws AppError 'accounts-unavailable' */
    read: async (): Promise<SetSettings> => readAll((await database.open()).orm),
    /** Applies from the next request on. @throws AppError 'whole-server', 'accounts-unavailable' */
    change,
    load: async ({ orm }: Database): Promise<void> => onFlagsSet((await readAll(orm)).flags),
  };
};

export type ServerSettings = ReturnType<typeof createServerSettings>;

/** The threshold of one flag, as pages show it. */
export const toThreshold = ({ flags, othersAnswers, ownAnswers }: FlagSettings, flag: Flag): Threshold => ({
  ...flags[flag],
  ...(flag === 'wrongCarrier' ? { enterAnswers: othersAnswers, leaveAnswers: ownAnswers } : {}),
});

/** Applies the managers' thresholds to the start settings, except for flags that the environment sets. */
export const withSetFlags = (
  started: FlagSettings,
  fixedFlags: readonly Flag[],
  set: SetFlags,
): FlagSettings => {
  const held = { ...started, flags: { ...started.flags } };
  for (const [flag, { enterMs, leaveMs, ...answers }] of Object.entries(set) as [Flag, Threshold][]) {
    if (fixedFlags.includes(flag)) continue;
    held.flags[flag] = { enterMs, leaveMs };
    held.othersAnswers = answers.enterAnswers ?? held.othersAnswers;
    held.ownAnswers = answers.leaveAnswers ?? held.ownAnswers;
  }
  return held;
};

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

/** The effective value of each variable, null for none; a possible secret only as set or not set. */
const toValues = (env: Env, viewer: Pick<Viewer, 'usdots'>): Record<StartSetting, StartValue> => {
  const isEmbedded = env.providers.length === 0;
  const carrierPauseMs = toCarrierPauseMs(env);
  return {
    TRACKING_BASE_URL: toProviders(env, viewer),
    POLL_INTERVAL_MS: toPollIntervalMs(env),
    CARRIER_LOOKUPS_PER_MIN: carrierPauseMs === null ? null : Math.round(MINUTE_MS / carrierPauseMs),
    TRACKING_TIMEOUT_MS: env.answerLimits.timeoutMs,
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
