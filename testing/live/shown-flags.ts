import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { toFlags, type Flag } from '@/lib/motion/status';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';

export const USDOT = '9000001';

export const minute = (minutes: number): number => START_MS + minutes * MINUTE_MS;

export const createTracker = (): FleetTracker => new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);

/** The flags of a unit's row, as a list shows them. */
export const flagsOf = (tracker: FleetTracker, key: string): Flag[] => {
  const { identities, columns } = tracker.copyRows();
  return toFlags(columns.flags[identities.findIndex((identity) => identity?.key === key)]!);
};

/** The evidence texts that its panel shows. */
export const evidenceOf = (tracker: FleetTracker, key: string): string | undefined =>
  tracker
    .detail(key, 'e.1')
    ?.flags.map(({ text: words }) => words)
    .join(' ');
