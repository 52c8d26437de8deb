import 'server-only';
import { resolveWithin, type Clock } from '@/lib/base/clock';
import type { TrackingClient, UnitsAnswer } from '@/lib/tracking/client';
import type { SalvageReport } from '@/lib/tracking/unit';
import type {
  CarrierAccount,
  FeedProblem,
  FeedState,
  FleetRows,
  ProblemKind,
  UnitIdentity,
} from '@/lib/wire/fleet';
import type { UnitDetail } from '@/lib/wire/unit';
import {
  type RecordedUnits,
  type StoredUnit,
  type StoredVehicle,
  toListedUnits,
} from '@/lib/fleet/recorded-units';
import {
  FleetWatch,
  joinWatched,
  type WatchConfig,
  type WatchStart,
  type Watched,
} from '@/lib/rules/fleet-watch';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import { findAnomaly, type Anomaly } from '@/lib/fleet/anomaly-check';
import { CarrierLookups, type CarrierCache } from '../lookups/carrier-lookups';
import { countFleet, type PollReport } from '@/lib/fleet/poll-report';
import type { Encoding } from '@/lib/base/http/negotiation';
import { isRefusal, toFeedProblem, toRetryAfterMs, toRetryDelayMs } from './feed-problem';
import { FeedCondition, type RetainedProblem } from './feed-condition';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { FleetNorms } from '@/lib/fleet/fleet-norms';
import { type OnEncoded, type FeedAnswer, Publisher, createEpoch } from '@/lib/wire/server/publisher';
import { ClockProbe, Poller } from './poller';
import { createRosterReader, type PeriodicReader } from '../lookups/periodic-reader';
import type { LiveSettings } from '@/lib/fleet/settings';
import type { RosterVins } from '@/lib/fleet/unit/unit-flags';

/** One fleet, polled while it is being requested. */
export interface Feed {
  /**
   * The newest version, or the changes since another one; waits some seconds for the first. A provider's
   * failure never rejects it.
   */
  answer(since: string | null, accept: Encoding): Promise<FeedAnswer>;
  /** The feed's detail of one unit by its key, without a request; null where the fleet has no such unit. */
  detail(key: string): Promise<UnitDetail | null>;
  /** Polls once where the feed rests, without a browser; resolves before the poll ends. */
  pollOnce(): Promise<void>;
  /** Changes that were taken are lost: the next poll records the whole fleet. */
  recordAll(): Promise<void>;
  /** The unit that each vehicle of an own fleet is. */
  unitsOf(vehicles: readonly StoredVehicle[]): Promise<StoredUnit[]>;
  /**
   * Polls at once where the feed waits after a failure; resolves once the provider has answered or after some
   * seconds. Returns 0, or how many ms must pass before the next attempt is allowed.
   */
  tryNow(): Promise<number>;
  state(): FeedState;
  /**
   * For how many ms the provider is not requested, because it refused this fleet and has never answered for
   * it; 0 otherwise. Until then `answer` gives the refusal.
   */
  refusedForMs(): number;
  /** The dropped records and repaired fields of the provider's newest answer; null before the first. */
  salvage(): SalvageReport | null;
  problems(): readonly RetainedProblem[];
}

/** The state of a feed, without its units. */
export interface FeedReport {
  state: FeedState;
  salvage: SalvageReport | null;
  problems: readonly RetainedProblem[];
  refusedForMs: number;
}

export const reportOf = (feed: Feed): FeedReport => ({
  state: feed.state(),
  salvage: feed.salvage(),
  problems: feed.problems(),
  refusedForMs: feed.refusedForMs(),
});

/** Calls for the log, the metrics and the thread's owner; none may throw. */
export interface FeedListeners {
  /** Called with each failure, and without an error for each new anomaly; the error may hold more than a browser gets. */
  onProblem?: ((usdot: string, problem: FeedProblem, error: unknown) => void) | undefined;
  onPublished?: ((usdot: string, version: string, feed: Feed) => void) | undefined;
  /** Called with the report of each poll, what it changed where that is recorded, and what it showed of sites and rules; null where there is nothing. */
  onPolled?: ((report: PollReport, changes: PollChanges | null, watched: Watched | null) => void) | undefined;
  onEncoded?: OnEncoded | undefined;
}

/** The units of a fleet as they were recorded last, and what is watched; null where there is nothing. */
export interface FeedStart {
  units: RecordedUnits | null;
  /** Names of units with a VIN, also of those that are never listed. */
  names?: readonly UnitIdentity[];
  watch: WatchStart | null;
}

export interface FeedOptions {
  client: Pick<TrackingClient, 'readUnits' | 'readVins' | 'readCarrier'>;
  account: PeriodicReader<CarrierAccount>;
  carriers: CarrierCache;
  usdot: string;
  pollIntervalMs: number;
  settings: LiveSettings;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  /** The time of its first epoch, Unix ms; null: of the clock. */
  epochAtMs: number | null;
  /** False while another server may poll the fleet, as after this process was paused. */
  mayPoll: () => boolean;
  listeners: FeedListeners;
  readStart: () => Promise<FeedStart>;
  /** Called once the provider refuses a fleet that it never answered for, to close this feed; must not throw. */
  onRefused: () => void;
  /** Polls a refused fleet again, with a feed that takes this one's place. */
  reopen: () => Promise<unknown>;
}

/** The least pause after a poll of any length, as a share of the interval. */
const LEAST_PAUSE = 0.1;
const RECHECK_MS = 500;
/** When a browser polls again after an empty first answer. */
const STILL_WAITING_MS = 1000;

/** The feed that polls the provider itself. Each poll publishes one version. */
export class PolledFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #clock: Clock;
  readonly #tracker: FleetTracker;
  readonly #lookups: CarrierLookups;
  readonly #stopListening: () => void;
  readonly #publisher: Publisher;
  readonly #condition: FeedCondition;
  readonly #norms: FleetNorms;
  readonly #clockProbe: ClockProbe;
  readonly #poller: Poller;
  readonly #rosterReader: PeriodicReader<ReadonlySet<string>>;
  readonly #createdAtMs: number;
  #epoch: string;
  #versions = 0;
  #rows: FleetRows;
  /** The changes of the newest answer, until they are reported. */
  #changes: PollChanges | null = null;
  /** Null: the sites and the rules of the fleet are not known yet. */
  #watch: FleetWatch | null = null;
  /** A configuration that was set before the start of the watch; it is newer than the one read for the start. */
  #changedConfig: WatchConfig | null = null;
  /** Visits and alerts of the newest poll, until they are reported. */
  #watched: Watched | null = null;
  #alertsRevision = 0;
  #roster: RosterVins = null;
  #account: CarrierAccount | null = null;
  #failures = 0;
  #lastTookMs = 0;
  #attemptedAtMs = -Infinity;
  #refusedUntilMs = -Infinity;
  /** The first poll after a rest, which concurrent requests share. */
  #firstPoll: Promise<void> | null = null;
  #nextDueAtMs = 0;
  /** The end of reading the recorded units; null before the first poll. */
  #restored: Promise<void> | null = null;
  /** The recorded units, shown until the provider's first answer where that does not come. */
  #recorded: RecordedUnits | null = null;

  constructor(options: FeedOptions) {
    const { client, carriers, usdot, pollIntervalMs, settings, clock, listeners } = options;
    this.#options = options;
    this.#clock = clock;
    const tracker = new FleetTracker(settings, usdot, (vin) => carriers.known(vin));
    this.#tracker = tracker;
    const lookups = new CarrierLookups({
      ...options,
      readVins: () => tracker.listedVins(),
      isOpen: (vin) => tracker.isCarrierOpen(vin),
    });
    this.#lookups = lookups;
    this.#stopListening = carriers.listen((known) => {
      tracker.learnCarrier(known);
      lookups.noteAnswer(known.carrier.vin);
    });
    this.#publisher = new Publisher({ ...settings, clock, onEncoded: listeners.onEncoded });
    this.#condition = new FeedCondition(settings, clock);
    this.#norms = new FleetNorms(settings, pollIntervalMs, clock);
    this.#clockProbe = new ClockProbe(clock);
    this.#poller = new Poller((isFirst) => this.#poll(isFirst), settings.watchMs, clock);
    this.#rosterReader = createRosterReader(client, usdot, settings, clock);
    this.#createdAtMs = clock.monotonicMs();
    this.#epoch = this.#createEpoch();
    this.#rows = tracker.copyRows();
  }

  async answer(since: string | null, accept: Encoding): Promise<FeedAnswer> {
    this.#noteFirstPoll(this.#poller.wake());
    await this.#firstPoll;
    if (!this.#publisher.current()) this.#publishWithoutAnswer();
    return this.#publisher.answer(since, accept);
  }

  async detail(key: string): Promise<UnitDetail | null> {
    return this.#tracker.detail(key, this.#publisher.current()?.version ?? `${this.#epoch}.0`);
  }

  async pollOnce(): Promise<void> {
    this.#noteFirstPoll(this.#poller.runOnce());
  }

  async recordAll(): Promise<void> {
    this.#tracker.recordAll();
  }

  learnNames(identities: readonly UnitIdentity[]): void {
    this.#tracker.learnNames(identities);
  }

  async unitsOf(vehicles: readonly StoredVehicle[]): Promise<StoredUnit[]> {
    return this.#tracker.unitsOf(vehicles);
  }

  /** Sets what the fleet is watched for; what was recorded counts at the first call only. */
  setWatch(start: WatchStart): void {
    if (this.#watch !== null) this.#watch.configure(start.config);
    else if (start.isChange) this.#changedConfig = start.config;
    else {
      this.#watch = new FleetWatch();
      this.#watch.start({ ...start, config: this.#changedConfig ?? start.config });
      const { fetchedAtMs } = this.#condition.state();
      // An answer that came meanwhile is judged too, and what it shows is reported with the next poll.
      if (fetchedAtMs !== null) this.#observeWatch(null, fetchedAtMs);
    }
  }

  async tryNow(): Promise<number> {
    if (this.#failures === 0) return 0;
    const { tryNowEveryMs, firstAnswerMs } = this.#options.settings;
    const waitMs = this.#attemptedAtMs + tryNowEveryMs - this.#clock.monotonicMs();
    if (waitMs > 0) return waitMs;
    const isRefused = this.#refusedUntilMs !== -Infinity;
    if (isRefused) await this.#options.reopen();
    else await resolveWithin(this.#poller.runNow(), firstAnswerMs, this.#clock);
    return 0;
  }

  state(): FeedState {
    const rosterVins = this.#roster?.size ?? null;
    return { ...this.#condition.state(), rosterVins, alertsRevision: this.#alertsRevision };
  }

  refusedForMs(): number {
    return Math.max(0, this.#refusedUntilMs - this.#clock.monotonicMs());
  }

  salvage(): SalvageReport | null {
    return this.#condition.report;
  }

  problems(): readonly RetainedProblem[] {
    return this.#condition.problems;
  }

  /** Stops polling; resolves once a poll in flight has ended. */
  close(): Promise<void> {
    this.#lookups.close();
    this.#stopListening();
    return this.#poller.close();
  }

  #noteFirstPoll(polled: Promise<void> | null): void {
    if (polled) this.#firstPoll = resolveWithin(polled, this.#options.settings.firstAnswerMs, this.#clock);
  }

  #createEpoch(): string {
    const { epochAtMs, random } = this.#options;
    const ageMs = this.#clock.monotonicMs() - this.#createdAtMs;
    return createEpoch(epochAtMs === null ? this.#clock.nowMs() : epochAtMs + ageMs, random());
  }

  #publish(): void {
    const { usdot, listeners } = this.#options;
    const version = `${this.#epoch}.${++this.#versions}`;
    const [feed, account, nextDueAtMs] = [this.state(), this.#account, this.#nextDueAtMs];
    this.#publisher.publish({ usdot, version, ...this.#rows, feed, account, nextDueAtMs });
    listeners.onPublished?.(usdot, version, this);
  }

  /** A browser gets what was recorded, or nothing, rather than an open request. */
  #publishWithoutAnswer(): void {
    const { firstAnswerMs } = this.#options.settings;
    this.#takeRecorded();
    const sinceMs = this.#clock.nowMs() - firstAnswerMs;
    this.#condition.goStale(sinceMs);
    this.#condition.setProblem({
      kind: 'timeout',
      message: 'The tracking provider has not answered yet.',
      detail: `No answer to the first poll within ${firstAnswerMs} ms.`,
      sinceMs,
    });
    this.#nextDueAtMs = this.#clock.monotonicMs() + STILL_WAITING_MS;
    this.#publish();
  }

  async #poll(isFirst: boolean): Promise<number> {
    const { pollIntervalMs, mayPoll } = this.#options;
    if (!mayPoll()) return RECHECK_MS;
    const startedAtMs = this.#clock.monotonicMs();
    this.#attemptedAtMs = startedAtMs;
    this.#lookups.hold();
    try {
      const isHeld = await this.#readUnits(isFirst);
      this.#nextDueAtMs = startedAtMs + pollIntervalMs + this.#lastTookMs;
      this.#publish();
      this.#reportPolled(startedAtMs, isHeld);
      const endedAtMs = this.#clock.monotonicMs();
      const pauseMs = Math.max(pollIntervalMs * LEAST_PAUSE, startedAtMs + pollIntervalMs - endedAtMs);
      this.#lookups.release(endedAtMs + pauseMs);
      return pauseMs;
    } catch (error) {
      await resolveWithin(this.#restored!, this.#options.settings.restoreGraceMs, this.#clock);
      const delayMs = this.#fail(error);
      this.#reportPolled(startedAtMs, true);
      return delayMs;
    }
  }

  /** Reads and applies the units of the provider's next answer; true while it is quarantined instead. */
  async #readUnits(isFirst: boolean): Promise<boolean> {
    const { client, usdot, settings } = this.#options;
    // Beside the provider's answer, which takes longer.
    this.#restored ??= this.#restore();
    const answer = await client.readUnits(usdot);
    this.#lastTookMs = this.#clock.monotonicMs() - this.#attemptedAtMs;
    this.#followClock();
    this.#failures = 0;
    const sides = this.#refreshSides();
    // Later polls do not wait: what has changed by then is in their version.
    if (isFirst || this.#condition.state().fetchedAtMs === null)
      await Promise.all([
        resolveWithin(sides, settings.sideGraceMs, this.#clock),
        resolveWithin(this.#restored, settings.restoreGraceMs, this.#clock),
      ]);
    if (this.#noteAnomaly(this.#check(answer))) {
      // A quarantined answer counts as a failed poll.
      this.#observeWatch(this.#toFailure());
      return true;
    }
    // After a rest an answer spans more time than between two polls, and shows nothing of what is usual there.
    if (!isFirst) this.#norms.learn();
    const seenMs = this.#clock.nowMs();
    this.#tracker.observe(answer.units, this.#roster, seenMs, answer.unreadable);
    this.#rows = this.#tracker.copyRows();
    this.#changes = this.#tracker.takeChanges(this.#rows);
    if (this.#tracker.compact()) {
      this.#epoch = this.#createEpoch();
      this.#rows = this.#tracker.copyRows();
    }
    this.#observeWatch(null, seenMs);
    this.#condition.take(answer);
    this.#recorded = null;
    return false;
  }

  /** Before the provider's first answer the fleet is what it was at its last one, of that time. */
  #takeRecorded(): void {
    const recorded = this.#recorded;
    this.#recorded = null;
    if (recorded === null || recorded.answeredAtMs === null) return;
    const { answeredAtMs } = recorded;
    const units = toListedUnits(recorded);
    this.#tracker.observe(units, null, answeredAtMs);
    this.#rows = this.#tracker.copyRows();
    // All of it is recorded.
    this.#tracker.takeChanges(this.#rows);
    const report = { dropped: 0, repaired: 0, examples: [] };
    this.#condition.take({ units, report, unreadable: 0, answeredAtMs, clockLeadMs: null });
  }

  async #restore(): Promise<void> {
    try {
      const { units, names = [], watch } = await this.#options.readStart();
      if (units !== null) {
        this.#tracker.restore(units);
        // An answer that came meanwhile is newer.
        if (this.#condition.state().fetchedAtMs === null) this.#recorded = units;
      }
      this.#tracker.learnNames(names);
      // A change meanwhile is newer than what was read.
      if (watch !== null && this.#watch === null) this.setWatch(watch);
    } catch (error) {
      this.#reportInternal('The recording of this fleet could not be read.', error);
    }
  }

  /** The map goes on without what failed. */
  #reportInternal(message: string, error: unknown): void {
    const sinceMs = this.#clock.nowMs();
    const problem: FeedProblem = { kind: 'internal', message, detail: String(error), sinceMs };
    this.#options.listeners.onProblem?.(this.#options.usdot, problem, error);
  }

  /** Judges sites and rules by the rows that are published next, and by a failure. */
  #observeWatch(failure: ProblemKind | null, seenMs = this.#clock.nowMs()): void {
    try {
      if (this.#watch === null) return;
      const renamed = this.#tracker.takeRenamed();
      const watched = this.#watch.observe(this.#rows, { seenMs, failure, renamed });
      if (watched.visits.length + watched.alerts.length + renamed.length === 0) return;
      this.#watched = joinWatched(this.#watched, watched);
      if (watched.alerts.length > 0) this.#alertsRevision++;
    } catch (error) {
      this.#reportInternal('The sites and the alert rules of this fleet could not be judged.', error);
    }
  }

  /** Reads the data that seldom changes. */
  async #refreshSides(): Promise<void> {
    const { account, usdot } = this.#options;
    const readRoster = async (): Promise<void> => {
      this.#roster = await this.#rosterReader.read();
    };
    const readAccount = async (): Promise<void> => {
      const next = await account.read();
      // Every viewer of this fleet reads its answers, and may not see the account of another carrier.
      this.#account = next?.usdot === usdot ? next : null;
    };
    await Promise.all([readRoster(), readAccount()]);
  }

  #followClock(): void {
    const stepMs = this.#clockProbe.readStepMs();
    if (stepMs !== 0) this.#tracker.followClock(stepMs, this.#clock.nowMs());
    // A forward step is indistinguishable from suspend: then the last answer is as old as the clock implies.
    if (stepMs < 0) this.#condition.setBack(-stepMs);
  }

  #check({ units, unreadable, errorBeside, clockLeadMs }: UnitsAnswer): Anomaly | null {
    const compared = {
      ...this.#tracker.compare(units, this.#roster, this.#clock.nowMs()),
      ...this.#condition.before(),
      units: units.length,
      unreadable,
      errorBeside,
      clockLeadMs,
      hadClockAnomaly: this.#condition.problem?.kind === 'clock',
    };
    const { before, newer, repeated } = compared;
    const norms = this.#norms.read({ before, newer, repeated, records: units.length + unreadable });
    return findAnomaly({ ...compared, ...norms }, this.#options.settings);
  }

  /** Reports the anomaly of an answer; true while the answer is quarantined. */
  #noteAnomaly(found: Anomaly | null): boolean {
    const { isNews, isHeld } = this.#condition.noteAnomaly(found);
    const { problem } = this.#condition;
    if (isNews && problem) this.#options.listeners.onProblem?.(this.#options.usdot, problem, null);
    return isHeld;
  }

  /** Records a failed poll; returns the delay before the next one. */
  #fail(error: unknown): number {
    const { usdot, settings, pollIntervalMs, listeners, random, onRefused } = this.#options;
    const condition = this.#condition;
    this.#followClock();
    this.#takeRecorded();
    const atMs = this.#clock.nowMs();
    const problem = toFeedProblem(error, atMs);
    condition.setProblem(problem);
    condition.goStale(atMs);
    this.#failures++;
    listeners.onProblem?.(usdot, condition.problem ?? problem, error);
    // Frequent retries do not burden our own database, and a late recovery would affect every user.
    const inARow = problem.kind === 'database' ? 1 : this.#failures;
    const retryMs = toRetryDelayMs(inARow, pollIntervalMs, toRetryAfterMs(error), random(), settings);
    // Any number can be invented; a fleet that was shown once is retried as after any other failure.
    const isUnknown = isRefusal(error) && condition.state().fetchedAtMs === null;
    const delayMs = isUnknown ? Math.max(retryMs, settings.refusedRetryMs) : retryMs;
    condition.planAttempt(delayMs);
    this.#nextDueAtMs = this.#clock.monotonicMs() + delayMs + this.#lastTookMs;
    if (isUnknown) this.#refusedUntilMs = this.#clock.monotonicMs() + delayMs;
    this.#observeWatch(this.#toFailure());
    this.#publish();
    if (isUnknown) onRefused();
    return delayMs;
  }

  #toFailure(): ProblemKind {
    return this.#condition.problem?.kind ?? 'internal';
  }

  #reportPolled(startedAtMs: number, isFailed: boolean): void {
    const { usdot, listeners } = this.#options;
    const tookMs = this.#clock.monotonicMs() - startedAtMs;
    const failure = isFailed ? this.#toFailure() : null;
    const counts = countFleet(this.#rows, this.#clock.nowMs());
    listeners.onPolled?.({ usdot, failure, tookMs, counts }, this.#changes, this.#watched);
    this.#changes = null;
    this.#watched = null;
  }
}
