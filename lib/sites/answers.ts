import { flag, integer, list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';

const visitShape = object({
  /** Key of the unit. */
  unit: text,
  arrivedAfterMs: nullable(number),
  arrivedMs: number,
  leftMs: nullable(number),
  leftByMs: nullable(number),
  /** How long it was away between arrival and departure, ms. */
  awayMs: integer(0),
  /** Fixes that came late prove it: polls did not show it at its time. */
  isLearnedLater: flag,
});

/** The minutes from which on a visit counts to each bar of the histogram. */
export const DWELL_STEPS_MIN = [0, 15, 30, 60, 120, 240, 480, 1440] as const;

/** The dwell times of visits that ended in a range. */
const dwellShape = object({
  visits: integer(0),
  /** Null without a visit. */
  medianMs: nullable(number),
  longestMs: nullable(number),
  /** How many lasted from each of DWELL_STEPS_MIN until before the next. */
  histogram: list(integer(0), DWELL_STEPS_MIN.length),
});

/** GET /api/fleets/:usdot/sites/:id/visits?from=&to= (Unix ms): who is at the site now, and the visits of a range. */
export const siteVisitsShape = object({
  nowMs: number,
  /** False: fleets are not recorded, so nothing is known. */
  isRecorded: flag,
  /** Since when polls are judged, Unix ms, and the share of the earlier recording searched, 0 to 1; null: an older site. */
  scan: nullable(object({ watchedFromMs: number, share: number })),
  /** Visits that have not ended, the longest first. */
  open: list(visitShape),
  /** Visits that began or ended in the range, the newest arrival first. */
  visits: list(visitShape),
  /** There are more than are listed. */
  hasMore: flag,
  dwell: dwellShape,
  /** The names of the units, as they were last. */
  units: list(object({ key: text, name: text })),
});
export type SiteVisits = ShapeOf<typeof siteVisitsShape>;
export type ListedVisit = ShapeOf<typeof visitShape>;

/** Stops are read of so many days. */
export const SUGGESTION_DAYS = 14;
/** A shorter stop is traffic, or a red light. */
export const LEAST_STOP_MIN = 10;
/** Stops within this distance of each other are at one place, m. */
export const NEAR_M = 150;
/** A place with fewer stops is not suggested. */
export const LEAST_STOPS = 5;
/** A wider place is divided into denser ones, m. */
export const WIDEST_M = 500;

/** GET /api/fleets/:usdot/sites/suggested: places where a fleet stopped often, and that are no site; most stops first. */
export const suggestionsShape = object({
  /** The stops are of [fromMs, toMs): fewer days than SUGGESTION_DAYS for a very large fleet. */
  fromMs: number,
  toMs: number,
  /** Stops at no site. */
  stops: integer(0),
  places: list(
    object({
      lat: number,
      lng: number,
      radiusM: number,
      stops: integer(0),
      /** Different units that stopped there. */
      units: integer(0),
      medianMs: number,
    }),
  ),
});
export type Suggestions = ShapeOf<typeof suggestionsShape>;
export type SuggestedPlace = Suggestions['places'][number];

/** The answer to an import: how many sites it added, changed and left as they were. */
export const importedCountsShape = object({ added: integer(0), changed: integer(0), unchanged: integer(0) });
export type ImportedCounts = ShapeOf<typeof importedCountsShape>;
