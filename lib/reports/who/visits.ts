import { distanceM, expand, type Bounds } from '@/lib/geo/geodesy';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { MPS_PER_KPH, type LatLng } from '@/lib/geo/units';
import { boundsOf, meetsLine, outsideM, type Region } from './area';
import type { TimeRange } from '@/lib/base/time';

/** How sure a visit is: by fixes that the map showed, by late ones alone, or by the straight line between two fixes. */
export const CERTAINTIES = ['fixes', 'late', 'line'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** A time in which a unit was inside an area, Unix ms. */
export interface Visit {
  certainty: Certainty;
  /** The last fix before it, outside; null where none came within MOST_LINE_MS. */
  afterMs: number | null;
  /** First and last fix inside; null of a line. */
  firstMs: number | null;
  lastMs: number | null;
  /** The first fix after it, outside; null where none came within MOST_LINE_MS. */
  beforeMs: number | null;
  /** Fixes inside, within the range of the question. */
  fixes: number;
  /** How long it was seen outside between the first and the last fix inside, ms. */
  awayMs: number;
}

/** A fix with its place in the trail of its unit, of which some fixes may be left out. */
export interface PlacedFix extends LatLng {
  atMs: number;
  index: number;
  /** The map showed another position with it. */
  isLate: boolean;
}

const { impossibleKph, jitterM, silentAfterMs } = DEFAULT_MOTION_SETTINGS;
/** A unit without fixes for longer is silent: no line proves where it was. */
export const MOST_LINE_MS = silentAfterMs;
/** A visit goes on while the fixes scatter about the edge of the area. */
const EDGE_M = 50;
/** Receivers are exact to so much: fixes nearer to the edge may be inside. */
const NEAR_M = 10;
/** How far a unit can come without an impossible jump: in a second, and by the scatter of its receiver. */
export const REACH_MPS = impossibleKph * MPS_PER_KPH;
export const REACH_AT_ONCE_M = jitterM;

const toReachM = (ms: number): number => REACH_MPS * (ms / 1000) + REACH_AT_ONCE_M;

/** The box of the fixes that tell of visits by themselves, and that of all which can be joined to them by a line. */
export const toBoxes = (area: Region): { near: Bounds; reach: Bounds } => {
  const bounds = boundsOf(area);
  return { near: expand(bounds, EDGE_M), reach: expand(bounds, toReachM(MOST_LINE_MS)) };
};

const isLine = (area: Region, from: PlacedFix, to: PlacedFix): boolean =>
  distanceM(from, to) <= toReachM(to.atMs - from.atMs) && meetsLine(area, from, to);

class UnitVisits {
  readonly visits: Visit[] = [];
  readonly #area: Region;
  readonly #range: TimeRange;
  #last: (PlacedFix & { isInside: boolean }) | null = null;
  #open: (Visit & { lastMs: number }) | null = null;
  /** A fix outside came since the last one inside. */
  #isAway = false;

  constructor(area: Region, range: TimeRange) {
    this.#area = area;
    this.#range = range;
  }

  add(fix: PlacedFix): void {
    const last = this.#last;
    const isJoined = last !== null && fix.index === last.index + 1 && fix.atMs - last.atMs <= MOST_LINE_MS;
    if (!isJoined) this.end();
    const apartM = outsideM(this.#area, fix);
    const isInside = apartM === 0;
    if (isInside) this.#addInside(fix, isJoined ? last.atMs : null);
    else if (this.#open !== null) {
      this.#open.beforeMs ??= fix.atMs;
      if (apartM > NEAR_M) this.#isAway = true;
      if (apartM > EDGE_M) this.end();
    } else if (isJoined && !last.isInside && isLine(this.#area, last, fix))
      this.#addLine(last.atMs, fix.atMs);
    this.#last = { ...fix, isInside };
  }

  end(): void {
    if (this.#open !== null) this.visits.push(this.#open);
    this.#open = null;
    this.#isAway = false;
  }

  #addInside({ atMs, isLate }: PlacedFix, afterMs: number | null): void {
    this.#open ??= {
      ...{ certainty: 'late', afterMs, firstMs: atMs, lastMs: atMs, beforeMs: null, fixes: 0 },
      awayMs: 0,
    };
    const open = this.#open;
    if (this.#isAway) open.awayMs += atMs - open.lastMs;
    this.#isAway = false;
    open.lastMs = atMs;
    open.beforeMs = null;
    if (!isLate) open.certainty = 'fixes';
    if (atMs >= this.#range.fromMs && atMs < this.#range.toMs) open.fixes++;
  }

  #addLine(afterMs: number, beforeMs: number): void {
    const previous = this.visits.at(-1);
    if (previous?.certainty === 'line' && previous.beforeMs === afterMs) previous.beforeMs = beforeMs;
    else
      this.visits.push({
        certainty: 'line',
        afterMs,
        firstMs: null,
        lastMs: null,
        beforeMs,
        fixes: 0,
        awayMs: 0,
      });
  }
}

const isWithin = ({ afterMs, firstMs, lastMs, beforeMs }: Visit, fromMs: number, toMs: number): boolean =>
  (firstMs ?? afterMs!) < toMs && (lastMs ?? beforeMs!) >= fromMs;

/** The visits of a unit to an area within a range, from its fixes in the order of their times. */
export const toVisits = (fixes: Iterable<PlacedFix>, area: Region, range: TimeRange): Visit[] => {
  const unit = new UnitVisits(area, range);
  for (const fix of fixes) unit.add(fix);
  unit.end();
  return unit.visits.filter((visit) => isWithin(visit, range.fromMs, range.toMs));
};
