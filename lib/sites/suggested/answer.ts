import { integer, list, number, object, type ShapeOf } from '@/lib/base/shape';

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
