import type { TimeRange } from '@/lib/base/time';

/**
 * A stay as this server's clock proves it, Unix ms: the truck was inside from `fromMs` to `toMs` at least, but for the times
 * `away`, in order. Within each of these a fix shows it outside, or it was silent and stood elsewhere after that.
 */
export interface SureStay extends TimeRange {
  away: TimeRange[];
}

/** The parts of a stay in which its truck was surely inside, from a moment on. */
export const toInside = ({ fromMs, toMs, away }: SureStay, startMs = -Infinity): TimeRange[] =>
  [fromMs, ...away.map((span) => span.toMs)].flatMap((from, i) => {
    const span = { fromMs: Math.max(from, startMs), toMs: away[i]?.fromMs ?? toMs };
    return span.toMs > span.fromMs ? span : [];
  });

/** How long some ranges are together, ms. */
export const sumMs = (ranges: readonly TimeRange[]): number =>
  ranges.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

/** A truck that goes in and out more often counts as gone from then on. */
const MOST_AWAY = 199;

/** One stay of several that follow each other; between them no truck was there. Null: there is none. */
export const joinSure = (stays: readonly SureStay[]): SureStay | null => {
  const [first, ...others] = stays.toSorted((a, b) => a.fromMs - b.fromMs);
  if (!first) return null;
  const joined: SureStay = { ...first, away: [...first.away] };
  for (const { fromMs, toMs, away } of others) {
    if (fromMs > joined.toMs) joined.away.push({ fromMs: joined.toMs, toMs: fromMs });
    joined.away.push(...away.filter((span) => span.fromMs >= joined.toMs));
    joined.toMs = Math.max(joined.toMs, toMs);
  }
  const gone = joined.away[MOST_AWAY];
  return gone ? { ...joined, toMs: gone.fromMs, away: joined.away.slice(0, MOST_AWAY) } : joined;
};

/** The part of a stay that lies within a range. */
export const clipSure = ({ fromMs, toMs, away }: SureStay, range: TimeRange): SureStay => {
  const clip = (ms: number): number =>
    Math.min(Math.max(ms, range.fromMs), Math.max(range.fromMs, range.toMs));
  return {
    ...{ fromMs: clip(fromMs), toMs: clip(toMs) },
    away: away.flatMap((span) => {
      const clipped = { fromMs: clip(span.fromMs), toMs: clip(span.toMs) };
      return clipped.toMs > clipped.fromMs ? clipped : [];
    }),
  };
};
