import 'server-only';
import type { Pool } from 'pg';
import { repeat, resolveWithin, type Clock } from '@/lib/base/clock';
import { createLazy, type Lazy } from '@/lib/base/lazy';
import type { PollReport } from '@/lib/fleet/poll-report';
import { joinWatched, type LastMinutes, type Watched } from '@/lib/rules/fleet-watch';
import { isDataRefused, toCauseCode } from '@/lib/database/failure';
import { extendCoverage, type PollOutcome, readLastCoverage } from './coverage';
import type { CoverageInterval } from '@/lib/trips/coverage';
import {
  FencedError,
  HistoryRepository,
  type Outbox,
  type RecordedSize,
  requireFence,
} from './history-repository';
import { readLastMinutes } from './last-minutes';
import { listBuffers, type PollChanges } from '@/lib/fleet/poll-changes';
import { withoutArchiving } from './partitions';
import { recordNewest, recordOlder, type MadePast } from './made-past';
import type { RecordedUnits } from '@/lib/fleet/recorded-units';
import { HandOver, type HandOverOptions, type StoredFixes } from './stored-fixes';
import { readRecordedUnits } from './recorded-fleet';

export interface RecorderOptions {
  /** The migrated database, in a pool of the recorder's own. @throws if it cannot be opened */
  open: () => Promise<Pool>;
  clock: Clock;
  log: Record<'warn' | 'error', (fields: object, message: string) => void>;
  /** How often a fleet is polled while no browser shows it. */
  intervalMs: number;
  /** Takes the messages about alerts and loads; absent: none are sent. */
  outbox?: Outbox;
  /** The fixes of own fleets, of which polls show the newest; absent or null: a provider has the fleets. */
  stored?: StoredFixes | null;
  /** Where a fleet is polled, by a name that does not change; absent: that is not noted. */
  providerOf?: (usdot: string) => string;
  /** The number of this server's lease of a fleet, null without one; absent: no other server records fleets. */
  fenceOf?: (usdot: string) => number | null;
  /** Called where the number of a lease that this server still has is refused. */
  onFenced?: (usdot: string) => void;
  /** Called where the recording of a fleet is not what its feed takes it to be: an alert that was to open did not. */
  onRefused?: (usdot: string) => void;
}

export interface RecordedFeeds {
  listUsdots: () => readonly string[];
  pollOnce: (usdot: string) => Promise<void>;
  /** Some of a fleet's changes were lost: its next poll gives all rows again. */
  recordAll: (usdot: string) => Promise<void>;
  /** Absent where no fleet is an own one. */
  unitsOf?: HandOverOptions['unitsOf'];
}

/** The recording of one fleet, for the status page. */
export interface FleetRecording {
  /** When its recording began, Unix ms. */
  sinceMs: number | null;
  /** When it was last written, Unix ms; null: not by this process. */
  writtenAtMs: number | null;
}

interface Pending extends PollOutcome {
  usdot: string;
  /** Null where no other server records fleets. */
  fence: number | null;
  changes: PollChanges | null;
  statusCounts: readonly number[] | null;
  watched: Watched;
  /** The revision of the stored fixes of an own fleet, as of this poll; null: there are none, or the poll was not applied. */
  revision: number | null;
  /** Monotonic ms. */
  takenAtMs: number;
}

interface Opened {
  pool: Pool;
  history: HistoryRepository;
}

/** While the database is away, this much is held. */
const BUFFER_MS = 10 * 60_000;
const BUFFER_BYTES = 256 * 2 ** 20;
const RETRY_MS = 2000;
const CLOSE_WITHIN_MS = 3000;
/** A feed starts from the fixes of this long before the end of the recording. */
const NEWEST_MS = 2 * 60 * 60_000;
const SIZE_EVERY_MS = 60_000;
/** A longer time without a poll than this many intervals is a gap: a slow answer can cost one of them. */
const GAP_INTERVALS = 3;
const ATTEMPTS = 3;

const NOTHING_WATCHED: Watched = { visits: [], alerts: [] };
/** A poll of which nothing can be stored but that it was lost. */
const LOST = { state: 'lost', changes: null, statusCounts: null, revision: null } as const;

const toBytes = ({ changes }: Pending): number =>
  changes === null ? 0 : listBuffers(changes).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Writes polls to PostgreSQL: some minutes are held while it is away, and what is lost is in the coverage. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #pending: Pending[] = [];
  #pendingBytes = 0;
  /** The lost polls at the end of the queue, one entry a fleet. */
  readonly #lost = new Map<string, Pending>();
  readonly #coverage = new Map<string, CoverageInterval>();
  readonly #recordings = new Map<string, FleetRecording>();
  #size: (RecordedSize & { readAtMs: number }) | null = null;
  #feeds: RecordedFeeds | null = null;
  /** Resolves with its start or its end. */
  readonly #started: Promise<void>;
  #noteStarted: () => void = () => undefined;
  readonly #database: Lazy<Opened>;
  #draining: Promise<void> | null = null;
  #failures = 0;
  /** Failures in a row that the data itself caused. */
  #refusals = 0;
  #isClosed = false;
  readonly #handOver: HandOver | null;
  #making: Promise<void> = Promise.resolve();
  #stopPolling: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#started = new Promise((resolve) => (this.#noteStarted = resolve));
    const { open, outbox, stored, clock, log } = options;
    this.#database = createLazy(async () => {
      const pool = await open();
      return { pool, history: new HistoryRepository(pool, outbox) };
    });
    this.#handOver = stored
      ? new HandOver({
          ...{ stored, clock, log },
          unitsOf: async (usdot, vehicles) => this.#feeds!.unitsOf!(usdot, vehicles),
          open: async () => (await this.#database.open()).history,
        })
      : null;
  }

  start(feeds: RecordedFeeds): void {
    if (this.#isClosed) return;
    this.#feeds = feeds;
    this.#noteStarted();
    // Polls before this one were not recorded.
    for (const usdot of feeds.listUsdots()) feeds.recordAll(usdot).catch(() => undefined);
    const { clock, intervalMs } = this.#options;
    this.#stopPolling = repeat(clock, intervalMs, () => this.#pollAll(feeds));
  }

  /**
   * Gives a fleet a past, before the recording starts; false where it has one. Its older part is recorded after that, by the
   * promise `older`. @throws while the database is away
   */
  async recordPast(past: MadePast): Promise<{ older: Promise<void> } | false> {
    const { pool } = await this.#database.open();
    if ((await readLastCoverage(pool, past.usdot)) !== null) return false;
    // Without an outbox: no messages are sent about alerts of the past.
    const history = new HistoryRepository(pool);
    const isEnded = () => this.#isClosed;
    await new Promise<void>((resolve, reject) => {
      this.#making = withoutArchiving(pool, async () => {
        await recordNewest(history, past, isEnded);
        // It is the only one that such a fleet ever had.
        const provider = this.#options.providerOf?.(past.usdot);
        if (provider !== undefined) await history.noteProvider(past.usdot, provider, 0);
        resolve();
        await past.isReady;
        await recordOlder(history, past, isEnded);
      });
      this.#making.catch(reject);
    });
    return { older: this.#making };
  }

  /** Takes the result of one poll: what it changed, and what it showed of sites and rules; null where that is nothing. */
  note(
    { usdot, failure, counts }: PollReport,
    changes: PollChanges | null,
    watched: Watched | null = null,
  ): void {
    if (this.#isClosed || !this.#feeds?.listUsdots().includes(usdot)) return;
    const { clock, fenceOf } = this.#options;
    const fence = fenceOf?.(usdot) ?? null;
    // Polled under a lease that has ended.
    if (fenceOf && fence === null) return;
    const [atMs, takenAtMs] = [clock.nowMs(), clock.monotonicMs()];
    const lost = this.#lost.get(usdot);
    const shown = watched ?? NOTHING_WATCHED;
    const poll = { usdot, fence, atMs, takenAtMs, watched: shown };
    if (!this.#isFull()) {
      const state = failure === null ? 'answered' : 'failing';
      const statusCounts = failure === null ? counts.byStatus : null;
      const revision = failure === null ? (this.#options.stored?.revisionAtPoll(usdot) ?? null) : null;
      this.#push({ ...poll, state, problem: failure, changes, statusCounts, revision });
    } else if (lost) {
      lost.atMs = atMs;
      // Visits and alerts are few, and an end that is lost would leave one open.
      lost.watched = joinWatched(lost.watched, shown);
    } else {
      const entry: Pending = { ...poll, ...LOST, problem: 'database' };
      this.#lost.set(usdot, entry);
      this.#push(entry);
    }
    if (this.#cancelRetry === null) void this.#drain();
  }

  /** From now on, no server with an earlier lease of the fleet can record it. Never rejects. */
  async claim(usdot: string): Promise<void> {
    const fence = this.#options.fenceOf?.(usdot) ?? null;
    if (fence === null) return;
    try {
      // What this server polled under an earlier lease could not be written after the claim.
      await this.#drain();
      await requireFence((await this.#database.open()).pool, usdot, fence);
    } catch (error) {
      // Each write states the number too.
      this.#options.log.warn({ usdot, reason: String(error) }, 'The recording of a fleet cannot be claimed.');
    }
  }

  /**
   * Resolves once the recording has begun and all that was noted of a fleet is written: what is read then is what its feed
   * knows. @throws while it cannot be written
   */
  async settle(usdot: string): Promise<void> {
    await this.#started;
    await this.#drain();
    if (this.#isClosed || this.#pending.some((each) => each.usdot === usdot))
      throw new Error(`Polls of USDOT ${usdot} are not recorded yet.`);
  }

  /** Writes what is held, and the stored fixes after it; resolves once they are written or the database does not take them. */
  async flush(): Promise<void> {
    await this.#drain();
    await this.#handOver?.settle();
  }

  /** Another server records the fleet from now on: what is known of its recording is read again. */
  forget(usdot: string): void {
    this.#coverage.delete(usdot);
  }

  /** The newest fixes of each unit, with which a fleet's feed starts; null where there are none. Never rejects. */
  async readNewest(usdot: string): Promise<RecordedUnits | null> {
    const read = async ({ pool }: Opened): Promise<RecordedUnits | null> => {
      const last = await readLastCoverage(pool, usdot);
      return last && readRecordedUnits(pool, usdot, last.toMs - NEWEST_MS);
    };
    return this.#readStart(usdot, read, 'The recorded fixes of a fleet cannot be read.');
  }

  /** The end of a fleet's recording; null where there is none, or it cannot be read. Waits for the start. Never rejects. */
  async readLastMinutes(usdot: string): Promise<LastMinutes | null> {
    return this.#readStart(
      usdot,
      ({ pool }) => readLastMinutes(pool, usdot, this.#options.clock.nowMs()),
      'The last minutes of a fleet cannot be read: arrivals and departures in progress are judged from their next fixes.',
    );
  }

  /** Reads what a feed starts with; null where that fails, which is logged. */
  async #readStart<T>(
    usdot: string,
    read: (opened: Opened) => Promise<T | null>,
    failure: string,
  ): Promise<T | null> {
    await this.#started;
    if (this.#isClosed) return null;
    try {
      return await read(await this.#database.open());
    } catch (error) {
      this.#options.log.warn({ usdot, reason: String(error) }, failure);
      return null;
    }
  }

  /** Removes all that was recorded of a fleet. @throws while the database is away */
  async remove(usdot: string): Promise<void> {
    await (await this.#database.open()).history.remove(usdot);
    this.#coverage.delete(usdot);
    this.#recordings.delete(usdot);
  }

  /** Null for a fleet that is not recorded. */
  readRecording(usdot: string): FleetRecording | null {
    return this.#recordings.get(usdot) ?? null;
  }

  /** The size of all recordings on disk; null before it is known. */
  readSize(): RecordedSize | null {
    return this.#size;
  }

  /** Writes what is held if the database answers, and ends. */
  async close(): Promise<void> {
    this.#stopPolling?.();
    this.#cancelRetry?.();
    await resolveWithin(this.#drain(), CLOSE_WITHIN_MS, this.#options.clock);
    this.#isClosed = true;
    this.#noteStarted();
    this.#cancelRetry?.();
    await this.#handOver?.close();
    await this.#making.catch(() => undefined);
    await this.#database.close(({ pool }) => pool.end());
  }

  #pollAll({ listUsdots, pollOnce }: RecordedFeeds): void {
    for (const usdot of listUsdots()) {
      if (!this.#recordings.has(usdot)) this.#recordings.set(usdot, { sinceMs: null, writtenAtMs: null });
      // The thread may have ended: the next one polls at the next tick.
      pollOnce(usdot).catch(() => undefined);
    }
  }

  #isFull(): boolean {
    const [oldest] = this.#pending;
    if (oldest === undefined) return false;
    const heldMs = this.#options.clock.monotonicMs() - oldest.takenAtMs;
    return heldMs >= BUFFER_MS || this.#pendingBytes >= BUFFER_BYTES;
  }

  #push(entry: Pending): void {
    if (entry.state !== 'lost') this.#lost.delete(entry.usdot);
    this.#pending.push(entry);
    this.#pendingBytes += toBytes(entry);
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#writePending()
      .catch((error: unknown) => this.#noteFailure(error))
      .finally(() => (this.#draining = null));
    return this.#draining;
  }

  async #writePending(): Promise<void> {
    for (let [entry] = this.#pending; entry !== undefined && !this.#isClosed; [entry] = this.#pending) {
      const opened = await this.#database.open();
      if (this.#lost.get(entry.usdot) === entry) this.#lost.delete(entry.usdot);
      await this.#write(opened, entry).catch((error: unknown) => this.#dropFenced(entry, error));
      this.#pending.shift();
      this.#pendingBytes -= toBytes(entry);
      this.#failures = 0;
      this.#refusals = 0;
    }
    await this.#readSize();
    if (this.#pending.length > 0 && !this.#isClosed) await this.#writePending();
  }

  /** Another server has taken the fleet over: it records from then on, and this poll came too late. */
  #dropFenced({ usdot, fence }: Pending, error: unknown): void {
    if (!(error instanceof FencedError)) throw error;
    this.#coverage.delete(usdot);
    this.#options.log.warn({ usdot }, 'A poll was not recorded: another server records the fleet now.');
    const { fenceOf, onFenced } = this.#options;
    if (fenceOf?.(usdot) === fence) onFenced?.(usdot);
  }

  async #write({ history, pool }: Opened, entry: Pending): Promise<void> {
    const { usdot, fence, atMs, changes, statusCounts, watched } = entry;
    const isFirst = !this.#coverage.has(usdot);
    const last = this.#coverage.get(usdot) ?? (await readLastCoverage(pool, usdot));
    const gapMs = this.#options.intervalMs * GAP_INTERVALS;
    const coverage = extendCoverage(last, entry, { gapMs, isFirst });
    const seenMs = changes?.seenMs ?? atMs;
    const provider = isFirst ? (this.#options.providerOf?.(usdot) ?? null) : null;
    const { revision } = entry;
    const entries = { usdot, fence, seenMs, changes, coverage, statusCounts, provider, revision, ...watched };
    if (!(await history.write(entries))) this.#options.onRefused?.(usdot);
    if (revision !== null) this.#handOver?.start(usdot, { fence, revision });
    // Its changes are missing in what is recorded after it.
    if (entry.state === 'lost') this.#feeds!.recordAll(usdot).catch(() => undefined);
    this.#coverage.set(usdot, coverage.at(-1)!);
    const sinceMs = this.#recordings.get(usdot)?.sinceMs ?? (last === null ? atMs : null);
    this.#recordings.set(usdot, { sinceMs, writtenAtMs: this.#options.clock.nowMs() });
  }

  #noteFailure(error: unknown): void {
    const { log, clock } = this.#options;
    const [entry] = this.#pending;
    this.#failures++;
    const code = toCauseCode(error);
    if (this.#failures === 1) log.warn({ code, reason: String(error) }, 'Fixes cannot be recorded now.');
    const isRefused = isDataRefused(error);
    if (isRefused) this.#refusals++;
    if (entry && isRefused && this.#refusals >= ATTEMPTS) {
      log.error({ err: error, usdot: entry.usdot }, 'The fixes of one poll were refused: they are lost.');
      this.#pendingBytes -= toBytes(entry);
      // Where it is refused again without its changes, the rest was the reason.
      if (entry.problem === 'refused') {
        entry.watched = NOTHING_WATCHED;
        this.#options.onRefused?.(entry.usdot);
      }
      Object.assign(entry, { ...LOST, problem: 'refused' });
    }
    if (this.#isClosed) return;
    this.#cancelRetry = clock.setTimer(() => {
      this.#cancelRetry = null;
      void this.#drain();
    }, RETRY_MS);
  }

  async #readSize(): Promise<void> {
    const { clock } = this.#options;
    const readAtMs = clock.monotonicMs();
    if (this.#size && readAtMs - this.#size.readAtMs < SIZE_EVERY_MS) return;
    this.#size = { ...(await (await this.#database.open()).history.readSize()), readAtMs };
    for (const [usdot, sinceMs] of this.#size.sinceMs)
      this.#recordings.set(usdot, { writtenAtMs: null, ...this.#recordings.get(usdot), sinceMs });
  }
}
