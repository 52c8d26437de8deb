import { integer, list, nullable, number, object, text, type ShapeOf } from '@/lib/base/shape';
import { toCsvFile } from '@/lib/base/text/csv';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { clipSure, sumMs, toInside } from '@/lib/arrivals/sure';
import type { Appointment, StopVisit } from '@/lib/arrivals/load';
import { dayOf, dayRange, daysWithin } from '@/lib/trips/days';
import { getOrMake } from '@/lib/base/maps';
import { toPeriod, type ReportPeriod } from '@/lib/reports/periods';

/** What the figures are of: a site of the fleet, or a customer of loads. */
export const FACILITY_GROUPS = ['site', 'customer'] as const;
export type FacilityGroup = (typeof FACILITY_GROUPS)[number];

/** Monday first, as ISO 8601 numbers them. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const facilityRowSchema = object({
  /** The id of a site, or the name of a customer; `ALL_KEY`: all of them. */
  key: text,
  name: text,
  /** The first day of the period. */
  period: text,
  /** Stays that began in it, and how many of them last. */
  visits: integer(0),
  open: integer(0),
  /** Stays of which fixes show arrival and departure, and how long half and nine of ten of them lasted at most, ms. */
  stays: integer(0),
  medianMs: nullable(number),
  p90Ms: nullable(number),
  /** Arrivals at stops with an appointment; those between two fixes around its end; stops that were not seen. */
  inTime: integer(0),
  maybeInTime: integer(0),
  late: integer(0),
  notSeen: integer(0),
  /** Of detention statements about stays that began in it; null: there are none of these documents. */
  statements: integer(0),
  billedCents: nullable(number),
  /** How long trucks were there on each weekday, ms. */
  weekdayMs: list(number, WEEKDAYS.length),
});
export type FacilityRow = ShapeOf<typeof facilityRowSchema>;

/** GET /api/fleets/:usdot/facilities: each facility in each period, and all of them together. */
export const facilitiesSchema = object({
  nowMs: number,
  rows: list(facilityRowSchema),
  all: list(facilityRowSchema),
});
export type Facilities = ShapeOf<typeof facilitiesSchema>;

/** Stands for all facilities. */
export const ALL_KEY = '*';

/** A stay of a truck at a facility. */
export interface Stay extends Omit<StopVisit, 'siteId' | 'unit'> {
  key: string;
  name: string;
}

/** A stop with an appointment: when its truck came. Its time is the arrival, or the end of the appointment where none was seen. */
export interface Appointed {
  key: string;
  name: string;
  appointment: Appointment;
  arrival: Pick<StopVisit, 'arrivedAfterMs' | 'arrivedMs'> | null;
}

/** A detention statement about a stay. */
export interface Billed {
  key: string;
  name: string;
  arrivedMs: number;
  amountCents: number;
}

/** What is recorded of the facilities of a fleet; `billed` null: there are no statements here. */
export interface FacilityInput {
  stays: readonly Stay[];
  appointed: readonly Appointed[];
  billed: readonly Billed[] | null;
}

interface FacilityRange extends TimeRange {
  zone: string;
  each: ReportPeriod;
  nowMs: number;
}

/** Whether a truck was in time for an appointment; null: it may have come before its end or after it, between two fixes. */
export const isInTime = (
  { toMs }: Appointment,
  { arrivedMs, arrivedAfterMs }: NonNullable<Appointed['arrival']>,
): boolean | null => {
  if (arrivedMs <= toMs) return true;
  return arrivedAfterMs !== null && arrivedAfterMs > toMs ? false : null;
};

/** The least of sorted numbers that a share of them does not exceed; null: there are none. */
const rankOf = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? null;

/** A stay without the times that its truck was away, Unix ms. */
const toThere = ({ sure, arrivedMs, leftMs }: Stay, nowMs: number): TimeRange[] => {
  const range = { fromMs: arrivedMs, toMs: leftMs ?? nowMs };
  return toInside({ ...range, away: sure ? clipSure(sure, range).away : [] });
};

/** Adds a time to the weekdays of a zone, as far as it lies within a range, ms. */
const addWeekdays = (
  weekdayMs: number[],
  { fromMs, toMs }: TimeRange,
  { toMs: untilMs, zone }: Pick<FacilityRange, 'toMs' | 'zone'>,
): void => {
  const endMs = Math.min(toMs, untilMs);
  if (endMs <= fromMs) return;
  for (const day of daysWithin(fromMs, endMs, zone)) {
    const range = dayRange(day, zone);
    const weekday = (new Date(day).getUTCDay() + 6) % 7;
    weekdayMs[weekday]! += Math.min(endMs, range.toMs) - Math.max(fromMs, range.fromMs);
  }
};

/** A row in the making. */
type Open = Omit<FacilityRow, 'medianMs' | 'p90Ms' | 'stays'> & { staysMs: number[] };

const openRow = (key: string, name: string, period: string, hasStatements: boolean): Open => ({
  ...{ key, name, period, visits: 0, open: 0, inTime: 0, maybeInTime: 0, late: 0, notSeen: 0, statements: 0 },
  ...{ billedCents: hasStatements ? 0 : null, staysMs: [], weekdayMs: WEEKDAYS.map(() => 0) },
});

const closeRow = ({ staysMs, ...row }: Open): FacilityRow => {
  const sorted = staysMs.toSorted((a, b) => a - b);
  return { ...row, stays: sorted.length, medianMs: rankOf(sorted, 0.5), p90Ms: rankOf(sorted, 0.9) };
};

const addStay = (row: Open, stay: Stay, range: FacilityRange): void => {
  const { arrivedAfterMs, leftMs, leftByMs } = stay;
  const there = toThere(stay, range.nowMs);
  row.visits++;
  if (leftMs === null) row.open++;
  // Of the others no fix shows how long they lasted.
  else if (arrivedAfterMs !== null && leftByMs !== null) row.staysMs.push(sumMs(there));
  for (const part of there) addWeekdays(row.weekdayMs, part, range);
};

const addAppointed = (row: Open, { appointment, arrival }: Appointed): void => {
  const inTime = arrival && isInTime(appointment, arrival);
  if (arrival === null) row.notSeen++;
  else if (inTime === null) row.maybeInTime++;
  else row[inTime ? 'inTime' : 'late']++;
};

/** The figures of facilities in each period of a range: what began in it counts, by the clock of its zone. */
export const toFacilities = (
  { stays, appointed, billed }: FacilityInput,
  range: FacilityRange,
): Omit<Facilities, 'nowMs'> => {
  const { fromMs, toMs, zone, each } = range;
  const rows = new Map<string, Open>();
  const first = dayOf(fromMs, zone);
  const add = ({ key, name }: { key: string; name: string }, atMs: number, to: (row: Open) => void): void => {
    if (atMs < fromMs || atMs >= toMs) return;
    const period = toPeriod(dayOf(atMs, zone), each, first);
    for (const group of [
      { key, name },
      { key: ALL_KEY, name: 'All' },
    ])
      to(
        getOrMake(rows, `${period} ${group.key}`, () =>
          openRow(group.key, group.name, period, billed !== null),
        ),
      );
  };
  for (const stay of stays) add(stay, stay.arrivedMs, (row) => addStay(row, stay, range));
  for (const stop of appointed)
    add(stop, stop.arrival?.arrivedMs ?? stop.appointment.toMs, (row) => addAppointed(row, stop));
  for (const each of billed ?? [])
    add(each, each.arrivedMs, (row) => {
      row.statements++;
      row.billedCents! += each.amountCents;
    });
  const closed = [...rows.values()].map(closeRow);
  closed.sort(
    (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.period < b.period ? -1 : 1),
  );
  return {
    rows: closed.filter(({ key }) => key !== ALL_KEY),
    all: closed.filter(({ key }) => key === ALL_KEY),
  };
};

/** Stops with an appointment whose truck was seen to come. */
export const arrivalsOf = ({
  inTime,
  maybeInTime,
  late,
}: Pick<FacilityRow, 'inTime' | 'maybeInTime' | 'late'>): number => inTime + maybeInTime + late;

const toMinutes = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / MINUTE_MS));

export const toFacilitiesCsv = (rows: readonly FacilityRow[], by: FacilityGroup): string =>
  toCsvFile([
    [
      ...[by, 'from', 'visits', 'still_there', 'stays', 'stay_median_min', 'stay_p90_min'],
      ...['arrivals', 'in_time', 'may_be_in_time', 'late', 'not_seen', 'statements', 'detention_usd'],
      ...WEEKDAYS.map((day) => `${day.toLowerCase()}_h`),
    ],
    ...rows.map((row) => [
      ...[
        row.name,
        row.period,
        row.visits,
        row.open,
        row.stays,
        toMinutes(row.medianMs),
        toMinutes(row.p90Ms),
      ],
      ...[arrivalsOf(row), row.inTime, row.maybeInTime, row.late, row.notSeen, row.statements],
      row.billedCents === null ? null : (row.billedCents / 100).toFixed(2),
      ...row.weekdayMs.map((ms) => (ms / HOUR_MS).toFixed(2)),
    ]),
  ]);
