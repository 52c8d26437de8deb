import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { SetSettings } from './server-settings';
import { FLAGS } from '@/lib/wire/status';
import type { SettingsAnswer, SettingsChange } from '@/lib/settings/schema';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import type { Viewer } from '@/lib/auth/viewer';
import type { Runtime } from '@/lib/http/runtime';
import type { Env } from '@/lib/config/env';
import { DEFAULT_FLAG_SETTINGS } from '@/lib/config/flags';
import { toThreshold, withSetFlags } from './flag-settings';
import { readStartSettings } from './start-settings';

/** Only managers of all fleets change settings, and these are hidden from a manager of some. */
const toChanged = (
  changed: SetSettings['flagsChanged'],
  { usdots }: Viewer,
): SettingsAnswer['flagsChanged'] =>
  changed && { by: usdots === null ? changed.changedBy : HIDDEN_MANAGER, atMs: changed.changedAtMs };

/** The server-wide settings: those of managers, and the start settings. @throws AppError 'accounts-unavailable' */
export const readSettings = async (
  { accounts, env, now }: Pick<Runtime, 'accounts' | 'env' | 'now'>,
  viewer: Viewer,
): Promise<SettingsAnswer> => {
  const set = await accounts.settings.read();
  const held = withSetFlags(env.flagSettings, env.fixedFlags, set.flags);
  return {
    nowMs: now(),
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
  { accounts, env }: Pick<Runtime, 'accounts' | 'env'>,
  change: SettingsChange,
  by: { viewer: Viewer; address: string },
): Promise<void> => {
  requireFree(env, change);
  await accounts.settings.change(change, by);
};
