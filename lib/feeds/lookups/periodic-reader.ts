import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { TrackingClient } from '@/lib/tracking/client';
import { toSideRetryMs } from '../feed/feed-problem';
import type { LiveSettings } from '@/lib/fleet/settings';

type RetrySettings = Pick<LiveSettings, 'sideRetryMs' | 'maxRetryAfterMs'>;

/** Reads a value that seldom changes, beside the polls of units. */
export interface PeriodicReader<T> {
  /** The last value read, after a request where one is due; null before the first. Never rejects. */
  read: () => Promise<T | null>;
}

/**
 * One request at a time, `everyMs` apart.
 *
 * @param accept returns the value to hold; null keeps the one held and reads again soon
 */
export const createPeriodicReader = <T>(
  request: () => Promise<T>,
  everyMs: number,
  settings: RetrySettings,
  clock: Clock,
  accept: (next: T, held: T | null) => T | null = (next) => next,
): PeriodicReader<T> => {
  let held: T | null = null;
  let dueAtMs = -Infinity;
  let inFlight: Promise<T | null> | null = null;

  const readOnce = async (): Promise<T | null> => {
    let waitMs = everyMs;
    try {
      const next = accept(await request(), held);
      if (next === null) waitMs = settings.sideRetryMs;
      else held = next;
    } catch (error) {
      // Units are shown without it; the reading of the units shows whether the provider fails.
      waitMs = toSideRetryMs(error, settings);
    }
    dueAtMs = clock.monotonicMs() + waitMs;
    inFlight = null;
    return held;
  };
  return { read: async () => (clock.monotonicMs() < dueAtMs ? held : (inFlight ??= readOnce())) };
};

/**
 * Reads the VINs of a fleet every few minutes; the same set object until they change. A roster that has next
 * to nothing in common with the one held, as if it were another fleet's or empty, is accepted once it is read
 * a second time.
 */
export const createRosterReader = (
  client: Pick<TrackingClient, 'readVins'>,
  usdot: string,
  settings: RetrySettings & Pick<LiveSettings, 'rosterEveryMs' | 'anomalyMinUnits' | 'anomalyShare'>,
  clock: Clock,
): PeriodicReader<ReadonlySet<string>> => {
  let isUnconfirmed = false;

  const isReplaced = (held: ReadonlySet<string>, next: ReadonlySet<string>): boolean => {
    if (held.size < settings.anomalyMinUnits) return false;
    let kept = 0;
    for (const vin of next) if (held.has(vin)) kept++;
    return kept < held.size * settings.anomalyShare;
  };

  const accept = (
    next: ReadonlySet<string>,
    held: ReadonlySet<string> | null,
  ): ReadonlySet<string> | null => {
    isUnconfirmed = held !== null && !isUnconfirmed && isReplaced(held, next);
    if (isUnconfirmed) return null;
    const isSame = held?.size === next.size && [...next].every((vin) => held.has(vin));
    return isSame ? held : next;
  };

  const request = async (): Promise<ReadonlySet<string>> => new Set((await client.readVins(usdot)).vins);
  return createPeriodicReader(request, settings.rosterEveryMs, settings, clock, accept);
};
