import 'server-only';
import { LRUCache } from 'lru-cache';
import { resolveWithin, type Clock } from '@/lib/base/clock';
import type { Encoding } from '@/lib/base/http/negotiation';
import { type FeedAnswer, isAtLeast, toEpoch } from '@/lib/wire/server/publisher';
import { readHrMs, type Feed, type Feeds, type MovableFeeds } from '@/lib/feeds/feeds';
import type { FlagSettings } from '@/lib/motion/settings';
import { UNREAD_FEED, type FeedState, type UnitIdentity } from '@/lib/wire/fleet';
import type { UnitDetail, VinCarrier } from '@/lib/wire/unit';
import { RedisAwayError, type ClusterConnection } from './connection';
import type { LeaseStore, ServerReport, SharingCounts, SharingServers } from './lease-store';
import { MemberCalls } from './member-calls';
import type { Envelope, Message } from './messages';
import {
  createUnreadAnswer,
  fromPublishedBytes,
  toAccepted,
  toPublishedBytes,
  type PublishedFleet,
} from './published-fleet';
import { Ownership } from './ownership';
import { STORE, createRedisLeases, toLeaseKey, toLeaseValue, toLiveKey } from './redis-leases';
import { reportOf } from '@/lib/feeds/feed/feed';

export interface ClusterFeedsOptions {
  connection: ClusterConnection;
  /** Where leases are kept besides Redis; null: nowhere. */
  leases: (LeaseStore & { close: () => Promise<void> }) | null;
  /** The feeds of this process, which poll the fleets that it owns. */
  local: MovableFeeds;
  clock: Clock;
  log: { warn: (fields: object, message: string) => void };
  pollIntervalMs: number;
  /** How often a fleet is polled that no browser shows; null: not at all. */
  recordIntervalMs: number | null;
  /** The part of this server's report that does not change with its fleets. */
  about: () => Pick<ServerReport, 'name' | 'app' | 'build' | 'uptimeMs'>;
  maxFleets: number;
  /** The recording of what is polled here; null: none. */
  recorder: { flush: () => Promise<void>; forget: (usdot: string) => void } | null;
}

/** A fleet as it was published last, by this server or another. */
interface HeldFleet extends PublishedFleet {
  /** Monotonic ms. */
  refusedUntilMs: number;
}

/** How long Redis keeps the newest version of a fleet; its owner answers for it after that. */
const KEPT_MS = 60_000;
/** As long as a feed waits for the provider's first answer. */
const FIRST_ANSWER_MS = 8000;
/** As long as browsers that showed a fleet all the time wait for its newest version, with one that is held. */
const NEWEST_MS = 500;
const FLUSH_WITHIN_MS = 2000;
/** A poll that is due within this time is not put off. */
const EARLY_POLL_MS = 100;
/** A fleet that is handed over has its next owner after two beats; a call to the owner waits for it. */
const TAKEN_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 100;

/** Feeds that several servers share: the own ones from this server's thread, the others from what their owners publish. */
export class ClusterFeeds implements Feeds {
  readonly #options: ClusterFeedsOptions;
  readonly #ownership: Ownership;
  readonly #calls: MemberCalls;
  readonly #held: LRUCache<string, HeldFleet>;
  /** Fleets whose new versions are all taken, for as long as browsers here show them. */
  readonly #followed = new Set<string>();
  readonly #following = new Map<string, Promise<void>>();
  readonly #reading = new Map<string, Promise<void>>();
  readonly #publishing = new Map<string, Promise<void>>();
  /** Called with the next version that is taken of a fleet. */
  readonly #waiting = new Map<string, () => void>();
  /** When each fleet was polled here last, monotonic ms. */
  readonly #polledAtMs = new Map<string, number>();
  readonly #member = crypto.randomUUID();
  readonly #counts: SharingCounts = {
    ...{ publishedVersions: 0, publishedBytes: 0, readVersions: 0, readBytes: 0, lostLeases: 0 },
  };
  readonly #stopListening: (() => void)[];

  constructor(options: ClusterFeedsOptions) {
    this.#options = options;
    const { connection, leases, clock, log, maxFleets } = options;
    const member = this.#member;
    const inRedis = createRedisLeases(connection);
    this.#held = new LRUCache({ max: maxFleets });
    this.#ownership = new Ownership({
      // PostgreSQL first: it is what the recording needs.
      stores: leases === null ? [inRedis] : [leases, inRedis],
      onReleased: (usdot) => void connection.publish({ kind: 'released', usdot }),
      member,
      toIntervalMs: (usdot) => this.#toIntervalMs(usdot),
      polledAgoMs: (usdot) => this.#polledAgoMs(usdot),
      report: () => ({ ...options.about(), lagMs: this.#readLagMs(), echoMs: connection.readEchoMs() }),
      clock,
      log,
      spreadMs: options.pollIntervalMs,
      onRenewed: (usdots, untilMs) =>
        options.local.extend(usdots, readHrMs() + untilMs - clock.monotonicMs()),
      onOpened: (usdot, fence) => this.#open(usdot, fence),
      onReleasing: (usdot) => this.#release(usdot),
      onLost: (usdot) => {
        this.#counts.lostLeases++;
        void this.#drop(usdot);
      },
    });
    this.#calls = new MemberCalls({
      ...{ connection, member, clock, log },
      answer: (call) => this.#answerCall(call),
    });
    this.#stopListening = [
      connection.listen((envelope) => this.#receive(envelope)),
      connection.onReturn(() => this.#followed.clear()),
    ];
  }

  start(): void {
    this.#ownership.start();
  }

  feed(usdot: string): Feed {
    const local = this.#options.local.feed(usdot);
    const ask = async (name: 'detail' | 'tryNow', args: unknown[]): Promise<unknown> =>
      this.#calls.ask(await this.#awaitOwner(usdot), usdot, name, args);
    const read = <T>(ofLocal: () => T, ofHeld: (held: HeldFleet) => T, otherwise: T): T => {
      const held = this.#held.peek(usdot);
      if (this.#isLocal(usdot)) return ofLocal();
      return held ? ofHeld(held) : otherwise;
    };
    return {
      answer: (since, accept) => this.#answer(usdot, since, accept),
      detail: async (key) =>
        this.#isLocal(usdot) ? local.detail(key) : ((await ask('detail', [key])) as UnitDetail | null),
      pollOnce: async () => {
        this.#ownership.want(usdot);
        if (this.#ownership.isOwner(usdot)) await this.#pollWhenDue(usdot);
      },
      recordAll: async () => {
        if (this.#ownership.isOwner(usdot)) await local.recordAll();
      },
      unitsOf: (vehicles) => local.unitsOf(vehicles),
      tryNow: async () =>
        this.#ownership.isOwner(usdot) ? local.tryNow() : ((await ask('tryNow', [])) as number),
      state: () => read<FeedState>(local.state, ({ state }) => state, UNREAD_FEED),
      refusedForMs: () =>
        read(
          local.refusedForMs,
          ({ refusedUntilMs }) => Math.max(0, refusedUntilMs - this.#options.clock.monotonicMs()),
          0,
        ),
      salvage: () => read(local.salvage, ({ salvage }) => salvage, null),
      problems: () => read(local.problems, ({ problems }) => problems, []),
    };
  }

  async knownCarrier(usdot: string, vin: string): Promise<VinCarrier | null> {
    if (this.#ownership.isOwner(usdot)) return this.#options.local.knownCarrier(usdot, vin);
    const owner = this.#ownership.ownerOf(usdot);
    return (await this.#calls.ask(owner, usdot, 'knownCarrier', [vin])) as VinCarrier | null;
  }

  learnCarrier(usdot: string, carrier: VinCarrier): void {
    if (this.#ownership.isOwner(usdot)) return this.#options.local.learnCarrier(usdot, carrier);
    const owner = this.#ownership.ownerOf(usdot);
    // The owner reads it from the provider where it does not get it.
    void this.#calls.ask(owner, usdot, 'learnCarrier', [carrier]).catch(() => undefined);
  }

  learnNames(usdot: string, identities: readonly UnitIdentity[]): void {
    if (this.#ownership.isOwner(usdot)) return this.#options.local.learnNames(usdot, identities);
    const owner = this.#ownership.ownerOf(usdot);
    void this.#calls.ask(owner, usdot, 'learnNames', [identities]).catch(() => undefined);
  }

  setFlagSettings(flags: FlagSettings): void {
    this.#options.local.setFlagSettings(flags);
  }

  reloadWatch(usdot: string): void {
    this.#options.local.reloadWatch(usdot);
  }

  /** The number that each recorded write of a fleet states; null: this server may not write it. */
  fenceOf(usdot: string): number | null {
    return this.#ownership.fenceOf(usdot);
  }

  listPolled(): string[] {
    return this.#ownership.owned();
  }

  /** The servers that share the fleets; it does not wait. */
  readServers(): SharingServers {
    return {
      redisAwayMs: this.#options.connection.readAwayMs(),
      servers: this.#ownership.servers(),
      counts: this.#counts,
    };
  }

  /** PostgreSQL refuses the number that `fenceOf` gives. */
  noteFenced(usdot: string): void {
    this.#ownership.renew(usdot);
  }

  /** Notes that this server has polled a fleet, which took so long. */
  notePolled(usdot: string, tookMs: number): void {
    this.#polledAtMs.set(usdot, this.#options.clock.monotonicMs() - tookMs);
  }

  notePublished(usdot: string): void {
    if (this.#ownership.isOwner(usdot)) void this.#publish(usdot);
  }

  async close(): Promise<void> {
    const { local, recorder, clock } = this.#options;
    for (const stop of this.#stopListening) stop();
    await local.close();
    if (recorder !== null) await resolveWithin(recorder.flush(), FLUSH_WITHIN_MS, clock);
    await this.#ownership.close();
    await this.#options.leases?.close();
    this.#calls.close();
  }

  /** The owner of a fleet, also of one that another server is taking over; null where none does in time. */
  async #awaitOwner(usdot: string): Promise<string | null> {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + TAKEN_WITHIN_MS;
    while (this.#ownership.ownerOf(usdot) === null && clock.monotonicMs() < untilMs) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, LOOK_EVERY_MS));
    }
    return this.#ownership.ownerOf(usdot);
  }

  #toIntervalMs(usdot: string): number {
    const { pollIntervalMs, recordIntervalMs } = this.#options;
    return this.#ownership.isWatched(usdot) ? pollIntervalMs : (recordIntervalMs ?? pollIntervalMs);
  }

  #polledAgoMs(usdot: string): number | null {
    const atMs = this.#polledAtMs.get(usdot);
    return atMs === undefined ? null : this.#options.clock.monotonicMs() - atMs;
  }

  /** Polls a fleet that rests, one interval after its last poll: that may have been another server's. */
  async #pollWhenDue(usdot: string): Promise<void> {
    const { local, clock } = this.#options;
    const dueInMs = this.#toIntervalMs(usdot) - (this.#polledAgoMs(usdot) ?? Infinity);
    if (dueInMs <= EARLY_POLL_MS) return local.feed(usdot).pollOnce();
    clock.setTimer(() => {
      if (this.#ownership.isOwner(usdot)) this.#pollOnce(usdot);
    }, dueInMs);
  }

  #pollOnce(usdot: string): void {
    const { local, log } = this.#options;
    local
      .feed(usdot)
      .pollOnce()
      .catch((error: unknown) => log.warn({ usdot, reason: String(error) }, 'A fleet cannot be polled.'));
  }

  #readLagMs(): number | null {
    const { local, recordIntervalMs, clock } = this.#options;
    const lagsMs = this.#ownership.owned().flatMap((usdot) => {
      const { fetchedAtMs } = local.feed(usdot).state();
      if (fetchedAtMs === null || (recordIntervalMs === null && !this.#ownership.isWatched(usdot))) return [];
      return [clock.nowMs() - fetchedAtMs - this.#toIntervalMs(usdot)];
    });
    return lagsMs.length === 0 ? null : Math.max(0, ...lagsMs);
  }

  /** Whether this server answers for a fleet itself: not until it has an answer that replaces what is held. */
  #isLocal(usdot: string): boolean {
    if (!this.#ownership.isOwner(usdot)) return false;
    const held = this.#held.peek(usdot);
    return !held || held.state.fetchedAtMs === null || this.#hasAnswer(usdot);
  }

  #hasAnswer(usdot: string): boolean {
    return this.#options.local.feed(usdot).state().fetchedAtMs !== null;
  }

  async #answer(usdot: string, since: string | null, accept: Encoding): Promise<FeedAnswer> {
    const { local, connection, clock } = this.#options;
    const isNew = this.#ownership.watch(usdot);
    if (isNew) this.#followed.delete(usdot);
    if (since !== null && this.#isBehind(usdot, since))
      return { status: 304, body: null, encoding: null, version: since };
    if (this.#ownership.isOwner(usdot)) {
      const own = local.feed(usdot).answer(since, accept);
      // The fleet may be handed over meanwhile.
      if (this.#isLocal(usdot)) return own.catch(() => this.#answerHeld(usdot, since, accept));
      // The feed polls for the first time: until it has an answer, the version before stays.
      own.catch(() => undefined);
    } else if (!this.#followed.has(usdot) && connection.isFollowing())
      await resolveWithin(this.#follow(usdot), this.#toWaitMs(usdot, isNew), clock);
    if (this.#isLocal(usdot)) return local.feed(usdot).answer(since, accept);
    return this.#answerHeld(usdot, since, accept);
  }

  /** Whether a server of another version has a newer lease of the fleet; a refused recording then renews this one's. */
  #isBehind(usdot: string, since: string): boolean {
    const held = this.#held.peek(usdot);
    if (!held || this.#options.recorder === null || !this.#ownership.isOwner(usdot)) return false;
    return toEpoch(since) !== toEpoch(held.version) && isAtLeast(since, held.version);
  }

  #toWaitMs(usdot: string, isNew: boolean): number {
    return !isNew && this.#held.has(usdot) ? NEWEST_MS : FIRST_ANSWER_MS;
  }

  /** Answers from the newest version that was published. */
  async #answerHeld(usdot: string, since: string | null, accept: Encoding): Promise<FeedAnswer> {
    const { clock } = this.#options;
    const held = this.#held.get(usdot);
    // Where this server is behind the one that answered before, or has nothing, the browser keeps the newer version.
    if (since !== null && (!held || isAtLeast(since, held.version)))
      return { status: 304, body: null, encoding: null, version: since };
    if (!held) return createUnreadAnswer(usdot, clock.nowMs());
    const encoded = held.delta?.since === since ? held.delta : held.snapshot;
    return { status: 200, ...(await toAccepted(encoded, accept)), version: held.version };
  }

  /** Reads the newest version of a fleet, and waits for its owner to publish one where there is none. */
  #follow(usdot: string): Promise<void> {
    const known = this.#following.get(usdot);
    if (known) return known;
    const { connection } = this.#options;
    const follow = async (): Promise<void> => {
      const next = new Promise<void>((resolve) => this.#waiting.set(usdot, resolve));
      await this.#read(usdot);
      const isHeld = this.#followed.has(usdot);
      void connection.publish({ kind: 'wanted', usdot });
      if (!isHeld) await next;
      this.#waiting.delete(usdot);
    };
    const following = follow().finally(() => this.#following.delete(usdot));
    this.#following.set(usdot, following);
    return following;
  }

  /** Takes the newest version from Redis; concurrent calls share one more reading. */
  async #read(usdot: string): Promise<void> {
    const { connection, log } = this.#options;
    const read = async (): Promise<void> => {
      try {
        const bytes = await connection.readBytes(toLiveKey(usdot));
        if (bytes === null) return;
        this.#counts.readVersions++;
        this.#counts.readBytes += bytes.length;
        this.#take(usdot, fromPublishedBytes(bytes));
      } catch (error) {
        log.warn({ usdot, reason: String(error) }, 'The newest version of a fleet cannot be read.');
      }
    };
    const reading = (this.#reading.get(usdot) ?? Promise.resolve()).then(read);
    this.#reading.set(usdot, reading);
    await reading;
    if (this.#reading.get(usdot) === reading) this.#reading.delete(usdot);
  }

  #take(usdot: string, published: PublishedFleet): void {
    const held = this.#held.peek(usdot);
    if (!held || !isAtLeast(held.version, published.version)) {
      const refusedUntilMs = this.#options.clock.monotonicMs() + published.refusedForMs;
      this.#held.set(usdot, { ...published, refusedUntilMs });
    }
    this.#followed.add(usdot);
    this.#waiting.get(usdot)?.();
  }

  #receive(envelope: Envelope): void {
    const { message } = envelope;
    const isOwn = this.#options.connection.isOwn(envelope);
    if (message.kind === 'published' && !isOwn && this.#ownership.isWatched(message.usdot))
      void this.#read(message.usdot);
    if (message.kind === 'released') this.#ownership.hurry();
    if (message.kind === 'wanted') {
      this.#ownership.hurry();
      if (!isOwn && this.#ownership.isOwner(message.usdot)) void this.#wake(message.usdot);
    }
  }

  /** Polls a fleet that browsers show, and publishes what there is. */
  async #wake(usdot: string): Promise<void> {
    const { local, log } = this.#options;
    try {
      await local.feed(usdot).answer(null, 'br');
      await this.#publish(usdot);
    } catch (error) {
      log.warn({ usdot, reason: String(error) }, 'A fleet that another server shows cannot be polled.');
    }
  }

  /** Publishes the newest version; one that comes meanwhile is published after it. */
  #publish(usdot: string): Promise<void> {
    const { log } = this.#options;
    const before = this.#publishing.get(usdot) ?? Promise.resolve();
    const publishing = before.then(() =>
      this.#publishNewest(usdot).catch((error: unknown) => {
        // The connection has reported that.
        if (error instanceof RedisAwayError) return;
        log.warn({ usdot, reason: String(error) }, 'A version of a fleet could not be published.');
      }),
    );
    this.#publishing.set(usdot, publishing);
    return publishing.finally(() => {
      if (this.#publishing.get(usdot) === publishing) this.#publishing.delete(usdot);
    });
  }

  async #publishNewest(usdot: string): Promise<void> {
    const { local, connection } = this.#options;
    const feed = local.feed(usdot);
    const fence = this.#ownership.fenceOf(usdot);
    // A fleet without browsers comes to rest.
    if (fence === null || !this.#ownership.isWatched(usdot) || !this.#isLocal(usdot)) return;
    const held = this.#held.peek(usdot);
    const before = held?.version ?? null;
    const snapshot = await feed.answer(null, 'br');
    const since = before !== null && toEpoch(before) === toEpoch(snapshot.version) ? before : null;
    const delta = since === null ? null : await feed.answer(since, 'br');
    // The feed has gone on: its next version is published after this.
    if (snapshot.body === null || (delta !== null && delta.version !== snapshot.version)) return;
    const encodingOf = ({ encoding }: FeedAnswer) => (encoding === 'br' ? ('br' as const) : null);
    const change =
      since === null || delta === null || delta.body === null
        ? null
        : { body: delta.body, encoding: encodingOf(delta), since };
    const published: PublishedFleet = {
      version: snapshot.version,
      ...reportOf(feed),
      snapshot: { body: snapshot.body, encoding: encodingOf(snapshot) },
      // Published again for a server that came later.
      delta: held && before === snapshot.version ? held.delta : change,
    };
    this.#take(usdot, published);
    const keys = [toLeaseKey(usdot), toLiveKey(usdot)];
    const bytes = toPublishedBytes(published);
    const lease = toLeaseValue(this.#member, fence);
    const isStored = await connection.eval(STORE, keys, [lease, bytes, String(KEPT_MS)]);
    if (isStored !== 1) return;
    this.#counts.publishedVersions++;
    this.#counts.publishedBytes += bytes.length;
    await connection.publish({ kind: 'published', usdot });
  }

  async #answerCall({ usdot, name, args }: Extract<Message, { kind: 'call' }>): Promise<unknown> {
    const { local } = this.#options;
    if (!this.#ownership.isOwner(usdot)) throw new Error('This server does not own the fleet now.');
    const feed = local.feed(usdot);
    switch (name) {
      case 'detail':
        return feed.detail(String(args[0]));
      case 'tryNow':
        return feed.tryNow();
      case 'knownCarrier':
        return local.knownCarrier(usdot, String(args[0]));
      case 'learnNames':
        local.learnNames(usdot, args[0] as UnitIdentity[]);
        return null;
      case 'learnCarrier':
        local.learnCarrier(usdot, args[0] as VinCarrier);
        return null;
    }
  }

  #open(usdot: string, fence: number): void {
    this.#options.local.setEpoch(usdot, fence);
    if (this.#ownership.isWatched(usdot)) void this.#wake(usdot);
    else this.#pollOnce(usdot);
  }

  async #release(usdot: string): Promise<void> {
    const { recorder, clock } = this.#options;
    await this.#drop(usdot, () => recorder && resolveWithin(recorder.flush(), FLUSH_WITHIN_MS, clock));
  }

  async #drop(usdot: string, record: () => Promise<void> | null = () => null): Promise<void> {
    const { local, recorder, log } = this.#options;
    // What is published next is another server's.
    this.#followed.delete(usdot);
    try {
      await local.closeFeed(usdot);
      await record();
    } catch (error) {
      log.warn({ usdot, reason: String(error) }, 'The end of polling a fleet went wrong.');
    }
    recorder?.forget(usdot);
  }
}
