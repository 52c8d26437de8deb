import type { FeedState, ProblemKind } from '@/lib/wire/fleet';
import { formatAge, formatClock, formatMoment, formatTime } from './format';

/** Why our own server did not answer, and since when (browser clock). */
interface ServerFailure {
  kind: 'offline' | 'unreachable' | 'refused';
  message: string;
  sinceMs: number;
}

/** The inputs of the screen's freshness; browser times except for those of `feed`, which are the server's. */
interface FreshnessFacts {
  nowMs: number;
  /** Server clock less browser clock. */
  skewMs: number;
  feed: FeedState | null;
  /** When our server last answered. */
  receivedAtMs: number | null;
  failure: ServerFailure | null;
  /** How often our server expects a poll. */
  pollMs: number;
  /** All of it is of a moment in the past: nothing is tried again. */
  isPast: boolean;
}

/**
 * live: as expected; doubtful: fresh, and much of it missing or contradicted; delayed: older than expected;
 * lost: nothing arrives; waiting: nothing has arrived yet.
 */
export interface Freshness {
  state: 'waiting' | 'live' | 'doubtful' | 'delayed' | 'lost';
  /** "Live · 4 s ago", "Partly read · 4 s ago", "Delayed · data from 2:03:10 PM", "No connection · showing 2:03:10 PM", "Offline · as of Nov 20, 2:03 PM". */
  label: string;
  /** The label where there is little room: "Live · 4 s", "Partly · 4 s", "Lost · 2:03 PM". */
  shortLabel: string;
  /** The problem and the server's next step; null without a problem. A live screen may have a note too. */
  sentence: string | null;
}

/** A copy may miss this many polls before it counts as old. */
const MISSED_POLLS = 3;
const LEAST_LIMIT_MS = 30_000;
/** A visible page polls at least every minute: one without an answer or a failure for longer was suspended. */
const ASLEEP_AFTER_MS = 90_000;
/** A failure this recent may be one dropped request. */
const LOST_AFTER_MS = 20_000;
/** A copy that is older than a poll by this is no longer "delayed" while the provider fails. */
const PROVIDER_LOST_AFTER_MS = 5 * 60_000;

const serverSentence = (failure: ServerFailure, { nowMs, receivedAtMs }: FreshnessFacts): string => {
  const since = formatClock(failure.sinceMs, nowMs);
  if (failure.kind !== 'offline') return `${failure.message} This began at ${since}; Linehaul keeps trying.`;
  // A page that was opened without a network does not know since when there is none.
  const isOpenedOffline = receivedAtMs !== null && failure.sinceMs - receivedAtMs > ASLEEP_AFTER_MS;
  const offline = isOpenedOffline ? 'is offline' : `has been offline since ${since}`;
  return `This computer ${offline}. Linehaul continues as soon as it is back online.`;
};

const QUARANTINE_KINDS: readonly ProblemKind[] = ['drop', 'otherFleet', 'older', 'repeated'];

/** An answer came and is quarantined until it is confirmed: no retry is needed. */
const isQuarantined = ({ staleSinceMs, problem }: FeedState): boolean =>
  staleSinceMs !== null && problem !== null && QUARANTINE_KINDS.includes(problem.kind);

const toOutlook = ({ skewMs, isPast }: FreshnessFacts, feed: FeedState): string => {
  if (feed.staleSinceMs === null || isPast) return '.';
  if (feed.nextAttemptAtMs !== null) return `. Next attempt at ${formatTime(feed.nextAttemptAtMs - skewMs)}.`;
  return isQuarantined(feed)
    ? '; until that is confirmed, Linehaul shows what it listed before.'
    : '; Linehaul keeps trying.';
};

const providerSentence = (facts: FreshnessFacts, feed: FeedState): string => {
  const sinceMs = (feed.staleSinceMs ?? feed.problem?.sinceMs ?? 0) - facts.skewMs;
  const cause = feed.problem?.message ?? 'The tracking provider does not answer.';
  return `${cause} This began at ${formatClock(sinceMs, facts.nowMs)}${toOutlook(facts, feed)}`;
};

const asleepSentence = (ageMs: number, receivedAtMs: number, nowMs: number): string =>
  `The data shown is ${formatAge(ageMs)} old: this page was asleep since ${formatClock(receivedAtMs, nowMs)}. Linehaul is updating it.`;

/** The labels of an accepted answer that has a notice. */
interface AcceptedAnswer {
  isAnomalous: boolean;
  label: 'Live' | 'Partly read' | 'Unusual';
  shortLabel: 'Live' | 'Partly' | 'Unusual';
}

/** The labels of an accepted answer; a list that was short for long enough is accepted, because fleets do sleep. */
export const toAcceptedAnswer = (problem: { kind: string } | null): AcceptedAnswer => {
  if (problem === null || problem.kind === 'drop')
    return { isAnomalous: false, label: 'Live', shortLabel: 'Live' };
  return problem.kind === 'unusable'
    ? { isAnomalous: true, label: 'Partly read', shortLabel: 'Partly' }
    : { isAnomalous: true, label: 'Unusual', shortLabel: 'Unusual' };
};

const worst = (
  facts: FreshnessFacts,
  ageMs: number,
): { state: Freshness['state']; sentence: string | null } => {
  const { nowMs, feed, receivedAtMs, failure, pollMs } = facts;
  if (failure) {
    const failingMs = nowMs - failure.sinceMs;
    const isLong = failingMs >= LOST_AFTER_MS || ageMs > ASLEEP_AFTER_MS;
    return {
      state: failure.kind === 'offline' || isLong ? 'lost' : 'delayed',
      sentence: serverSentence(failure, facts),
    };
  }
  if (receivedAtMs !== null && nowMs - receivedAtMs > ASLEEP_AFTER_MS && ageMs > 0) {
    return { state: 'delayed', sentence: asleepSentence(ageMs, receivedAtMs, nowMs) };
  }
  if (feed?.staleSinceMs != null) {
    const isLong = ageMs - pollMs >= PROVIDER_LOST_AFTER_MS && !isQuarantined(feed);
    return {
      state: isLong || feed.fetchedAtMs === null ? 'lost' : 'delayed',
      sentence: providerSentence(facts, feed),
    };
  }
  if (ageMs > Math.max(LEAST_LIMIT_MS, MISSED_POLLS * pollMs)) {
    return {
      state: 'delayed',
      sentence: `No newer answer has come from the tracking provider${facts.isPast ? '.' : '; Linehaul keeps trying.'}`,
    };
  }
  if (!feed?.problem) return { state: 'live', sentence: null };
  const state = toAcceptedAnswer(feed.problem).isAnomalous ? 'doubtful' : 'live';
  return { state, sentence: providerSentence(facts, feed) };
};

/**
 * The time of an old copy (server clock) and its state; null for a young one. A copy is old after several missed polls.
 */
export const toOldCopy = (facts: FreshnessFacts): { asOfMs: number; state: 'delayed' | 'lost' } | null => {
  const { nowMs, skewMs, feed, failure, pollMs } = facts;
  if (feed === null || feed.fetchedAtMs === null) return null;
  const ageMs = nowMs + skewMs - feed.fetchedAtMs;
  // While the provider fails, the server's own polls are further and further apart.
  const isFailing = failure !== null || feed.staleSinceMs !== null;
  if (ageMs <= (isFailing ? LEAST_LIMIT_MS : Math.max(LEAST_LIMIT_MS, MISSED_POLLS * pollMs))) return null;
  return { asOfMs: feed.fetchedAtMs, state: worst(facts, ageMs).state === 'lost' ? 'lost' : 'delayed' };
};

/** The freshness of the screen as one word, one line and one sentence. */
export const toFreshness = (facts: FreshnessFacts): Freshness => {
  const { nowMs, skewMs, feed } = facts;
  const fetchedAtMs = feed?.fetchedAtMs ?? null;
  if (fetchedAtMs === null) {
    const { state, sentence } = worst(facts, 0);
    if (state === 'live' || state === 'doubtful')
      return { state: 'waiting', label: 'Waiting for data', shortLabel: 'Waiting', sentence: null };
    return { state: 'lost', label: 'No data yet', shortLabel: 'No data', sentence };
  }
  const ageMs = nowMs + skewMs - fetchedAtMs;
  const { state, sentence } = worst(facts, ageMs);
  const clock = formatClock(fetchedAtMs - skewMs, nowMs);
  const minute = formatMoment(fetchedAtMs - skewMs, nowMs);
  if (state === 'live' || state === 'doubtful') {
    const age = formatAge(ageMs);
    const accepted = toAcceptedAnswer(feed?.problem ?? null);
    return {
      state,
      label: `${accepted.label} · ${age} ago`,
      shortLabel: `${accepted.shortLabel} · ${age}`,
      sentence,
    };
  }
  if (state === 'delayed') {
    return { state, label: `Delayed · data from ${clock}`, shortLabel: `Delayed · ${minute}`, sentence };
  }
  if (facts.failure?.kind === 'offline') {
    return { state, label: `Offline · as of ${clock}`, shortLabel: `Offline · ${minute}`, sentence };
  }
  return { state, label: `No connection · showing ${clock}`, shortLabel: `Lost · ${minute}`, sentence };
};
