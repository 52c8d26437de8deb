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
import type { Way } from '@/lib/arrivals/drives';
import type { ArrivalsQuery, ArrivalsStart } from '@/lib/rules/load-watch';
import type { RouteQuery } from '@/lib/rules/load-routes';
import { FleetWatch, joinWatched, type WatchStart, type Watched } from '@/lib/rules/fleet-watch';
import type { PollChanges } from '@/lib/fleet/poll-changes';
import type { Renamed } from '@/lib/rules/poll-step';
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
  /** Absent: it was not asked for. */
  arrivals?: ArrivalsStart | null;
  /** The ways that were asked for, in their order: null where the routing engine has none or does not answer. */
  routes?: readonly (Way | null)[];
}

/** Ways that a routing engine is asked for. */
export interface RoutesQuery {
  routes: readonly RouteQuery[];
}

/**
 * What is read as a feed starts; only the watch, with its past or, of a feed that watches already, without; only what a
 * watch with loads does not know of arrivals; only the ways of a routing engine.
 */
export type StartParts = 'all' | 'watch' | 'watch-again' | ArrivalsQuery | RoutesQuery;

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
  readStart: (parts: StartParts) => Promise<FeedStart>;
  /** Called once the provider refuses a fleet that it never answered for, to close this feed; must not throw. */
  onRefused: () => void;
  /** Polls a refused fleet again, with a feed that takes this one's place. */
  reopen: () => Promise<unknown>;
}

/** The least pause after a poll of any length, as a share of the interval. */
const LEAST_PAUSE = 0.1;
const RECHECK_MS = 500;
/** After so many polls the watch goes on as it was, though it is still being read. */
const MOST_UNJUDGED = 30;
/** When a browser polls again after an empty first answer. */
const STILL_WAITING_MS = 1000;

/** A poll as the watch sees it. */
interface SeenPoll {
  rows: FleetRows;
  seenMs: number;
  failure: ProblemKind | null;
  renamed: Renamed[];
}

/** Rows to be judged later, when these are published: until then their units are at the sites of the rows before. */
const withSites = (rows: FleetRows, before: FleetRows | null): FleetRows => {
  const { siteId } = rows.columns;
  rows.identities.forEach((identity, row) => {
    if (before !== null && identity?.key === before.identities[row]?.key)
      siteId[row] = before.columns.siteId[row] ?? 0;
  });
  return { ...rows, columns: { ...rows.columns, siteId: siteId.slice() } };
};

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
  /** While the watch is read, what it begins with is not known. */
  #isWatchRead = false;
  /** The read under way takes too long: polls are judged without it, so that what it gives is old. */
  #isReadOld = false;
  /** The watch was changed after the newest read of it began. */
  #isReadWanted = false;
  /** The polls that no watch has judged, oldest first. */
  #unjudged: SeenPoll[] = [];
  /** The rows of the newest answer that the watch has judged. */
  #judged: FleetRows | null = null;
  /** Visits and alerts of the newest poll, until they are reported. */
  #watched: Watched | null = null;
  /** A routing engine is asked for ways. */
  #isRouting = false;
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

  /**
   * Reads what the fleet is watched for, and what is open of it, again, or once more after the read under way. The polls
   * that come meanwhile are judged once it is read; where it cannot be read, by the watch as it was. Never rejects.
   */
  async reloadWatch(): Promise<void> {
    this.#isReadWanted = true;
    await this.#readWanted();
  }

  async #readWanted(): Promise<void> {
    // The first poll reads it, and what is not reported yet would be missing in what is read.
    const isLater = this.#isWatchRead || this.#restored === null || this.#watched !== null;
    if (!this.#isReadWanted || isLater) return;
    this.#beginWatchRead();
    const parts = this.#watch === null ? 'watch' : 'watch-again';
    // It does not reject, but the thread may end first.
    const read = this.#options.readStart(parts).catch(() => ({ watch: null }));
    this.#endWatchRead((await read).watch);
  }

  #beginWatchRead(): void {
    this.#isWatchRead = true;
    this.#isReadWanted = false;
  }

  #endWatchRead(start: WatchStart | null): void {
    this.#isWatchRead = false;
    if (this.#isReadOld) this.#isReadWanted = true;
    else if (start !== null) {
      this.#startWatch(start);
      this.#leaveUnjudged(start.past?.coverage.at(-1)?.toMs ?? -Infinity);
    }
    this.#isReadOld = false;
    // What these show is reported with the next poll.
    this.#judgeKept();
    void this.#readWanted();
  }

  #startWatch(start: WatchStart): void {
    try {
      const watch = this.#watch ?? new FleetWatch(this.#options.settings);
      watch.start(start);
      this.#watch = watch;
      void this.#learnArrivals(watch);
    } catch (error) {
      this.#reportInternal('The sites and the alert rules of this fleet cannot be watched.', error);
    }
  }

  /** Reads what the watch does not know of arrivals, which takes longer than it can wait. Never rejects. */
  async #learnArrivals(watch: FleetWatch): Promise<void> {
    const query = watch.lacksOfArrivals();
    if (query === null) return;
    try {
      const { arrivals } = await this.#options.readStart(query);
      if (arrivals) watch.learnArrivals(arrivals, query);
    } catch (error) {
      this.#reportInternal('What this fleet has learned of its arrivals could not be read.', error);
    }
  }

  /** Asks the routing engine for the ways that the watch wants, beside the polls. Never rejects. */
  async #readRoutes(watch: FleetWatch): Promise<void> {
    if (this.#isRouting) return;
    this.#isRouting = true;
    try {
      for (let asked = watch.takeRouteQueries(); asked.length > 0; asked = watch.takeRouteQueries()) {
        const { routes = [] } = await this.#options.readStart({ routes: asked });
        watch.learnRoutes(asked, routes);
      }
    } catch (error) {
      this.#reportInternal('The routing engine could not be asked.', error);
    } finally {
      this.#isRouting = false;
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
    this.#beginWatchRead();
    let start: WatchStart | null = null;
    try {
      const { units, names = [], watch } = await this.#options.readStart('all');
      if (units !== null) {
        this.#tracker.restore(units);
        // An answer that came meanwhile is newer.
        if (this.#condition.state().fetchedAtMs === null) this.#recorded = units;
      }
      this.#tracker.learnNames(names);
      start = watch;
    } catch (error) {
      this.#reportInternal('The recording of this fleet could not be read.', error);
    }
    this.#endWatchRead(start);
  }

  /** The map goes on without what failed. */
  #reportInternal(message: string, error: unknown): void {
    const sinceMs = this.#clock.nowMs();
    const problem: FeedProblem = { kind: 'internal', message, detail: String(error), sinceMs };
    this.#options.listeners.onProblem?.(this.#options.usdot, problem, error);
  }

  /** Judges sites and rules by the rows that are published next, and by a failure, or keeps them while the watch is read. */
  #observeWatch(failure: ProblemKind | null, seenMs = this.#clock.nowMs()): void {
    const isKept = this.#isWatchRead && !this.#isReadOld && this.#unjudged.length < MOST_UNJUDGED;
    const isLater = isKept || this.#watch === null;
    // After a failure these are published already, and nothing of them is judged.
    const rows = isLater && failure === null ? withSites(this.#rows, this.#judged) : this.#rows;
    this.#unjudged.push({ rows, seenMs, failure, renamed: this.#tracker.takeRenamed() });
    if (isKept) return;
    this.#isReadOld = this.#isWatchRead && this.#watch !== null;
    this.#judgeKept();
  }

  #judgeKept(): void {
    // A watch begins with what was recorded until then.
    if (this.#watch === null) return this.#leaveUnjudged(Infinity);
    for (const poll of this.#unjudged.splice(0)) this.#judge(this.#watch, poll);
    void this.#readRoutes(this.#watch);
  }

  /** Leaves the polls until a time (Unix ms) out, but not the newest: the watch knows them from the recording. */
  #leaveUnjudged(untilMs: number): void {
    const isLeft = ({ seenMs }: SeenPoll, i: number) => seenMs <= untilMs && i < this.#unjudged.length - 1;
    const renamed = this.#unjudged.filter(isLeft).flatMap((poll) => poll.renamed);
    this.#unjudged = this.#unjudged.filter((poll, i) => !isLeft(poll, i));
    this.#unjudged[0]?.renamed.unshift(...renamed);
  }

  #judge(watch: FleetWatch, { rows, ...poll }: SeenPoll): void {
    try {
      const watched = watch.observe(rows, poll);
      if (poll.failure === null) this.#judged = rows;
      const { visits, alerts, loads = [] } = watched;
      if (visits.length + alerts.length + loads.length + poll.renamed.length === 0) return;
      this.#watched = joinWatched(this.#watched, watched);
      if (alerts.length > 0) this.#alertsRevision++;
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
    void this.#readWanted();
  }
}
