import type { Route } from '@/lib/roads/network';
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
