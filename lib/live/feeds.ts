import 'server-only';
import type { FlagSettings } from '@/lib/motion/settings';
import type { TrackingClient } from '@/lib/tracking/client';
import type { VinCarrier } from '@/lib/wire/carrier';
import { createAccountReader } from './lookups/account';
import { createCarrierMemory } from './lookups/carrier-cache';
import { createFeed } from './feed/feed';
import type { Feed, FeedOptions } from './feed/feed';
import { scheduleTimeout } from './schedule';
import type { Schedule } from './schedule';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import type { LiveSettings } from './settings';

export type { Feed } from './feed/feed';

/** The feeds of this process, one a fleet. */
export interface Feeds {
  /** The feed of a USDOT number; it polls from its first answer on. */
  feed(usdot: string): Feed;
  /** The provider's last answer about a VIN's carrier; null where there is no recent one. */
  knownCarrier(usdot: string, vin: string): Promise<VinCarrier | null>;
  /** Stores the answer of a provider that another request got. */
  learnCarrier(usdot: string, carrier: VinCarrier): void;
  /** Sets the thresholds of the flags from the next answer of each provider on. */
  judgeBy(flags: FlagSettings): void;
  close(): void;
}

export type FeedsClient = Pick<TrackingClient, 'readUnits' | 'readVins' | 'readAccount' | 'readCarrier'>;

export interface FeedsOptions {
  /**
   * The client that a fleet is read with; fleets of one account share it and its cached accounts and VINs.
   */
  clientOf: (usdot: string) => FeedsClient;
  now: () => number;
  /** Monotonic time in ms, which waits and intervals are measured by. */
  elapsed?: () => number;
  pollIntervalMs: number;
  settings?: Partial<LiveSettings>;
  /** In [0, 1). */
  random?: () => number;
  schedule?: Schedule;
  /** Called with each failure, for the log; the error may hold more than a browser gets. */
  onProblem?: FeedOptions['onProblem'];
  onPublished?: FeedOptions['onPublished'];
  onPolled?: FeedOptions['onPolled'];
  onEncoded?: FeedOptions['onEncoded'];
}

/**
 * Keeps at most `maxFleets` feeds: the one that was requested longest ago makes room for a new one, and starts again with
 * the next request. A feed that the provider refused and never answered for is closed and leaves its place; it answers
 * with the refusal until the pause after it ends.
 */
export const createFeeds = (options: FeedsOptions): Feeds => {
  const { clientOf, now, pollIntervalMs, random = Math.random, schedule = scheduleTimeout } = options;
  const settings: LiveSettings = { ...DEFAULT_LIVE_SETTINGS, ...options.settings };
  const onProblem = options.onProblem ?? (() => {});
  const elapsed = options.elapsed ?? (() => performance.now());
  const shared = new Map<FeedsClient, Pick<FeedOptions, 'client' | 'readAccount' | 'carriers'>>();
  /** In the order in which they were last requested. */
  const feeds = new Map<string, ReturnType<typeof createFeed>>();
  /** Closed, in the order in which they were refused. */
  const refused = new Map<string, Feed>();

  /** A provider's answer never applies to a fleet of another provider. */
  const shareOf = (usdot: string) => {
    const client = clientOf(usdot);
    const share = shared.get(client) ?? {
      client,
      readAccount: createAccountReader({ client, elapsed, settings }),
      carriers: createCarrierMemory({ now, settings }),
    };
    shared.set(client, share);
    return share;
  };

  const closeOldest = (): void => {
    const [oldest] = feeds;
    if (!oldest) return;
    oldest[1].close();
    feeds.delete(oldest[0]);
  };

  const open = (usdot: string) => {
    const feed = createFeed({
      ...shareOf(usdot),
      usdot,
      pollIntervalMs,
      settings,
      now,
      elapsed,
      schedule,
      random,
      onProblem,
      onPublished: options.onPublished,
      onRefused: () => refuse(usdot, feed),
      onPolled: options.onPolled,
      onEncoded: options.onEncoded,
    });
    return feed;
  };

  const readFeed = (usdot: string): Feed => {
    const refusal = refused.get(usdot);
    if (refusal && refusal.refusedForMs() > 0) return refusal;
    refused.delete(usdot);
    const held = feeds.get(usdot);
    if (!held && feeds.size >= settings.maxFleets) closeOldest();
    const feed = held ?? open(usdot);
    feeds.delete(usdot);
    feeds.set(usdot, feed);
    return feed;
  };

  const refuse = (usdot: string, feed: ReturnType<typeof createFeed>): void => {
    if (feeds.get(usdot) !== feed) return;
    feeds.delete(usdot);
    feed.close();
    const tryNow = async (): Promise<number> => {
      const waitMs = await feed.tryNow();
      if (waitMs > 0) return waitMs;
      if (refused.get(usdot) === refusal) refused.delete(usdot);
      await readFeed(usdot).answer(null, 'identity');
      return 0;
    };
    const refusal = { ...feed, tryNow };
    refused.set(usdot, refusal);
    const [oldest] = refused.keys();
    if (refused.size > settings.refusalsKept && oldest !== undefined) refused.delete(oldest);
  };

  return {
    feed: readFeed,
    knownCarrier: async (usdot, vin) => shareOf(usdot).carriers.known(vin)?.carrier ?? null,
    learnCarrier: (usdot, carrier) => shareOf(usdot).carriers.learn(carrier),
    judgeBy: (flags) => {
      settings.motion = { ...settings.motion, ...flags };
    },
    close: () => {
      for (const feed of feeds.values()) feed.close();
      feeds.clear();
      refused.clear();
    },
  };
};
