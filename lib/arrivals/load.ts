import { clipSure, joinSure, type SureStay } from './sure';

/** What a truck does at a stop. */
export const STOP_KINDS = ['pickup', 'delivery', 'other'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

/** When a truck is to arrive, Unix ms. */
export interface Appointment {
  fromMs: number;
  toMs: number;
}

/** A stop of a load as it is judged. */
export interface PlannedStop {
  siteId: number | null;
  kind: StopKind;
  appointment: Appointment | null;
}

/** A truck that has a load from one time to another, Unix ms; null: it has it still. */
export interface Assignment {
  unit: string;
  fromMs: number;
  toMs: number | null;
}

/** A load as it is judged: its stops in their order, and its trucks in the order of time. */
export interface PlannedLoad {
  id: number;
  stops: readonly PlannedStop[];
  trucks: readonly Assignment[];
  /** When it was ended by hand, Unix ms; null: it is judged. */
  endedMs: number | null;
}

/** A truck at a site, Unix ms: it came after `arrivedAfterMs` and was gone by `leftByMs`, where these are known. */
export interface StopVisit {
  siteId: number;
  unit: string;
  arrivedAfterMs: number | null;
  arrivedMs: number;
  /** The last fix inside; null: it is there. */
  leftMs: number | null;
  leftByMs: number | null;
  /** What its fixes prove of it; absent or null: it is not counted yet, or they prove nothing. */
  sure?: SureStay | null;
}

/** How far a load is. `at…`: its truck is at a stop of this kind; `to…`: on the way to one. */
export const LOAD_STATES = [
  'noTruck',
  ...(['toPickup', 'atPickup', 'toDelivery', 'atDelivery', 'toOther', 'atOther'] as const),
  ...(['delivered', 'closed'] as const),
] as const;
export type LoadState = (typeof LOAD_STATES)[number];

/** A stop after it was judged. */
export interface JudgedStop {
  /** The truck's stay there, from its first arrival to its last departure before the next stop; null: none was seen. */
  visit: StopVisit | null;
  /** A later stop was visited, but this one was not seen to be: what happened here is not known. */
  isPassed: boolean;
  /** The stay of each truck while it had the load there, in order; absent: of one truck. */
  parts?: readonly StopVisit[];
}

export interface JudgedLoad {
  state: LoadState;
  stops: readonly JudgedStop[];
  /** The stop that the truck is at or goes to; null: all are done. */
  next: number | null;
  /** The truck that has the load. */
  unit: string | null;
  /** When the last stop was left, or the load was ended by hand, Unix ms. */
  endedMs: number | null;
}

/** A truck may come so long before its appointment: it was there for something else before that. */
const EARLIEST_MS = 12 * 3_600_000;

const endOf = ({ leftMs, leftByMs }: StopVisit): number =>
  leftMs === null ? Infinity : (leftByMs ?? leftMs);

/** A visit of a truck with the load, which it had there from `sinceMs` on. */
interface LoadedVisit {
  visit: StopVisit;
  sinceMs: number;
  /** Null: until the end of its visit. */
  untilMs: number | null;
}

/** The visits during which their truck had the load, in the order in which the load was there. */
const toLoaded = (visits: readonly StopVisit[], trucks: readonly Assignment[]): LoadedVisit[] =>
  visits
    .flatMap((visit): LoadedVisit[] => {
      const had = trucks.find(
        ({ unit, fromMs, toMs }) =>
          unit === visit.unit && visit.arrivedMs < (toMs ?? Infinity) && endOf(visit) > fromMs,
      );
      return had ? [{ visit, sinceMs: Math.max(visit.arrivedMs, had.fromMs), untilMs: had.toMs }] : [];
    })
    .sort(
      (a, b) =>
        a.sinceMs - b.sinceMs ||
        a.visit.arrivedMs - b.visit.arrivedMs ||
        a.visit.unit.localeCompare(b.visit.unit) ||
        // Circles that lie in each other may be entered by one fix.
        (a.visit.leftMs ?? Infinity) - (b.visit.leftMs ?? Infinity) ||
        a.visit.siteId - b.visit.siteId,
    );

/** Whether a visit counts for a stop: it is there, and not long before the appointment. */
const countsFor = (visit: StopVisit, { siteId, appointment }: PlannedStop): boolean =>
  visit.siteId === siteId && endOf(visit) >= (appointment?.fromMs ?? -Infinity) - EARLIEST_MS;

/**
 * A visit as a stay of the load after another stay. A truck that has waited where it takes the load on was there before, and
 * may have been seen there last before: the load came when that truck got it.
 */
const toStay = ({ visit, sinceMs }: LoadedVisit): StopVisit => {
  const { arrivedMs, leftMs } = visit;
  if (sinceMs === arrivedMs) return visit;
  const left = leftMs === null ? null : Math.max(leftMs, sinceMs);
  const stay = { ...visit, arrivedAfterMs: null, arrivedMs: sinceMs, leftMs: left };
  if (!visit.sure) return stay;
  const sure = clipSure(visit.sure, { fromMs: sinceMs, toMs: Infinity });
  return { ...stay, sure: sure.toMs > sure.fromMs ? sure : null };
};

const KIND_NAMES = { pickup: 'Pickup', delivery: 'Delivery', other: 'Other' } as const;

/**
 * What became of a load, from the visits of its trucks in any order. A stop is done when a truck that had the load was there
 * after the stop before, and left. The result does not depend on the order in which visits became known.
 */
export const judgeLoad = (load: PlannedLoad, visits: readonly StopVisit[]): JudgedLoad => {
  const { stops, trucks } = load;
  const judged: JudgedStop[] = stops.map(() => ({ visit: null, isPassed: false }));
  let last = -1;
  let untilMs: number | null = null;
  for (const loaded of toLoaded(visits, trucks)) {
    const { visit } = loaded;
    const previous = judged[last]?.visit ?? null;
    // The stop where the load is, or the first after it that this visit counts for.
    const index = stops.findIndex((stop, i) => i >= Math.max(0, last) && countsFor(visit, stop));
    if (index < 0) continue;
    if (index === last) {
      const parts = addPart(partsOf(judged[index]!), loaded, untilMs);
      judged[index] = {
        visit: { ...extend(previous!, loaded.visit), ...(parts.length > 1 && joinStays(parts)) },
        ...{ isPassed: false, ...(parts.length > 1 && { parts }) },
      };
      ({ untilMs } = loaded);
    } else {
      const stay = previous ? toStay(loaded) : visit;
      if (previous) judged[last] = leaveStop(judged[last]!, stay);
      judged[index] = { visit: stay, isPassed: false };
      ({ untilMs } = loaded);
      for (let i = last + 1; i < index; i += 1) judged[i] = { visit: null, isPassed: true };
      last = index;
    }
  }
  const unit = trucks.find(({ toMs }) => toMs === null)?.unit ?? null;
  const isLeft = last >= 0 && judged[last]!.visit!.leftMs !== null;
  const next = last < 0 ? 0 : isLeft ? last + 1 : last;
  if (load.endedMs !== null)
    return { state: 'closed', stops: judged, next: null, unit, endedMs: load.endedMs };
  if (next >= stops.length)
    return { state: 'delivered', stops: judged, next: null, unit, endedMs: judged[last]!.visit!.leftMs };
  const kind = KIND_NAMES[stops[next]!.kind];
  const state = next === last ? (`at${kind}` as const) : unit === null ? 'noTruck' : (`to${kind}` as const);
  return { state, stops: judged, next, unit, endedMs: null };
};

const joinStays = (stays: readonly StopVisit[]): Pick<StopVisit, 'sure'> =>
  stays.every(({ sure }) => sure === undefined)
    ? {}
    : { sure: joinSure(stays.flatMap(({ sure }) => sure ?? [])) };

/** A stay that goes on with a later visit: a truck came back before it went to the next stop, or took the load on there. */
const extend = (stay: StopVisit, again: StopVisit): StopVisit => ({
  ...stay,
  ...joinStays([stay, again]),
  // The last fix of a truck that takes it on may be older than the load's arrival.
  leftMs: again.leftMs === null ? null : Math.max(again.leftMs, stay.arrivedMs),
  leftByMs: again.leftByMs,
});

/** A stay that was over when the next one began, also where a truck without the load has stayed on. */
const leave = (stay: StopVisit, { arrivedMs }: Pick<StopVisit, 'arrivedMs'>): StopVisit => {
  if ((stay.leftMs ?? Infinity) <= arrivedMs) return stay;
  // One that lasts is counted once its truck has left.
  const isCounted = stay.sure && stay.leftMs !== null;
  return {
    ...{ ...stay, leftMs: arrivedMs, leftByMs: arrivedMs },
    ...(stay.sure && {
      sure: isCounted ? clipSure(stay.sure, { fromMs: -Infinity, toMs: arrivedMs }) : null,
    }),
  };
};

const leaveStop = ({ visit, isPassed, parts }: JudgedStop, next: StopVisit): JudgedStop => ({
  ...{ visit: leave(visit!, next), isPassed },
  ...(parts && { parts: parts.map((part) => leave(part, next)) }),
});

/** The stays of each truck at a stop, in order. */
export const partsOf = ({ visit, parts }: JudgedStop): readonly StopVisit[] =>
  parts ?? (visit ? [visit] : []);

/** The parts of a stay after another visit: the same truck came back, or another one took the load on, until `untilMs` the one before had it. */
const addPart = (
  parts: readonly StopVisit[],
  loaded: LoadedVisit,
  untilMs: number | null,
): readonly StopVisit[] => {
  const before = parts.at(-1)!;
  if (before.unit === loaded.visit.unit) return [...parts.slice(0, -1), extend(before, loaded.visit)];
  const stay = toStay(loaded);
  const endMs = Math.min(untilMs ?? Infinity, stay.arrivedMs);
  return [...parts.slice(0, -1), leave(before, { arrivedMs: Math.max(before.arrivedMs, endMs) }), stay];
};

/** Whether a load is in time for its next stop. */
export const VERDICTS = ['atRisk', 'late', 'unknown', 'onTime', 'none'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * The verdict for a stop at a time (Unix ms): `late` where the truck cannot be there in time by its window, or was not; `atRisk`
 * where the window reaches beyond the appointment; `unknown` without a window or a site; `none` without an appointment.
 */
export const toVerdict = (
  { siteId, appointment }: Pick<PlannedStop, 'siteId' | 'appointment'>,
  arrival: Pick<StopVisit, 'arrivedAfterMs' | 'arrivedMs'> | null,
  window: { fromMs: number; toMs: number } | null,
  nowMs: number,
): Verdict => {
  if (appointment === null) return 'none';
  const { toMs } = appointment;
  // Between two fixes it may have come in time.
  if (arrival) return (arrival.arrivedAfterMs ?? arrival.arrivedMs) > toMs ? 'late' : 'onTime';
  // Where it is to go is not known.
  if (siteId === null) return 'unknown';
  if (nowMs > toMs) return 'late';
  if (window === null) return 'unknown';
  if (window.fromMs > toMs) return 'late';
  return window.toMs > toMs ? 'atRisk' : 'onTime';
};
