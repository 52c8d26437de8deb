import { distanceM } from '@/lib/geo/geodesy';
import type { MotionSettings } from '@/lib/motion/settings';
import type { LatLng } from '@/lib/geo/units';
import type { CoverageInterval } from './coverage';
import { findLast, findPoint, toTrail, type RecordedFix, type Trail } from './trail';

/** Why nothing was recorded; `before`: the recording of the fleet had not begun. */
export interface MissingReason {
  state: Exclude<CoverageInterval['state'], 'answered'> | 'before';
  problem: string | null;
}

interface Span {
  fromMs: number;
  toMs: number;
}

/** `silent`: the truck reported nothing although its provider answered; `ahead`: the time has not come yet. */
export type Segment = Span &
  ({ kind: 'moving' | 'stopped' | 'silent' | 'ahead' } | { kind: 'notRecorded'; reason: MissingReason });
export type SegmentKind = Segment['kind'];

export interface DayInput {
  /** Fixes in order of time, from some hours before the range to half an hour after it. */
  fixes: readonly RecordedFix[];
  /** Coverage in order of time, of at least the range. */
  coverage: readonly CoverageInterval[];
  fromMs: number;
  toMs: number;
  nowMs: number;
}

/** The newest interval ends with the last poll: for this long after it, the next one is only awaited. */
const AWAITED_MS = 5 * 60_000;

/** A time without answers; `isAfterAnswer`: an answer ended the one before it. */
type Outage = Span & { reason: MissingReason; isAfterAnswer: boolean };

/** The times without answers within a span, and before the first interval and after the last one. */
const toOutages = ({ fromMs, toMs }: Span, coverage: readonly CoverageInterval[]): Outage[] => {
  const [first, last] = [coverage[0], coverage[coverage.length - 1]];
  const before = {
    fromMs: -Infinity,
    toMs: first?.fromMs ?? Infinity,
    state: 'before',
    problem: null,
  } as const;
  const lastMs = last?.toMs ?? Infinity;
  const afterMs = lastMs + AWAITED_MS < toMs ? lastMs : Infinity;
  const after = { fromMs: afterMs, toMs: Infinity, state: 'notRunning', problem: null } as const;
  return [before, ...coverage, after].flatMap(({ state, problem, ...span }, i, all) => {
    if (state === 'answered') return [];
    const clipped = { fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) };
    const isAfterAnswer = all[i - 1]?.state === 'answered';
    return clipped.fromMs < clipped.toMs ? [{ ...clipped, reason: { state, problem }, isAfterAnswer }] : [];
  });
};

/** Outages without an answer between them. */
const toStretches = (outages: readonly Outage[]): (Span & { parts: Outage[] })[] => {
  const stretches: (Span & { parts: Outage[] })[] = [];
  for (const outage of outages) {
    const last = stretches.at(-1);
    if (last?.toMs === outage.fromMs && !outage.isAfterAnswer) {
      last.parts.push(outage);
      last.toMs = outage.toMs;
    } else stretches.push({ fromMs: outage.fromMs, toMs: outage.toMs, parts: [outage] });
  }
  return stretches;
};

const isSameKind = (a: Segment, b: Segment): boolean =>
  a.kind === b.kind &&
  (a.kind !== 'notRecorded' ||
    b.kind !== 'notRecorded' ||
    (a.reason.state === b.reason.state && a.reason.problem === b.reason.problem));

/** Appends a segment, which makes the last one longer where it is of the same kind. */
const push = (segments: Segment[], segment: Segment): void => {
  if (segment.fromMs >= segment.toMs) return;
  const last = segments[segments.length - 1];
  if (last && isSameKind(last, segment)) segments[segments.length - 1] = { ...last, toMs: segment.toMs };
  else segments.push(segment);
};

const toNotRecorded = ({ fromMs, toMs, reason }: Omit<Outage, 'isAfterAnswer'>): Segment => ({
  ...{ fromMs, toMs, reason },
  kind: 'notRecorded',
});

const lengthOf = ({ fromMs, toMs }: Span): number => toMs - fromMs;

/**
 * Why there are no fixes within a span: an outage that is long enough to make a unit late explains it, and shorter ones
 * together if they are half of it and no later answer shows the silence. The rest is silence, but for less than
 * `limitMs` beside an outage.
 */
const explain = (
  span: Span,
  coverage: readonly CoverageInterval[],
  limitMs: number,
  { lateAtLeastMs }: MotionSettings,
): Segment[] => {
  const stretches = toStretches(toOutages(span, coverage));
  const lastOut = stretches.at(-1);
  const answeredMs = lastOut?.toMs === span.toMs ? lastOut.fromMs : span.toMs;
  const isShown = answeredMs - span.fromMs > limitMs;
  const isMostlyOut =
    !isShown && 2 * stretches.reduce((sum, each) => sum + lengthOf(each), 0) >= lengthOf(span);
  const isLong = (stretch: Span): boolean => lengthOf(stretch) >= lateAtLeastMs;
  const explaining = stretches.some(isLong) ? stretches.filter(isLong) : isMostlyOut ? stretches : [];
  const explained: Segment[] = [];
  let atMs = span.fromMs;
  for (const { fromMs, toMs, parts } of explaining) {
    const isSilent = fromMs - atMs >= limitMs;
    if (isSilent) push(explained, { fromMs: atMs, toMs: fromMs, kind: 'silent' });
    else push(explained, toNotRecorded({ reason: parts[0]!.reason, fromMs: atMs, toMs: fromMs }));
    for (const part of parts) push(explained, toNotRecorded(part));
    atMs = toMs;
  }
  const last = explaining.at(-1)?.parts.at(-1);
  if (last === undefined || span.toMs - atMs >= limitMs)
    push(explained, { fromMs: atMs, toMs: span.toMs, kind: 'silent' });
  else push(explained, toNotRecorded({ reason: last.reason, fromMs: atMs, toMs: span.toMs }));
  return explained;
};

/** Appends the motion that the marks of a trail give for a span between fixes. */
const pushMotion = (segments: Segment[], { marks }: Trail, { fromMs, toMs }: Span): void => {
  let index = findLast(marks, fromMs, (mark) => mark.fromMs);
  for (let atMs = fromMs; atMs < toMs; index++) {
    const endMs = Math.min(toMs, marks[index + 1]?.fromMs ?? Infinity);
    push(segments, { fromMs: atMs, toMs: endMs, kind: marks[index]?.isMoving ? 'moving' : 'stopped' });
    atMs = endMs;
  }
};

/** All time from the first millisecond of a range to its last, by what is known of it. */
const toSegments = (
  trail: Trail,
  { coverage, fromMs, toMs, nowMs }: Omit<DayInput, 'fixes'>,
  settings: MotionSettings,
): Segment[] => {
  const endMs = Math.max(fromMs, Math.min(toMs, nowMs));
  const segments: Segment[] = [];
  const { points, isEndKnown, lateAfterMs } = trail;
  const clip = (span: Span): Span => ({
    fromMs: Math.max(fromMs, span.fromMs),
    toMs: Math.min(endMs, span.toMs),
  });
  // The whole silence is explained before it is cut, so that its reason does not depend on the range.
  const pushUnknown = (span: Span, limitMs: number): void => {
    for (const piece of explain(span, coverage, limitMs, settings))
      push(segments, { ...piece, ...clip(piece) });
  };
  const first = points[findPoint(trail, fromMs)] ?? points[0];
  if (first === undefined) pushUnknown({ fromMs, toMs: endMs }, 0);
  else if (first.fixAtMs > fromMs) pushUnknown({ fromMs, toMs: first.fixAtMs }, 0);
  // Legs between gaps are one span: what the marks say of it does not depend on where its fixes are.
  let seenFromMs: number | null = null;
  const pushSeen = (toMs: number): void => {
    if (seenFromMs !== null) pushMotion(segments, trail, clip({ fromMs: seenFromMs, toMs }));
    seenFromMs = null;
  };
  for (let i = Math.max(1, findPoint(trail, fromMs) + 1); i < points.length; i++) {
    const leg = { fromMs: points[i - 1]!.fixAtMs, toMs: points[i]!.fixAtMs };
    if (leg.fromMs >= endMs) break;
    if (points[i]!.link !== 'seen') {
      pushSeen(leg.fromMs);
      pushUnknown(leg, settings.lateAtLeastMs);
    } else seenFromMs ??= leg.fromMs;
  }
  pushSeen(Math.min(endMs, points[points.length - 1]?.fixAtMs ?? endMs));
  const last = points[points.length - 1];
  if (last !== undefined && last.fixAtMs < endMs) {
    const rest = { fromMs: last.fixAtMs, toMs: endMs };
    if (!isEndKnown || lengthOf(rest) >= lateAfterMs) pushUnknown(rest, settings.lateAtLeastMs);
    else pushMotion(segments, trail, clip(rest));
  }
  push(segments, { fromMs: endMs, toMs, kind: 'ahead' });
  return segments;
};

/** A part of the straight line between two fixes; `start` and `end` are fractions of the way. */
export interface LinePart {
  from: LatLng;
  to: LatLng;
  start: number;
  end: number;
  meters: number;
}

/** Meters along the lines up to each point: each line is driven, bridges a gap or a jump, or is drift in one place. */
export class Distances {
  readonly #trail: Trail;
  readonly #drivenM: Float64Array;
  readonly #bridgedM: Float64Array;

  constructor(trail: Trail, { leaveM }: MotionSettings) {
    const { points, marks } = trail;
    this.#trail = trail;
    this.#drivenM = new Float64Array(points.length);
    this.#bridgedM = new Float64Array(points.length);
    let next = 0;
    for (let i = 1; i < points.length; i++) {
      const [from, to] = [points[i - 1]!, points[i]!];
      while (next < marks.length && marks[next]!.fromMs <= from.fixAtMs) next++;
      const isMoving = marks[next - 1]?.isMoving ?? false;
      const legM = distanceM(from, to);
      const isSeen = to.link === 'seen';
      // One that is found where it stood has not been anywhere.
      const isOnePlace =
        legM <= leaveM && !isMoving && marks[next]?.fromMs === to.fixAtMs && !marks[next]!.isMoving;
      this.#drivenM[i] = this.#drivenM[i - 1]! + (isSeen && isMoving ? legM : 0);
      this.#bridgedM[i] = this.#bridgedM[i - 1]! + (isSeen || isOnePlace ? 0 : legM);
    }
  }

  #upTo(meters: Float64Array, atMs: number): number {
    const { points } = this.#trail;
    const index = findPoint(this.#trail, atMs);
    const [from, to] = [points[index], points[index + 1]];
    if (from === undefined) return 0;
    if (to === undefined) return meters[index]!;
    const fraction = (atMs - from.fixAtMs) / (to.fixAtMs - from.fixAtMs);
    return meters[index]! + fraction * (meters[index + 1]! - meters[index]!);
  }

  #visit(meters: Float64Array, { fromMs, toMs }: Span, visit: (part: LinePart) => void): void {
    const { points } = this.#trail;
    for (let i = Math.max(1, findPoint(this.#trail, fromMs) + 1); i < points.length; i++) {
      const [from, to] = [points[i - 1]!, points[i]!];
      if (from.fixAtMs >= toMs) return;
      const spanMs = to.fixAtMs - from.fixAtMs;
      const start = Math.max(0, (fromMs - from.fixAtMs) / spanMs);
      const end = Math.min(1, (toMs - from.fixAtMs) / spanMs);
      const partM = (end - start) * (meters[i]! - meters[i - 1]!);
      if (partM > 0) visit({ from, to, start, end, meters: partM });
    }
  }

  /** The lines of a span that were driven. */
  visitDriven(span: Span, visit: (part: LinePart) => void): void {
    this.#visit(this.#drivenM, span, visit);
  }

  /** The lines of a span over gaps and jumps. */
  visitBridged(span: Span, visit: (part: LinePart) => void): void {
    this.#visit(this.#bridgedM, span, visit);
  }

  driven({ fromMs, toMs }: Span): number {
    return this.#upTo(this.#drivenM, toMs) - this.#upTo(this.#drivenM, fromMs);
  }

  /** A part of a line that bridges a gap counts by its share of the gap's time. */
  bridged({ fromMs, toMs }: Span): number {
    return this.#upTo(this.#bridgedM, toMs) - this.#upTo(this.#bridgedM, fromMs);
  }
}

/** A range of a unit's past, without what is made of it for a person. */
export interface Replay {
  trail: Trail;
  segments: readonly Segment[];
  distances: Distances;
}

export const replayRange = ({ fixes, ...range }: DayInput, settings: MotionSettings): Replay => {
  const trail = toTrail(fixes, settings);
  const segments = toSegments(trail, range, settings);
  return { trail, segments, distances: new Distances(trail, settings) };
};
