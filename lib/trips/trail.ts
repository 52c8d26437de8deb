import { bearingDeg, distanceM, interpolate, toKph } from '@/lib/geo/geodesy';
import { NO_MOTION, type MotionState } from '@/lib/motion/motion-state';
import { observeFix } from '@/lib/motion/observe';
import { toGapLimitMs } from '@/lib/motion/rhythm';
import { joinPlaces, toExtentM, type Place } from '@/lib/motion/place';
import type { MotionSettings } from '@/lib/motion/settings';
import { fixOf, newestOf, type Fix } from '@/lib/motion/track';
import type { LatLng } from '@/lib/geo/units';

/** One recorded fix of a unit. */
export interface RecordedFix extends LatLng {
  fixAtMs: number;
  isByReceipt: boolean;
}

/**
 * How a point follows the one before: on a line that was seen, after a gap in the fixes, or at a place out of reach.
 */
type Link = 'seen' | 'gap' | 'jump';

/** A fix that the live screen would show, with the motion that it would show. */
export interface TrailPoint extends LatLng {
  fixAtMs: number;
  link: Link;
  speedKph: number | null;
  headingDeg: number | null;
}

/** Since when a unit moves or stands, Unix ms. */
interface MotionMark {
  fromMs: number;
  isMoving: boolean;
}

/** A unit's fixes, replayed by the rules of the live status. */
export interface Trail {
  points: readonly TrailPoint[];
  /** Marks in order of time; valid between points that are linked as seen. */
  marks: readonly MotionMark[];
  /** False where the last fix follows a gap and lies elsewhere: alone it shows neither motion nor standing. */
  isEndKnown: boolean;
  /** How long after its newest fix the unit is late or silent, ms. */
  lateAfterMs: number;
}

/** The fixes since the last gap or jump: what they show may be known only later than its beginning. */
interface Run {
  fromMs: number;
  /** Index of its first point, and of its first mark. */
  point: number;
  mark: number;
}

/**
 * Whether the live screen called a unit late or silent between two fixes; one that stood all the while was not late.
 */
const isGap = (
  before: MotionState,
  held: Fix,
  after: MotionState,
  fix: Fix,
  settings: MotionSettings,
): boolean => {
  const gapMs = fix.fixAtMs - held.fixAtMs;
  if (gapMs < toGapLimitMs(before, settings)) return false;
  const hasStood = after.phase === 'stopped' && after.place !== null && after.place.firstAtMs <= held.fixAtMs;
  return !hasStood || gapMs >= settings.silentAfterMs;
};

/** A fix that the live screen would show, and the state that it leads to. */
interface ReplayedFix {
  fix: Fix;
  link: Link;
  state: MotionState;
}

/**
 * Replays recorded fixes, in order of their times, by the rules of the live status: repeats and unconfirmed jumps are left
 * out, and a silence after which the live screen would have called the unit late or silent is a gap.
 */
export class FixReplay {
  readonly #settings: MotionSettings;
  #state = NO_MOTION;

  constructor(settings: MotionSettings) {
    this.#settings = settings;
  }

  /** How long after its newest fix the unit is late or silent, ms. */
  get lateAfterMs(): number {
    return toGapLimitMs(this.#state, this.#settings);
  }

  /** The fixes that the live screen would show: none, this one, or an earlier one that it confirms too. */
  add(fix: RecordedFix): ReplayedFix[] {
    const before = this.#state;
    const state = observeFix(before, fix, fix.fixAtMs, this.#settings);
    this.#state = state;
    if (state === before || newestOf(state.track)?.fixAtMs !== fix.fixAtMs) return [];
    const held = newestOf(before.track);
    const { unconfirmed } = before;
    const isLate = held !== null && isGap(before, held, state, fix, this.#settings);
    if (unconfirmed === null || fixOf(state.track, 0).fixAtMs !== unconfirmed.fixAtMs)
      return [{ fix, link: isLate ? 'gap' : 'seen', state }];
    const once = { ...before, phase: 'once' } as const;
    return [
      { fix: unconfirmed, link: isLate ? 'gap' : 'jump', state: once },
      { fix, link: 'seen', state },
    ];
  }
}

export const toPoint = ({ fix, link, state }: ReplayedFix): TrailPoint => {
  const { fixAtMs, lat, lng } = fix;
  const moving = state.phase === 'moving' ? state.leg : null;
  return {
    fixAtMs,
    lat,
    lng,
    link,
    speedKph: state.isByReceipt ? null : (moving?.speedKph ?? null),
    headingDeg: moving?.headingDeg ?? null,
  };
};

const isWithin = (outer: Place, inner: Place): boolean =>
  inner.south >= outer.south &&
  inner.north <= outer.north &&
  inner.west >= outer.west &&
  inner.east <= outer.east;

/** The trail of a unit, built fix by fix. */
class TrailBuilder {
  readonly points: TrailPoint[] = [];
  readonly marks: MotionMark[] = [];
  readonly #settings: MotionSettings;
  #run: Run | null = null;
  /** The place where it stands, or stood last in its run; null where it has not. */
  #place: Place | null = null;
  #isStanding = false;
  /** Since when and until when its status has said so, Unix ms. */
  #sinceMs = 0;
  #stoodAtMs = 0;

  constructor(settings: MotionSettings) {
    this.#settings = settings;
  }

  add(replayed: ReplayedFix): void {
    const { fixAtMs } = replayed.fix;
    const { phase, movingSinceMs, place } = replayed.state;
    const isFirst = replayed.link !== 'seen' || this.#run === null;
    if (isFirst) {
      this.endRun();
      this.#run = { fromMs: fixAtMs, point: this.points.length, mark: this.marks.length };
      [this.#place, this.#isStanding] = [null, false];
    }
    this.points.push(toPoint(replayed));
    if (phase === 'stopped' && place) {
      this.#stand(place, fixAtMs);
      return;
    }
    // What shows the motion of the first fix after a gap is the line over the gap.
    if (phase === 'moving' && !isFirst) this.#claim(movingSinceMs, true);
    // It has left its place, at whatever speed.
    else if (this.#isStanding) this.#claim(this.#stoodAtMs, true);
    this.#isStanding = false;
  }

  /** It stands, perhaps in another place than before: then it was driven there. */
  #stand(place: Place, fixAtMs: number): void {
    if (
      this.#isStanding &&
      this.#place !== null &&
      this.#sinceMs === place.firstAtMs &&
      isWithin(this.#place, place)
    ) {
      this.#stoodAtMs = place.lastAtMs;
      return;
    }
    // It may have stood there before, and left only for a moment.
    const before = this.#isStanding || place.firstAtMs <= this.#stoodAtMs ? this.#place : null;
    const joined = before === null ? place : joinPlaces(before, place);
    this.#place = joined;
    if (before !== null && toExtentM(joined) > Math.max(this.#settings.placeM, toExtentM(place))) {
      this.#claim(this.#stoodAtMs, true);
      this.#place = { ...place, firstAtMs: fixAtMs };
    } else if (before !== null && place.firstAtMs > before.firstAtMs) {
      this.#claim(
        this.points[Math.max(this.#run!.point, findPoint(this, place.firstAtMs) - 1)]!.fixAtMs,
        true,
      );
      this.#place = place;
    } else if (before !== null) this.#place = { ...joined, firstAtMs: before.firstAtMs };
    this.#claim(this.#place.firstAtMs, false);
    this.#isStanding = true;
    this.#sinceMs = place.firstAtMs;
    this.#stoodAtMs = place.lastAtMs;
  }

  /** Decides about a run that showed neither motion nor standing, by how far it went. Whether its motion is known. */
  endRun(): boolean {
    const run = this.#run;
    if (run === null || this.marks.length > run.mark) return true;
    const [first, last] = [this.points[run.point]!, this.points[this.points.length - 1]!];
    const before = this.points[run.point - 1];
    const isAlone = first === last;
    if (isAlone && (before === undefined || distanceM(before, first) > this.#settings.placeM)) return false;
    const { jitterM, leaveM, movingKph } = this.#settings;
    let farM = 0;
    for (let i = run.point + 1; i < this.points.length; i++)
      farM = Math.max(farM, distanceM(first, this.points[i]!));
    const isFast = farM > jitterM && toKph(farM, last.fixAtMs - first.fixAtMs) >= movingKph;
    this.marks.push({ fromMs: run.fromMs, isMoving: isFast || farM > leaveM });
    return true;
  }

  /** The status is known with its "since", which replaces what was assumed from that moment on. */
  #claim(sinceMs: number, isMoving: boolean): void {
    const { marks } = this;
    const run = this.#run!;
    const fromMs = Math.max(sinceMs, run.fromMs);
    while (marks.length > run.mark && marks[marks.length - 1]!.fromMs >= fromMs) marks.pop();
    // Before its first stop it was on the way there.
    if (marks.length === run.mark && fromMs > run.fromMs) marks.push({ fromMs: run.fromMs, isMoving: true });
    if (marks.length === run.mark || marks[marks.length - 1]!.isMoving !== isMoving)
      marks.push({ fromMs, isMoving });
  }
}

/** The trail of recorded fixes, which are in order of their times. */
export const toTrail = (fixes: readonly RecordedFix[], settings: MotionSettings): Trail => {
  const built = new TrailBuilder(settings);
  const replay = new FixReplay(settings);
  for (const fix of fixes) for (const replayed of replay.add(fix)) built.add(replayed);
  const isEndKnown = built.endRun();
  return { points: built.points, marks: built.marks, isEndKnown, lateAfterMs: replay.lateAfterMs };
};

/** The index of the last item at or before a moment; -1 before the first. */
export const findLast = <T>(items: readonly T[], atMs: number, timeOf: (item: T) => number): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle]!) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

export const findPoint = ({ points }: Pick<Trail, 'points'>, atMs: number): number =>
  findLast(points, atMs, ({ fixAtMs }) => fixAtMs);

/** The position of a unit at a moment, on the straight line between two fixes. */
interface TrailPosition extends LatLng {
  /** The point at or before the moment. */
  index: number;
  /** The line bridges a gap or a jump. */
  isBridged: boolean;
  speedKph: number | null;
  headingDeg: number | null;
}

/** The position at a moment; null before the first fix. After the last one it is that one's. */
export const positionAt = ({ points }: Pick<Trail, 'points'>, atMs: number): TrailPosition | null => {
  const index = findPoint({ points }, atMs);
  const from = points[index];
  if (from === undefined) return null;
  const to = points[index + 1];
  const { lat, lng, speedKph, headingDeg } = from;
  if (to === undefined) return { lat, lng, index, isBridged: false, speedKph, headingDeg };
  const isBridged = to.link !== 'seen' && atMs > from.fixAtMs;
  const at = interpolate(from, to, (atMs - from.fixAtMs) / (to.fixAtMs - from.fixAtMs));
  if (isBridged) return { ...at, index, isBridged, speedKph: null, headingDeg: bearingDeg(from, to) };
  // That it moves off is known with the next fix only.
  const seen = to.link === 'seen' ? to : from;
  return {
    ...at,
    index,
    isBridged,
    speedKph: speedKph ?? seen.speedKph,
    headingDeg: headingDeg ?? seen.headingDeg,
  };
};
