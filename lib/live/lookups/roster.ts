import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import { toSideRetryMs } from '../feed/backoff';
import type { LiveSettings } from '../settings';
import type { RosterVins } from '../unit/unit-flags';

/** The VINs of a fleet, as last read; null before they could be. Never rejects. */
export type ReadRoster = () => Promise<RosterVins>;

/**
 * Reads the roster every few minutes; after a failure the last one read is kept, and one that has next to
 * nothing in common with it is accepted once it is read a second time. The same set object until it changes.
 */
export const createRosterReader = (options: {
  client: Pick<TrackingClient, 'readVins'>;
  usdot: string;
  elapsed: () => number;
  settings: Pick<
    LiveSettings,
    'rosterEveryMs' | 'sideRetryMs' | 'maxRetryAfterMs' | 'doubtUnits' | 'doubtShare'
  >;
}): ReadRoster => {
  const { client, usdot, elapsed, settings } = options;
  let roster: RosterVins = null;
  let dueAtMs = -Infinity;
  /** The last reading differed so much that it needs a second one. */
  let isDoubted = false;

  /** Hardly any VIN of the roster held is in the next one, as if it were another fleet's or empty. */
  const isReplaced = (held: RosterVins, next: ReadonlySet<string>): boolean => {
    if (!held || held.size < settings.doubtUnits) return false;
    let kept = 0;
    for (const vin of next) if (held.has(vin)) kept++;
    return kept < held.size * settings.doubtShare;
  };

  return async () => {
    if (elapsed() < dueAtMs) return roster;
    try {
      const { vins } = await client.readVins(usdot);
      const next = new Set(vins);
      if (isReplaced(roster, next) && !isDoubted) {
        isDoubted = true;
        dueAtMs = elapsed() + settings.sideRetryMs;
        return roster;
      }
      isDoubted = false;
      if (!roster || next.size !== roster.size || vins.some((vin) => !roster?.has(vin))) roster = next;
      dueAtMs = elapsed() + settings.rosterEveryMs;
    } catch (error) {
      // Units are shown without a roster, and `rosterVins` is null.
      dueAtMs = elapsed() + toSideRetryMs(error, settings);
    }
    return roster;
  };
};
