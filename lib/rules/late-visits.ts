import type { TimeRange } from '@/lib/base/time';
import type { SiteVisit } from './site';

/** A recorded visit, with how it was found. */
export interface HeldVisit extends SiteVisit {
  origin: string;
}

const endOf = ({ leftMs }: SiteVisit): number => leftMs ?? Infinity;

/** Whether late fixes may lie between these times: then a crossing of the edge is another one by them. */
const areAmong = (times: readonly (number | null)[], { fromMs, toMs }: TimeRange): boolean => {
  const known = times.filter((ms) => ms !== null);
  return Math.min(...known) <= toMs && Math.max(...known) >= fromMs;
};

/** Whether two visits were at one time. */
export const overlap = (a: SiteVisit, b: SiteVisit): boolean =>
  a.arrivedMs <= endOf(b) && endOf(a) >= b.arrivedMs;

/** Visits with a gap that late fixes lie in are one. */
const join = (held: readonly HeldVisit[], { fromMs, toMs }: TimeRange): HeldVisit[] => {
  const joined: HeldVisit[] = [];
  for (const visit of held) {
    const before = joined.at(-1);
    const isOne = before && endOf(before) <= toMs && visit.arrivedMs >= fromMs;
    const { arrivedMs, arrivedAfterMs } = isOne ? before : visit;
    if (isOne) joined.pop();
    joined.push({ ...visit, arrivedMs, arrivedAfterMs });
  }
  return joined;
};

/** A visit that begins and ends when the recording shows, where late fixes or nothing else tell. */
const correct = (held: readonly HeldVisit[], found: SiteVisit, late: TimeRange): HeldVisit[] => {
  const [first, last] = [held[0]!, held.at(-1)!];
  const isBegun =
    areAmong([found.arrivedAfterMs, found.arrivedMs, first.arrivedAfterMs, first.arrivedMs], late) ||
    (first.arrivedAfterMs === null && found.arrivedMs <= first.arrivedMs);
  // Whether it is still there is for polls to say.
  const isEnded =
    last.leftMs !== null &&
    found.leftMs !== null &&
    areAmong([found.leftMs, found.leftByMs, last.leftMs, last.leftByMs], late);
  const { arrivedMs, arrivedAfterMs, leftMs, leftByMs } = found;
  return held.map((visit) => ({
    ...visit,
    ...(isBegun && visit === first && { arrivedMs, arrivedAfterMs }),
    ...(isEnded && visit === last && { leftMs, leftByMs }),
  }));
};

/**
 * The visits of a unit to a site after fixes of `late` came late: `held` are those that are recorded and `found` those that
 * the recording shows by now, both in the order of time. A visit that polls judged begins and ends when it shows; one that
 * they saw none of is added.
 */
export const learnFrom = (
  held: readonly HeldVisit[],
  found: readonly SiteVisit[],
  late: TimeRange,
): HeldVisit[] => {
  const left = new Set(held);
  const learned: HeldVisit[] = [];
  // Of two stays that polls took for one, that one is the later: it may go on.
  for (const visit of found.toReversed()) {
    if ((visit.arrivedAfterMs ?? visit.arrivedMs) > late.toMs) continue;
    if ((visit.leftByMs ?? endOf(visit)) < late.fromMs) continue;
    const same = [...left].filter((each) => overlap(each, visit));
    if (same.length > 0) learned.push(...correct(join(same, late), visit, late));
    else if (visit.leftMs !== null) learned.push({ ...visit, origin: 'late' });
    else continue;
    for (const each of same) left.delete(each);
  }
  return [...left, ...learned]
    .map((visit) => {
      const was = held.find(({ arrivedMs }) => arrivedMs === visit.arrivedMs);
      const isSame =
        was?.arrivedAfterMs === visit.arrivedAfterMs &&
        was.leftMs === visit.leftMs &&
        was.leftByMs === visit.leftByMs;
      return visit.origin === 'live' && !isSame ? { ...visit, origin: 'joined' } : visit;
    })
    .sort((a, b) => a.arrivedMs - b.arrivedMs);
};
