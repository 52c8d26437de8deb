import 'server-only';
import type { Pool } from 'pg';
import type { CoverageInterval } from '@/lib/trips/coverage';
import type { TimeRange } from '@/lib/base/time';

/** The outcome of a poll for the recording. */
export type PollOutcome = Pick<CoverageInterval, 'state' | 'problem'> & { atMs: number };

/**
 * The intervals that one more poll begins or makes longer. A longer time than `gapMs` since the last poll is a gap of its
 * own, but not after a failure in the same process, because a failing provider is polled more and more seldom. A lost poll
 * stands for all since the one before.
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
  if (last.state === state && last.problem === problem) return [{ ...last, toMs: atMs }];
  // It has failed until this answer: how long nothing was requested depends on its Retry-After.
  if (last.state === 'failing' && state === 'answered') return [{ ...last, toMs: atMs }, started];
  return [{ ...started, fromMs: last.toMs }];
};

/** Longer than a provider that fails is left without a request (LiveSettings.maxRetryAfterMs, and the jitter beside it). */
export const MOST_FAILING_MS = 65 * 60_000;

/** A coverage up to a moment, of which the newest interval goes on where it fails: no answer has come since. */
export const withOpenFailure = (
  coverage: readonly CoverageInterval[],
  untilMs: number,
): CoverageInterval[] => {
  const last = coverage.at(-1);
  if (last?.state !== 'failing' || last.toMs >= untilMs) return [...coverage];
  return [...coverage.slice(0, -1), { ...last, toMs: Math.min(untilMs, last.toMs + MOST_FAILING_MS) }];
};

/** The intervals of a coverage, of which the fixes of some times cannot be read any more; both are in the order of time. */
export const withUnreadable = (
  coverage: readonly CoverageInterval[],
  unreadable: readonly TimeRange[],
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

/** The columns of the table `coverage` that an interval has. */
export const INTERVAL = 'from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", state, problem';

/** The newest interval of a fleet, or the newest that began by a moment; null where there is none. */
export const readLastCoverage = async (
  pool: Pool,
  usdot: string,
  atMs: number = Number.MAX_SAFE_INTEGER,
): Promise<CoverageInterval | null> => {
  const { rows } = await pool.query<CoverageInterval>(
    `SELECT ${INTERVAL} FROM linehaul.coverage WHERE usdot = $1 AND from_ms <= $2
     ORDER BY from_ms DESC LIMIT 1`,
    [usdot, atMs],
  );
  return rows[0] ?? null;
};
