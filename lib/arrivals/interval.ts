/** A visit as its fixes tell of it, Unix ms: it began after `arrivedAfterMs` and by `arrivedMs`, and ended after `leftMs` and by `leftByMs`. */
export interface VisitTimes {
  arrivedAfterMs: number | null;
  arrivedMs: number;
  leftMs: number | null;
  leftByMs: number | null;
  /** How long the truck was away in between, ms; absent: none is known. */
  awayMs?: number;
}

/** When something happened, between two fixes, Unix ms; null: no fix tells. */
export interface Interval {
  afterMs: number | null;
  byMs: number | null;
}

/** When a truck came over the edge: after its last fix outside, and by the first one inside. */
export const toArrival = ({
  arrivedAfterMs,
  arrivedMs,
}: Pick<VisitTimes, 'arrivedAfterMs' | 'arrivedMs'>) => ({
  afterMs: arrivedAfterMs,
  byMs: arrivedMs,
});

/** When a truck left: after its last fix inside, and by the first one beyond. Null: it is there. */
export const toDeparture = ({
  leftMs,
  leftByMs,
}: Pick<VisitTimes, 'leftMs' | 'leftByMs'>): { afterMs: number; byMs: number | null } | null =>
  leftMs === null ? null : { afterMs: leftMs, byMs: leftByMs };

/** How long something lasted, ms; `mostMs` is null where no fix tells. */
export interface Span {
  leastMs: number;
  mostMs: number | null;
}

/** How long a truck was at a site, at least without the time that it was away in between. `seenMs`: its newest fix inside of a visit that lasts, Unix ms. */
export const toDwell = (visit: VisitTimes, seenMs = visit.arrivedMs): Span => {
  const { arrivedAfterMs, arrivedMs, leftMs, leftByMs, awayMs = 0 } = visit;
  const leastMs = Math.max(0, (leftMs ?? seenMs) - arrivedMs - awayMs);
  const isWhole = arrivedAfterMs !== null && leftByMs !== null;
  return { leastMs, mostMs: isWhole ? Math.max(leastMs, leftByMs - arrivedAfterMs) : null };
};

/** Recording of a provider's answers, as `lib/trips` has it. */
export interface Covered {
  fromMs: number;
  toMs: number;
  state: string;
}

/**
 * Why the time between two fixes is not known better: `moving` and `standing` between fixes as often as usual, `silent` where the
 * truck sent none, and `failing`, `notRunning` and `lost` where none could be recorded.
 */
export const BETWEEN = ['moving', 'standing', 'silent', 'failing', 'notRunning', 'lost'] as const;
export type Between = (typeof BETWEEN)[number];

/** A part of an interval, Unix ms. */
export interface Part {
  fromMs: number;
  toMs: number;
  why: Between;
}

interface SeenFix {
  fixMs: number;
  isMoving: boolean;
}

const isGap = (state: string): state is Extract<Between, 'failing' | 'notRunning' | 'lost'> =>
  state === 'failing' || state === 'notRunning' || state === 'lost';

/**
 * What lies between the two ends of an interval, in order and without gaps. `fixes` are those of the truck at both ends and
 * between them, in order; `coverage` in order; `usualMs` is the longest time between fixes that is no silence.
 */
export const toBetween = (
  { afterMs, byMs }: Interval,
  fixes: readonly SeenFix[],
  coverage: readonly Covered[],
  usualMs: number,
): Part[] => {
  if (afterMs === null || byMs === null || byMs <= afterMs) return [];
  const parts: Part[] = [];
  const add = (fromMs: number, toMs: number, why: Between): void => {
    if (toMs <= fromMs) return;
    const last = parts.at(-1);
    if (last?.why === why && last.toMs === fromMs) last.toMs = toMs;
    else parts.push({ fromMs, toMs, why });
  };
  const inside = fixes.filter(({ fixMs }) => fixMs > afterMs && fixMs < byMs);
  const ends = [
    ...inside,
    { fixMs: byMs, isMoving: fixes.find(({ fixMs }) => fixMs === byMs)?.isMoving ?? true },
  ];
  let atMs = afterMs;
  for (const { fixMs, isMoving } of ends) {
    const usual: Between = fixMs - atMs > usualMs ? 'silent' : isMoving ? 'moving' : 'standing';
    for (const { fromMs, toMs, state } of coverage) {
      if (!isGap(state) || toMs <= atMs || fromMs >= fixMs) continue;
      add(atMs, Math.max(atMs, fromMs), usual);
      atMs = Math.max(atMs, fromMs);
      add(atMs, Math.min(toMs, fixMs), state);
      atMs = Math.min(toMs, fixMs);
    }
    add(atMs, fixMs, usual);
    atMs = fixMs;
  }
  return parts;
};
