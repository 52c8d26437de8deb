import { freeRangeOf, type FreeTime } from '@/lib/arrivals/free-time';
import type { Appointment, JudgedLoad, StopKind, Verdict } from '@/lib/arrivals/load';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import type { LoadFacts } from './alert-rule';

/** A stop as alerts name it. */
export interface StopText {
  name: string;
  /** Null: none was agreed. */
  free: FreeTime | null;
}

/** How a truck has neared its stop, in a straight line. */
export interface Nearing {
  unit: string;
  position: number;
  leastM: number;
  /** The fix that showed it nearer than every one before, Unix ms. */
  nearerAtMs: number;
  /** Its newest fix. */
  fixAtMs: number;
  /** How far from the stop that was, m; absent: not known. */
  fixM?: number;
}

/** A truck has neared its stop once it is so much nearer than before: receivers scatter. */
const NEARER_M = 300;

/** A truck is silent for longer than so many of its usual intervals between fixes, and than so many ms. */
const [SILENT_RHYTHMS, SILENT_MS] = [3, 3 * MINUTE_MS];

/** How a truck has neared its stop after another fix of it. */
export const toNearing = (
  before: Nearing | null,
  { unit, position }: Pick<Nearing, 'unit' | 'position'>,
  { rhythmMs, ...fix }: LatLng & { fixAtMs: number; rhythmMs: number },
  to: LatLng,
): Nearing => {
  const fixM = distanceM(fix, to);
  const { fixAtMs } = fix;
  const isSame = before?.unit === unit && before.position === position;
  if (!isSame) return { unit, position, leastM: fixM, nearerAtMs: fixAtMs, fixAtMs, fixM };
  if (fixAtMs <= before.fixAtMs) return before;
  if (fixM <= before.leastM - NEARER_M)
    return { ...before, leastM: fixM, nearerAtMs: fixAtMs, fixAtMs, fixM };
  // Where it was while it was silent and moved is not known.
  const gapMs = fixAtMs - before.fixAtMs;
  const isUnknown =
    gapMs > Math.max(SILENT_MS, SILENT_RHYTHMS * rhythmMs) &&
    Math.abs(fixM - (before.fixM ?? fixM)) > NEARER_M;
  return { ...before, fixAtMs, fixM, nearerAtMs: before.nearerAtMs + (isUnknown ? gapMs : 0) };
};

/** What rules judge of a load that has a truck. */
export interface LoadCase {
  unit: string;
  siteId: number | null;
  /** The load and its stop, for as long as an alert is about them. */
  key: string;
  facts: LoadFacts;
  verdict: Verdict;
  isAtStop: boolean;
  nearing: Nearing | null;
  /** When another truck was checked last for its pickup that is next, Unix ms; null: none was. */
  wrongCheckMs: number | null;
}

interface CasedLoad {
  load: {
    id: number;
    reference?: string | undefined;
    customer?: string | undefined;
    stops: readonly { siteId: number | null; kind?: StopKind; appointment: Appointment | null }[];
    texts?: readonly StopText[] | undefined;
    wrongCheckMs?: number | null | undefined;
  };
  judged: JudgedLoad;
  window: { fromMs: number; toMs: number } | null;
  verdict: Verdict;
  nearing: Nearing | null;
  /** Its truck is inside its stop, and may have arrived; absent or null: it is not. */
  arriving?: object | null;
}

/** What rules judge of a load; null: it has no truck, no stop is left, or the next one has no place. */
export const toLoadCase = (cased: CasedLoad): LoadCase | null => {
  const { load, judged, window, verdict, nearing, arriving = null } = cased;
  const { next, unit: assigned } = judged;
  if (next === null) return null;
  const { siteId, appointment, kind } = load.stops[next]!;
  const visit = judged.state.startsWith('at') ? judged.stops[next]!.visit : null;
  const unit = visit?.unit ?? assigned;
  if (unit === null || siteId === null) return null;
  const { name = '', free = null } = load.texts?.[next] ?? {};
  const wrongCheckMs = kind === 'pickup' ? (load.wrongCheckMs ?? null) : null;
  return {
    ...{ unit, siteId, verdict, nearing, wrongCheckMs, key: `${load.id}:${next}` },
    isAtStop: visit !== null || arriving !== null,
    facts: {
      ...{ id: load.id, reference: load.reference ?? '', customer: load.customer ?? '' },
      ...{ stop: next, stopName: name, appointment },
      window: window === null ? null : { fromMs: window.fromMs, toMs: window.toMs },
      freeEndsMs: freeRangeOf({ free, appointment }, visit)?.toMs ?? null,
      ...(wrongCheckMs !== null && { wrongCheckMs }),
    },
  };
};

/** A case of a rule: it opens an alert, or only keeps one open. */
export interface JudgedCase {
  opens: boolean;
  /** Since when it holds, Unix ms; null: not known. */
  sinceMs: number | null;
  /** The worst of a truck's loads has the most. */
  weight: number;
}

/** A truck has caught up once its window begins so long before the end of the appointment. */
const CAUGHT_UP_MS = 5 * MINUTE_MS;

const willBeLate = ({ facts: { appointment, window }, isAtStop }: LoadCase, seenMs: number) => {
  if (appointment === null || isAtStop) return null;
  const lateMs = window === null ? 0 : window.fromMs - appointment.toMs;
  // What was foreseen has come true, or is not known for now.
  if (seenMs > appointment.toMs || window === null) return { opens: false, sinceMs: null, weight: lateMs };
  return lateMs > -CAUGHT_UP_MS ? { opens: lateMs > 0, sinceMs: null, weight: lateMs } : null;
};

const isLate = ({ facts: { appointment }, isAtStop }: LoadCase, seenMs: number) =>
  appointment === null || isAtStop || seenMs <= appointment.toMs
    ? null
    : { opens: true, sinceMs: appointment.toMs, weight: seenMs - appointment.toMs };

const notMoving = ({ nearing, isAtStop, facts }: LoadCase, forMin: number) => {
  if (isAtStop || nearing === null) return null;
  const stillMs = nearing.fixAtMs - nearing.nearerAtMs;
  const weight = -(facts.appointment?.toMs ?? Number.MAX_SAFE_INTEGER);
  return stillMs < forMin * MINUTE_MS ? null : { opens: true, sinceMs: nearing.nearerAtMs, weight };
};

const freeTimeEnds = ({ facts: { freeEndsMs } }: LoadCase, seenMs: number, inMin: number) =>
  freeEndsMs === null || seenMs < freeEndsMs - inMin * MINUTE_MS
    ? null
    : { opens: true, sinceMs: freeEndsMs - inMin * MINUTE_MS, weight: seenMs - freeEndsMs };

/** A wrong truck at a dock is news for so long. */
const WRONG_CHECK_MS = HOUR_MS;

const wrongTruck = ({ wrongCheckMs }: LoadCase, seenMs: number) =>
  wrongCheckMs === null || seenMs - wrongCheckMs > WRONG_CHECK_MS
    ? null
    : { opens: true, sinceMs: wrongCheckMs, weight: wrongCheckMs };

/** The kinds of alerts about loads. */
export type LoadCondition =
  | { kind: 'loadWillBeLate' }
  | { kind: 'loadLate' }
  | { kind: 'loadNotMoving'; forMin: number }
  | { kind: 'freeTimeEnds'; inMin: number }
  | { kind: 'wrongTruck' };

export const isLoadCondition = <T extends { kind: string }>(
  condition: T,
): condition is Extract<T, LoadCondition> =>
  ['loadWillBeLate', 'loadLate', 'loadNotMoving', 'freeTimeEnds', 'wrongTruck'].includes(condition.kind);

const judgeCase = (condition: LoadCondition, each: LoadCase, seenMs: number): JudgedCase | null => {
  if (condition.kind === 'loadWillBeLate') return willBeLate(each, seenMs);
  if (condition.kind === 'loadLate') return isLate(each, seenMs);
  if (condition.kind === 'wrongTruck') return wrongTruck(each, seenMs);
  return condition.kind === 'loadNotMoving'
    ? notMoving(each, condition.forMin)
    : freeTimeEnds(each, seenMs, condition.inMin);
};

export interface WorstCase extends JudgedCase {
  load: LoadCase;
}

/** The cases of a rule among the loads of one truck, the worst first. */
export const listCases = (
  condition: LoadCondition,
  loads: readonly LoadCase[],
  seenMs: number,
): WorstCase[] => {
  // A truck that is at a stop of one load, or nears one, is at work.
  if (condition.kind === 'loadNotMoving' && loads.some((each) => judgeCase(condition, each, seenMs) === null))
    return [];
  return loads
    .flatMap((load): WorstCase[] => {
      const judged = judgeCase(condition, load, seenMs);
      return judged === null ? [] : [{ ...judged, load }];
    })
    .sort((a, b) => Number(b.opens) - Number(a.opens) || b.weight - a.weight);
};
