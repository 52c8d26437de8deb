import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/base/clock';
import type { FlagSettings } from '@/lib/motion/settings';
import type { TrackingClient } from '@/lib/tracking/client';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { VinCarrier } from '@/lib/wire/unit';
import { CarrierCache } from './lookups/carrier-lookups';
import { createPeriodicReader } from './lookups/periodic-reader';
import {
  PolledFeed,
  type Feed,
  type FeedListeners,
  type FeedOptions,
  type FeedStart,
  type StartParts,
} from './feed/feed';
import { DEFAULT_LIVE_SETTINGS, type LiveSettings } from '@/lib/fleet/settings';
import { getOrMake } from '@/lib/base/maps';
import { AppError } from '@/lib/base/http/problems';

export type { Feed } from './feed/feed';

export interface Feeds {
  /** The feed of a USDOT number; it polls from its first answer on. */
  feed(usdot: string): Feed;
  /** The provider's last answer about a VIN's carrier; null where there is no recent one. */
  knownCarrier(usdot: string, vin: string): Promise<VinCarrier | null>;
  /** Stores the answer of a provider that another request got. */
  learnCarrier(usdot: string, carrier: VinCarrier): void;
  /** Takes names of a fleet's units that the provider's list lacks. */
  learnNames(usdot: string, identities: readonly UnitIdentity[]): void;
  /** Sets the thresholds of the flags from the next answer of each provider on. */
  setFlagSettings(flags: FlagSettings): void;
  /** Has the feed of a fleet read what it watches again; nothing where it has no feed. */
  reloadWatch(usdot: string): void;
  /** Resolves once nothing is polled any more. */
  close(): Promise<void>;
}

/** Feeds whose fleets may move to another server and back. */
export interface MovableFeeds extends Feeds {
  /** The time of the first epoch of a fleet's next feed, Unix ms; from now on the fleet may have one. */
  setEpoch(usdot: string, epochAtMs: number): void;
  /** Until when fleets may be polled, ms of `process.hrtime`, which all threads share. */
  extend(usdots: readonly string[], untilMs: number): void;
  /** Ends the feed of a fleet; resolves once its last poll is reported. It has none until the next `setEpoch`. */
  closeFeed(usdot: string): Promise<void>;
}

export type FeedsClient = Pick<TrackingClient, 'readUnits' | 'readVins' | 'readAccount' | 'readCarrier'>;

export interface FeedsOptions extends FeedListeners {
  /** The client that a fleet is read with; fleets of one account share it and its cached account and VINs. */
  clientOf: (usdot: string) => FeedsClient;
  pollIntervalMs: number;
  /** Only fleets with an epoch have a feed: other servers poll the others. */
  isShared?: boolean;
  clock: Clock;
  settings?: Partial<LiveSettings>;
  /** Reads the start of a fleet's feed. Must not reject. */
  readStart?: (usdot: string, parts: StartParts) => Promise<FeedStart>;
  /** In [0, 1). */
  random?: () => number;
}

/** The monotonic time of all threads, ms. */
export const readHrMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Client and caches that the fleets of one account share; a provider's answer never applies to a fleet of another provider. */
type Share = Pick<FeedOptions, 'client' | 'account' | 'carriers'>;

/**
 * Keeps at most `maxFleets` feeds: the one that was requested longest ago makes room for a new one, and starts
 * again with the next request. A feed that the provider refused and never answered for is closed and leaves its
 * place; it answers with the refusal until the pause after it ends.
 */
export class PolledFeeds implements MovableFeeds {
  readonly #options: FeedsOptions;
  readonly #settings: LiveSettings;
  readonly #shares = new Map<FeedsClient, Share>();
  readonly #feeds: LRUCache<string, PolledFeed>;
  /** Closed feeds; the one that was refused first is evicted first. */
  readonly #refused: LRUCache<string, PolledFeed>;
  readonly #epochsAtMs = new Map<string, number>();
  readonly #polledUntilMs = new Map<string, number>();

  constructor(options: FeedsOptions) {
    this.#options = options;
    this.#settings = { ...DEFAULT_LIVE_SETTINGS, ...options.settings };
    this.#feeds = new LRUCache({ max: this.#settings.maxFleets, dispose: (feed) => void feed.close() });
    this.#refused = new LRUCache({ max: this.#settings.refusalsKept });
  }

  feed(usdot: string): Feed {
    const refusal = this.#refused.peek(usdot);
    if (refusal && refusal.refusedForMs() > 0) return refusal;
    this.#refused.delete(usdot);
    return getOrMake(this.#feeds, usdot, () => this.#open(usdot));
  }

  async knownCarrier(usdot: string, vin: string): Promise<VinCarrier | null> {
    return this.#shareOf(usdot).carriers.known(vin)?.carrier ?? null;
  }

  learnCarrier(usdot: string, carrier: VinCarrier): void {
    this.#shareOf(usdot).carriers.learn(carrier);
  }

  learnNames(usdot: string, identities: readonly UnitIdentity[]): void {
    this.#feeds.peek(usdot)?.learnNames(identities);
  }

  setFlagSettings(flags: FlagSettings): void {
    this.#settings.motion = { ...this.#settings.motion, ...flags };
  }

  reloadWatch(usdot: string): void {
    void this.#feeds.peek(usdot)?.reloadWatch();
  }

  setEpoch(usdot: string, epochAtMs: number): void {
    this.#epochsAtMs.set(usdot, epochAtMs);
  }

  extend(usdots: readonly string[], untilMs: number): void {
    for (const usdot of usdots) this.#polledUntilMs.set(usdot, untilMs);
  }

  async closeFeed(usdot: string): Promise<void> {
    const feed = this.#feeds.peek(usdot);
    this.#epochsAtMs.delete(usdot);
    this.#polledUntilMs.delete(usdot);
    this.#feeds.delete(usdot);
    this.#refused.delete(usdot);
    await feed?.close();
  }

  async close(): Promise<void> {
    const feeds = [...this.#feeds.values()];
    this.#feeds.clear();
    this.#refused.clear();
    await Promise.all(feeds.map((feed) => feed.close()));
  }

  #shareOf(usdot: string): Share {
    const { clientOf, clock } = this.#options;
    const settings = this.#settings;
    const client = clientOf(usdot);
    return getOrMake(this.#shares, client, () => ({
      client,
      account: createPeriodicReader(() => client.readAccount(), settings.accountEveryMs, settings, clock),
      carriers: new CarrierCache(settings, clock),
    }));
  }

  #open(usdot: string): PolledFeed {
    const { pollIntervalMs, isShared, clock, random = Math.random, readStart } = this.#options;
    if (isShared && !this.#epochsAtMs.has(usdot)) throw new Error(`USDOT ${usdot} is not polled here.`);
    const feed = new PolledFeed({
      ...this.#shareOf(usdot),
      usdot,
      pollIntervalMs,
      settings: this.#settings,
      clock,
      random,
      epochAtMs: this.#epochsAtMs.get(usdot) ?? null,
      mayPoll: () => !isShared || readHrMs() < (this.#polledUntilMs.get(usdot) ?? -Infinity),
      listeners: this.#options,
      readStart: async (parts) => (await readStart?.(usdot, parts)) ?? { units: null, watch: null },
      onRefused: () => {
        if (this.#feeds.peek(usdot) !== feed) return;
        this.#feeds.delete(usdot);
        this.#refused.set(usdot, feed);
      },
      reopen: () => {
        if (this.#refused.peek(usdot) === feed) this.#refused.delete(usdot);
        return this.feed(usdot).answer(null, 'identity');
      },
    });
    return feed;
  }
}

/** One account of a tracking API, and the client that reads with its key. */
export interface TrackingAccount {
  /** The fleet that it is requested for; the only account may have none, and is used for any. */
  usdot: string | null;
  client: TrackingClient;
  /** It is of Linehaul's own tracking service, which answers more than the contract has. */
  hasExtensions?: boolean;
}

/**
 * The account that a fleet is read with. A single account is used for any fleet: its provider decides what
 * its key may see. With several, a number that belongs to none is rejected, because it would send one
 * carrier's secrets for another's trucks.
 *
 * @throws AppError 'unknown-fleet'
 */
export const requireAccount = <Account extends { usdot: string | null }>(
  accounts: readonly Account[],
  usdot: string,
): Account => {
  const [first, ...others] = accounts;
  const account = others.length === 0 ? first : accounts.find((each) => each.usdot === usdot);
  if (account !== undefined) return account;
  throw new AppError('unknown-fleet');
};
