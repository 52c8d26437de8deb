import type { LatLng } from '@/lib/geo/units';
import { positionOnRoute, type Route } from '@/lib/roads/network';
import type { Random } from './random';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';

/** A stretch of a unit's round: driving between two distances along a route, or standing at one. */
export interface Stretch {
  kind: 'drive' | 'stand';
  fromMs: number;
  untilMs: number;
  route: Route;
  fromM: number;
  toM: number;
}

/** A round trip that a unit drives forever; times count from the start of the round. */
export interface Itinerary {
  stretches: readonly Stretch[];
  roundMs: number;
  /** How far into its round the unit is at Unix time 0. */
  offsetMs: number;
}

/** 49 CFR 395.3(a): at most 11 hours of driving, after 10 consecutive hours off duty. */
const MAX_DRIVING_MS = 11 * HOUR_MS;
const REST_MS = 10 * HOUR_MS;

/** Streets and ramps between the yard and the interstate. */
const TOWN_M = 9000;
const TOWN_MPS = 13;
const MPH_IN_MPS = 0.44704;

/** The hour of UTC at which a lone driver's day begins, on the average: six in the morning, Central time. */
const MORNING_UTC_MS = 12 * HOUR_MS;

/**
 * The round of one unit: loads, drives with breaks, unloads, drives back. A team drives through the night; a
 * lone driver rests after eleven hours, and his round takes whole days, so that he drives mostly by day.
 */
export const createItinerary = (
  outward: Route,
  homeward: Route,
  isTeam: boolean,
  random: Random,
): Itinerary => {
  const stretches: Stretch[] = [];
  let nowMs = 0;
  let drivenMs = 0;
  const cruiseMps = random.between(58, 68) * MPH_IN_MPS;

  const stand = (route: Route, atM: number, forMs: number): void => {
    stretches.push({ kind: 'stand', fromMs: nowMs, untilMs: nowMs + forMs, route, fromM: atM, toM: atM });
    nowMs += forMs;
  };
  const drive = (route: Route, fromM: number, toM: number, speedMps: number): void => {
    const forMs = ((toM - fromM) / speedMps) * 1000;
    stretches.push({ kind: 'drive', fromMs: nowMs, untilMs: nowMs + forMs, route, fromM, toM });
    nowMs += forMs;
    drivenMs += forMs;
  };
  const travel = (route: Route): void => {
    const townM = Math.min(TOWN_M, route.lengthM / 4);
    const endM = route.lengthM - townM;
    drive(route, 0, townM, TOWN_MPS);
    let atM = townM;
    while (atM < endM) {
      const legMps = cruiseMps * random.between(0.94, 1.03);
      let legMs = random.between(2.5, 4.5) * HOUR_MS;
      if (!isTeam) legMs = Math.min(legMs, MAX_DRIVING_MS - drivenMs);
      const toM = Math.min(endM, atM + (legMs / 1000) * legMps);
      drive(route, atM, toM, legMps);
      atM = toM;
      if (atM >= endM) break;
      if (!isTeam && drivenMs > MAX_DRIVING_MS - HOUR_MS) {
        stand(route, atM, REST_MS);
        drivenMs = 0;
      } else stand(route, atM, random.between(15, 45) * MINUTE_MS);
    }
    drive(route, endM, route.lengthM, TOWN_MPS);
    // A driver who has driven most of the day rests during the hours at a dock.
    stand(route, route.lengthM, random.between(1, 3) * HOUR_MS);
  };
  travel(outward);
  travel(homeward);
  if (!isTeam) stand(homeward, homeward.lengthM, Math.ceil(nowMs / DAY_MS) * DAY_MS - nowMs);
  const offsetMs = isTeam
    ? random.between(0, nowMs)
    : nowMs - MORNING_UTC_MS + random.integer(0, 6) * DAY_MS + random.between(-8, 8) * HOUR_MS;
  return { stretches, roundMs: nowMs, offsetMs };
};

/** A day of a past that is lawful for a lone driver: so long on duty, and then a night's stop. */
const DUTY_MS = 11 * HOUR_MS;

const NIGHT_MS = DAY_MS - DUTY_MS;

/** A past in which a unit stops each night: before `nowMs`, at which it has been on duty since a morning that is early or late by `spread`, from -1 to 1. */
export interface NightlyPast {
  nowMs: number;
  spread: number;
}

const toDutyFromMs = ({ nowMs, spread }: NightlyPast): number => {
  const sinceMorningMs = ((nowMs - MORNING_UTC_MS) % DAY_MS) + spread * 2 * HOUR_MS;
  return nowMs - Math.min(Math.max(sinceMorningMs, 3 * HOUR_MS), DUTY_MS);
};

/** The moment of its round at which a unit is at a moment of such a past: each night it stops where it then is. */
export const toNightlyMs = (atMs: number, past: NightlyPast): { atMs: number; isNight: boolean } => {
  const dutyFromMs = toDutyFromMs(past);
  if (atMs >= dutyFromMs) return { atMs, isNight: false };
  const beforeMs = dutyFromMs - atMs;
  const workedMs = (beforeMs % DAY_MS) - NIGHT_MS;
  const dutyMs = Math.floor(beforeMs / DAY_MS) * DUTY_MS + Math.max(0, workedMs);
  return { atMs: dutyFromMs - dutyMs, isNight: workedMs < 0 };
};

/** The moment of such a past at which a unit was at a moment of its round. */
export const fromNightlyMs = (atMs: number, past: NightlyPast): number => {
  const dutyMs = toDutyFromMs(past) - atMs;
  return dutyMs <= 0 ? atMs : atMs - (Math.floor(dutyMs / DUTY_MS) + 1) * NIGHT_MS;
};

/** A stay of a unit at one end of its trips, where it loads or unloads; times are Unix ms. */
export interface DockStay {
  /** It is where the unit's round begins and ends. */
  isHome: boolean;
  at: LatLng;
  fromMs: number;
  untilMs: number;
}

/** The stays of a unit at docks in the two rounds before a time, the one that it is on, and the two after. */
export const listDockStays = ({ stretches, roundMs, offsetMs }: Itinerary, atMs: number): DockStay[] => {
  const docks: DockStay[] = [];
  for (const { kind, route, fromM, fromMs, untilMs } of stretches) {
    if (kind !== 'stand' || fromM < route.lengthM) continue;
    const last = docks.at(-1);
    // A rest at home follows the hours at the dock.
    if (last?.untilMs === fromMs) last.untilMs = untilMs;
    else docks.push({ isHome: docks.length > 0, at: positionOnRoute(route, route.lengthM), fromMs, untilMs });
  }
  const beganMs = Math.floor((atMs + offsetMs) / roundMs) * roundMs - offsetMs;
  return [-2, -1, 0, 1, 2].flatMap((round) => {
    const startMs = beganMs + round * roundMs;
    return docks.map((dock) => ({
      ...dock,
      ...{ fromMs: Math.round(startMs + dock.fromMs), untilMs: Math.round(startMs + dock.untilMs) },
    }));
  });
};

/** The stretch that a unit is on, and how far into its round it is, in milliseconds. */
export const findStretch = (itinerary: Itinerary, atMs: number): { stretch: Stretch; roundAtMs: number } => {
  const { stretches, roundMs, offsetMs } = itinerary;
  const roundAtMs = (((atMs + offsetMs) % roundMs) + roundMs) % roundMs;
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stretches[middle]!.fromMs <= roundAtMs) low = middle;
    else high = middle - 1;
  }
  return { stretch: stretches[low]!, roundAtMs };
};
