import type { Assignment, JudgedStop } from './load';

/** What ends what is shown of a load: a stop is reached or left, it is delivered, or it was ended by hand. */
export type LoadEndKind = 'arrival' | 'departure' | 'delivery' | 'closed';

/** A load as it was judged. */
interface JudgedToEnd {
  trucks: readonly Assignment[];
  judged: readonly JudgedStop[];
  /** When it was delivered or ended by hand, Unix ms; null: it is under way. */
  endedMs: number | null;
  isClosed: boolean;
}

export interface LoadEnd {
  atMs: number;
  by: LoadEndKind;
}

/**
 * The end by a stop (null: the last one), or with the load, whichever comes first; null: it goes on. It is no earlier than the
 * load got its last truck: one that waits where it takes the load on may have come and even left before, and until then the
 * truck before it went on.
 */
export const toLoadEnd = (
  { trucks, judged, endedMs, isClosed }: JudgedToEnd,
  { on, stop }: { on: LoadEndKind | null; stop: number | null },
): LoadEnd | null => {
  const target = Math.min(stop ?? Infinity, judged.length - 1);
  const visit = judged[target]?.visit ?? null;
  // A stop that was passed, or was not seen to be left, is over at the next one.
  const later = judged.slice(target + 1).find((each) => each.visit)?.visit ?? null;
  const byVisit = [on === 'arrival' ? visit?.arrivedMs : visit?.leftMs, later?.arrivedMs];
  const ends: LoadEnd[] =
    on === 'arrival' || on === 'departure'
      ? byVisit.flatMap((ms) => (ms === null || ms === undefined ? [] : { atMs: ms, by: on }))
      : [];
  if (endedMs !== null) ends.push({ atMs: endedMs, by: isClosed ? 'closed' : 'delivery' });
  const first = ends.sort((a, b) => a.atMs - b.atMs)[0];
  const takenMs = trucks.at(-1)?.fromMs ?? -Infinity;
  return first ? { ...first, atMs: Math.max(first.atMs, takenMs) } : null;
};
