import { Arrivals } from './arrivals';
import type { RoadFix } from './drives';
import { UNKNOWN_HOURS, followFix, type TruckHours } from './duty';

/** Fixes of some units, unit by unit in the order of time. */
export interface FixColumns {
  /** How many fixes each unit has. */
  counts: readonly number[];
  /** Unix ms, and latitude and longitude in degrees times 100,000. */
  columns: readonly Float64Array<ArrayBuffer>[];
}

/** A visit to a stop, and the time from which on the truck was on its way there. */
export interface LearnedVisit {
  /** The index of its unit in the columns. */
  unit: number;
  stop: string;
  fromMs: number;
  arrivedMs: number;
}

/** A part of a recording that a fleet learns from. */
export interface LearnJob extends FixColumns {
  kind: 'learn';
  /** What it has learned before, packed; null: nothing. */
  learned: ArrayBuffer | null;
  /** Fixes before are only of the ways to stops: their roads are learned already. Unix ms. */
  fromMs: number;
  /** By the time of arrival. */
  visits: readonly LearnedVisit[];
}

/** Trucks whose hours are to be known. */
export interface HoursJob extends FixColumns {
  kind: 'hours';
}

function* toTrails({ counts, columns }: FixColumns): Generator<RoadFix[]> {
  const [times, lats, lngs] = columns as [Float64Array, Float64Array, Float64Array];
  let row = 0;
  for (const count of counts) {
    const fixes: RoadFix[] = [];
    for (const end = row + count; row < end; row += 1)
      // Of two with one time, the one that was seen first.
      if (fixes.at(-1)?.fixAtMs !== times[row])
        fixes.push({ fixAtMs: times[row]!, lat: lats[row]! / 1e5, lng: lngs[row]! / 1e5 });
    yield fixes;
  }
}

/** What the fleet has learned then, packed; null where what it had learned cannot be read. */
export const learnFixes = (job: LearnJob): ArrayBuffer | null => {
  const { learned, fromMs, visits } = job;
  let arrivals = new Arrivals();
  try {
    if (learned !== null) arrivals = Arrivals.unpack(learned);
  } catch {
    // The caller begins again with an empty one.
    return null;
  }
  const trails = [...toTrails(job)];
  for (const fixes of trails) arrivals.learn(fixes.filter(({ fixAtMs }) => fixAtMs >= fromMs));
  for (const { unit, stop, fromMs: leftMs, arrivedMs } of visits) {
    const fixes = trails[unit]!.filter(({ fixAtMs }) => fixAtMs >= leftMs && fixAtMs <= arrivedMs);
    if (fixes.length > 1) arrivals.learnArrival(stop, fixes);
  }
  return arrivals.pack();
};

/** The hours of each unit's drivers at its newest fix. */
export const toHours = (job: HoursJob): TruckHours[] =>
  [...toTrails(job)].map((fixes) =>
    fixes.reduce((hours: TruckHours, fix) => followFix(hours, fix), UNKNOWN_HOURS),
  );
