import { MINUTE_MS, type TimeRange } from '@/lib/base/time';
import type { Appointment } from './load';

/** When free time begins: with the arrival, or with the appointment of a truck that came before it. */
export const COUNTED_FROM = ['arrival', 'appointment'] as const;

/** Free minutes of a stay before detention begins, and from when they count. */
export interface FreeTime {
  freeMin: number;
  countedFrom: (typeof COUNTED_FROM)[number];
}

/** The free time of a stay that began with an arrival, Unix ms: alerts, mails, pages and statements all count by it. */
export const toFreeRange = (
  arrivedMs: number,
  { freeMin, countedFrom }: FreeTime,
  appointment: Appointment | null,
): TimeRange => {
  const fromMs =
    countedFrom === 'appointment' ? Math.max(arrivedMs, appointment?.fromMs ?? -Infinity) : arrivedMs;
  return { fromMs, toMs: fromMs + freeMin * MINUTE_MS };
};

/** The free time of a stop; null: its truck has not arrived, or none was agreed. */
export const freeRangeOf = (
  { free, appointment }: { free: FreeTime | null; appointment: Appointment | null },
  visit: { arrivedMs: number } | null,
): TimeRange | null =>
  visit === null || free === null ? null : toFreeRange(visit.arrivedMs, free, appointment);
