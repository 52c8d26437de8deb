import 'server-only';
import type { CoverageInterval } from '../schema';

/** The outcome of a poll for the recording. */
export type PollOutcome = Pick<CoverageInterval, 'state' | 'problem'> & { atMs: number };

/**
 * The intervals that one more poll begins or makes longer. A longer time than `gapMs` since the last poll is a gap of its
 * own, but not after a failure in the same process, because a failing provider is polled more and more seldom. A lost
 * poll stands for all since the one before.
 *
 * @param last the newest interval of the fleet; null: it was never recorded
 */
export const extendCoverage = (
  last: CoverageInterval | null,
  { atMs, state, problem }: PollOutcome,
  { gapMs, isFirst }: { gapMs: number; isFirst: boolean },
): CoverageInterval[] => {
  const started = { fromMs: atMs, toMs: atMs, state, problem };
  // A clock that was set back begins a new interval.
  if (last === null || atMs < last.toMs) return [started];
  if (atMs - last.toMs > gapMs && state !== 'lost' && (isFirst || last.state !== 'failing'))
    return [{ fromMs: last.toMs, toMs: atMs, state: 'notRunning', problem: null }, started];
  return last.state === state && last.problem === problem
    ? [{ ...last, toMs: atMs }]
    : [{ ...started, fromMs: last.toMs }];
};

/** The intervals of a coverage, of which the fixes of some times cannot be read any more; both are in the order of time. */
export const withUnreadable = (
  coverage: readonly CoverageInterval[],
  unreadable: readonly { fromMs: number; toMs: number }[],
): CoverageInterval[] =>
  coverage.flatMap((interval) => {
    if (interval.state !== 'answered') return [interval];
    const parts: CoverageInterval[] = [];
    let atMs = interval.fromMs;
    for (const lost of unreadable) {
      const [fromMs, toMs] = [Math.max(atMs, lost.fromMs), Math.min(interval.toMs, lost.toMs)];
      if (fromMs >= toMs) continue;
      if (fromMs > atMs) parts.push({ ...interval, fromMs: atMs, toMs: fromMs });
      parts.push({ fromMs, toMs, state: 'lost', problem: 'file' });
      atMs = toMs;
    }
    return atMs < interval.toMs || parts.length === 0 ? [...parts, { ...interval, fromMs: atMs }] : parts;
  });
