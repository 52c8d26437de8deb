import type { FeedState, ProblemKind } from '@/lib/wire/fleet';
import { clockWords } from './clock';
import { ageWords } from './numbers';

/** Why our own server did not answer, and since when (browser clock). */
export interface ServerFailure {
  kind: 'offline' | 'unreachable' | 'refused';
  message: string;
  sinceMs: number;
}

/** The inputs of the screen's freshness; browser times except for those of `feed`, which are the server's. */
export interface FreshnessFacts {
  nowMs: number;
  /** Server clock less browser clock. */
  skewMs: number;
  feed: FeedState | null;
  /** When our server last answered. */
  receivedAtMs: number | null;
  failure: ServerFailure | null;
  /** How often our server expects a poll. */
  pollMs: number;
}

/**
 * live: as expected; doubtful: fresh, and much of it missing or contradicted; delayed: older than expected;
 * lost: nothing arrives; waiting: nothing has arrived yet.
 */
export interface Freshness {
  state: 'waiting' | 'live' | 'doubtful' | 'delayed' | 'lost';
  /** "Live · 4 s ago", "Partly read · 4 s ago", "Delayed · data from 14:03:10", "No connection · showing 14:03:10". */
  words: string;
  /** The same where there is little room: "Live · 4 s", "Partly · 4 s", "Lost · 14:03:10". */
  shortWords: string;
  /** The problem and the server's next step; null without a problem. A live screen may have a note too. */
  sentence: string | null;
}

/** A copy may miss this many polls before it counts as old. */
const MISSED_POLLS = 3;
const LEAST_LIMIT_MS = 30_000;
/**
 * A visible page polls at least every minute: one without an answer or a failure for longer was suspended.
 */
const ASLEEP_AFTER_MS = 90_000;
/** A failure this recent may be one dropped request. */
const LOST_AFTER_MS = 20_000;
/** A provider that fails for longer is no longer "delayed". */
const PROVIDER_LOST_AFTER_MS = 5 * 60_000;

const sinceWords = (sinceMs: number): string => `since ${clockWords(sinceMs)}`;

const serverSentence = (failure: ServerFailure): string =>
  failure.kind === 'offline'
    ? `This computer is offline ${sinceWords(failure.sinceMs)}. Linehaul carries on as soon as it is back.`
    : `${failure.message} It has been so ${sinceWords(failure.sinceMs)}; Linehaul keeps trying.`;

const DOUBTS: readonly ProblemKind[] = ['drop', 'otherFleet', 'older', 'repeated'];

/** An answer came and is quarantined until it is confirmed: no retry is needed. */
const isHeld = ({ staleSinceMs, problem }: FeedState): boolean =>
  staleSinceMs !== null && problem !== null && DOUBTS.includes(problem.kind);

const toOutlook = (feed: FeedState, skewMs: number): string => {
  if (feed.staleSinceMs === null) return '.';
  if (feed.nextAttemptAtMs !== null) return `. Next attempt at ${clockWords(feed.nextAttemptAtMs - skewMs)}.`;
  return isHeld(feed)
    ? '; until that is confirmed, Linehaul shows what it listed before.'
    : '; Linehaul keeps trying.';
};

const providerSentence = (feed: FeedState, skewMs: number): string => {
  const sinceMs = (feed.staleSinceMs ?? feed.problem?.sinceMs ?? 0) - skewMs;
  const cause = feed.problem?.message ?? 'The tracking provider does not answer.';
  return `${cause} It has been so ${sinceWords(sinceMs)}${toOutlook(feed, skewMs)}`;
};

const asleepSentence = (ageMs: number, receivedAtMs: number): string =>
  `What is shown is ${ageWords(ageMs)} old: this page was asleep ${sinceWords(receivedAtMs)}. Linehaul is asking for news.`;

/** The labels of an accepted answer that has a notice. */
export interface TakenAnswer {
  isDoubtful: boolean;
  words: 'Live' | 'Partly read' | 'Doubtful';
  shortWords: 'Live' | 'Partly' | 'Doubtful';
}

/**
 * The map and the status page agree: a list that was short for long enough is accepted, because fleets do
 * sleep.
 */
export const judgeTaken = (problem: { kind: string } | null): TakenAnswer => {
  if (problem === null || problem.kind === 'drop')
    return { isDoubtful: false, words: 'Live', shortWords: 'Live' };
  return problem.kind === 'unusable'
    ? { isDoubtful: true, words: 'Partly read', shortWords: 'Partly' }
    : { isDoubtful: true, words: 'Doubtful', shortWords: 'Doubtful' };
};

const worst = (
  facts: FreshnessFacts,
  ageMs: number,
): { state: Freshness['state']; sentence: string | null } => {
  const { nowMs, skewMs, feed, receivedAtMs, failure, pollMs } = facts;
  if (failure) {
    const failingMs = nowMs - failure.sinceMs;
    const lost = failure.kind === 'offline' || failingMs >= LOST_AFTER_MS;
    return { state: lost ? 'lost' : 'delayed', sentence: serverSentence(failure) };
  }
  if (receivedAtMs !== null && nowMs - receivedAtMs > ASLEEP_AFTER_MS && ageMs > 0) {
    return { state: 'delayed', sentence: asleepSentence(ageMs, receivedAtMs) };
  }
  if (feed?.staleSinceMs != null) {
    const failingMs = nowMs + skewMs - feed.staleSinceMs;
    const lost = (failingMs >= PROVIDER_LOST_AFTER_MS && !isHeld(feed)) || feed.fetchedAtMs === null;
    return { state: lost ? 'lost' : 'delayed', sentence: providerSentence(feed, skewMs) };
  }
  if (ageMs > Math.max(LEAST_LIMIT_MS, MISSED_POLLS * pollMs)) {
    return {
      state: 'delayed',
      sentence: 'No newer answer has come from the tracking provider; Linehaul keeps asking.',
    };
  }
  if (!feed?.problem) return { state: 'live', sentence: null };
  const state = judgeTaken(feed.problem).isDoubtful ? 'doubtful' : 'live';
  return { state, sentence: providerSentence(feed, skewMs) };
};

/**
 * The time of an old copy, by the server's clock, and its label on the pill; null while the copy is young. A
 * copy is old once it has missed several polls, so that one dropped request changes no status on the screen.
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
      return { state: 'waiting', words: 'Waiting for data', shortWords: 'Waiting', sentence: null };
    return { state: 'lost', words: 'No data yet', shortWords: 'No data', sentence };
  }
  const ageMs = nowMs + skewMs - fetchedAtMs;
  const { state, sentence } = worst(facts, ageMs);
  const clock = clockWords(fetchedAtMs - skewMs);
  if (state === 'live' || state === 'doubtful') {
    const age = ageWords(ageMs);
    const taken = judgeTaken(feed?.problem ?? null);
    return {
      state,
      words: `${taken.words} · ${age} ago`,
      shortWords: `${taken.shortWords} · ${age}`,
      sentence,
    };
  }
  if (state === 'delayed') {
    return { state, words: `Delayed · data from ${clock}`, shortWords: `Delayed · ${clock}`, sentence };
  }
  return { state, words: `No connection · showing ${clock}`, shortWords: `Lost · ${clock}`, sentence };
};
