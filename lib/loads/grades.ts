import { fetchJson } from '@/lib/browser/fetch-json';
import { integer, list, number, object, text } from '@/lib/base/shape';

/** The days back that grades are shown for. */
export const GRADED_DAYS = [7, 30, 90] as const;

/** Windows that were shown at one time before the arrivals of a fleet's trucks. */
export interface LeadGrades {
  leadMs: number;
  /** Arrivals that were graded, and those that came within their window, before and after it. */
  arrivals: number;
  held: number;
  early: number;
  late: number;
  /** How wide half of the windows were at most, ms. */
  widthMs: number;
}

/** A window that missed its arrival. */
export interface MissedWindow {
  loadId: number;
  reference: string;
  position: number;
  stop: string;
  unit: string;
  leadMs: number;
  fromMs: number;
  toMs: number;
  arrivedMs: number;
  timeZone: string;
  /** By how much, ms: before the window it is negative. */
  missedMs: number;
}

/** How the windows of a fleet's arrivals held, and the worst of them. */
export interface FleetGrades {
  leads: LeadGrades[];
  worst: MissedWindow[];
}

const shape = object({
  leads: list(
    object({
      leadMs: number,
      arrivals: integer(0),
      held: integer(0),
      early: integer(0),
      late: integer(0),
      widthMs: number,
    }),
  ),
  worst: list(
    object({
      ...{ loadId: integer(1), reference: text, position: integer(0), stop: text, unit: text },
      ...{ leadMs: number, fromMs: number, toMs: number, arrivedMs: number, timeZone: text },
      missedMs: number,
    }),
  ),
});

/** Reads the grades of the last days. */
export const readGrades = (usdot: string, days: number, signal: AbortSignal): Promise<FleetGrades> =>
  fetchJson(`/api/fleets/${usdot}/loads/grades?days=${days}`, shape, { signal });
