import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Feed, Feeds } from '@/lib/live/feeds';
import type { Viewer } from '@/lib/auth/viewer';
import { createClientLimit } from '../http/client-limit';

type FleetViewer = Pick<Viewer, 'kind' | 'id' | 'usdots'>;

export interface WatchedFleets {
  /** The feed of a fleet. @throws AppError 'too-many-fleets', 'too-many-calls', and as `requireFleet` does */
  feed: (usdot: string, viewer: FleetViewer) => Feed;
  /** The fleets requested lately; reading this does not count as a request. */
  list: () => { usdot: string; feed: Feed }[];
}

export interface WatchedFleetsOptions {
  feeds: Feeds;
  /** Throws for a fleet that does not exist. */
  requireFleet: (usdot: string) => unknown;
  /** Whether a fleet is configured, or an account's own. */
  isConfigured: (usdot: string) => boolean;
  elapsed: () => number;
  /** Fleets that are watched at once. */
  max: number;
  /** Of these, unknown ones: for all viewers together, and for one. */
  maxUnknown: number;
  maxUnknownPerViewer: number;
  /** Unknown fleets that one viewer may open in a second, sustained; null: no limit. */
  maxOpenedPerS: number | null;
  idleMs: number;
}

interface Watched {
  askedAtMs: number;
  /** The viewer who requested it first; null for a known fleet. */
  unknownTo: string | null;
}

/** Numbers that are kept as known fleets, in case a provider has very many. */
const MAX_KNOWN = 10_000;

/**
 * Bounds how many fleets one server polls. With one account any USDOT number can be requested, and each costs the provider
 * polls. A fleet is known if it is configured, if a manager has named it for the viewer, or once the provider has shown
 * units or a roster of it. All others share a few slots, so that invented numbers keep no viewer from a known fleet. A fleet
 * that was not requested in `idleMs` frees its slot, and an unknown one as soon as the provider refuses it; how many of
 * these a viewer opens a second is limited, because each costs the provider a request.
 */
export const createWatchedFleets = (options: WatchedFleetsOptions): WatchedFleets => {
  const { feeds, requireFleet, isConfigured, elapsed, max, maxUnknown, maxUnknownPerViewer, idleMs } =
    options;
  const openings =
    options.maxOpenedPerS === null
      ? null
      : createClientLimit({ requestsPerS: options.maxOpenedPerS, elapsed });
  /** In the order in which they were last requested. */
  const watched = new Map<string, Watched>();
  const shown = new Set<string>();

  const isShown = (usdot: string): boolean => {
    if (shown.has(usdot)) return true;
    const { activeUnits, rosterVins } = feeds.feed(usdot).state();
    if (activeUnits === 0 && (rosterVins ?? 0) === 0) return false;
    const [oldest] = shown;
    if (shown.size >= MAX_KNOWN && oldest !== undefined) shown.delete(oldest);
    shown.add(usdot);
    return true;
  };

  const isRefused = (usdot: string): boolean => feeds.feed(usdot).refusedForMs() > 0;

  const freeSlots = (): void => {
    for (const [usdot, { askedAtMs, unknownTo }] of watched)
      if (elapsed() - askedAtMs > idleMs || (unknownTo !== null && isRefused(usdot))) watched.delete(usdot);
  };

  const listUnknown = (): [usdot: string, viewer: string][] =>
    [...watched].flatMap(([usdot, { unknownTo }]) =>
      unknownTo === null || isShown(usdot) ? [] : [[usdot, unknownTo]],
    );

  const isKnownTo = ({ usdots }: FleetViewer, usdot: string): boolean =>
    usdots?.includes(usdot) === true || isShown(usdot) || isConfigured(usdot);

  const refuse = (usdot: string, count: number, which: string): never => {
    throw new AppError('too-many-fleets', {
      message: `Got USDOT ${usdot} when ${count} ${which} are watched already.`,
    });
  };

  /** Makes room for a fleet that is not watched yet, and returns the viewer for whom it is unknown. */
  const admit = (usdot: string, viewer: FleetViewer): string | null => {
    const name = `${viewer.kind}:${viewer.id}`;
    const unknown = listUnknown();
    if (!isKnownTo(viewer, usdot)) {
      if (unknown.length >= maxUnknown) refuse(usdot, maxUnknown, 'unknown fleets');
      const ofViewer = unknown.filter(([, each]) => each === name).length;
      if (ofViewer >= maxUnknownPerViewer) refuse(usdot, ofViewer, 'unknown fleets of one viewer');
      if (watched.size >= max) refuse(usdot, max, 'fleets');
      const waitS = openings?.take(name) ?? 0;
      if (waitS > 0)
        throw new AppError('too-many-calls', {
          message: `Got too many unknown fleets a second from one viewer.`,
          retryAfterS: waitS,
        });
      return name;
    }
    const [leastWanted] = unknown;
    if (watched.size >= max && leastWanted === undefined) refuse(usdot, max, 'fleets');
    if (watched.size >= max) watched.delete(leastWanted![0]);
    return null;
  };

  return {
    feed: (usdot, viewer) => {
      requireFleet(usdot);
      freeSlots();
      const held = watched.get(usdot);
      if (held === undefined && isRefused(usdot) && !isKnownTo(viewer, usdot)) return feeds.feed(usdot);
      const isKnown = held !== undefined && (held.unknownTo === null || isKnownTo(viewer, usdot));
      const unknownTo = held === undefined ? admit(usdot, viewer) : isKnown ? null : held.unknownTo;
      watched.delete(usdot);
      watched.set(usdot, { askedAtMs: elapsed(), unknownTo });
      return feeds.feed(usdot);
    },
    list: () => {
      freeSlots();
      return [...watched.keys()].map((usdot) => ({ usdot, feed: feeds.feed(usdot) }));
    },
  };
};
