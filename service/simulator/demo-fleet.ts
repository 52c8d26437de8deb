import { INTERSTATES } from '@/lib/roads/interstates';
import { createRoadNetwork, type RoadNetwork, positionOnRoute, type Route } from '@/lib/roads/network';
import type { FixInput } from '../store/inputs';
import type { DeviceProtocol } from './device-request';
import {
  createItinerary,
  findStretch,
  fromNightlyMs,
  listDockStays,
  toNightlyMs,
  type DockStay,
  type Itinerary,
  type NightlyPast,
} from './itinerary';
import { createRandom, hashUnit, type Random } from './random';
import { specimenOf } from './specimens';
import terminals from './terminals.json' with { type: 'json' };
import { createVehicle } from './vehicles';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

/** The places where the demo fleet loads and unloads, with how often: freight is densest in the east, Texas and California. */
const TERMINAL_WEIGHTS: Readonly<Record<string, number>> = terminals;

/** The true position and motion of a unit. */
export interface UnitState {
  lat: number;
  lng: number;
  headingDeg: number;
  speedKph: number;
  isDriving: boolean;
}

const TEAM_SHARE = 0.74;
const MIN_TRIP_M = 250_000;
const MAX_TRIP_M = 2_600_000;
const METERS_PER_DEGREE = 111_195;
/** A receiver in the open scatters by a few meters. */
const JITTER_M = 4;
/** Yards are a few hundred meters across. */
const YARD_M = 250;
const JUMP_DEG = 2.7;

/** Quiet part of each period, by which a specimen falls out of its rhythm. */
const QUIET: Partial<Record<string, { periodMs: number; reportingMs: number }>> = {
  pausing: { periodMs: 16 * MINUTE_MS, reportingMs: 4 * MINUTE_MS },
  vanishing: { periodMs: 6 * HOUR_MS, reportingMs: 40 * MINUTE_MS },
};
const RARE_MS = 28 * MINUTE_MS;
/** How long a receiver that freezes now and then works, of each period. */
const FREEZING = { periodMs: 15 * MINUTE_MS, workingMs: 5 * MINUTE_MS };
const JUMP_SHARE = 0.12;

interface Unit {
  isTeam: boolean;
  /** The places between which it drives. */
  home: string;
  away: string;
  itinerary: Itinerary;
  protocol: DeviceProtocol;
  drivingIntervalMs: number;
  standingIntervalMs: number;
  phaseMs: number;
}

const pickTrip = (
  network: RoadNetwork,
  routes: Map<string, Route | null>,
  random: Random,
): { outward: Route; homeward: Route; home: string; away: string } => {
  const stations = network.terminals.filter(({ place }) => place in TERMINAL_WEIGHTS);
  const weights = stations.map(({ place }) => TERMINAL_WEIGHTS[place]!);
  const routeOf = (from: string, to: string): Route | null => {
    const key = `${from}>${to}`;
    if (!routes.has(key)) routes.set(key, network.route(from, to));
    return routes.get(key) ?? null;
  };
  for (let attempt = 0; attempt < 60; attempt++) {
    const from = stations[random.weighted(weights)]!.place;
    const to = stations[random.weighted(weights)]!.place;
    const outward = from === to ? null : routeOf(from, to);
    const homeward = outward && routeOf(to, from);
    if (!outward || !homeward || outward.lengthM < MIN_TRIP_M || outward.lengthM > MAX_TRIP_M) continue;
    return { outward, homeward, home: from, away: to };
  }
  throw new Error('No two terminals of the demo fleet are a day or two of driving apart.');
};

const createUnits = (units: number, seed: number): Unit[] => {
  const network = createRoadNetwork(INTERSTATES);
  const routes = new Map<string, Route | null>();
  return Array.from({ length: units }, (_, unit): Unit => {
    const random = createRandom(seed, unit, 0);
    const isTeam = random.next() < TEAM_SHARE;
    const { outward, homeward, home, away } = pickTrip(network, routes, random);
    const drivingIntervalMs = random.pick([10, 15, 20, 30, 30, 45, 60]) * 1000;
    const kind = random.next();
    return {
      isTeam,
      ...{ home, away },
      itinerary: createItinerary(outward, homeward, isTeam, random),
      protocol: kind < 0.8 ? 'osmand' : kind < 0.88 ? 'traccar' : kind < 0.94 ? 'owntracks' : 'overland',
      drivingIntervalMs,
      standingIntervalMs: Math.max(drivingIntervalMs, random.pick([30, 60, 60, 90, 120]) * 1000),
      phaseMs: random.integer(0, 600) * 1000,
    };
  });
};

/** Finds the report after (1) or before (-1) a time. */
type Seek = (unit: number, fromMs: number, direction: 1 | -1) => number;

const createSeek = (seed: number, unitAt: (unit: number) => Unit): Seek => {
  const isQuiet = (unit: number, atMs: number): boolean => {
    const quiet = QUIET[specimenOf(unit) ?? ''];
    if (!quiet) return false;
    const phase = Math.floor(hashUnit(seed, unit, 3) * quiet.periodMs);
    return (atMs + phase) % quiet.periodMs >= quiet.reportingMs;
  };

  /** The grid of a unit's reports: a fixed rhythm while driving and another while standing. */
  const step = (unit: number, fromMs: number, direction: 1 | -1): number => {
    const { itinerary, drivingIntervalMs, standingIntervalMs, phaseMs } = unitAt(unit);
    const { stretch } = findStretch(itinerary, fromMs);
    const intervalMs =
      specimenOf(unit) === 'rare'
        ? RARE_MS
        : stretch.kind === 'drive'
          ? drivingIntervalMs
          : standingIntervalMs;
    const tick = (fromMs - phaseMs) / intervalMs;
    return (direction > 0 ? Math.floor(tick) + 1 : Math.ceil(tick) - 1) * intervalMs + phaseMs;
  };
  return (unit, fromMs, direction) => {
    let atMs = step(unit, fromMs, direction);
    while (isQuiet(unit, atMs)) atMs = step(unit, atMs, direction);
    return atMs;
  };
};

const toState = (itinerary: Itinerary, unit: number, atMs: number): UnitState => {
  const { stretch, roundAtMs } = findStretch(itinerary, atMs);
  const { route, fromM, toM, fromMs, untilMs } = stretch;
  const share = Math.min(1, (roundAtMs - fromMs) / Math.max(1, untilMs - fromMs));
  const at = positionOnRoute(route, fromM + (toM - fromM) * share);
  if (stretch.kind === 'drive') {
    const speedKph = ((toM - fromM) / Math.max(1, untilMs - fromMs)) * 3600;
    return { ...at, speedKph, isDriving: true };
  }
  // Two trucks of one yard stand beside one another, not in one spot.
  const eastM = (hashUnit(unit, fromM, 1) - 0.5) * YARD_M;
  const northM = (hashUnit(unit, fromM, 2) - 0.5) * YARD_M;
  return { ...shift(at, eastM, northM), headingDeg: at.headingDeg, speedKph: 0, isDriving: false };
};

/** A stay with the name of its place. */
interface PlacedStay extends DockStay {
  place: string;
}

/** The past of a unit that stops each night; null: it goes by its round. */
type PastOf = (unit: number) => NightlyPast | null;

const createPastOf =
  (seed: number, list: readonly Unit[], nightsBeforeMs: number | undefined): PastOf =>
  (unit) =>
    nightsBeforeMs !== undefined && list[unit]!.isTeam
      ? { nowMs: nightsBeforeMs, spread: 2 * hashUnit(seed, unit, 10) - 1 }
      : null;

const createStateAt =
  (unitAt: (unit: number) => Unit, pastOf: PastOf) =>
  (unit: number, atMs: number): UnitState => {
    const { itinerary } = unitAt(unit);
    const past = pastOf(unit);
    if (past === null) return toState(itinerary, unit, atMs);
    const nightly = toNightlyMs(atMs, past);
    const state = toState(itinerary, unit, nightly.atMs);
    return nightly.isNight ? { ...state, speedKph: 0, isDriving: false } : state;
  };

const createDockStaysOf =
  (unitAt: (unit: number) => Unit, pastOf: PastOf) =>
  (unit: number, atMs: number): PlacedStay[] => {
    const { home, away, itinerary } = unitAt(unit);
    const past = pastOf(unit);
    const toMs = (ms: number): number => (past ? fromNightlyMs(ms, past) : ms);
    return listDockStays(itinerary, past ? toNightlyMs(atMs, past).atMs : atMs).map((stay) => ({
      ...{ ...stay, place: stay.isHome ? home : away },
      ...{ fromMs: toMs(stay.fromMs), untilMs: toMs(stay.untilMs) },
    }));
  };

interface DemoFleetOptions {
  units: number;
  seed: number;
  /** Before this moment teams, too, stop each night, as a month of driving day and night is not believed; absent: never. */
  nightsBeforeMs?: number;
}

let kept: { name: string; made: ReturnType<typeof makeUnits> } | null = null;

/**
 * The demo fleet of a seed: `units` vehicles that drive the interstates forever. Every position is a pure function of the
 * seed, the unit and the time. The last one's units are kept, as finding their routes takes a while.
 */
export const createDemoFleet = ({ units, seed, nightsBeforeMs }: DemoFleetOptions): DemoFleet => {
  const name = `${units} ${seed}`;
  if (kept?.name !== name) kept = { name, made: makeUnits(units, seed) };
  return makeFleet(kept.made, seed, nightsBeforeMs);
};

const makeUnits = (units: number, seed: number) => {
  const list = createUnits(units, seed);
  const vehicles = list.map((_, unit) => {
    const specimen = specimenOf(unit);
    return createVehicle(seed, unit, {
      hasBadVin: specimen === 'badVin',
      isLeased: specimen === 'leased',
      hasWrongYear: specimen === 'mismatched',
    });
  });
  return { list, vehicles };
};

const makeFleet = (
  { list, vehicles }: ReturnType<typeof makeUnits>,
  seed: number,
  nightsBeforeMs: number | undefined,
) => {
  const unitAt = (unit: number): Unit => {
    const found = list[unit];
    if (!found) throw new RangeError(`Unit ${unit} of a fleet of ${list.length}.`);
    return found;
  };

  const pastOf = createPastOf(seed, list, nightsBeforeMs);
  const stateAt = createStateAt(unitAt, pastOf);
  const seek = createSeek(seed, unitAt);

  /** The report whose place a freezing receiver repeats: its last before it froze, or this very one. */
  const toPlacedAtMs = (unit: number, reportAtMs: number): number => {
    const phaseMs = Math.floor(hashUnit(seed, unit, 9) * FREEZING.periodMs);
    const intoMs = (reportAtMs + phaseMs) % FREEZING.periodMs;
    return intoMs < FREEZING.workingMs
      ? reportAtMs
      : seek(unit, reportAtMs - intoMs + FREEZING.workingMs, -1);
  };

  const reportAt = (unit: number, reportAtMs: number): FixInput => {
    const specimen = specimenOf(unit);
    const placedAtMs = specimen === 'frozen' ? toPlacedAtMs(unit, reportAtMs) : reportAtMs;
    const state = stateAt(unit, specimen === 'rare' ? 0 : placedAtMs);
    const tick = Math.round(placedAtMs / 1000);
    let at = shift(
      state,
      (hashUnit(unit, tick, 4) - 0.5) * JITTER_M,
      (hashUnit(unit, tick, 5) - 0.5) * JITTER_M,
    );
    if (specimen === 'lostFix' && hashUnit(unit, tick, 6) < 0.25) at = { lat: 0, lng: 0 };
    if (specimen === 'jumping' && hashUnit(unit, tick, 7) < JUMP_SHARE)
      at = { lat: at.lat + JUMP_DEG, lng: at.lng };
    return {
      deviceId: vehicles[unit]!.deviceId!,
      fixAtMs: reportAtMs + (specimen === 'fastClock' ? HOUR_MS : 0),
      lat: toSixDecimals(at.lat),
      lng: toSixDecimals(at.lng),
      speedKph: state.speedKph,
      headingDeg: state.headingDeg,
      altitudeM: null,
      accuracyM: 4,
      batteryPercent: 60 + Math.floor(hashUnit(unit, Math.floor(tick / 3600), 8) * 40),
    };
  };

  return {
    vehicles: vehicles as readonly (typeof vehicles)[number][],
    protocolOf: (unit: number): DeviceProtocol => unitAt(unit).protocol,
    stateAt,
    /** The unit's stays at its docks around a time, with their places. */
    dockStaysOf: createDockStaysOf(unitAt, pastOf),
    /** The unit's next report after a time; Infinity for one that never reports. */
    nextReportAt: (unit: number, afterMs: number): number =>
      specimenOf(unit) === 'neverReporting' ? Infinity : seek(unit, afterMs, 1),
    /** Its last report at or before a time; null for one that never reports. */
    lastReportAt: (unit: number, atMs: number): number | null =>
      specimenOf(unit) === 'neverReporting' ? null : seek(unit, atMs + 1, -1),
    /** The report of the unit's device at one of its report times. */
    reportAt,
  };
};
export type DemoFleet = ReturnType<typeof makeFleet>;

/** Reports without a position in a row that are looked behind. */
const MOST_LOST = 20;

/** Whether a device has lost its position: the service then counts the report, and moves no vehicle. */
const isLost = ({ lat, lng }: FixInput): boolean => lat === 0 && lng === 0;

/** The last report of a unit's device with a position, at or before a time; null where there is none. */
export const lastPositionAt = (
  fleet: Pick<DemoFleet, 'lastReportAt' | 'reportAt'>,
  unit: number,
  atMs: number,
): { atMs: number; report: FixInput } | null => {
  let reportAtMs = fleet.lastReportAt(unit, atMs);
  for (let lost = 0; lost < MOST_LOST && reportAtMs !== null; lost++) {
    const report = fleet.reportAt(unit, reportAtMs);
    if (!isLost(report)) return { atMs: reportAtMs, report };
    reportAtMs = fleet.lastReportAt(unit, reportAtMs - 1);
  }
  return null;
};

/** The newest report with a position of each device that has one. */
export const listNewestReports = (fleet: DemoFleet, atMs: number): FixInput[] =>
  fleet.vehicles.flatMap((_, unit) => lastPositionAt(fleet, unit, atMs)?.report ?? []);

/** A tenth of a meter, as receivers report. */
const toSixDecimals = (degrees: number): number => Number(degrees.toFixed(6));

const shift = (
  at: { lat: number; lng: number },
  eastM: number,
  northM: number,
): { lat: number; lng: number } => ({
  lat: at.lat + northM / METERS_PER_DEGREE,
  lng: at.lng + eastM / (METERS_PER_DEGREE * Math.cos((at.lat * Math.PI) / 180)),
});
