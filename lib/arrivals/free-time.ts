import { MINUTE_MS, type TimeRange } from '@/lib/base/time';
import type { Appointment } from './load';
import { sumMs, toInside, type SureStay } from './sure';

/** When free time begins: with the arrival, or with the appointment of a truck that came before it. */
export const COUNTED_FROM = ['arrival', 'appointment'] as const;

/** Free minutes of a stay before detention begins, and from when they count. */
export interface FreeTime {
  freeMin: number;
  countedFrom: (typeof COUNTED_FROM)[number];
}

/** When so much time inside has passed, ms; after the last of it, when it would have. */
const toEnd = (inside: readonly TimeRange[], ms: number, startMs: number): number => {
  let leftMs = ms;
  let endMs = startMs;
  for (const { fromMs, toMs } of inside) {
    if (toMs - fromMs >= leftMs) return fromMs + leftMs;
    leftMs -= toMs - fromMs;
    endMs = toMs;
  }
  return endMs + leftMs;
};

/** When free time of a stay that began at a moment begins, Unix ms. */
const toFreeFromMs = (
  arrivedMs: number,
  { countedFrom }: Pick<FreeTime, 'countedFrom'>,
  appointment: Appointment | null,
): number =>
  countedFrom === 'appointment' ? Math.max(arrivedMs, appointment?.fromMs ?? -Infinity) : arrivedMs;

/** The free time of a stay that began with an arrival, Unix ms, of which nothing else is known. */
export const toFreeRange = (
  arrivedMs: number,
  free: FreeTime,
  appointment: Appointment | null,
): TimeRange => {
  const fromMs = toFreeFromMs(arrivedMs, free, appointment);
  return { fromMs, toMs: fromMs + free.freeMin * MINUTE_MS };
};

/** Free time of a stay, Unix ms, and the time inside beyond it, ms; below 0: so much of it is left. */
export interface FreeUse extends TimeRange {
  overMs: number;
}

/**
 * Free time of a stay, and the time beyond it: alerts, mails, pages, lists and statements all count by it. Neither goes on while
 * the truck is away. `usedMs`: of free time, what trucks that had the load there before have used.
 */
export const toFreeUse = (
  stay: SureStay,
  free: FreeTime,
  appointment: Appointment | null,
  usedMs = 0,
): FreeUse => {
  const freeMs = Math.max(0, free.freeMin * MINUTE_MS - usedMs);
  const fromMs = toFreeFromMs(stay.fromMs, free, appointment);
  const inside = toInside(stay, fromMs);
  // Of a truck that is out at the gate now, free time goes on once it is back.
  const isOut = stay.away.at(-1)?.toMs === stay.toMs;
  const startMs = isOut ? Math.max(fromMs, stay.toMs) : fromMs;
  const insideMs = sumMs(inside);
  const toMs = isOut && insideMs < freeMs ? startMs + freeMs - insideMs : toEnd(inside, freeMs, fromMs);
  return { fromMs, toMs, overMs: insideMs - freeMs };
};

interface FreeStop {
  free: FreeTime | null;
  appointment: Appointment | null;
}

/** A stay at a stop, as far as free time needs it. */
interface FreeVisit {
  arrivedMs: number;
  leftMs: number | null;
  /** Null or absent: it is not counted yet, or no fix shows it. */
  sure?: SureStay | null;
}

/** The free time of a stop; null: its truck has not arrived, or none was agreed. */
export const freeRangeOf = ({ free, appointment }: FreeStop, visit: FreeVisit | null): TimeRange | null => {
  if (visit === null || free === null) return null;
  return visit.sure
    ? toFreeUse(visit.sure, free, appointment)
    : toFreeRange(visit.arrivedMs, free, appointment);
};

/** A stay that lasts, at a moment: its truck is still where its newest fix showed it. */
const untilNow = (stay: SureStay, nowMs: number): SureStay => {
  const toMs = Math.max(stay.toMs, nowMs);
  const last = stay.away.at(-1);
  return last?.toMs === stay.toMs
    ? { ...stay, toMs, away: [...stay.away.slice(0, -1), { ...last, toMs }] }
    : { ...stay, toMs };
};

/** How long a stay has gone beyond free time, ms; below 0: so much is left; null: not known, or none was agreed. */
export const overFreeMs = (stop: FreeStop, visit: FreeVisit | null, nowMs: number): number | null => {
  const { free, appointment } = stop;
  if (visit === null || free === null) return null;
  const { sure, leftMs } = visit;
  if (sure) return toFreeUse(leftMs === null ? untilNow(sure, nowMs) : sure, free, appointment).overMs;
  return leftMs === null ? nowMs - toFreeRange(visit.arrivedMs, free, appointment).toMs : null;
};
