import 'server-only';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Clock } from '@/lib/base/clock';
import { createLazy, type Lazy } from '@/lib/base/lazy';
import { SECOND_MS } from '@/lib/base/time';
import { storeEnds } from '@/lib/recording/share-writer';
import { SHARE_KEPT_MS } from '../schema';
import type { ShareAnswer } from '../view';
import { CalendarFeeds } from './calendar-feed';
import { findShare, standingOf, type ShareRow } from './share-rows';
import type { LatLng } from '@/lib/geo/units';
import { Openings } from './openings';
import { readDelayed, takeDue, type SharedPast } from './shown-parts';
import { readSnapshot, type ItemFacts, type Snapshot } from './snapshot';
import { toShownRow, toView, type ShownParts } from './to-view';
import { Trails } from './trails';
import { hashToken, isToken } from './token';

/** How old what is held becomes before it is read again, and before requests wait for that. */
interface Freshness {
  soonMs: number;
  mostMs: number;
}
/** Whether a link goes on: a revocation holds everywhere within a second. */
const CHECKED: Freshness = { soonMs: SECOND_MS / 2, mostMs: SECOND_MS };
/** What a link shows. */
const COMPUTED: Freshness = { soonMs: SHARE_KEPT_MS, mostMs: 2 * SHARE_KEPT_MS };
const MOST_KEPT = 2000;

export interface ShareReaderOptions {
  /** The migrated database, in a pool of the reader's own. @throws if it cannot be opened */
  open: () => Promise<Pool>;
  clock: Clock;
  /** Derives tokens, and hides networks that are counted. */
  secret: string;
  /** Null: it is not known. */
  readCarrierName: (usdot: string) => Promise<string | null>;
  /** What was recorded; null: nothing is. */
  past: SharedPast | null;
  log: { warn: (fields: object, message: string) => void };
}

/** Who opens a link. */
export interface ShareClient {
  address: string;
  /** False where a page that is open asks again: only openings are counted. */
  isOpening: boolean;
}

type OpenAnswer = Extract<ShareAnswer, { kind: 'open' }>;

const NOTHING: ShareAnswer = { kind: 'nothing' };

/** A link that was asked for lately. */
class KeptShare {
  readonly #options: ShareReaderOptions & { pool: Lazy<Pool> };
  readonly #tokenHash: string;
  #row: ShareRow | null = null;
  #checkedMs = -Infinity;
  /** Counts what its maker and its ends change. */
  #changes = 0;
  #answer: OpenAnswer | null = null;
  #answeredMs = -Infinity;
  readonly #running: Record<'check' | 'compute', Promise<void> | null> = { check: null, compute: null };
  #trails: Trails | null = null;

  constructor(options: ShareReaderOptions & { pool: Lazy<Pool> }, tokenHash: string) {
    this.#options = options;
    this.#tokenHash = tokenHash;
  }

  /** Null: no link has the token. */
  get id(): string | null {
    return this.#row?.id ?? null;
  }

  async read(): Promise<ShareAnswer> {
    const { clock } = this.#options;
    await this.#refresh('check', this.#checkedMs, CHECKED);
    if (this.#isOpen()) await this.#refresh('compute', this.#answeredMs, COMPUTED);
    const row = this.#row;
    if (row === null) return NOTHING;
    const { state, endedMs } = standingOf(row, clock.nowMs());
    if (state === 'open') return this.#answer ?? NOTHING;
    if (state !== 'ended' || !row.showsEnd) return NOTHING;
    return { kind: 'ended', carrier: await this.#readCarrier(row.usdot), endedMs: endedMs! };
  }

  /** Requests wait only where what is held is too old: those of a busy link would all be answered at one moment. */
  async #refresh(what: 'check' | 'compute', heldMs: number, { soonMs, mostMs }: Freshness): Promise<void> {
    const ageMs = this.#options.clock.monotonicMs() - heldMs;
    if (ageMs < soonMs) return;
    const read = () => (what === 'check' ? this.#check() : this.#compute());
    const running = (this.#running[what] ??= read().finally(() => (this.#running[what] = null)));
    if (ageMs >= mostMs) await running;
    // The next request that has to wait learns of a failure.
    else running.catch(() => undefined);
  }

  #isOpen(): boolean {
    return this.#row !== null && standingOf(this.#row, this.#options.clock.nowMs()).state === 'open';
  }

  async #readCarrier(usdot: string): Promise<string> {
    return (await this.#options.readCarrierName(usdot)) ?? `USDOT ${usdot}`;
  }

  async #check(): Promise<void> {
    const { pool, clock } = this.#options;
    const atMs = clock.monotonicMs();
    const row = await findShare(await pool.open(), this.#tokenHash);
    // What was changed, or has ended, is not shown from before.
    if (JSON.stringify(row) !== JSON.stringify(this.#row)) {
      this.#answeredMs = -Infinity;
      this.#changes += 1;
    }
    this.#row = row;
    this.#checkedMs = atMs;
  }

  /** Reads what is shown besides the snapshot: the past of a delayed link, the areas of a blurred one, trails. */
  async #readParts(pool: Pool, snapshot: Snapshot): Promise<ShownParts> {
    const { share, facts, nowMs, momentMs } = snapshot;
    const { past } = this.#options;
    const rows = share.delayMin === 0 ? null : await readDelayed(past, snapshot);
    const rowOf = (each: ItemFacts) =>
      rows ? (rows.get(each.item.position) ?? null) : toShownRow(snapshot, each);
    const taken = share.precision === 'exact' ? new Map() : await takeDue(pool, snapshot, rowOf);
    const trails = new Map<number, readonly LatLng[]>();
    if (past && share.precision === 'exact' && share.fields.includes('trail')) {
      this.#trails ??= new Trails(past);
      for (const each of facts) {
        const row = rowOf(each);
        const untilMs = Math.min(row?.position.fixMs ?? -Infinity, momentMs);
        if (row === null) continue;
        // That of a truck by itself begins with its link.
        const { load, trucks } = each;
        const of = load ? trucks : trucks.map((truck) => ({ ...truck, fromMs: share.madeMs }));
        trails.set(each.item.position, await this.#trails.read(share.usdot, of, untilMs, nowMs));
      }
    }
    return { rows, taken, trails };
  }

  async #compute(): Promise<void> {
    const { pool, clock } = this.#options;
    const atMs = clock.monotonicMs();
    const changes = this.#changes;
    const opened = await pool.open();
    const snapshot = await readSnapshot(opened, this.#tokenHash, clock.nowMs());
    if (snapshot !== null && snapshot.ended.length > 0) await storeEnds(opened, snapshot.ended);
    if (snapshot === null || snapshot.ended.length > 0) {
      await this.#check();
      // Of several items one has ended: the others are read again.
      if (this.#isOpen()) return this.#compute();
      return;
    }
    const parts = await this.#readParts(opened, snapshot);
    const view = toView(snapshot, parts, await this.#readCarrier(snapshot.share.usdot));
    // It was changed meanwhile: a request that has seen that waits for this answer.
    if (changes !== this.#changes) return this.#isOpen() ? this.#compute() : undefined;
    const { nowMs: _, ...shown } = view;
    const version = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
    this.#answer = { kind: 'open', view, version };
    this.#answeredMs = atMs;
  }
}

/** Reads what links show, each at most every few seconds however often it is asked for. */
export class ShareReader {
  readonly #options: ShareReaderOptions & { pool: Lazy<Pool> };
  readonly #openings: Openings;
  readonly #calendars: CalendarFeeds;
  readonly #kept = new LRUCache<string, KeptShare>({ max: MOST_KEPT });

  constructor(options: ShareReaderOptions) {
    const pool = createLazy(options.open);
    this.#options = { ...options, pool };
    this.#calendars = new CalendarFeeds({ open: pool.open, clock: options.clock });
    this.#openings = new Openings({ ...options, open: pool.open });
  }

  get secret(): string {
    return this.#options.secret;
  }

  /** The calendar of a token; null: nothing is to be shown. @throws while the database is away */
  async readCalendar(token: string, address: string): Promise<string | null> {
    const shown = await this.#calendars.read(token);
    if (shown !== null) this.#openings.note(shown.id, address);
    return shown?.text ?? null;
  }

  /** The name of a fleet's carrier; null: it is not known. */
  readCarrierName(usdot: string): Promise<string | null> {
    return this.#options.readCarrierName(usdot);
  }

  /** What the link of a token shows now. @throws while the database is away */
  async read(token: string, { address, isOpening }: ShareClient): Promise<ShareAnswer> {
    if (!isToken(token)) return NOTHING;
    const tokenHash = hashToken(token);
    const kept = this.#kept.get(tokenHash) ?? new KeptShare(this.#options, tokenHash);
    // Concurrent requests share it; a guess takes no room after that.
    this.#kept.set(tokenHash, kept);
    try {
      const answer = await kept.read();
      if (isOpening && answer.kind === 'open') this.#openings.note(kept.id!, address);
      return answer;
    } finally {
      if (kept.id === null) this.#kept.delete(tokenHash);
    }
  }

  /** Writes the openings that are counted and not written yet. */
  flush(): Promise<void> {
    return this.#openings.flush();
  }

  async close(): Promise<void> {
    await this.#openings.close();
    await this.#options.pool.close((pool) => pool.end());
  }
}
