import 'server-only';
import { z } from 'zod';
import type { Clock } from '@/lib/clock';
import { assignOwners } from '../rendezvous';
import type { ClusterConnection } from './connection';
import { ACQUIRE, BEAT, LEAVE, RELEASE, toLeaseKey } from './lease-scripts';
import { KEY_PREFIX } from './messages';
import { parseServerReport } from './server-report';
import type { ServerReport, SharingServer } from './server-report';

/** A killed server's fleets are free after this long. */
export const LEASE_MS = 4000;
const BEAT_MS = 1000;
/** The least time between two beats. */
const EARLY_MS = 100;
/** A browser requests its fleet at least once a minute. */
const WATCHED_MS = 75_000;
/** Fleets that are taken together begin one after another within this time, so that no provider gets all at once. */
const SPREAD_MS = 3000;
const TOGETHER = 3;
/** A server that gives no sign is listed for this long. */
const SHOWN_MS = 600_000;
/** A lease is kept for this long before it is given up for one with a greater fencing number. */
const LEAST_LEASE_MS = 10_000;

const beatSchema = z.tuple([
  z.array(z.string()),
  z.number(),
  z.array(z.tuple([z.string(), z.number(), z.string()])),
  z.array(z.tuple([z.string(), z.string(), z.string()])),
]);
const takenSchema = z.array(z.tuple([z.string(), z.string()]));

/** A lease of this server. */
interface Lease {
  fence: string;
  /** Monotonic ms. */
  takenAtMs: number;
  untilMs: number;
  /** `taken`: not polled yet; `open`: polled here; `releasing`: handed over. */
  state: 'taken' | 'open' | 'releasing';
}

export interface OwnershipOptions {
  connection: ClusterConnection;
  /** The name of this server. */
  member: string;
  /** What this server states about itself, sent with each beat. */
  report: () => ServerReport;
  clock: Clock;
  log: { warn: (fields: object, message: string) => void };
  /** The most time over which fleets that are taken together begin. */
  spreadMs?: number;
  /** Called with the fleets that may be polled until then, monotonic ms. */
  onRenewed?: (usdots: string[], untilMs: number) => void;
  /** Begins to poll a fleet. */
  onOpened: (usdot: string, fence: number) => void;
  /** Ends polling before the fleet is handed over; resolves once its last poll is recorded. */
  onReleasing: (usdot: string) => Promise<void>;
  /** Ends polling at once: the lease is another server's, or may be. */
  onLost: (usdot: string) => void;
}

/**
 * Which fleets this server polls: those that it is assigned of all that any server wants, each by a lease in
 * Redis. Without Redis a server keeps its fleets until their leases end.
 */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #leases = new Map<string, Lease>();
  readonly #recorded = new Set<string>();
  /** Until when browsers here count as showing a fleet, monotonic ms. */
  readonly #watched = new Map<string, number>();
  #watchedAnywhere: ReadonlySet<string> = new Set();
  #owners: ReadonlyMap<string, string> = new Map();
  #servers: readonly Pick<SharingServer, 'id' | 'silentMs' | 'report'>[] = [];
  /** Of the last reply, monotonic ms. */
  #beatAtMs = 0;
  /** The server that should own each fleet. */
  #assigned: ReadonlyMap<string, string> = new Map();
  #isBeating = false;
  #isBeatDue = false;
  #isHurried = false;
  #cancelBeat: (() => void) | null = null;
  #isClosed = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
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
    this.#watched.set(usdot, this.#options.clock.monotonicMs() + WATCHED_MS);
    return isNew;
  }

  /** Whether browsers of any server show the fleet. */
  isWatched(usdot: string): boolean {
    return this.#watchedAnywhere.has(usdot) || this.#isWatchedHere(usdot);
  }

  /** Whether this server polls the fleet now. */
  isOwner(usdot: string): boolean {
    const lease = this.#leases.get(usdot);
    return lease?.state === 'open' && this.#isValid(lease);
  }

  /** The fencing number of a lease that this server has, also while it is handed over; null: it has none. */
  fenceOf(usdot: string): number | null {
    const lease = this.#leases.get(usdot);
    return lease && this.#isValid(lease) ? Number(lease.fence) : null;
  }

  /** The lease as Redis holds it; null: this server has none. */
  leaseOf(usdot: string): string | null {
    const fence = this.fenceOf(usdot);
    return fence === null ? null : `${this.#options.member} ${fence}`;
  }

  /** The server that polls a fleet, as of the last beat; null: none. */
  ownerOf(usdot: string): string | null {
    return this.#owners.get(usdot) || null;
  }

  /** The fleets whose leases this server has. */
  owned(): string[] {
    return [...this.#leases.keys()].filter((usdot) => this.fenceOf(usdot) !== null);
  }

  /** This server and the others, as of the last beat, by their names: the same order wherever it is read. */
  servers(): SharingServer[] {
    const { member, report, clock } = this.#options;
    const sinceMs = clock.monotonicMs() - this.#beatAtMs;
    const others = this.#servers.filter(({ id }) => id !== member);
    const nameOf = ({ report: stated, id }: SharingServer): string => stated?.name ?? id;
    const servers: SharingServer[] = [
      { id: member, isThis: true, silentMs: 0, usdots: this.owned(), report: report() },
      ...others.map(({ id, silentMs: beforeMs, report: stated }) => {
        const silentMs = Math.round(beforeMs + sinceMs);
        const usdots = [...this.#owners].flatMap(([usdot, owner]) => (owner === id ? [usdot] : []));
        const counted = stated && { ...stated, uptimeMs: stated.uptimeMs + silentMs };
        return { id, isThis: false, silentMs, usdots, report: counted };
      }),
    ];
    return servers.sort((a, b) => nameOf(a).localeCompare(nameOf(b)) || (a.id < b.id ? -1 : 1));
  }

  /**
   * A server of another version, whose leases are not seen here, has claimed the fleet with a greater fencing number: this
   * one gives its lease up for a new one. Both poll the fleet until one of them stops, and record it in turns.
   */
  renew(usdot: string): void {
    const lease = this.#leases.get(usdot);
    const heldMs = lease ? this.#options.clock.monotonicMs() - lease.takenAtMs : 0;
    if (lease?.state === 'open' && heldMs >= LEAST_LEASE_MS) void this.#release(usdot, lease);
  }

  /** Reads the state of all now rather than with the next beat. */
  hurry(): void {
    if (this.#isBeating) this.#isBeatDue = true;
    else if (!this.#isHurried) this.#schedule(EARLY_MS);
    this.#isHurried = true;
  }

  /** Gives all fleets up; the caller has ended their polling. Resolves once Redis knows or cannot be reached. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat?.();
    const { connection, member } = this.#options;
    const leases = [...this.#leases.keys()].map((usdot) => [usdot, this.leaseOf(usdot)] as const);
    this.#leases.clear();
    try {
      for (const [usdot, lease] of leases)
        if (lease !== null) await connection.eval(RELEASE, [toLeaseKey(usdot)], [lease]);
      await connection.eval(LEAVE, [KEY_PREFIX], [member]);
      for (const [usdot] of leases) await connection.publish({ kind: 'released', usdot });
    } catch (error) {
      this.#options.log.warn(
        { reason: String(error) },
        'The fleets of this server could not be handed over.',
      );
    }
  }

  #isWatchedHere(usdot: string): boolean {
    return (this.#watched.get(usdot) ?? -Infinity) > this.#options.clock.monotonicMs();
  }

  #isValid({ untilMs }: Lease): boolean {
    return this.#options.clock.monotonicMs() < untilMs;
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
    try {
      await this.#beat();
    } catch (error) {
      // The connection has reported that Redis is away; other faults would stay unseen.
      if (!(error instanceof Error && error.name === 'RedisAwayError'))
        this.#options.log.warn({ err: error }, 'The leases of fleets cannot be renewed.');
    }
    for (const [usdot, lease] of this.#leases) if (!this.#isValid(lease)) this.#lose(usdot);
    this.#isBeating = false;
    this.#schedule(this.#isBeatDue ? EARLY_MS : BEAT_MS);
  }

  #lose(usdot: string): void {
    this.#leases.delete(usdot);
    this.#options.log.warn({ usdot }, 'The lease of a fleet has ended: this server polls it no longer.');
    this.#options.onLost(usdot);
  }

  async #beat(): Promise<void> {
    const { connection, member, report, clock } = this.#options;
    const sentAtMs = clock.monotonicMs();
    for (const [usdot, untilMs] of this.#watched) if (untilMs <= sentAtMs) this.#watched.delete(usdot);
    const watched = [...this.#watched.keys()];
    const held = [...this.#leases].filter(([, lease]) => this.#isValid(lease));
    const input = {
      wanted: [...new Set([...this.#recorded, ...watched])],
      watched,
      leases: held.map(([usdot, { fence }]) => [usdot, fence]),
    };
    const reply = await connection.eval(
      BEAT,
      [KEY_PREFIX],
      [member, String(LEASE_MS), JSON.stringify(input), JSON.stringify(report()), String(SHOWN_MS)],
    );
    const [kept, ageMs, servers, fleets] = beatSchema.parse(reply);
    const members = servers.flatMap(([id, silentMs]) => (silentMs < LEASE_MS ? [id] : []));
    this.#servers = servers.map(([id, silentMs, stated]) => ({
      ...{ id, silentMs },
      report: parseServerReport(stated),
    }));
    this.#beatAtMs = clock.monotonicMs();
    this.#owners = new Map(fleets.map(([usdot, , owner]) => [usdot, owner]));
    this.#assigned = assignOwners([...this.#owners.keys()], members);
    this.#watchedAnywhere = new Set(fleets.flatMap(([usdot, isWatched]) => (isWatched ? [usdot] : [])));
    for (const [usdot, lease] of held) {
      if (kept.includes(usdot)) lease.untilMs = sentAtMs + LEASE_MS;
      else if (this.#leases.get(usdot) === lease && lease.state !== 'releasing') this.#lose(usdot);
    }
    if (this.#isClosed) return;
    this.#options.onRenewed?.(kept, sentAtMs + LEASE_MS);
    this.#releaseOthers();
    // An emptied Redis has forgotten leases that other servers still have.
    if (ageMs >= LEASE_MS) await this.#takeFree();
  }

  #shouldOwn(usdot: string): boolean {
    return this.#assigned.get(usdot) === this.#options.member;
  }

  /** Hands over the fleets that another server should have, and those that no server wants. */
  #releaseOthers(): void {
    for (const [usdot, lease] of this.#leases)
      if (lease.state !== 'releasing' && !this.#shouldOwn(usdot)) void this.#release(usdot, lease);
  }

  async #release(usdot: string, lease: Lease): Promise<void> {
    const { connection, onReleasing, log } = this.#options;
    lease.state = 'releasing';
    try {
      await onReleasing(usdot);
      const value = this.leaseOf(usdot);
      if (value !== null) await connection.eval(RELEASE, [toLeaseKey(usdot)], [value]);
    } catch (error) {
      // The lease ends by itself.
      log.warn({ usdot, reason: String(error) }, 'A fleet could not be handed over at once.');
    }
    if (this.#leases.get(usdot) === lease) this.#leases.delete(usdot);
    await connection.publish({ kind: 'released', usdot });
  }

  async #takeFree(): Promise<void> {
    const { connection, member, clock, spreadMs = SPREAD_MS } = this.#options;
    const free = [...this.#owners].flatMap(([usdot, owner]) =>
      owner === '' && !this.#leases.has(usdot) && this.#shouldOwn(usdot) ? [usdot] : [],
    );
    if (free.length === 0) return;
    const sentAtMs = clock.monotonicMs();
    const taken = takenSchema.parse(
      await connection.eval(ACQUIRE, [KEY_PREFIX], [member, String(LEASE_MS), ...free]),
    );
    if (this.#isClosed) return;
    for (const [index, [usdot, fence]] of taken.entries()) {
      const lease: Lease = {
        ...{ fence, takenAtMs: sentAtMs },
        untilMs: sentAtMs + LEASE_MS,
        state: 'taken',
      };
      this.#leases.set(usdot, lease);
      const delayMs = taken.length > TOGETHER ? (index / taken.length) * Math.min(spreadMs, SPREAD_MS) : 0;
      clock.setTimer(() => this.#openLease(usdot, lease), delayMs);
    }
  }

  #openLease(usdot: string, lease: Lease): void {
    if (this.#leases.get(usdot) !== lease || lease.state !== 'taken' || !this.#isValid(lease)) return;
    lease.state = 'open';
    this.#options.onRenewed?.([usdot], lease.untilMs);
    this.#options.onOpened(usdot, Number(lease.fence));
  }
}
