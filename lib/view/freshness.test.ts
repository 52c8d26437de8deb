import { describe, expect, it } from 'vitest';
import { UNREAD_FEED, type FeedState } from '@/lib/wire/fleet';
import { formatMinute, formatTime } from './format';
import { toFreshness, toOldCopy } from './freshness';

const NOW_MS = Date.UTC(2026, 10, 21, 20, 3, 14);
const FETCHED_MS = NOW_MS - 4000;
const FEED: FeedState = { ...UNREAD_FEED, fetchedAtMs: FETCHED_MS, activeUnits: 400, rosterVins: 400 };
const FACTS: Parameters<typeof toFreshness>[0] = {
  nowMs: NOW_MS,
  skewMs: 0,
  feed: FEED,
  receivedAtMs: NOW_MS - 1000,
  failure: null,
  pollMs: 10_000,
  isPast: false,
};
const failing = (sinceMs: number): FeedState => ({
  ...FEED,
  staleSinceMs: sinceMs,
  problem: { kind: 'timeout', message: 'The provider does not answer in time.', detail: '', sinceMs },
});

describe('freshness', () => {
  it('is live while the copy is young, by the server’s clock', () => {
    expect(toFreshness(FACTS)).toEqual({
      state: 'live',
      label: 'Live · 4 s ago',
      shortLabel: 'Live · 4 s',
      sentence: null,
    });
    const hourBehind = { ...FACTS, nowMs: NOW_MS - 3_600_000, skewMs: 3_600_000 };
    expect(toFreshness(hourBehind).label).toBe('Live · 4 s ago');
  });

  it('is delayed when the provider fails, with the reason and since when', () => {
    const freshness = toFreshness({ ...FACTS, feed: failing(NOW_MS - 20_000) });
    expect(freshness.state).toBe('delayed');
    expect(freshness.label).toBe(`Delayed · data from ${formatTime(FETCHED_MS)}`);
    expect(freshness.sentence).toBe(
      `The provider does not answer in time. This began at ${formatTime(NOW_MS - 20_000)}; Linehaul keeps trying.`,
    );
  });

  it('gives the end of the server’s wait before the next attempt, by the browser’s clock', () => {
    const nextAttemptAtMs = NOW_MS + 1_800_000;
    const feed = { ...failing(NOW_MS - 20_000), nextAttemptAtMs };
    expect(toFreshness({ ...FACTS, feed }).sentence).toBe(
      `The provider does not answer in time. This began at ${formatTime(NOW_MS - 20_000)}. Next attempt at ${formatTime(nextAttemptAtMs)}.`,
    );
  });

  it('gives the time of an old copy once it has missed several polls, and none before or after', () => {
    const fetchedAtMs = NOW_MS - 31_000;
    const old = { ...failing(NOW_MS - 20_000), fetchedAtMs };
    expect(toOldCopy({ ...FACTS, feed: old })).toEqual({ asOfMs: fetchedAtMs, state: 'delayed' });
    // One failed poll of a copy that is young.
    expect(toOldCopy({ ...FACTS, feed: failing(NOW_MS - 4000) })).toBeNull();
    expect(toOldCopy(FACTS)).toBeNull();
    expect(toOldCopy({ ...FACTS, feed: null })).toBeNull();
    expect(toOldCopy({ ...FACTS, feed: UNREAD_FEED })).toBeNull();
    const lost = { ...failing(NOW_MS - 53 * 60_000), fetchedAtMs: NOW_MS - 54 * 60_000 };
    expect(toOldCopy({ ...FACTS, feed: lost })).toMatchObject({ state: 'lost' });
    const offline = { kind: 'offline', message: '', sinceMs: NOW_MS - 40_000 } as const;
    const unanswered = { ...FEED, fetchedAtMs: NOW_MS - 45_000 };
    expect(toOldCopy({ ...FACTS, feed: unanswered, failure: offline })).toMatchObject({ state: 'lost' });
  });

  it('takes a copy for old after missed polls, or after half a minute while the provider fails at longer and longer pauses', () => {
    const fetchedAtMs = NOW_MS - 60_000;
    const slow = { ...FACTS, pollMs: 60_000 };
    expect(toOldCopy({ ...slow, feed: { ...FEED, fetchedAtMs } })).toBeNull();
    expect(toOldCopy({ ...slow, feed: { ...failing(NOW_MS - 40_000), fetchedAtMs } })).not.toBeNull();
  });

  it('is lost when the provider fails and the copy is minutes older than a poll', () => {
    const withAge = (ageMs: number) => ({ ...failing(NOW_MS - 20_000), fetchedAtMs: NOW_MS - ageMs });
    expect(toFreshness({ ...FACTS, feed: withAge(309_000) }).state).toBe('delayed');
    expect(toFreshness({ ...FACTS, feed: withAge(310_000) }).state).toBe('lost');
    // What a server that was started during the outage read from its recording.
    expect(toFreshness({ ...FACTS, feed: withAge(3 * 3_600_000) }).state).toBe('lost');
    expect(toFreshness({ ...FACTS, feed: withAge(1_000_000), pollMs: 900_000 }).state).toBe('delayed');
  });

  it('promises no further attempt for a moment in the past', () => {
    const sinceMs = NOW_MS - 60_000;
    const { sentence } = toFreshness({ ...FACTS, feed: failing(sinceMs), isPast: true });
    expect(sentence).toMatch(new RegExp(`This began at ${formatTime(sinceMs)}\\.$`));
  });

  it('is delayed when the copy grew old without a known reason', () => {
    const old = { ...FEED, fetchedAtMs: NOW_MS - 31_000 };
    expect(toFreshness({ ...FACTS, feed: old }).state).toBe('delayed');
    expect(toFreshness({ ...FACTS, feed: old, pollMs: 15_000 }).state).toBe('live');
  });

  it('is doubtful while an accepted answer has an anomaly', () => {
    const sinceMs = NOW_MS - 60_000;
    const problem = { kind: 'otherFleet', message: 'Hardly any is.', detail: '', sinceMs } as const;
    const freshness = toFreshness({ ...FACTS, feed: { ...FEED, problem } });
    expect(freshness).toMatchObject({
      state: 'doubtful',
      label: 'Unusual · 4 s ago',
      shortLabel: 'Unusual · 4 s',
    });
    expect(freshness.sentence).toBe(`Hardly any is. This began at ${formatTime(sinceMs)}.`);
  });

  it('is live, with a note, while a list that has been short for long is accepted', () => {
    const sinceMs = NOW_MS - 60_000;
    const problem = { kind: 'drop', message: 'It lists no unit.', detail: '', sinceMs } as const;
    const freshness = toFreshness({ ...FACTS, feed: { ...FEED, problem } });
    expect(freshness).toMatchObject({ state: 'live', label: 'Live · 4 s ago' });
    expect(freshness.sentence).toBe(`It lists no unit. This began at ${formatTime(sinceMs)}.`);
  });

  it('is partly read when many records of an answer were unreadable', () => {
    const problem = { kind: 'unusable', message: 'Many.', detail: '', sinceMs: NOW_MS - 60_000 } as const;
    expect(toFreshness({ ...FACTS, feed: { ...FEED, problem } })).toMatchObject({
      state: 'doubtful',
      label: 'Partly read · 4 s ago',
      shortLabel: 'Partly · 4 s',
    });
    const old = { ...FEED, problem, fetchedAtMs: NOW_MS - 31_000 };
    expect(toFreshness({ ...FACTS, feed: old }).state).toBe('delayed');
  });

  it('is delayed, however long, while an answer is quarantined', () => {
    const sinceMs = NOW_MS - 400_000;
    const problem = { kind: 'otherFleet', message: 'It lists others.', detail: '', sinceMs } as const;
    const freshness = toFreshness({ ...FACTS, feed: { ...FEED, staleSinceMs: sinceMs, problem } });
    expect(freshness.state).toBe('delayed');
    expect(freshness.sentence).toContain('until that is confirmed, Linehaul shows what it listed before.');
  });

  it('gives after a sleep the age of the screen and since when it has not polled', () => {
    const woken = { ...FACTS, nowMs: NOW_MS + 3_600_000 };
    expect(toFreshness(woken)).toMatchObject({
      state: 'delayed',
      label: `Delayed · data from ${formatTime(FETCHED_MS)}`,
      sentence: `The data shown is 1 h old: this page was asleep since ${formatTime(NOW_MS - 1000)}. Linehaul is updating it.`,
    });
    const failure = { kind: 'offline', message: '', sinceMs: woken.nowMs - 100 } as const;
    expect(toFreshness({ ...woken, failure }).sentence).toContain('offline');
  });

  it('forgives one dropped request, and is lost when it lasts', () => {
    const failure = { kind: 'unreachable', message: 'The Linehaul server does not answer.' } as const;
    expect(toFreshness({ ...FACTS, failure: { ...failure, sinceMs: NOW_MS - 3000 } }).state).toBe('delayed');
    const lost = toFreshness({ ...FACTS, failure: { ...failure, sinceMs: NOW_MS - 20_000 } });
    expect(lost.label).toBe(`No connection · showing ${formatTime(FETCHED_MS)}`);
    expect(lost.shortLabel).toBe(`Lost · ${formatMinute(FETCHED_MS)}`);
    expect(lost.sentence).toContain('The Linehaul server does not answer.');
  });

  it('is lost at once when the computer is offline', () => {
    const failure = { kind: 'offline', message: '', sinceMs: NOW_MS - 100 } as const;
    const freshness = toFreshness({ ...FACTS, failure });
    expect(freshness).toMatchObject({
      state: 'lost',
      label: `Offline · as of ${formatTime(FETCHED_MS)}`,
      sentence: `This computer has been offline since ${formatTime(failure.sinceMs)}. Linehaul continues as soon as it is back online.`,
    });
  });

  it.each([
    ['offline', 'Offline · as of Nov 20, ', 'This computer is offline. '],
    ['unreachable', 'No connection · showing Nov 20, ', ' This began at '],
  ] as const)('gives a copy of another day its date at once (%s)', (kind, label, sentence) => {
    const fetchedAtMs = FETCHED_MS - 86_400_000;
    const failure = { kind, message: 'No answer.', sinceMs: NOW_MS - 100 };
    const facts = { ...FACTS, feed: { ...FEED, fetchedAtMs }, receivedAtMs: fetchedAtMs, failure };
    expect(toFreshness(facts)).toMatchObject({
      state: 'lost',
      label: expect.stringContaining(label) as string,
      sentence: expect.stringContaining(sentence) as string,
    });
    expect(toOldCopy(facts)).toEqual({ asOfMs: fetchedAtMs, state: 'lost' });
  });

  it('gives an outage that began on another day its date', () => {
    const sinceMs = NOW_MS - 86_400_000;
    const sentenceOf = (changes: Partial<typeof FACTS>) => toFreshness({ ...FACTS, ...changes }).sentence;
    const since = /(at|since) Nov 20, \d{1,2}:\d\d [AP]M[.;]/;
    expect(sentenceOf({ feed: failing(sinceMs) })).toMatch(since);
    expect(sentenceOf({ receivedAtMs: sinceMs })).toMatch(since);
    for (const kind of ['offline', 'unreachable'] as const)
      expect(sentenceOf({ failure: { kind, message: '', sinceMs } })).toMatch(since);
  });

  it('waits before the first answer, and gives the reason when that fails', () => {
    expect(toFreshness({ ...FACTS, feed: null, receivedAtMs: null }).state).toBe('waiting');
    const feed = { ...failing(NOW_MS - 9000), fetchedAtMs: null };
    expect(toFreshness({ ...FACTS, feed })).toMatchObject({ state: 'lost', label: 'No data yet' });
  });
});
