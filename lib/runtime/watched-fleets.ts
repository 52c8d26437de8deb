import 'server-only';
import type { Feed, Feeds } from '@/lib/live/feeds';

/** This server already watches as many fleets as it may. */
export class TooManyFleetsError extends Error {
  override name = 'TooManyFleetsError';
}

export interface WatchedFleets {
  /** The feed of a fleet. @throws TooManyFleetsError, and as `requireFleet` does */
  feed: (usdot: string) => Feed;
  /** The fleets asked for lately; to look at them is not to ask for them. */
  list: () => { usdot: string; feed: Feed }[];
}

/**
 * Bounds how many fleets one server polls: whoever asks for made-up USDOT numbers costs the provider no
 * more than `max` feeds, and a fleet that nobody asked for in `idleMs` makes room.
 */
export const createWatchedFleets = (options: {
  feeds: Feeds;
  /** Throws for a fleet that there is not. */
  requireFleet: (usdot: string) => unknown;
  elapsed: () => number;
  max: number;
  idleMs: number;
}): WatchedFleets => {
  const { feeds, requireFleet, elapsed, max, idleMs } = options;
  const askedAtMs = new Map<string, number>();

  const forgetIdle = () => {
    for (const [usdot, atMs] of askedAtMs) if (elapsed() - atMs > idleMs) askedAtMs.delete(usdot);
  };

  return {
    feed: (usdot) => {
      requireFleet(usdot);
      forgetIdle();
      if (!askedAtMs.has(usdot) && askedAtMs.size >= max) {
        throw new TooManyFleetsError(`Got USDOT ${usdot} when ${max} fleets are watched already.`);
      }
      askedAtMs.set(usdot, elapsed());
      return feeds.feed(usdot);
    },
    list: () => {
      forgetIdle();
      return [...askedAtMs.keys()].map((usdot) => ({ usdot, feed: feeds.feed(usdot) }));
    },
  };
};
