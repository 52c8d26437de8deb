import { integer, list, nullable, number, object, text } from '@/lib/wire/shape';
import type { ShapeOf } from '@/lib/wire/shape';

/** Meters in a state by its postal code; '' is over water and outside the US. */
const stateMilesSchema = object({ state: text, drivenM: number, bridgedM: number });

/**
 * What is known of a unit's day, as on its page: first and last motion (Unix ms; null: it did not move), times in ms and
 * straight lines in m.
 */
const unitDaySchema = object({
  /** The unit's key in the recording, which is its VIN if it has one. */
  key: text,
  name: text,
  firstMs: nullable(number),
  lastMs: nullable(number),
  movingMs: number,
  stoppedMs: number,
  silentMs: number,
  notRecordedMs: number,
  stops: integer(0),
  drivenM: number,
  bridgedM: number,
  states: list(stateMilesSchema),
});
export type UnitDay = ShapeOf<typeof unitDaySchema>;

/**
 * One line of GET /api/fleets/:usdot/report?from=&to=&zone=: some units of a day. `share` of the whole report is there with
 * it; the last line has 1, or says what went wrong.
 */
export const reportLineSchema = object({
  share: number,
  day: text,
  units: list(unitDaySchema),
  problem: nullable(text),
});
export type ReportLine = ShapeOf<typeof reportLineSchema>;
