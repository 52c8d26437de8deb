import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Arrivals, MOST_SILENT_MS, type Estimate } from '@/lib/arrivals/arrivals';
import { UNKNOWN_HOURS, followFix, toDuty, type TruckHours } from '@/lib/arrivals/duty';
import { judgeLoad, toVerdict, type StopVisit, type Verdict } from '@/lib/arrivals/load';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { STATUSES } from '@/lib/motion/status';
import type { FleetRows } from '@/lib/wire/fleet';
import { START_MS } from '@/testing/motion/fixes';
import { fixedAt } from '@/testing/sites/watched-units';
import { IS_LONG } from '@/testing/long';
import { createTestFleet, type UnitFields } from '@/testing/view/fleet';
import { LoadWatch, type LoadChange, type NoWindow, type WatchedLoad } from './load-watch';
import { toPollStep } from './poll-step';
import { UNTRUSTED_FLAGS } from './site-tracker';

const UNITS = ['A', 'B', 'C'];
const PLACES = [0, 1, 2].map((i) => ({ lat: 35 + i * 0.7, lng: -101 }));
const RHYTHM_S = 300;

/** What is known of a load after a poll. */
interface Found {
  state: string;
  next: number | null;
  verdict: Verdict;
  noWindow: NoWindow | null;
  window: { fromMs: number; toMs: number; fixAtMs: number } | null;
}

/** Judges every load by all that is known with each poll. */
class JudgesAll {
  readonly #arrivals: Arrivals;
  readonly #hours = new Map<string, TruckHours>();
  readonly #visits = new Map<string, StopVisit>();
  readonly #estimates = new Map<number, Estimate & { unit: string; next: number }>();

  constructor(arrivals: Arrivals) {
    this.#arrivals = arrivals;
  }

  observe(
    loads: readonly WatchedLoad[],
    rows: FleetRows,
    seenMs: number,
    visits: readonly StopVisit[],
  ): Found[] {
    for (const visit of visits) this.#visits.set(`${visit.siteId} ${visit.unit} ${visit.arrivedMs}`, visit);
    return loads.map((load) => this.#judge(load, rows, seenMs));
  }

  #judge(load: WatchedLoad, { identities, columns }: FleetRows, seenMs: number): Found {
    const { state, next, unit, stops } = judgeLoad(load, [...this.#visits.values()]);
    const row = identities.findIndex((identity) => identity?.key === unit);
    const fixAtMs = row < 0 ? 0 : columns.fixAtS[row]! * 1000;
    const noWindow: NoWindow | null =
      next === null || unit === null
        ? 'noTruck'
        : state.startsWith('at')
          ? 'atStop'
          : fixAtMs === 0
            ? 'notSeen'
            : seenMs - fixAtMs > MOST_SILENT_MS
              ? 'silent'
              : null;
    const was = this.#estimates.get(load.id);
    if (noWindow !== null || was?.unit !== unit || was.next !== next) this.#estimates.delete(load.id);
    const found =
      noWindow === null ? this.#window(load, { next: next!, unit: unit!, row }, columns, seenMs) : noWindow;
    const window = typeof found === 'string' ? null : found;
    const verdict = next === null ? 'none' : toVerdict(load.stops[next]!, stops[next]!.visit, window, seenMs);
    return { state, next, verdict, window, noWindow: typeof found === 'string' ? found : null };
  }

  #window(
    load: WatchedLoad,
    { next, unit, row }: { next: number; unit: string; row: number },
    columns: FleetRows['columns'],
    seenMs: number,
  ) {
    const [lat, lng] = [columns.latE5[row]! * DEGREES_PER_E5, columns.lngE5[row]! * DEGREES_PER_E5];
    const fix = { lat, lng, fixAtMs: columns.fixAtS[row]! * 1000 };
    const isStanding = columns.status[row] === STATUSES.indexOf('stopped');
    const isTrusted = (columns.flags[row]! & UNTRUSTED_FLAGS) === 0;
    const was = this.#estimates.get(load.id);
    if (isTrusted) this.#hours.set(unit, followFix(this.#hours.get(unit) ?? UNKNOWN_HOURS, fix));
    const isFresh =
      was !== undefined &&
      (!isTrusted || fix.fixAtMs - was.fixAtMs < Math.min(10 * MINUTE_MS, was.expectedMs * 0.02));
    if (!isFresh && !isTrusted) return 'unsure' as const;
    if (!isFresh) {
      const to = { ...load.places[next]!, key: String(load.stops[next]!.siteId) };
      const duty = toDuty(this.#hours.get(unit) ?? UNKNOWN_HOURS);
      const estimate = this.#arrivals.estimate({ ...fix, isStanding }, to, duty);
      this.#estimates.set(load.id, { ...estimate, unit, next });
    }
    const { fromMs, toMs, fixAtMs } = this.#arrivals.window(
      this.#estimates.get(load.id)!,
      seenMs,
      RHYTHM_S * 1000,
    );
    return { fromMs, toMs, fixAtMs };
  }
}

/** Null, and once in so many times a value. */
const rarely = <T>(every: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: every - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const minutes = (min: number, max: number) => fc.integer({ min, max });
const appointments = fc.option(
  fc.tuple(minutes(0, 30), minutes(0, 20)).map(([from, long]) => ({
    fromMs: START_MS + from * MINUTE_MS,
    toMs: START_MS + (from + long) * MINUTE_MS,
  })),
);
const loads = fc.array(
  fc.record({
    unit: fc.option(fc.constantFrom(...UNITS), { freq: 9 }),
    stops: fc.array(fc.record({ at: fc.nat({ max: 2 }), appointment: appointments }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What a poll shows of a truck, s after the poll before; null: what it showed before. */
const reports = rarely(
  2,
  fc.record({
    northM: fc.oneof(fc.integer({ min: -30_000, max: 30_000 }), fc.integer({ min: 30_000, max: 200_000 })),
    /** Its position is as before. */
    isSame: fc.boolean(),
    isStanding: fc.boolean(),
    isDoubted: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    ageS: fc.constantFrom(0, 0, 30),
  }),
);
const polls = fc.array(
  fc.record({
    afterS: fc.oneof(
      { weight: 24, arbitrary: minutes(5, 40) },
      { weight: 1, arbitrary: minutes(14_340, 14_400) },
    ),
    reports: fc.tuple(reports, reports, reports),
    /** A truck that comes to a site, or leaves it. */
    visit: rarely(8, fc.record({ unit: fc.constantFrom(...UNITS), at: fc.nat({ max: 2 }) })),
    /** A load that is given to another truck. */
    swap: rarely(12, fc.record({ load: fc.nat({ max: 3 }), unit: fc.constantFrom(...UNITS) })),
    /** The loads are read again. */
    isRead: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    /** A truck that is not listed for now. */
    gone: rarely(20, fc.nat({ max: 2 })),
  }),
  { minLength: 2, maxLength: 40 },
);

type Load = {
  unit: string | null;
  stops: { at: number; appointment: WatchedLoad['stops'][0]['appointment'] }[];
};

const toLoad = ({ unit, stops }: Load, id: number): WatchedLoad => ({
  id,
  stops: stops.map(({ at, appointment }) => ({ siteId: at + 1, kind: 'delivery', appointment })),
  places: stops.map(({ at }) => PLACES[at]!),
  trucks: unit === null ? [] : [{ unit, fromMs: START_MS - MINUTE_MS, toMs: null }],
  ...{ endedMs: null, visits: [], shown: [], known: null },
});

/** An arrivals without grades, which would change the windows of loads that nothing happened to. */
const withoutGrades = (): Arrivals => {
  const arrivals = new Arrivals();
  arrivals.grades.add = () => undefined;
  return arrivals;
};

interface Run {
  watch: LoadWatch;
  loads: readonly Load[];
  polls: readonly (typeof polls extends fc.Arbitrary<infer T> ? T : never)[number][];
}

/** Shows the polls to a watch and to one that judges all; what is known of each load after each of them. */
const run = (
  { watch, loads: planned, polls: shown }: Run,
  check: (of: {
    known: LoadChange[];
    found: Found[];
    changes: readonly LoadChange[];
    seenMs: number;
  }) => void,
): void => {
  let all = planned.map(toLoad);
  const oracle = new JudgesAll(withoutGrades());
  const configure = (): void => {
    watch.configure(all);
    watch.learn({ learned: null, grades: [], hours: new Map() }, { units: watch.lacks()!.units });
  };
  configure();
  const known = new Map<number, LoadChange>();
  const units: (UnitFields | null)[] = UNITS.map(() => null);
  const open = new Map<string, StopVisit>();
  const visited: StopVisit[] = [];
  let seenMs = START_MS;
  let before: FleetRows | null = null;
  for (const { afterS, reports: of, visit, swap, isRead, gone } of shown) {
    seenMs += afterS * SECOND_MS;
    of.forEach((report, i) => {
      if (report === null) return;
      const { northM, isSame, isStanding, isDoubted, ageS } = report;
      const flags = isDoubted ? ['clockFault' as const] : [];
      if (isSame && units[i]) {
        units[i] = { ...units[i], flags };
        return;
      }
      const status = isStanding ? 'stopped' : 'moving';
      const min = (seenMs - START_MS - Math.min(ageS, afterS - 1) * SECOND_MS) / MINUTE_MS;
      units[i] = fixedAt(UNITS[i]!, { min, northM, status, flags });
    });
    const visits: StopVisit[] = [];
    if (visit !== null) {
      const key = `${visit.unit} ${visit.at}`;
      const was = open.get(key);
      const began = { siteId: visit.at + 1, unit: visit.unit, arrivedAfterMs: null, arrivedMs: seenMs };
      const now = was
        ? { ...was, leftMs: seenMs, leftByMs: null }
        : { ...began, leftMs: null, leftByMs: null };
      if (was) open.delete(key);
      else open.set(key, now);
      visits.push(now);
      visited.push(now);
    }
    if (swap !== null || isRead) {
      all = all.map((load): WatchedLoad => {
        const isSwapped = swap?.load === load.id && load.trucks.at(-1)?.unit !== swap.unit;
        const trucks = isSwapped
          ? [
              ...load.trucks.map((truck) => ({ ...truck, toMs: truck.toMs ?? seenMs - 1 })),
              { unit: swap.unit, fromMs: seenMs - 1, toMs: null },
            ]
          : load.trucks;
        return {
          ...load,
          trucks,
          visits: visited.slice(0, visits.length === 0 ? undefined : -1),
          known: known.get(load.id) ?? null,
        };
      });
      configure();
    }
    const rows = createTestFleet(
      units
        .map((unit, i) => (i === gone ? null : unit))
        .map((unit) => unit && { ...unit, datedAfterS: RHYTHM_S }),
    );
    const changes = watch.observe(toPollStep(before, rows, seenMs), visits);
    before = rows;
    for (const change of changes) known.set(change.loadId, change);
    check({
      known: all.map(({ id }) => known.get(id)!),
      found: oracle.observe(all, rows, seenMs, visits),
      changes,
      seenMs,
    });
  }
};

it('finds by what changed what it would find by judging every load with each poll', () => {
  fc.assert(
    fc.property(loads, polls, (planned, shown) => {
      const watch = new LoadWatch({ arrivals: withoutGrades(), spentMs: () => 0 });
      run({ watch, loads: planned, polls: shown }, ({ known, found, changes }) => {
        const toJudged = ({ state, next, verdict, noWindow }: LoadChange | Found) => ({
          state,
          next,
          verdict,
          noWindow,
        });
        expect(known.map(toJudged)).toEqual(found.map(toJudged));
        for (const { loadId, window } of changes)
          expect(window && { fromMs: window.fromMs, toMs: window.toMs, fixAtMs: window.fixAtMs }).toEqual(
            found[loadId]!.window,
          );
      });
    }),
    { numRuns: IS_LONG ? 5000 : 60 },
  );
});
