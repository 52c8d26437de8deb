import { distanceM } from '@/lib/geo/geodesy';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { LONGEST_WAIT_MS, STANDING_M, type RoadFix } from './drives';
import type { Unpacked } from './packed';

/** 49 CFR 395.3: eleven hours of driving after ten hours off duty, and half an hour of break after eight hours of driving. */
const DRIVING_MS = 11 * HOUR_MS;
const REST_MS = 10 * HOUR_MS;
const BREAK_AFTER_MS = 8 * HOUR_MS;
const BREAK_MS = 30 * MINUTE_MS;

/** A truck that was driven for longer has two drivers, or one who does not count hours as the rule does. */
const TEAM_MS = DRIVING_MS + HOUR_MS;

/** What the drivers of a truck have driven, ms. */
export interface Duty {
  /** Since the last ten hours of rest. */
  sinceRestMs: number;
  /** Since the last half hour of rest. */
  sinceBreakMs: number;
  /** Since the last stop of over ten minutes. */
  sinceStopMs: number;
  /** The most that was driven between two rests of ten hours. */
  longestMs: number;
}

/** What is known of a truck without a recording: as if its driver began now. */
export const RESTED: Duty = { sinceRestMs: 0, sinceBreakMs: 0, sinceStopMs: 0, longestMs: 0 };

/** What is driven after some more driving. */
export const drive = (duty: Duty, drivenMs: number): Duty => ({
  sinceRestMs: duty.sinceRestMs + drivenMs,
  sinceBreakMs: duty.sinceBreakMs + drivenMs,
  sinceStopMs: duty.sinceStopMs + drivenMs,
  longestMs: Math.max(duty.longestMs, duty.sinceRestMs + drivenMs),
});

/** What is driven after a stop of over ten minutes. */
export const stop = (duty: Duty, stoodMs: number): Duty => ({
  ...duty,
  sinceStopMs: 0,
  ...(stoodMs >= BREAK_MS && { sinceBreakMs: 0 }),
  ...(stoodMs >= REST_MS && { sinceRestMs: 0 }),
});

/** The hours of a truck's drivers as its fixes show them. */
export interface TruckHours {
  duty: Duty;
  /** How long it stands at the newest fix, ms. */
  stoodMs: number;
  /** The newest fix; null: nothing is known of the truck. */
  last: RoadFix | null;
}

export const UNKNOWN_HOURS: TruckHours = { duty: RESTED, stoodMs: 0, last: null };

/** Between fixes that are farther apart a truck may have stood: it drove its way at 80 km/h then. */
const LONGEST_STEP_MS = 10 * MINUTE_MS;
const BRIDGED_M_PER_MS = 80 / 3600;

/** How long a truck drove and stood between two fixes, ms. */
const toStep = (last: RoadFix, fix: RoadFix): { drivenMs: number; stoodMs: number } => {
  const stepMs = fix.fixAtMs - last.fixAtMs;
  const distM = distanceM(last, fix);
  if (distM < STANDING_M) return { drivenMs: 0, stoodMs: stepMs };
  const drivenMs = stepMs > LONGEST_STEP_MS ? Math.min(stepMs, distM / BRIDGED_M_PER_MS) : stepMs;
  return { drivenMs, stoodMs: stepMs - drivenMs };
};

/** The hours after a later fix; an older one changes nothing. `onStop` learns of a stop that has ended. */
export const followFix = (
  hours: TruckHours,
  fix: RoadFix,
  onStop?: (drivenMs: number, stoodMs: number) => void,
): TruckHours => {
  const { last } = hours;
  if (last === null) return { ...hours, last: fix };
  if (fix.fixAtMs <= last.fixAtMs) return hours;
  const step = toStep(last, fix);
  const stoodMs = hours.stoodMs + step.stoodMs;
  if (step.drivenMs === 0) return { ...hours, stoodMs, last: fix };
  let { duty } = hours;
  if (stoodMs > LONGEST_WAIT_MS) {
    // What stood at the start had not driven before.
    if (duty.sinceStopMs > 0) onStop?.(duty.sinceStopMs, stoodMs);
    duty = stop(duty, stoodMs);
  }
  return { duty: drive(duty, step.drivenMs), stoodMs: 0, last: fix };
};

/** What the drivers have driven at the newest fix: a truck that stands has begun a stop. */
export const toDuty = ({ duty, stoodMs }: TruckHours): Duty =>
  stoodMs > LONGEST_WAIT_MS ? stop(duty, stoodMs) : duty;

/** The hours of the drivers at each fix of one truck, in the order of time; `onStop` learns of each stop that has ended. */
export const toDuties = (
  fixes: readonly RoadFix[],
  onStop?: (drivenMs: number, stoodMs: number) => void,
): Duty[] => {
  let hours = UNKNOWN_HOURS;
  return fixes.map((fix) => {
    hours = followFix(hours, fix, onStop);
    return toDuty(hours);
  });
};

/** The rests that one driver must take during some hours of driving, ms; none in a truck that two drive. */
export const toRestsMs = (drivingMs: number, { sinceRestMs, sinceBreakMs, longestMs }: Duty): number => {
  if (longestMs > TEAM_MS) return 0;
  const rests = Math.floor((sinceRestMs + drivingMs) / DRIVING_MS);
  // A rest is a break, too.
  const breaks = Math.max(0, Math.floor((sinceBreakMs + drivingMs) / BREAK_AFTER_MS) - rests);
  return rests * REST_MS + breaks * BREAK_MS;
};

/** Driving since the last stop is counted in bins of half an hour; the last one is open. */
const BIN_MS = 30 * MINUTE_MS;
const BINS = 12;

/** Until drives say more, a truck rarely stops before three hours of driving, and in each half hour after them in three of ten cases. */
const ASSUMED_SHARES = Array.from({ length: BINS }, (_, bin) => (bin < 6 ? 0.02 : 0.3));
const ASSUMED_STOP_MS = BREAK_MS;
/** The half hours of driving, and the stops, for which these assumptions count. */
const ASSUMED_COUNT = 4;

/** A longer stop is a rest that the limits on driving hours ask for, or the end of the work. */
const LONGEST_STOP_MS = 5 * HOUR_MS;

/** Older half hours count for less once a bin has more of them. */
const MOST_COUNTED = 400;

/**
 * How long the trucks of a fleet drive on their way to a stop of a load before they stop elsewhere, and for how long: the
 * share of stops in each half hour of driving since the last one, so that drives that ended without a stop count, too
 * (E. Kaplan and P. Meier, "Nonparametric estimation from incomplete observations", JASA 53, 1958).
 */
export class UsualStops {
  readonly #driven = ASSUMED_SHARES.map(() => ASSUMED_COUNT);
  readonly #stopped = ASSUMED_SHARES.map((share) => share * ASSUMED_COUNT);
  #stopMs = ASSUMED_STOP_MS;
  #stops = ASSUMED_COUNT;

  /** The stops of a packed buffer. @throws if it has none */
  static unpack({ read }: Unpacked): UsualStops {
    const packed = [...read('stops', 'Float64Array', 2 * BINS + 2)];
    const stops = new UsualStops();
    [stops.#stopMs, stops.#stops] = packed as [number, number];
    for (let bin = 0; bin < BINS; bin += 1) {
      stops.#driven[bin] = packed[2 + bin]!;
      stops.#stopped[bin] = packed[2 + BINS + bin]!;
    }
    return stops;
  }

  pack() {
    return { stops: Float64Array.from([this.#stopMs, this.#stops, ...this.#driven, ...this.#stopped]) };
  }

  /** Counts a drive that ended at a stop on the way (`stoodMs`), or where it was to end (null). */
  add(drivenMs: number, stoodMs: number | null): void {
    const last = Math.min(BINS - 1, Math.floor(drivenMs / BIN_MS));
    for (let bin = 0; bin <= last; bin += 1) {
      this.#driven[bin]! += bin < last || bin === BINS - 1 ? 1 : (drivenMs % BIN_MS) / BIN_MS;
      if (this.#driven[bin]! < MOST_COUNTED) continue;
      this.#driven[bin]! /= 2;
      this.#stopped[bin]! /= 2;
    }
    if (stoodMs === null || stoodMs > LONGEST_STOP_MS) return;
    this.#stopped[last]! += 1;
    this.#stops = Math.min(MOST_COUNTED, this.#stops + 1);
    this.#stopMs += (stoodMs - this.#stopMs) / this.#stops;
  }

  /** How many stops are expected during some driving, and their time, ms. */
  expect(drivingMs: number, { sinceStopMs }: Pick<Duty, 'sinceStopMs'>): { stops: number; stopMs: number } {
    let stops = 0;
    /** How likely the truck has driven for so many half hours since a stop. */
    const likely = new Float64Array(BINS);
    likely[Math.min(BINS - 1, Math.floor(sinceStopMs / BIN_MS))] = 1;
    for (let leftMs = drivingMs; leftMs > 0; leftMs -= BIN_MS) {
      const part = Math.min(1, leftMs / BIN_MS);
      let stopped = 0;
      // From the last bin on, so that each moves to one that has moved.
      for (let bin = BINS - 1; bin >= 0; bin -= 1) {
        const stopping = likely[bin]! * Math.min(1, (this.#stopped[bin]! / this.#driven[bin]!) * part);
        stopped += stopping;
        if (bin === BINS - 1) likely[bin]! -= stopping;
        else if (bin === BINS - 2) likely[BINS - 1]! += likely[bin]! - stopping;
        else likely[bin + 1] = likely[bin]! - stopping;
      }
      likely[0] = stopped;
      stops += stopped;
    }
    return { stops, stopMs: stops * this.#stopMs };
  }
}
