import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { toFlags } from '@/lib/wire/status';
import type { Flag } from '@/lib/wire/status';
import { createFleetMemory } from '@/lib/live/fleet/fleet-memory';
import type { FleetMemory } from '@/lib/live/fleet/fleet-memory';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';

export const USDOT = '9000001';

export const minute = (minutes: number): number => START_MS + minutes * MINUTE_MS;

export const createMemory = (): FleetMemory => createFleetMemory(DEFAULT_LIVE_SETTINGS, USDOT);

/** The flags of a unit's row, as a list shows them. */
export const flagsOf = (memory: FleetMemory, key: string): Flag[] => {
  const { identities, columns } = memory.copyRows();
  return toFlags(columns.flags[identities.findIndex((identity) => identity?.key === key)]!);
};

/** The evidence texts that its panel shows. */
export const wordsOf = (memory: FleetMemory, key: string): string | undefined =>
  memory
    .detail(key, 'e.1')
    ?.flags.map(({ words }) => words)
    .join(' ');
