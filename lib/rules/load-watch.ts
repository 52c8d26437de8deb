import {
  Arrivals,
  LEAST_EXPECTED_MS,
  MOST_SILENT_MS,
  type ArrivalWindow,
  type Estimate,
} from '@/lib/arrivals/arrivals';
import type { RoadFix, Way } from '@/lib/arrivals/drives';
import { prepareWays } from '@/lib/arrivals/find-way';
import type { Searching } from '@/lib/arrivals/learned-roads';
import { UNKNOWN_HOURS, followFix, toDuty, type TruckHours } from '@/lib/arrivals/duty';
import { LEADS_MS, type Grade } from '@/lib/arrivals/grades';
import {
  judgeLoad,
  toVerdict,
  type JudgedLoad,
  type JudgedStop,
  type PlannedLoad,
  type StopVisit,
  type Verdict,
} from '@/lib/arrivals/load';
import { MINUTE_MS } from '@/lib/base/time';
import { addTo } from '@/lib/base/maps';
import { DEGREES_PER_E5, type LatLng } from '@/lib/geo/units';
import { STATUSES } from '@/lib/motion/status';
import { NO_POSITION, type FleetRows } from '@/lib/wire/fleet';
import { LoadRoutes, type RouteQuery } from './load-routes';
import { toLoadCase, toNearing, type LoadCase, type Nearing, type StopText } from './load-cases';
import { UNTRUSTED_FLAGS } from './site-tracker';
import type { PollStep, Renamed } from './poll-step';

/** A window as it was shown for a stop. */
export interface LoadWindow extends ArrivalWindow {
  shownMs: number;
  unit: string;
  position: number;
  /** How its truck had neared the stop by then. */
  nearing?: Nearing | null;
}

/** Why there is no window. */
export const NO_WINDOW = ['noTruck', 'notSeen', 'silent', 'atStop', 'noPlace', 'unsure', 'waits'] as const;
export type NoWindow = (typeof NO_WINDOW)[number];

/** A load under way as a feed watches it. */
export interface WatchedLoad extends PlannedLoad {
  /** How often its stops were changed; absent: never. */
  revision?: number;
  /** How alerts name it; absent: not at all. */
  reference?: string;
  customer?: string;
  /** How alerts name its stops. */
  texts?: readonly StopText[];
  /** When another truck was checked last at a dock, Unix ms; absent or null: none was. */
  wrongCheckMs?: number | null;
  /** Where its stops are. */
  places: readonly LatLng[];
  /** The visits of its trucks to the sites of its stops that are recorded. */
  visits: readonly StopVisit[];
  /** Earlier windows for the next stop. */
  shown: readonly LoadWindow[];
  /** What was found last; null: nothing. */
  known: Pick<LoadChange, 'state' | 'next' | 'verdict'> | null;
}

/** Something that happened to a load. */
export interface LoadEvent {
  kind: 'arrived' | 'left' | 'passed' | 'ended';
  atMs: number;
  position: number;
  unit: string;
}

/** A window at a fixed time before an arrival, and when the truck arrived. */
export interface GradedWindow extends LoadWindow {
  leadMs: number;
  arrivedMs: number;
}

/** What a poll found of a load that was not known before. */
export interface LoadChange {
  loadId: number;
  /** That of the load that was judged. */
  revision: number;
  state: JudgedLoad['state'];
  next: number | null;
  verdict: Verdict;
  window: LoadWindow | null;
  noWindow: NoWindow | null;
  endedMs: number | null;
  shown: readonly LoadWindow[];
  events: readonly LoadEvent[];
  grades: readonly GradedWindow[];
}

/** What a watch does not know yet of its loads' trucks and roads. */
export interface ArrivalsQuery {
  /** What it has was learned up to then, Unix ms; null: nothing. */
  throughMs: number | null;
  hasGrades: boolean;
  /** Trucks whose driving hours it does not know. */
  units: readonly string[];
}

/** What a fleet's recording says of the arrivals of its trucks. */
export interface ArrivalsStart {
  /** Null: there is none, or none that is newer. */
  learned: { throughMs: number; packed: ArrayBuffer } | null;
  /** The grades of the last weeks, oldest first. */
  grades: readonly Grade[];
  hours: ReadonlyMap<string, TruckHours>;
}

type Arriving = Pick<StopVisit, 'arrivedAfterMs' | 'arrivedMs'>;

/** What a unit in a row does at sites: it visits them, or is about to. */
export type PresencesOf = (row: number) => readonly (Arriving & {
  isVisit: boolean;
  tracked: { site: { id: number } };
})[];

interface Held {
  /** Its place in the lists of a watch. */
  index: number;
  load: WatchedLoad;
  visits: Map<string, StopVisit>;
  judged: JudgedLoad;
  window: LoadWindow | null;
  /** What the window was estimated by. */
  by: Arrivals | null;
  noWindow: NoWindow | null;
  nearing: Nearing | null;
  /** The visit of its truck to its stop that is about to be one: its newest fix is inside; null: none. */
  arriving: Arriving | null;
  shown: readonly LoadWindow[];
  verdict: Verdict;
  reportedNoWindow: NoWindow | null;
  /** Roads are searched for it while less is left, m: a search from farther away found nothing. */
  searchBelowM: number;
  /** The poll in which it was looked at last. */
  lookedAt: number;
  /** How often the device of its truck reports, ms. */
  rhythmMs: number;
  /** When its truck has been silent for too long, Unix ms. */
  silentMs: number;
  /** Its judgment or verdict is not what was written last. */
  isChanged: boolean;
  events: LoadEvent[];
  grades: GradedWindow[];
  writtenMs: number;
}

/** A poll looks at loads for so long. */
const LOOK_MS = 10;
/** A poll estimates for so long; the loads that are left wait for the next one, and their windows widen. */
const ESTIMATE_MS = 10;
/** A poll searches so many cells of roads at most, as many as one search may, and begins none once it has taken so long itself. */
const SEARCH_CELLS = 15_000;
const SEARCH_MS = 22;
/** Estimates that a poll makes however long they take. */
const LEAST_ESTIMATES = 20;
/** Roads that led nowhere are searched again once so much of the way is left. */
const SEARCH_AGAIN_SHARE = 0.9;
/** An estimate is made again once its truck has a fix that is later by so much of what was left, or by so many minutes. */
const SOONEST_SHARE = 0.02;
const LATEST_MS = 10 * MINUTE_MS;
/**
 * A load whose truck has no newer fix is looked at so often, and a window that only moved is written so often: of more than
 * a thousand loads as much less often as there are more.
 */
const LOOK_EVERY_MS = MINUTE_MS;
const FEW_LOADS = 1000;
/** Windows that only moved and are written in one poll. */
const MOST_MOVED = 500;
/** Gaps between earlier windows are at most this share of their age. */
const SHOWN_SHARE = 0.2;
const OLDEST_SHOWN_MS = 1.5 * LEADS_MS.at(-1)!;
const LEAST_APART_MS = MINUTE_MS;
/** A window that was shown so much before or after a lead time counts for it. */
export const LEAD_SHARE = 0.15;

const STOPPED = STATUSES.indexOf('stopped');
const USUAL_RHYTHM_MS = 2 * MINUTE_MS;

const visitKey = ({ siteId, unit, arrivedMs }: StopVisit): string => `${siteId} ${arrivedMs} ${unit}`;

/** Whether a visit is a part of a recorded one, of which polls did not see the beginning. */
const isWithin = ({ siteId, unit, arrivedMs }: StopVisit, recorded: readonly StopVisit[]): boolean =>
  recorded.some(
    (each) =>
      each.siteId === siteId &&
      each.unit === unit &&
      each.arrivedMs <= arrivedMs &&
      (each.leftMs ?? Infinity) >= arrivedMs,
  );

/** What a judgment has that the one before had not. */
export const toEvents = (
  before: readonly JudgedStop[],
  { stops, state, endedMs }: Pick<JudgedLoad, 'stops' | 'state' | 'endedMs'>,
): LoadEvent[] => {
  const events = stops.flatMap(({ visit, isPassed }, position): LoadEvent[] => {
    const was = before[position];
    const { unit = '', arrivedMs = 0, leftMs = null } = visit ?? {};
    return [
      ...(visit && was?.visit?.arrivedMs !== arrivedMs
        ? [{ kind: 'arrived' as const, atMs: arrivedMs, position, unit }]
        : []),
      ...(leftMs !== null && was?.visit?.leftMs !== leftMs
        ? [{ kind: 'left' as const, atMs: leftMs, position, unit }]
        : []),
      ...(isPassed && !was?.isPassed
        ? [
            {
              kind: 'passed' as const,
              atMs: stops.slice(position).find((stop) => stop.visit)!.visit!.arrivedMs,
              position,
              unit: '',
            },
          ]
        : []),
    ];
  });
  if (state === 'delivered')
    events.push({ kind: 'ended', atMs: endedMs!, position: stops.length - 1, unit: '' });
  return events;
};

/** Adds a window to earlier ones, of which those are left out that two others replace: the gaps between them grow with age. */
export const keepShown = (shown: readonly LoadWindow[], window: LoadWindow): readonly LoadWindow[] => {
  // It was estimated twice.
  if (window.shownMs === shown.at(-1)?.shownMs) return [...shown.slice(0, -1), window];
  if (window.shownMs - (shown.at(-1)?.shownMs ?? -Infinity) < LEAST_APART_MS) return shown;
  const kept: LoadWindow[] = [window];
  shown.toReversed().forEach((older, i, all) => {
    const ageMs = window.shownMs - older.shownMs;
    const gapMs = kept.at(-1)!.shownMs - (all[i + 1]?.shownMs ?? -Infinity);
    if (ageMs <= OLDEST_SHOWN_MS && gapMs > ageMs * SHOWN_SHARE) kept.push(older);
  });
  return kept.reverse();
};

/** The windows that were shown at the lead times before an arrival. */
export const toGrades = (shown: readonly LoadWindow[], arrivedMs: number): GradedWindow[] =>
  LEADS_MS.flatMap((leadMs) => {
    const atMs = arrivedMs - leadMs;
    const nearest = shown.toSorted((a, b) => Math.abs(a.shownMs - atMs) - Math.abs(b.shownMs - atMs))[0];
    if (!nearest || Math.abs(nearest.shownMs - atMs) > leadMs * LEAD_SHARE) return [];
    return [{ ...nearest, leadMs, arrivedMs }];
  });

/** The newest fix of a load's truck. */
interface SeenFix extends RoadFix {
  isStanding: boolean;
  isTrusted: boolean;
  /** How often its device reports, ms. */
  rhythmMs: number;
}

/** The fix that an estimate stands on, or why there is none. */
const toFix = (
  { judged, load, arriving }: Held,
  { columns }: FleetRows,
  row: number,
  seenMs: number,
): SeenFix | NoWindow => {
  if (judged.next === null || judged.unit === null) return 'noTruck';
  if (judged.state.startsWith('at') || arriving !== null) return 'atStop';
  if (load.stops[judged.next]!.siteId === null) return 'noPlace';
  const { latE5, lngE5, fixAtS, status, flags, datedAfterS } = columns;
  if (row < 0 || latE5[row] === NO_POSITION || fixAtS[row] === 0) return 'notSeen';
  const fixAtMs = fixAtS[row]! * 1000;
  if (seenMs - fixAtMs > MOST_SILENT_MS) return 'silent';
  return {
    ...{ lat: latE5[row]! * DEGREES_PER_E5, lng: lngE5[row]! * DEGREES_PER_E5, fixAtMs },
    isStanding: status[row] === STOPPED,
    isTrusted: (flags[row]! & UNTRUSTED_FLAGS) === 0,
    rhythmMs: datedAfterS[row]! * 1000 || USUAL_RHYTHM_MS,
  };
};

/** Whether a window is of the stop and the truck that its load has now. */
const isOf = ({ judged }: Pick<Held, 'judged'>, { position, unit }: LoadWindow): boolean =>
  position === judged.next && unit === judged.unit;

/** Whether the last estimate still says enough, so that only the time moves its window. */
const isFresh = (held: Held, { fixAtMs, isTrusted }: SeenFix, by: Arrivals): boolean => {
  const { window } = held;
  if (window === null || !isOf(held, window)) return false;
  if (!isTrusted) return true;
  return held.by === by && fixAtMs - window.fixAtMs < Math.min(LATEST_MS, window.expectedMs * SOONEST_SHARE);
};

/** When the verdict of a load changes by the time alone, at the earliest, Unix ms: its window moves, or its appointment ends. */
const toTurnMs = (held: Held, seenMs: number): number => {
  const { judged, load, window, rhythmMs, arriving } = held;
  const { next, stops } = judged;
  const appointment = next === null ? null : load.stops[next]!.appointment;
  const isThere = next !== null && (stops[next]!.visit !== null || arriving !== null);
  if (appointment === null || isThere || seenMs > appointment.toMs) return Infinity;
  const { toMs } = appointment;
  if (window === null || window.toMs > toMs) return toMs + 1;
  const movedMs = Math.max(seenMs, window.fixAtMs + rhythmMs) + toMs - window.toMs;
  return Math.min(Math.max(seenMs, toMs - LEAST_EXPECTED_MS) + 1, movedMs);
};

/** Whether no search of roads could find a better way. */
const isByRoads = ({ by }: Estimate): boolean => by === 'usual' || by === 'engine' || by === 'roads';

/** Judges the loads of a fleet that are under way, poll by poll: what happened, and when their trucks arrive. Pure: times and visits are given to it. */
export class LoadWatch {
  #held = new Map<number, Held>();
  #list: readonly Held[] = [];
  #byUnit = new Map<string, Held[]>();
  #bySite = new Map<number, Held[]>();
  #arrivals: Arrivals;
  /** Up to when the recording was learned from, Unix ms; null: nothing was. */
  #throughMs: number | null = null;
  #hasGrades = false;
  /** The driving hours of the trucks that have a load. */
  #hours = new Map<string, TruckHours>();
  /** The row of each truck with a load in the last poll; null: it is to be found. */
  #rowOf: Map<string, number> | null = null;
  /** By the indexes of loads: the row of its truck, what was seen of it last, and when it is looked at again, Unix ms. */
  #rows = new Int32Array(0);
  #seen = new Float64Array(0);
  #dueMs = new Float64Array(0);
  /** Null: there is no routing engine. */
  readonly #routes: LoadRoutes<SeenFix> | null;
  #polls = 0;
  /** The load that a poll looks at first. */
  #lookFrom = 0;
  /** Loads that a visit of this poll has changed. */
  readonly #visited = new Set<number>();
  /** The loads that wait for an estimate, and for a search of roads, the one that waits longest first. */
  readonly #toEstimate = new Set<number>();
  readonly #toSearch = new Set<number>();
  readonly #spentMs: () => number;
  #presencesOf: PresencesOf = () => [];

  /** `spentMs` is a clock that measures how long a poll takes. */
  constructor({ isRouted = false, arrivals = new Arrivals(), spentMs = () => performance.now() } = {}) {
    this.#arrivals = arrivals;
    this.#spentMs = spentMs;
    this.#routes = isRouted ? new LoadRoutes() : null;
  }

  /** Sets the loads that are under way. */
  configure(loads: readonly WatchedLoad[]): void {
    const [before, seen, dueMs] = [this.#held, this.#seen, this.#dueMs];
    this.#list = loads.map((load, index) => ({ ...this.#hold(load, before.get(load.id)), index }));
    this.#held = new Map(this.#list.map((held) => [held.load.id, held]));
    this.#rows = new Int32Array(loads.length).fill(-1);
    this.#seen = new Float64Array(loads.length);
    this.#dueMs = new Float64Array(loads.length);
    for (const { index, load, judged, isChanged } of this.#list) {
      const was = before.get(load.id);
      const isSame = was?.judged.next === judged.next && was.judged.unit === judged.unit;
      // The others are looked at with the next poll.
      if (!isSame || isChanged || was.load.revision !== load.revision) continue;
      this.#seen[index] = seen[was.index]!;
      this.#dueMs[index] = dueMs[was.index]!;
    }
    for (const waiting of [this.#toEstimate, this.#toSearch])
      for (const id of waiting) if (!this.#held.has(id)) waiting.delete(id);
    this.#rowOf = null;
    this.#byUnit = new Map();
    this.#bySite = new Map();
    for (const held of this.#list) {
      for (const unit of new Set(held.load.trucks.map((truck) => truck.unit)))
        addTo(this.#byUnit, unit, held);
      for (const { siteId } of held.load.stops) if (siteId !== null) addTo(this.#bySite, siteId, held);
    }
    for (const unit of this.#hours.keys()) if (!this.#byUnit.has(unit)) this.#hours.delete(unit);
    this.#routes?.keepOnly(this.#held);
    if (this.#held.size === 0) this.#forget();
    else prepareWays();
  }

  /** A fleet without loads needs no memory for them. */
  #forget(): void {
    if (this.#throughMs !== null) this.#arrivals = new Arrivals({ grades: this.#arrivals.grades });
    this.#throughMs = null;
  }

  /** What is to be read for its loads; null: nothing has to be, as there are none. */
  lacks(): ArrivalsQuery | null {
    if (this.#held.size === 0) return null;
    const units = [...this.#byUnit.keys()].filter((unit) => !this.#hours.has(unit));
    return { throughMs: this.#throughMs, hasGrades: this.#hasGrades, units };
  }

  /** Takes what was read; what it estimated by what it knew before is estimated again. @throws if it cannot be unpacked */
  learn({ learned, grades, hours }: ArrivalsStart, { units }: Pick<ArrivalsQuery, 'units'>): void {
    for (const unit of units)
      if (this.#byUnit.has(unit)) this.#hours.set(unit, hours.get(unit) ?? UNKNOWN_HOURS);
    for (const grade of grades) this.#arrivals.grades.add(grade);
    this.#hasGrades = true;
    if (learned === null) return;
    this.#arrivals = Arrivals.unpack(learned.packed, this.#arrivals.grades);
    this.#throughMs = learned.throughMs;
    for (const held of this.#list) {
      held.searchBelowM = Infinity;
      this.#toEstimate.add(held.load.id);
    }
  }

  /** The ways that a routing engine is to be asked for next. */
  takeRouteQueries(): RouteQuery[] {
    return this.#routes?.take() ?? [];
  }

  /** Takes its answers, in the order of the queries: null where it has none. The next poll estimates by them. */
  learnRoutes(queries: readonly RouteQuery[], ways: readonly (Way | null)[]): void {
    for (const loadId of this.#routes?.answer(queries, ways) ?? []) {
      if (this.#held.has(loadId)) this.#toEstimate.add(loadId);
    }
  }

  #hold(load: WatchedLoad, before: Held | undefined): Omit<Held, 'index'> {
    // What is recorded replaces what polls found, which may not be written yet.
    const found = [...(before?.visits.values() ?? [])].filter((visit) => !isWithin(visit, load.visits));
    const visits = new Map([...found, ...load.visits].map((visit) => [visitKey(visit), visit]));
    const judged = judgeLoad(load, [...visits.values()]);
    const isSame = load.known?.state === judged.state && load.known.next === judged.next;
    const window = before?.window ?? null;
    const isKept = window !== null && isOf({ judged }, window);
    const isSameStop =
      before?.judged.next === judged.next &&
      before.judged.unit === judged.unit &&
      before.load.stops[judged.next ?? 0]?.siteId === load.stops[judged.next ?? 0]?.siteId;
    return {
      arriving: isSameStop ? before.arriving : null,
      ...{ load, visits, judged, window: isKept ? window : null, by: before?.by ?? null },
      ...{
        noWindow: before?.noWindow ?? 'waits',
        lookedAt: 0,
        rhythmMs: before?.rhythmMs ?? USUAL_RHYTHM_MS,
      },
      ...{ searchBelowM: isKept ? before!.searchBelowM : Infinity, silentMs: before?.silentMs ?? Infinity },
      nearing: before?.nearing ?? load.shown.at(-1)?.nearing ?? null,
      ...{ shown: before?.shown ?? load.shown, verdict: load.known?.verdict ?? 'unknown' },
      reportedNoWindow: before?.reportedNoWindow ?? null,
      // What happened while nothing was watched is written again: an event that is known is not written twice.
      ...{ events: isSame ? [] : toEvents([], judged), grades: [] },
      // A poll may have written what was so with the truck before, after the load got another one.
      isChanged: !isSame || (before !== undefined && before.judged.unit !== judged.unit),
      writtenMs: before && before.load.revision === load.revision ? before.writtenMs : -Infinity,
    };
  }

  /** What a poll showed: its rows, and the visits that began or ended with it. */
  observe(step: PollStep, visits: readonly StopVisit[], presencesOf: PresencesOf = () => []): LoadChange[] {
    const { seenMs, renamed } = step;
    this.#presencesOf = presencesOf;
    if (this.#held.size === 0) return [];
    const fromMs = this.#spentMs();
    for (const visit of visits)
      for (const held of this.#bySite.get(visit.siteId) ?? []) this.#visit(held, visit);
    if (renamed.length > 0) this.#rename(renamed);
    this.#findRows(step);
    this.#polls += 1;
    const looked = this.#look(step);
    this.#estimateWaiting(step, looked, fromMs);
    for (const held of looked) if (this.#toEstimate.has(held.load.id)) this.#wait(held, seenMs);

    return this.#report(looked, seenMs);
  }

  /**
   * Looks at the loads whose truck has another fix and at those whose time has come; the others are as they were. Where
   * there are too many, as after a start, the rest is looked at first with the next poll.
   */
  #look(step: PollStep): Held[] {
    const { rows, seenMs } = step;
    const { fixAtS, flags } = rows.columns;
    const looked: Held[] = [];
    const look = (held: Held): void => {
      if (held.lookedAt !== this.#polls) looked.push(held);
      this.#lookAt(held, step);
    };
    for (const id of this.#visited) look(this.#held.get(id)!);
    this.#visited.clear();
    const fromMs = this.#spentMs();
    const { length } = this.#list;
    for (let n = 0; n < length; n += 1) {
      const i = (this.#lookFrom + n) % length;
      const row = this.#rows[i]!;
      // A position that is doubted has the time of its fix below zero.
      const seen = row < 0 ? 0 : (flags[row]! & UNTRUSTED_FLAGS) === 0 ? fixAtS[row]! : -fixAtS[row]!;
      if (seen === this.#seen[i] && seenMs < this.#dueMs[i]!) continue;
      if (looked.length % 64 === 63 && this.#spentMs() - fromMs >= LOOK_MS) {
        this.#lookFrom = i;
        break;
      }
      this.#seen[i] = seen;
      look(this.#list[i]!);
    }
    return looked;
  }

  /** The rows of the trucks with a load. */
  #findRows({ rows, before, moved, gone }: PollStep): void {
    if (before === null || moved.length + gone.length > 0) this.#rowOf = null;
    if (this.#rowOf !== null) return;
    this.#rowOf = new Map();
    for (const [row, identity] of rows.identities.entries())
      if (identity && this.#byUnit.has(identity.key)) this.#rowOf.set(identity.key, row);
    for (const { index, judged } of this.#list) this.#rows[index] = this.#rowOf.get(judged.unit ?? '') ?? -1;
  }

  /** What rules judge, by unit, after the last poll. */
  listCases(): Map<string, LoadCase[]> {
    const cases = new Map<string, LoadCase[]>();
    for (const held of this.#list) {
      const found = toLoadCase(held);
      if (found !== null) addTo(cases, found.unit, found);
    }
    return cases;
  }

  #visit(held: Held, visit: StopVisit): void {
    if (!held.load.trucks.some(({ unit }) => unit === visit.unit)) return;
    held.visits.set(visitKey(visit), visit);
    const judged = judgeLoad(held.load, [...held.visits.values()]);
    const events = toEvents(held.judged.stops, judged);
    if (events.length === 0 && judged.next === held.judged.next) return;
    for (const { kind, atMs, position } of events) {
      // A visit that got another beginning is graded already.
      if (kind !== 'arrived' || held.judged.stops[position]!.visit !== null) continue;
      const grades = toGrades(
        held.shown.filter((window) => window.position === position),
        atMs,
      );
      held.grades.push(...grades);
      for (const { arrivedMs, fixAtMs, fromMs, toMs, ...estimate } of grades) {
        const was = arrivedMs < fromMs ? 'before' : arrivedMs > toMs ? 'after' : 'within';
        this.#arrivals.grades.add({ ...estimate, actualMs: arrivedMs - fixAtMs, was });
      }
    }
    held.events.push(...events);
    if (judged.next !== held.judged.next || judged.unit !== held.judged.unit) {
      held.shown = [];
      held.window = null;
      held.searchBelowM = Infinity;
    }
    held.judged = judged;
    held.isChanged = true;
    this.#rows[held.index] = this.#rowOf?.get(judged.unit ?? '') ?? -1;
    this.#visited.add(held.load.id);
  }

  #rename(renamed: readonly Renamed[]): void {
    const names = new Map(renamed);
    this.#hours = new Map([...this.#hours].map(([unit, hours]) => [names.get(unit) ?? unit, hours]));
    const loads = this.#list.map(({ load }) => ({
      ...load,
      trucks: load.trucks.map((truck) => ({ ...truck, unit: names.get(truck.unit) ?? truck.unit })),
      visits: load.visits.map((visit) => ({ ...visit, unit: names.get(visit.unit) ?? visit.unit })),
    }));
    this.configure(loads);
  }

  /** Follows the truck of a load to its newest fix, and moves the window or has it estimated again. */
  #lookAt(held: Held, { rows, seenMs }: PollStep): void {
    held.lookedAt = this.#polls;
    held.arriving = this.#findArriving(held);
    const found = toFix(held, rows, this.#rows[held.index]!, seenMs);
    if (typeof found === 'string') {
      held.window = null;
      held.noWindow = found;
      held.silentMs = Infinity;
      return;
    }
    held.rhythmMs = found.rhythmMs;
    held.silentMs = found.fixAtMs + MOST_SILENT_MS + 1;
    if (found.isTrusted) {
      const stop = { unit: held.judged.unit!, position: held.judged.next! };
      this.#followTruck(stop.unit, found);
      held.nearing = toNearing(held.nearing, stop, found, held.load.places[stop.position]!);
    }
    if (this.#findRoute(held, found) !== null) this.#toEstimate.add(held.load.id);
    else if (isFresh(held, found, this.#arrivals)) this.#show(held, held.window!, seenMs);
    else if (found.isTrusted) this.#toEstimate.add(held.load.id);
    else held.noWindow = 'unsure';
  }

  /** The visit of a load's truck to its next stop that is about to be one. */
  #findArriving({ index, load, judged }: Held): Arriving | null {
    const siteId = judged.next === null ? null : load.stops[judged.next]!.siteId;
    const row = this.#rows[index]!;
    if (siteId === null || row < 0) return null;
    return (
      this.#presencesOf(row).find(({ isVisit, tracked }) => !isVisit && tracked.site.id === siteId) ?? null
    );
  }

  /** Estimates loads that wait, for as long as a poll may; adds those that were not looked at to the ones that were. */
  #estimateWaiting(step: PollStep, looked: Held[], pollFromMs: number): void {
    const fromMs = this.#spentMs();
    const take = (waiting: Set<number>, id: number, search: Searching | null): void => {
      const held = this.#held.get(id)!;
      const fix = toFix(held, step.rows, this.#rows[held.index]!, step.seenMs);
      const route = typeof fix === 'string' ? null : this.#findRoute(held, fix);
      // What changed since it waits was looked at.
      if (typeof fix === 'string' || (!fix.isTrusted && route === null)) {
        waiting.delete(id);
        return;
      }
      this.#estimate(held, route ?? { fix, way: null }, step.seenMs, search);
      // A search that was cut off begins again with the next poll, before the others.
      if (!search?.isCut) waiting.delete(id);
      if (held.lookedAt !== this.#polls) looked.push(held);
      held.lookedAt = this.#polls;
    };
    let taken = 0;
    for (const id of this.#toEstimate) {
      // A few are always taken: a processor that is busy elsewhere keeps no small fleet waiting.
      if (taken >= LEAST_ESTIMATES && this.#spentMs() - fromMs >= ESTIMATE_MS) break;
      take(this.#toEstimate, id, null);
      taken += 1;
    }
    const search: Searching = { cells: SEARCH_CELLS };
    for (const id of this.#toSearch) {
      if (search.cells <= 0 || search.isCut || this.#spentMs() - pollFromMs >= SEARCH_MS) break;
      take(this.#toSearch, id, search);
    }
  }

  /** @param way what a routing engine gave from the fix; null: nothing */
  #estimate(
    held: Held,
    { fix, way }: { fix: SeenFix; way: Way | null },
    seenMs: number,
    search: Searching | null,
  ): void {
    const { judged, load, window } = held;
    const [unit, position] = [judged.unit!, judged.next!];
    const place = load.places[position]!;
    const to = { ...place, key: String(load.stops[position]!.siteId) };
    const duty = toDuty(this.#hours.get(unit) ?? UNKNOWN_HOURS);
    let estimate = this.#arrivals.estimate(fix, to, duty, { search: null, way });
    if (way !== null) this.#routes!.use(load.id);
    else if (this.#routes !== null && estimate.by !== 'usual') {
      this.#routes.ask(load.id, { unit, position, fix, to: place }, seenMs);
      // An estimate by other roads in between would only make the window jump.
      if (window?.by === 'engine' && isOf(held, window) && this.#routes.awaits(load.id, seenMs)) {
        this.#show(held, window, seenMs);
        return;
      }
    }
    if (isByRoads(estimate)) this.#toSearch.delete(load.id);
    else if (this.#arrivals.roads.size > 0 && estimate.distM < held.searchBelowM) {
      if (search === null) this.#toSearch.add(load.id);
      else {
        estimate = this.#arrivals.estimate(fix, to, duty, { search });
        if (!search.isCut && !isByRoads(estimate)) held.searchBelowM = estimate.distM * SEARCH_AGAIN_SHARE;
      }
    }
    held.by = this.#arrivals;
    // It differs from a window by other ways more than one that only moved.
    if (estimate.by === 'engine' && window?.by !== 'engine') held.isChanged = true;
    this.#show(held, { ...estimate, unit, position }, seenMs);
  }

  /** The answer of a routing engine that no estimate stands on yet. */
  #findRoute({ judged, load }: Held, fix: SeenFix): { fix: SeenFix; way: Way } | null {
    const [unit, position] = [judged.unit!, judged.next!];
    return this.#routes?.found(load.id, { unit, position, to: load.places[position]!, fix }) ?? null;
  }

  /** Counts the driving hours of a truck with a load. */
  #followTruck(unit: string, { lat, lng, fixAtMs }: RoadFix): void {
    const hours = this.#hours.get(unit);
    if (hours) this.#hours.set(unit, followFix(hours, { lat, lng, fixAtMs }));
  }

  /** What waits for its estimate has its window until then, if it has one. */
  #wait(held: Held, seenMs: number): void {
    const { window } = held;
    if (window !== null && isOf(held, window)) this.#show(held, window, seenMs);
    else held.noWindow = 'waits';
  }

  /** Shows the window of an estimate, which moves with the time. */
  #show(held: Held, estimate: Estimate & Pick<LoadWindow, 'unit' | 'position'>, seenMs: number): void {
    const window = this.#arrivals.window(estimate, seenMs, held.rhythmMs);
    held.window = Object.assign(window, { shownMs: seenMs });
    held.noWindow = null;
    held.shown = keepShown(held.shown, held.window);
  }

  #judge(held: Held, seenMs: number): void {
    const { judged, load, window, noWindow } = held;
    const { next } = judged;
    const stop = next === null ? null : load.stops[next]!;
    // What waits for its estimate is as it was, for as long as it can be in time.
    if (noWindow === 'waits' && !held.isChanged && !(stop?.appointment && seenMs > stop.appointment.toMs))
      return;
    const arrival = next === null ? null : (judged.stops[next]!.visit ?? held.arriving);
    const verdict = stop === null ? 'none' : toVerdict(stop, arrival, window, seenMs);
    if (verdict !== held.verdict || noWindow !== held.reportedNoWindow) held.isChanged = true;
    held.verdict = verdict;
    held.reportedNoWindow = noWindow;
  }

  /** Judges the loads that were looked at: what was not known of them before, and when each is looked at again. */
  #report(looked: readonly Held[], seenMs: number): LoadChange[] {
    const everyMs = LOOK_EVERY_MS * Math.max(1, this.#list.length / FEW_LOADS);
    const changes: LoadChange[] = [];
    let moved = 0;
    for (const held of looked) {
      this.#judge(held, seenMs);
      this.#dueMs[held.index] = Math.min(seenMs + everyMs, held.silentMs, toTurnMs(held, seenMs));
      if (!held.isChanged) {
        if (moved === MOST_MOVED || held.window === null || seenMs - held.writtenMs < everyMs) continue;
        moved += 1;
      }
      changes.push(this.#toChange(held, seenMs));
    }
    return changes;
  }

  #toChange(held: Held, seenMs: number): LoadChange {
    const { judged, load, window, noWindow, verdict, shown, nearing } = held;
    const { next } = judged;
    const { events, grades } = held;
    held.isChanged = false;
    held.events = [];
    held.grades = [];
    held.writtenMs = seenMs;
    const { state, endedMs } = judged;
    return {
      loadId: load.id,
      revision: load.revision ?? 0,
      state,
      next,
      verdict,
      window,
      noWindow,
      endedMs,
      // A restart needs the newest alone.
      shown: shown.map((each, i) => (i === shown.length - 1 ? { ...each, nearing } : each)),
      events,
      grades,
    };
  }
}
