import 'server-only';
import type { SetFlags } from './server-settings';
import type { FlagSettings } from '@/lib/motion/settings';
import type { Threshold } from '@/lib/settings/schema';
import type { Flag } from '@/lib/wire/status';

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
