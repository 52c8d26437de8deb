import { integer, list, number, nullable, object, text, type ShapeOf } from '@/lib/base/shape';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { toCsvFile } from '@/lib/base/text/csv';
import { toWallClock, type CivilDay } from '@/lib/trips/days';
import { groupBy } from '@/lib/base/maps';
import { HOUR_MS } from '@/lib/base/time';

/** Meters in a state by its postal code; '' is over water and outside the US. */
const stateMilesSchema = object({ state: text, drivenM: number, bridgedM: number });

/** A unit's day: first and last motion (Unix ms; null: it did not move), times in ms, straight lines in m. */
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

/** A line of GET /api/fleets/:usdot/report?from=&to=&zone=: some units of a day; `share` of the report, 1 in the last one. */
export const reportLineSchema = object({ share: number, day: text, units: list(unitDaySchema) });
export type ReportLine = ShapeOf<typeof reportLineSchema>;

export type ReportedDay = UnitDay & { day: CivilDay };
export type StateMiles = ShapeOf<typeof stateMilesSchema>;

const addStates = (lists: readonly (readonly StateMiles[])[]): StateMiles[] => {
  const sums = new Map<string, StateMiles>();
  for (const { state, drivenM, bridgedM } of lists.flat()) {
    const sum = sums.get(state) ?? { state, drivenM: 0, bridgedM: 0 };
    sums.set(state, { state, drivenM: sum.drivenM + drivenM, bridgedM: sum.bridgedM + bridgedM });
  }
  return [...sums.values()].sort((a, b) => b.drivenM - a.drivenM || b.bridgedM - a.bridgedM);
};

/** The miles of a unit over all days of a report. */
export type UnitMiles = Pick<UnitDay, 'key' | 'name' | 'drivenM' | 'bridgedM' | 'states'>;

/** The miles of each unit, and of all of them by state. */
export const toMiles = (days: readonly ReportedDay[]): { states: StateMiles[]; units: UnitMiles[] } => {
  const units = [...groupBy(days, ({ key }) => key).values()].map((own): UnitMiles => {
    const { key, name } = own.at(-1)!;
    const sum = (of: 'drivenM' | 'bridgedM'): number => own.reduce((total, day) => total + day[of], 0);
    const states = addStates(own.map((day) => day.states));
    return { key, name, drivenM: sum('drivenM'), bridgedM: sum('bridgedM'), states };
  });
  return { states: addStates(units.map(({ states }) => states)), units };
};

const toMilesText = (meters: number): string => (meters / METERS_PER_MILE).toFixed(1);
const toHours = (ms: number): string => (ms / HOUR_MS).toFixed(2);

export const toMilesCsv = (units: readonly UnitMiles[]): string =>
  toCsvFile([
    ['truck', 'key', 'state', 'miles_at_least', 'gap_miles'],
    ...units.flatMap(({ key, name, states }) =>
      states.map(({ state, drivenM, bridgedM }) => [
        ...[name, key, state === '' ? 'outside' : state],
        ...[toMilesText(drivenM), toMilesText(bridgedM)],
      ]),
    ),
  ]);

/** Units' days as CSV: times by the clock of a zone, durations in hours. */
export const toActivityCsv = (days: readonly ReportedDay[], zone: string): string => {
  const clock = (atMs: number | null): string | null => (atMs === null ? null : toWallClock(atMs, zone));
  const heads = ['first_motion', 'last_motion', 'driving_h', 'stopped_h', 'silent_h', 'not_recorded_h'];
  return toCsvFile([
    ['truck', 'key', 'day', ...heads, 'stops', 'miles_at_least', 'gap_miles'],
    ...days.map((each) => [
      ...[each.name, each.key, each.day, clock(each.firstMs), clock(each.lastMs)],
      ...[each.movingMs, each.stoppedMs, each.silentMs, each.notRecordedMs].map(toHours),
      ...[each.stops, toMilesText(each.drivenM), toMilesText(each.bridgedM)],
    ]),
  ]);
};
