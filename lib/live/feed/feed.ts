import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import type { UnitsAnswer } from '@/lib/tracking/client';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { CarrierAccount, FeedProblem, FeedState } from '@/lib/wire/fleet';
import type { UnitDetail } from '@/lib/wire/unit';
import type { ReadAccount } from '../lookups/account';
import { toDoubt } from './anomaly-check';
import type { Comparison, Doubt } from './anomaly-check';
import { toRetryDelayMs } from './backoff';
import { createCarrierLookups } from '../lookups/carrier-lookups';
import type { CarrierMemory } from '../lookups/carrier-cache';
import { toCensus } from './poll-report';
import type { Encoding } from '../encode/compress';
import { isRefusal, toFeedProblem, toRetryAfterMs } from './feed-problem';
import { createFeedCondition } from './feed-condition';
import { createFleetMemory } from '../fleet/fleet-memory';
import { UNJUDGED, createFleetNorms } from './fleet-norms';
import type { Norms } from './fleet-norms';
import type { OnEncoded, PollReport } from './poll-report';
import { createClockWatch, createPoller } from './poller';
import type { PastProblem } from './problem-ring';
import { createPublisher } from '../encode/publisher';
import type { FeedAnswer } from '../encode/publisher';
import { createRosterReader } from '../lookups/roster';
import { settleWithin } from '../schedule';
import type { Schedule } from '../schedule';
import type { LiveSettings } from '../settings';
import { createSideReader } from '../lookups/side-reader';
import type { RosterVins } from '../unit/unit-flags';
import { createWarmUp } from './warm-up';
import type { WarmUp } from './warm-up';

/** One fleet, polled while it is being requested. */
export interface Feed {
  /**
   * The newest version, or the changes since another one; waits some seconds for the first. A provider's
   * failure never rejects it.
   */
  answer(since: string | null, accept: Encoding): Promise<FeedAnswer>;
  /** The feed's detail of one unit by its key, without a request; null where the fleet has no such unit. */
  detail(key: string): Promise<UnitDetail | null>;
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
  /** What was left out of the provider's newest answer or repaired in it; null before the first. */
  salvage(): SalvageReport | null;
  /** Its last problems, newest first. */
  problems(): readonly PastProblem[];
}

/** The state of a feed apart from its units. */
export type PublishedFeed = Pick<Feed, 'state' | 'salvage' | 'problems' | 'refusedForMs'>;

export interface FeedOptions {
  client: Pick<TrackingClient, 'readUnits' | 'readVins' | 'readCarrier'>;
  readAccount: ReadAccount;
  carriers: CarrierMemory;
  usdot: string;
  pollIntervalMs: number;
  settings: LiveSettings;
  now: () => number;
  /** Monotonic time in ms. */
  elapsed: () => number;
  schedule: Schedule;
  /** In [0, 1). */
  random: () => number;
  /** Called with each failure, and without an error for each new anomaly, for the log; must not throw. */
  onProblem: (usdot: string, problem: FeedProblem, error: unknown) => void;
  /** Called with each version and the feed's state at that version; must not throw. */
  onPublished?: (usdot: string, version: string, feed: PublishedFeed) => void;
  /** Called once the provider refuses a fleet that it never answered for; must not throw. */
  onRefused: () => void;
  /** Called with the report of each poll; must not throw. */
  onPolled?: (report: PollReport) => void;
  onEncoded?: OnEncoded;
}

/** After a poll of any length, the provider is left alone for this part of the interval. */
const LEAST_PAUSE = 0.1;
/** When a browser polls again after an empty first answer. */
const STILL_WAITING_MS = 1000;

export const createFeed = (options: FeedOptions): Feed & { close: () => void } => {
  const {
    client,
    readAccount,
    carriers,
    usdot,
    pollIntervalMs,
    settings,
    now,
    elapsed,
    schedule,
    random,
    onProblem,
    onPublished,
    onRefused,
    onPolled,
    onEncoded,
  } = options;
  const memory = createFleetMemory(settings, usdot, carriers.known);
  const lookups = createCarrierLookups({
    client,
    carriers,
    readVins: memory.listedVins,
    isOpen: memory.isCarrierOpen,
    now,
    elapsed,
    schedule,
    random,
    settings,
  });
  const unlisten = carriers.listen((known) => {
    memory.learnCarrier(known);
    lookups.noteAnswer(known.carrier.vin);
  });
  const publisher = createPublisher({ ...settings, now, elapsed, onEncoded });
  const condition = createFeedCondition({ now, elapsed, settings });
  const norms = createFleetNorms({ elapsed, pollIntervalMs, settings });
  const clock = createClockWatch({ now, elapsed });

  const createEpoch = (): string => now().toString(36) + Math.floor(random() * 36 ** 4).toString(36);

  let epoch = createEpoch();
  let versions = 0;
  let rows = memory.copyRows();
  let roster: RosterVins = null;
  let account: CarrierAccount | null = null;
  let failures = 0;
  let lastTookMs = 0;
  let attemptedAtMs = -Infinity;
  let refusedUntilMs = -Infinity;
  let warmUp: WarmUp | null = null;
  /** The newest answer, while the roster to compare it with is being read. */
  let latest: UnitsAnswer | null = null;
  let nextDueAtMs = 0;

  const state = (): FeedState => ({ ...condition.state(), rosterVins: roster?.size ?? null });
  const refusedForMs = (): number => Math.max(0, refusedUntilMs - elapsed());

  const publish = (): void => {
    const version = `${epoch}.${++versions}`;
    publisher.publish({ usdot, version, ...rows, feed: state(), account, nextDueAtMs });
    const { report: salvage, problems } = condition;
    onPublished?.(usdot, version, { state, salvage, problems, refusedForMs });
    warmUp?.announcePublished();
  };

  const followClock = (): void => {
    const stepMs = clock.readStepMs();
    if (stepMs !== 0) memory.followClock(stepMs, now());
    // A forward step is indistinguishable from suspend: then the last answer is as old as the clock implies.
    if (stepMs < 0) condition.setBack(-stepMs);
  };

  const observe = ({ units, unreadable }: UnitsAnswer): void => {
    memory.observe(units, roster, now(), unreadable);
    if (memory.compact()) epoch = createEpoch();
    rows = memory.copyRows();
  };

  const compare = ({ units, unreadable, clockLeadMs }: UnitsAnswer): Omit<Comparison, keyof Norms> => ({
    ...memory.compare(units, now()),
    ...condition.before(),
    units: units.length,
    unreadable,
    clockLeadMs,
    wasClockDoubted: condition.problem()?.kind === 'clock',
  });

  /** Reports the anomaly of an answer; true while the answer is quarantined. */
  const doubt = (found: Doubt | null): boolean => {
    const { isNews, isHeld } = condition.doubt(found);
    const problem = condition.problem();
    if (isNews && problem) onProblem(usdot, problem, null);
    return isHeld;
  };

  /** The units of the provider's next answer; null while it is quarantined. */
  const readUnits = async (startedAtMs: number): Promise<UnitsAnswer | null> => {
    const answer = await client.readUnits(usdot);
    lastTookMs = elapsed() - startedAtMs;
    followClock();
    failures = 0;
    const compared = compare(answer);
    const { before, newer, repeated } = compared;
    const usual = norms.read({ before, newer, repeated, records: answer.units.length + answer.unreadable });
    if (doubt(toDoubt({ ...compared, ...usual }, settings))) return null;
    norms.learn();
    observe(answer);
    condition.take(answer);
    return answer;
  };

  const rosterReader = createSideReader(
    createRosterReader({ client, usdot, elapsed, settings }),
    null,
    (next: RosterVins) => {
      roster = next;
      // While units are being requested, their answer is the next to be compared with the roster.
      if (latest === null) return;
      observe(latest);
      const found = toDoubt({ ...compare(latest), ...UNJUDGED }, settings);
      // Other anomalies were checked before the answer was accepted; the roster may now show that all its
      // units are unknown.
      if (found?.kind === 'otherFleet') doubt(found);
      publish();
    },
  );
  const accountReader = createSideReader(readAccount, null, (next: CarrierAccount | null) => {
    // Every viewer of this fleet reads its answers, and may not see the account of another carrier.
    account = next?.usdot === usdot ? next : null;
    if (latest !== null) publish();
  });

  /** Reads the data that seldom changes. A poll of units never waits for it. */
  const refreshSides = async (answer: UnitsAnswer | null): Promise<void> => {
    latest = answer;
    const begun = warmUp;
    await Promise.all([rosterReader.refresh(), accountReader.refresh()]);
    if (latest === answer) latest = null;
    begun?.announceDone();
    if (warmUp === begun) warmUp = null;
  };

  const fail = (error: unknown): number => {
    followClock();
    const atMs = now();
    const told = toFeedProblem(error, atMs);
    condition.setProblem(told);
    condition.goStale(atMs);
    failures++;
    onProblem(usdot, condition.problem() ?? told, error);
    // Frequent retries do not burden our own database, and a late recovery would affect every user.
    const inARow = told.kind === 'database' ? 1 : failures;
    const retryMs = toRetryDelayMs(inARow, pollIntervalMs, toRetryAfterMs(error), random(), settings);
    // Any number can be invented; a fleet that was shown once is retried as after any other failure.
    const isUnknown = isRefusal(error) && condition.state().fetchedAtMs === null;
    const delayMs = isUnknown ? Math.max(retryMs, settings.refusedRetryMs) : retryMs;
    condition.planAttempt(delayMs);
    nextDueAtMs = elapsed() + delayMs + lastTookMs;
    if (isUnknown) refusedUntilMs = elapsed() + delayMs;
    publish();
    if (isUnknown) onRefused();
    return delayMs;
  };

  const tellPolled = (failure: PollReport['failure'], tookMs: number): void =>
    onPolled?.({ usdot, failure, tookMs, census: toCensus(rows, now()) });

  const poll = async (): Promise<number> => {
    const startedAtMs = elapsed();
    attemptedAtMs = startedAtMs;
    lookups.hold();
    latest = null;
    try {
      const answer = await readUnits(startedAtMs);
      nextDueAtMs = startedAtMs + pollIntervalMs + lastTookMs;
      publish();
      // A quarantined answer counts as a failed poll.
      tellPolled(answer === null ? (condition.problem()?.kind ?? 'internal') : null, elapsed() - startedAtMs);
      void refreshSides(answer);
      const pauseMs = Math.max(pollIntervalMs * LEAST_PAUSE, startedAtMs + pollIntervalMs - elapsed());
      lookups.release(elapsed() + pauseMs);
      return pauseMs;
    } catch (error) {
      const delayMs = fail(error);
      tellPolled(condition.problem()?.kind ?? 'internal', elapsed() - startedAtMs);
      warmUp?.announceDone();
      warmUp = null;
      return delayMs;
    }
  };

  const poller = createPoller({ poll, elapsed, schedule, watchMs: settings.watchMs });

  /** A browser gets an empty first answer rather than an open request. */
  const publishNothingYet = (): void => {
    const sinceMs = now() - settings.firstAnswerMs;
    condition.goStale(sinceMs);
    condition.setProblem({
      kind: 'timeout',
      message: 'The tracking provider has not answered yet.',
      detail: `No answer to the first poll within ${settings.firstAnswerMs} ms.`,
      sinceMs,
    });
    nextDueAtMs = elapsed() + STILL_WAITING_MS;
    publish();
  };

  return {
    answer: async (since, accept) => {
      if (poller.isResting()) warmUp = createWarmUp(schedule, settings);
      poller.wake();
      await warmUp?.wait();
      if (!publisher.current()) publishNothingYet();
      return publisher.answer(since, accept);
    },
    detail: async (key) => memory.detail(key, publisher.current()?.version ?? `${epoch}.0`),
    tryNow: async () => {
      if (failures === 0) return 0;
      const waitMs = attemptedAtMs + settings.tryNowEveryMs - elapsed();
      if (waitMs > 0) return waitMs;
      await settleWithin(poller.runNow(), settings.firstAnswerMs, schedule);
      return 0;
    },
    state,
    refusedForMs,
    salvage: condition.report,
    problems: condition.problems,
    close: () => {
      poller.close();
      lookups.close();
      unlisten();
    },
  };
};
