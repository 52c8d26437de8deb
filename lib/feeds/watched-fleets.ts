import 'server-only';
import { LRUCache } from 'lru-cache';
import { roomFor } from '@/lib/base/cache';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Feed, Feeds } from './feeds';
import type { Viewer } from '@/lib/base/viewer';
import { createClientLimit, type SharedCount } from '@/lib/base/http/client-limit';

type FleetViewer = Pick<Viewer, 'kind' | 'id' | 'usdots' | 'tags'>;

export interface WatchedFleetsOptions {
  feeds: Feeds;
  /** The feed for users who are limited to the units with some tags. */
  limit: (feed: Feed, usdot: string, tags: readonly string[]) => Feed;
  /** Throws for a fleet that does not exist. */
  requireFleet: (usdot: string) => unknown;
  isConfigured: (usdot: string) => boolean;
  clock: Clock;
  max: number;
  /** Unknown fleets among these: for all viewers together, and for one. */
  maxUnknown: number;
  maxUnknownPerViewer: number;
  /** Unknown fleets that one viewer may open in a second, sustained; null: no limit. */
  maxOpenedPerS: number | null;
  /** Where several servers count these together; absent: there is no other server. */
  shared?: SharedCount | null;
  idleMs: number;
}

interface Watched {
  requestedAtMs: number;
  /** The viewer who requested it first; null for a known fleet. */
  unknownTo: string | null;
}

/** Numbers that are kept as known fleets, in case a provider has very many. */
const MAX_KNOWN = 10_000;

const refusal = (usdot: string, count: number, which: string): AppError =>
  new AppError('too-many-fleets', {
    message: `Got USDOT ${usdot} when ${count} ${which} are watched already.`,
  });

/**
 * Bounds how many fleets one server polls. With one account any USDOT number can be requested, and each costs the provider
 * polls. A fleet is known if it is configured, if a manager has named it for the viewer, or once the provider has shown
 * units or a roster of it. All others share a few slots, so that invented numbers keep no viewer from a known fleet. A fleet
 * that was not requested in `idleMs` frees its slot, and an unknown one as soon as the provider refuses it; how many of
 * these a viewer opens a second is limited, because each costs the provider a request.
 */
export class WatchedFleets {
  readonly #options: WatchedFleetsOptions;
  readonly #openings: ReturnType<typeof createClientLimit> | null;
  /** In the order in which they were last requested. */
  readonly #watched = new Map<string, Watched>();
  readonly #shown = new LRUCache<string, true>(roomFor(MAX_KNOWN));

  constructor(options: WatchedFleetsOptions) {
    this.#options = options;
    const { maxOpenedPerS, clock, shared = null } = options;
    this.#openings =
      maxOpenedPerS === null ? null : createClientLimit({ requestsPerS: maxOpenedPerS, clock, shared });
  }

  /**
   * The feed of a fleet, with the units that a viewer sees. @throws AppError 'too-many-fleets', 'too-many-calls', and as
   * `requireFleet` does
   */
  feed(usdot: string, viewer: FleetViewer): Feed {
    const feed = this.#open(usdot, viewer);
    return viewer.tags === null ? feed : this.#options.limit(feed, usdot, viewer.tags);
  }

  #open(usdot: string, viewer: FleetViewer): Feed {
    const { requireFleet, feeds, clock } = this.#options;
    requireFleet(usdot);
    this.#freeSlots();
    const held = this.#watched.get(usdot);
    if (held === undefined && this.#isRefused(usdot) && !this.#isKnownTo(viewer, usdot))
      return feeds.feed(usdot);
    const isKnown = held !== undefined && (held.unknownTo === null || this.#isKnownTo(viewer, usdot));
    const unknownTo = held === undefined ? this.#admit(usdot, viewer) : isKnown ? null : held.unknownTo;
    this.#watched.delete(usdot);
    this.#watched.set(usdot, { requestedAtMs: clock.monotonicMs(), unknownTo });
    return feeds.feed(usdot);
  }

  /** The fleets requested lately; reading this does not count as a request. */
  list(): { usdot: string; feed: Feed }[] {
    this.#freeSlots();
    return [...this.#watched.keys()].map((usdot) => ({ usdot, feed: this.#options.feeds.feed(usdot) }));
  }

  #isShown(usdot: string): boolean {
    if (this.#shown.has(usdot)) return true;
    const { activeUnits, rosterVins } = this.#options.feeds.feed(usdot).state();
    if (activeUnits === 0 && (rosterVins ?? 0) === 0) return false;
    this.#shown.set(usdot, true);
    return true;
  }

  #isRefused(usdot: string): boolean {
    return this.#options.feeds.feed(usdot).refusedForMs() > 0;
  }

  #freeSlots(): void {
    const { clock, idleMs } = this.#options;
    for (const [usdot, { requestedAtMs, unknownTo }] of this.#watched)
      if (clock.monotonicMs() - requestedAtMs > idleMs || (unknownTo !== null && this.#isRefused(usdot)))
        this.#watched.delete(usdot);
  }

  #listUnknown(): [usdot: string, viewer: string][] {
    return [...this.#watched].flatMap(([usdot, { unknownTo }]) =>
      unknownTo === null || this.#isShown(usdot) ? [] : [[usdot, unknownTo]],
    );
  }

  #isKnownTo({ usdots }: FleetViewer, usdot: string): boolean {
    return usdots?.includes(usdot) === true || this.#isShown(usdot) || this.#options.isConfigured(usdot);
  }

  /** Makes room for a fleet that is not watched yet, and returns the viewer for whom it is unknown. */
  #admit(usdot: string, viewer: FleetViewer): string | null {
    const { max } = this.#options;
    const unknown = this.#listUnknown();
    if (!this.#isKnownTo(viewer, usdot)) return this.#admitUnknown(usdot, viewer, unknown);
    const [leastWanted] = unknown;
    if (this.#watched.size >= max && leastWanted === undefined) throw refusal(usdot, max, 'fleets');
    if (this.#watched.size >= max) this.#watched.delete(leastWanted![0]);
    return null;
  }

  #admitUnknown(usdot: string, viewer: FleetViewer, unknown: [usdot: string, viewer: string][]): string {
    const { max, maxUnknown, maxUnknownPerViewer } = this.#options;
    const name = `${viewer.kind}:${viewer.id}`;
    if (unknown.length >= maxUnknown) throw refusal(usdot, maxUnknown, 'unknown fleets');
    const ofViewer = unknown.filter(([, each]) => each === name).length;
    if (ofViewer >= maxUnknownPerViewer) throw refusal(usdot, ofViewer, 'unknown fleets of one viewer');
    if (this.#watched.size >= max) throw refusal(usdot, max, 'fleets');
    const retryAfterS = this.#openings?.take(name) ?? 0;
    if (retryAfterS > 0)
      throw new AppError('too-many-calls', {
        message: 'Got too many unknown fleets a second from one viewer.',
        retryAfterS,
      });
    return name;
  }
}
