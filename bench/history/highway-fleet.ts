import { INTERSTATES } from '@/lib/roads/interstates';
import { createRoadNetwork, positionOnRoute, type Route } from '@/lib/roads/network';
import { bearingDeg, distanceM } from '@/lib/geo/geodesy';
import { createRandom } from '@/testing/motion/fixes';
import terminals from '@/service/simulator/terminals.json' with { type: 'json' };

/** Of each 100 units so many stand all the time. */
const PARKED_OF_100 = 45;
const DRIVING_MS = 60_000;
const PARKED_MS = 600_000;
const POLL_MS = 60_000;
/** A receiver in the open scatters by a few meters. */
const SCATTER_E5 = 4;
const LEAST_ROUTE_M = 400_000;
const ROUTES = 400;

/** One row of `linehaul.fixes`, without its fleet. */
export interface HighwayFix {
  unit: string;
  fixMs: number;
  seenMs: number;
  latE5: number;
  lngE5: number;
  speedKph: number;
  headingDeg: number;
}

interface Truck {
  vin: string;
  route: Route;
  atM: number;
  cruiseMps: number;
  speedMps: number;
  direction: 1 | -1;
  isParked: boolean;
  nextMs: number;
  last: { lat: number; lng: number; atMs: number } | null;
}

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

/**
 * Trucks on the interstates that report each minute, and parked ones that report each ten minutes: 33.6 fixes an hour for
 * each unit. Times are Unix ms; devices report in whole seconds and are up to 3 s late; polls are a minute and some
 * milliseconds apart.
 */
export class HighwayFleet {
  readonly #trucks: Truck[];
  readonly #random: () => number;
  #nextPollMs: number;

  constructor(units: number, seed: number, startMs: number) {
    const random = createRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const between = (low: number, high: number): number => low + (high - low) * random();
    this.#random = random;
    this.#nextPollMs = startMs;
    const network = createRoadNetwork(INTERSTATES);
    const places = network.terminals.map(({ place }) => place).filter((place) => place in terminals);
    const routes: Route[] = [];
    while (routes.length < ROUTES) {
      const route = network.route(pick(places), pick(places));
      if (route && route.lengthM > LEAST_ROUTE_M) routes.push(route);
    }
    const trucks = Array.from({ length: units }, (_, unit): Truck => {
      const route = pick(routes);
      const isParked = unit % 100 < PARKED_OF_100;
      const cruiseMps = between(24, 30);
      const mark = Array.from({ length: 3 }, () => pick([...LETTERS])).join('');
      return {
        vin: `${pick(['1FUJHHDR', '3AKJHHDR', '1XKYDP9X', '4V4NC9EH'])}${mark}${String(unit).padStart(6, '0')}`,
        route,
        atM: between(0, route.lengthM),
        cruiseMps,
        speedMps: cruiseMps,
        direction: random() < 0.5 ? 1 : -1,
        isParked,
        nextMs: startMs + between(0, isParked ? PARKED_MS : DRIVING_MS),
        last: null,
      };
    });
    // PostgreSQL's index is filled sooner in its order.
    this.#trucks = trucks.sort((a, b) => (a.vin < b.vin ? -1 : 1));
  }

  /** The fixes of the polls before `untilMs`, poll by poll. */
  *polls(untilMs: number): Iterable<HighwayFix[]> {
    for (; this.#nextPollMs < untilMs; this.#nextPollMs += POLL_MS + Math.floor(this.#random() * 40)) {
      const fixes: HighwayFix[] = [];
      for (const truck of this.#trucks) {
        while (truck.nextMs + 3000 * this.#random() < this.#nextPollMs)
          fixes.push(this.#report(truck, this.#nextPollMs));
      }
      yield fixes;
    }
  }

  #report(truck: Truck, seenMs: number): HighwayFix {
    const random = this.#random;
    const atMs = truck.nextMs;
    const scatter = (): number => ((random() + random() - 1) * SCATTER_E5 * 2) / 1e5;
    if (!truck.isParked) {
      truck.speedMps += (truck.cruiseMps - truck.speedMps) / 4 + (random() - 0.5) * 2;
      truck.atM += (truck.direction * truck.speedMps * DRIVING_MS) / 1000;
      if (truck.atM < 0 || truck.atM > truck.route.lengthM) {
        truck.direction = truck.atM < 0 ? 1 : -1;
        truck.atM = Math.min(Math.max(truck.atM, 0), truck.route.lengthM);
      }
    }
    const on = positionOnRoute(truck.route, truck.atM);
    const fix = { lat: on.lat + scatter(), lng: on.lng + scatter(), atMs };
    const { last } = truck;
    truck.last = fix;
    truck.nextMs += (truck.isParked ? PARKED_MS : DRIVING_MS) + (random() < 0.1 ? 1000 : 0);
    const isMoving = last !== null && !truck.isParked;
    return {
      unit: truck.vin,
      fixMs: Math.floor(atMs / 1000) * 1000,
      seenMs,
      latE5: Math.round(fix.lat * 1e5),
      lngE5: Math.round(fix.lng * 1e5),
      speedKph: isMoving ? Math.round((distanceM(last, fix) / (atMs - last.atMs)) * 3600) : -1,
      headingDeg: isMoving ? Math.round(bearingDeg(last, fix)) % 360 : -1,
    };
  }
}
