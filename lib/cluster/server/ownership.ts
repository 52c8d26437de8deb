import 'server-only';
import { resolveWithin, type Clock } from '@/lib/base/clock';
import { assignOwners } from '../rendezvous';
import {
  LEASE_MS,
  type LeaseStore,
  type LeaseView,
  type LeasedFleet,
  type OwnLease,
  type ServerReport,
  type SharingServer,
} from './lease-store';

const BEAT_MS = 1000;
const EARLY_MS = 100;
/** A beat goes on without a store that has not answered by then; its answer counts when it comes. */
const ANSWER_WITHIN_MS = 700;
/** A browser requests its fleet at least once a minute. */
const WATCHED_MS = 75_000;
/** Fleets that are taken together begin one after another within this time, so that no provider gets all at once. */
const SPREAD_MS = 3000;
const TOGETHER = 3;
/** A lease is kept for this long before it is given up for one with a greater fencing number. */
const LEAST_LEASE_MS = 10_000;
/** A server that has not reached Redis for this long has no fleets while another reaches it: longer than all need to notice. */
const WITHOUT_REDIS_MS = 2500;
/** The time for PostgreSQL, in the same way: what was polled meanwhile is lost if the server does not reach it again. */
const WITHOUT_DATABASE_MS = 10_000;
/** A fleet is handed over when its next poll is due within this time. */
const BEFORE_POLL_MS = 1200;

interface Lease {
  fence: number;
  /** Monotonic ms. */
  takenAtMs: number;
  untilMs: number;
  /** `taken`: not polled yet; `open`: polled here; `releasing`: handed over. */
  state: 'taken' | 'open' | 'releasing';
  /** Its first poll waits until then: fleets that are taken together begin one after another. Monotonic ms. */
  opensFromMs: number;
  /** When the owner before polled the fleet, monotonic ms; null: unknown. */
  polledAtMs: number | null;
  cancelOpening: () => void;
}

/** One store of leases as this server knows it. */
interface StoreState {
  store: LeaseStore;
  /** The last one; null before the first. */
  view: LeaseView | null;
  viewAtMs: number;
  isPending: boolean;
  isReached: boolean;
  sinceMs: number;
}

export interface OwnershipOptions {
  /** Where leases are kept; the first that answers decides who takes a fleet. */
  stores: readonly LeaseStore[];
  /** Sends the message that a fleet is without an owner. */
  onReleased: (usdot: string) => void;
  member: string;
  /** This server's report, sent with each beat. */
  report: () => ServerReport;
  clock: Clock;
  log: { warn: (fields: object, message: string) => void };
  /** The most time over which fleets that are taken together begin. */
  spreadMs?: number;
  toIntervalMs: (usdot: string) => number;
  /** The time since this server polled a fleet, ms; null: it has not. */
  polledAgoMs: (usdot: string) => number | null;
  /** Called with the fleets that may be polled until then, monotonic ms. */
  onRenewed?: (usdots: string[], untilMs: number) => void;
  onOpened: (usdot: string, fence: number) => void;
  /** Ends polling before the fleet is handed over; resolves once its last poll is recorded. */
  onReleasing: (usdot: string) => Promise<void>;
  /** Ends polling at once: the lease is another server's, or may be. */
  onLost: (usdot: string) => void;
}

/**
 * Which fleets this server polls: those that it is assigned of all that any server wants, each by a lease. Leases are in
 * PostgreSQL and in Redis: one of them is enough to keep a lease, and both are heard before one is taken. Without either, a
 * server keeps its fleets until their leases end.
 */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #stores: readonly StoreState[];
  readonly #leases = new Map<string, Lease>();
  readonly #recorded = new Set<string>();
  /** Until when browsers here count as showing a fleet, monotonic ms. */
  readonly #watched = new Map<string, number>();
  /** All fleets that any server wants, as the stores have them together. */
  #fleets: ReadonlyMap<string, LeasedFleet> = new Map();
  #assigned: ReadonlyMap<string, string> = new Map();
  #isBeating = false;
  #isBeatDue = false;
  #isHurried = false;
  #cancelBeat: (() => void) | null = null;
  #isClosed = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    const sinceMs = options.clock.monotonicMs();
    this.#stores = options.stores.map((store) => ({
      ...{ store, view: null, viewAtMs: -Infinity, isPending: false, isReached: false, sinceMs },
    }));
  }

  start(): void {
    this.#schedule(0);
  }

  /** The fleet is recorded as long as this server runs. */
  want(usdot: string): void {
    this.#recorded.add(usdot);
  }

  /** A browser of this server shows the fleet; true where none did before. */
  watch(usdot: string): boolean {
    const isNew = !this.#isWatchedHere(usdot);
    this.#watched.set(usdot, this.#nowMs() + WATCHED_MS);
    if (isNew) this.#planOpening(usdot);
    return isNew;
  }

  isWatched(usdot: string): boolean {
    return this.#fleets.get(usdot)?.isWatched === true || this.#isWatchedHere(usdot);
  }

  isOwner(usdot: string): boolean {
    const lease = this.#leases.get(usdot);
    return lease?.state === 'open' && this.#isValid(lease);
  }

  /** The fencing number of a lease that this server has, also while it is handed over; null: it has none. */
  fenceOf(usdot: string): number | null {
    const lease = this.#leases.get(usdot);
    return lease && this.#isValid(lease) ? lease.fence : null;
  }

  /** The server that polls a fleet, as of the last beat; null: none. */
  ownerOf(usdot: string): string | null {
    return this.#fleets.get(usdot)?.owner ?? null;
  }

  owned(): string[] {
    return [...this.#leases.keys()].filter((usdot) => this.fenceOf(usdot) !== null);
  }

  /** This server and the others, as of the last beat, by their names: the same order wherever it is read. */
  servers(): SharingServer[] {
    const { member } = this.#options;
    const others = this.#listServers().filter(({ id }) => id !== member);
    const nameOf = ({ report: stated, id }: SharingServer): string => stated?.name ?? id;
    const servers: SharingServer[] = [
      { id: member, isThis: true, silentMs: 0, usdots: this.owned(), report: this.#toReport() },
      ...others.map(({ id, silentMs, report: stated }) => {
        const usdots = [...this.#fleets].flatMap(([usdot, { owner }]) => (owner === id ? [usdot] : []));
        const counted = stated && { ...stated, uptimeMs: stated.uptimeMs + silentMs };
        return { id, isThis: false, silentMs, usdots, report: counted };
      }),
    ];
    return servers.sort((a, b) => nameOf(a).localeCompare(nameOf(b)) || (a.id < b.id ? -1 : 1));
  }

  /** Gives up a lease for a newer one, after a server of another version has claimed the fleet with a greater number. */
  renew(usdot: string): void {
    const lease = this.#leases.get(usdot);
    const heldMs = lease ? this.#nowMs() - lease.takenAtMs : 0;
    if (lease?.state === 'open' && heldMs >= LEAST_LEASE_MS) void this.#release(usdot, lease);
  }

  /** Reads the state of all now rather than with the next beat. */
  hurry(): void {
    if (this.#isBeating) this.#isBeatDue = true;
    else if (!this.#isHurried) this.#schedule(EARLY_MS);
    this.#isHurried = true;
  }

  /** Gives all fleets up; the caller has ended their polling. Resolves once a store knows or none can be reached. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat?.();
    const { member } = this.#options;
    const leases = [...this.#leases].filter(([, lease]) => this.#isValid(lease));
    this.#leases.clear();
    // Together, because a store that hangs is waited for.
    await Promise.all(leases.map(([usdot, lease]) => this.#releaseIn(usdot, lease)));
    await this.#inAll((store) => store.leave(member), 'This server is listed until its silence is noticed.');
    for (const [usdot] of leases) this.#options.onReleased(usdot);
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #isWatchedHere(usdot: string): boolean {
    return (this.#watched.get(usdot) ?? -Infinity) > this.#nowMs();
  }

  #isValid({ untilMs }: Lease): boolean {
    return this.#nowMs() < untilMs;
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return;
    this.#cancelBeat?.();
    this.#cancelBeat = this.#options.clock.setTimer(() => void this.#tick(), delayMs);
  }

  async #tick(): Promise<void> {
    this.#isBeating = true;
    this.#isBeatDue = false;
    this.#isHurried = false;
    const startedAtMs = this.#nowMs();
    await this.#within(Promise.all(this.#stores.map((state) => this.#beatIn(state))));
    for (const [usdot, lease] of this.#leases) if (!this.#isValid(lease)) this.#lose(usdot);
    const answered = this.#stores.filter(({ isPending, viewAtMs }) => !isPending && viewAtMs >= startedAtMs);
    if (!this.#isClosed && answered.length > 0) {
      this.#releaseOthers();
      this.#releaseUnheld(answered);
      await this.#takeFree(answered).catch((error: unknown) => this.#warn(error));
    }
    this.#isBeating = false;
    this.#schedule(this.#isBeatDue ? EARLY_MS : BEAT_MS);
  }

  #warn(error: unknown): void {
    // The connection has reported that Redis is away; other faults would stay unseen.
    if (!(error instanceof Error && error.name === 'RedisAwayError'))
      this.#options.log.warn(
        { reason: String(error) },
        'The leases of fleets cannot be renewed in one place.',
      );
  }

  /** The result, or null where it takes too long. */
  async #within<T>(promise: Promise<T>): Promise<T | null> {
    let result: T | null = null;
    const noted = promise.then((value) => void (result = value));
    await resolveWithin(noted, ANSWER_WITHIN_MS, this.#options.clock);
    return result;
  }

  #lose(usdot: string): void {
    this.#leases.get(usdot)?.cancelOpening();
    this.#leases.delete(usdot);
    this.#options.log.warn({ usdot }, 'The lease of a fleet has ended: this server polls it no longer.');
    this.#options.onLost(usdot);
  }

  /** This server's report, with how long it has reached each store. */
  #toReport(): ServerReport {
    const forMs = Object.fromEntries(
      this.#stores.map(({ store, isReached, sinceMs }) => {
        const ms = Math.round(this.#nowMs() - sinceMs);
        return [`${store.name}ForMs`, isReached ? ms : -ms];
      }),
    );
    return { ...this.#options.report(), ...forMs };
  }

  #noteReached(state: StoreState, isReached: boolean): void {
    if (state.isReached === isReached) return;
    state.isReached = isReached;
    state.sinceMs = this.#nowMs();
  }

  /** Renews the leases in one store and takes what it has of the others; never rejects. */
  async #beatIn(state: StoreState): Promise<void> {
    // Its last answer is yet to come.
    if (state.isPending) return this.#noteReached(state, false);
    state.isPending = true;
    const sentAtMs = this.#nowMs();
    for (const [usdot, untilMs] of this.#watched) if (untilMs <= sentAtMs) this.#watched.delete(usdot);
    const watched = [...this.#watched.keys()];
    const held = [...this.#leases].filter(([, lease]) => this.#isValid(lease));
    try {
      const view = await state.store.beat(this.#options.member, {
        wanted: [...new Set([...this.#recorded, ...watched])],
        watched,
        leases: held.map(([usdot, { fence }]) => ({ usdot, fence })),
        report: this.#toReport(),
      });
      this.#noteReached(state, true);
      Object.assign(state, { view, viewAtMs: this.#nowMs() });
      this.#takeView(view, held, sentAtMs);
    } catch (error) {
      if (state.isReached) this.#warn(error);
      this.#noteReached(state, false);
    }
    state.isPending = false;
  }

  #takeView(view: LeaseView, held: [string, Lease][], sentAtMs: number): void {
    const untilMs = sentAtMs + LEASE_MS;
    const kept = new Set(view.kept);
    for (const [usdot, lease] of held) {
      if (kept.has(usdot)) lease.untilMs = Math.max(lease.untilMs, untilMs);
      else if (this.#leases.get(usdot) === lease && lease.state !== 'releasing') this.#lose(usdot);
    }
    this.#merge();
    if (this.#isClosed) return;
    this.#options.onRenewed?.(view.kept, untilMs);
    for (const usdot of this.#leases.keys()) this.#planOpening(usdot);
  }

  /** Stores whose answers are no older than a lease: what they have of other servers may still hold. */
  #listViews(): LeaseView[] {
    const fromMs = this.#nowMs() - LEASE_MS;
    return this.#stores.flatMap(({ view, viewAtMs }) => (view && viewAtMs > fromMs ? [view] : []));
  }

  /** The servers of all stores, each as it was heard of last. */
  #listServers(): LeaseView['servers'] {
    const servers = new Map<string, LeaseView['servers'][number]>();
    for (const { view, viewAtMs } of this.#stores)
      for (const server of view?.servers ?? []) {
        const silentMs = Math.round(server.silentMs + this.#nowMs() - viewAtMs);
        if (silentMs < (servers.get(server.id)?.silentMs ?? Infinity))
          servers.set(server.id, { ...server, silentMs });
      }
    return [...servers.values()];
  }

  #merge(): void {
    const fleets = new Map<string, LeasedFleet>();
    for (const view of this.#listViews())
      for (const [usdot, fleet] of view.fleets) {
        const { isWatched = false, owner = null, fence = 0 } = fleets.get(usdot) ?? {};
        const isNewer = fleet.owner !== null && (owner === null || fleet.fence > fence);
        fleets.set(usdot, {
          isWatched: isWatched || fleet.isWatched,
          owner: isNewer ? fleet.owner : owner,
          fence: Math.max(fence, fleet.fence),
        });
      }
    this.#fleets = fleets;
    this.#assigned = assignOwners([...fleets.keys()], this.#listFit());
  }

  /** The servers that may have fleets: not those that miss a store which others have reached for a while. */
  #listFit(): string[] {
    let fit = this.#listServers().filter(({ silentMs }) => silentMs < LEASE_MS);
    const require = (name: 'databaseForMs' | 'redisForMs', graceMs: number): void => {
      if (fit.some(({ report }) => (report?.[name] ?? 0) >= graceMs))
        fit = fit.filter(({ report }) => (report?.[name] ?? 0) > -graceMs);
    };
    require('databaseForMs', WITHOUT_DATABASE_MS);
    require('redisForMs', WITHOUT_REDIS_MS);
    return fit.map(({ id }) => id);
  }

  #shouldOwn(usdot: string): boolean {
    return this.#assigned.get(usdot) === this.#options.member;
  }

  /** Whether a fleet would be without an answer for as long as handing it over takes. */
  #isPollFar(usdot: string): boolean {
    const agoMs = this.#options.polledAgoMs(usdot);
    const intervalMs = this.#options.toIntervalMs(usdot);
    return agoMs !== null && agoMs < intervalMs - BEFORE_POLL_MS;
  }

  /** Hands over the fleets that another server should have, shortly before their next poll, and those that none wants. */
  #releaseOthers(): void {
    for (const [usdot, lease] of this.#leases) {
      if (lease.state === 'releasing' || this.#shouldOwn(usdot)) continue;
      const isWanted = this.#fleets.has(usdot);
      if (lease.state === 'open' && isWanted && this.#isPollFar(usdot)) continue;
      void this.#release(usdot, lease);
    }
  }

  /** Ends leases that a store has of this server: taken by an answer that came too late, or ended while it was away. */
  #releaseUnheld(answered: readonly StoreState[]): void {
    for (const { view, store } of answered)
      for (const [usdot, { owner, fence }] of view!.fleets)
        if (owner === this.#options.member && !this.#leases.has(usdot))
          store.release(owner, { usdot, fence }, null).catch((error: unknown) => this.#warn(error));
  }

  async #release(usdot: string, lease: Lease): Promise<void> {
    const { onReleasing, onReleased, log } = this.#options;
    lease.state = 'releasing';
    lease.cancelOpening();
    try {
      await onReleasing(usdot);
    } catch (error) {
      log.warn({ usdot, reason: String(error) }, 'The end of polling a fleet went wrong.');
    }
    if (this.#isValid(lease)) await this.#releaseIn(usdot, lease);
    if (this.#leases.get(usdot) === lease) this.#leases.delete(usdot);
    onReleased(usdot);
  }

  async #releaseIn(usdot: string, { fence, polledAtMs }: Lease): Promise<void> {
    const { member, polledAgoMs } = this.#options;
    const agosMs = [polledAgoMs(usdot), polledAtMs && this.#nowMs() - polledAtMs].filter((ms) => ms !== null);
    const agoMs = agosMs.length === 0 ? null : Math.min(...agosMs);
    // The lease ends by itself where no store is reached.
    const late = 'A fleet could not be handed over at once.';
    await this.#inAll((store) => store.release(member, { usdot, fence }, agoMs), late);
  }

  /** Does it in each store; reports only what has succeeded in none. */
  async #inAll(run: (store: LeaseStore) => Promise<void>, failure: string): Promise<void> {
    const runs = this.#stores.map(({ store }) => this.#within(run(store).then(() => true)));
    const results = await Promise.allSettled(runs);
    if (results.some((result) => result.status === 'fulfilled' && result.value === true)) return;
    const reasons = results.map((result) =>
      String(result.status === 'rejected' ? result.reason : 'no answer'),
    );
    this.#options.log.warn({ reasons }, failure);
  }

  /** Takes the fleets that are free in all stores, in the first that has answered, and writes that to the others. */
  async #takeFree(answered: readonly StoreState[]): Promise<void> {
    const { member, spreadMs = SPREAD_MS } = this.#options;
    if (!answered.some(({ view }) => view!.isSettled)) return;
    const free = [...this.#fleets].flatMap(([usdot, { owner, fence }]): OwnLease[] =>
      owner === null && !this.#leases.has(usdot) && this.#shouldOwn(usdot)
        ? [{ usdot, fence: fence + 1 }]
        : [],
    );
    if (free.length === 0) return;
    const [first, ...others] = answered as [StoreState, ...StoreState[]];
    const sentAtMs = this.#nowMs();
    const taken = await this.#within(first.store.acquire(member, free));
    if (this.#isClosed || taken === null) return;
    for (const [index, { usdot, fence, polledAgoMs }] of taken.entries()) {
      const delayMs = taken.length > TOGETHER ? (index / taken.length) * Math.min(spreadMs, SPREAD_MS) : 0;
      this.#leases.set(usdot, {
        ...{ fence, takenAtMs: sentAtMs, untilMs: sentAtMs + LEASE_MS, state: 'taken' },
        opensFromMs: this.#nowMs() + delayMs,
        polledAtMs: polledAgoMs === null ? null : this.#nowMs() - polledAgoMs,
        cancelOpening: () => undefined,
      });
    }
    await this.#within(Promise.all(others.map((state) => this.#beatIn(state))));
    for (const { usdot } of taken) this.#planOpening(usdot);
  }

  /** Opens a taken fleet once an interval has passed since the owner before polled it. */
  #planOpening(usdot: string): void {
    const lease = this.#leases.get(usdot);
    if (lease?.state !== 'taken') return;
    const { clock, toIntervalMs } = this.#options;
    const dueAtMs = lease.polledAtMs === null ? -Infinity : lease.polledAtMs + toIntervalMs(usdot);
    lease.cancelOpening();
    lease.cancelOpening = clock.setTimer(
      () => this.#openLease(usdot, lease),
      Math.max(0, lease.opensFromMs - this.#nowMs(), dueAtMs - this.#nowMs()),
    );
  }

  #openLease(usdot: string, lease: Lease): void {
    if (this.#isClosed || this.#leases.get(usdot) !== lease || lease.state !== 'taken') return;
    if (!this.#isValid(lease)) return;
    lease.state = 'open';
    this.#options.onRenewed?.([usdot], lease.untilMs);
    this.#options.onOpened(usdot, lease.fence);
  }
}
