/* Durations in milliseconds. A day here has 24 hours: calendar days are lib/trips/days.ts. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The wait after so many failures in a row, ms: the first one, doubled with each further failure up to the longest. */
export const toBackoffMs = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(30, failures - 1));

/** The time from `fromMs` until before `toMs`, Unix ms. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}
