import 'server-only';
import { Arrivals, MOST_SILENT_MS, type ArrivalWindow } from '@/lib/arrivals/arrivals';
import { RESTED } from '@/lib/arrivals/duty';
import type { Appointment, StopKind } from '@/lib/arrivals/load';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { loadInputSchema, type LoadInput } from '@/lib/loads/schema';
import { addLoad, changeLoad, endLoad, type LoadContext } from '@/lib/loads/server/loads';
import { siteAt } from '@/lib/rules/geofence';
import type { Site } from '@/lib/rules/site';
import type { DemoFleet } from '@/service/simulator/demo-fleet';
import { specimenOf } from '@/service/simulator/specimens';

type Stay = ReturnType<DemoFleet['dockStaysOf']>[number];

/** A unit at a moment, between its stays at docks. */
interface Moment {
  unit: number;
  vin: string;
  /** The stay before the last one, and the last one that is over. */
  earlier: Stay;
  before: Stay;
  /** Where it is; null: on the road. */
  here: Stay | null;
  next: Stay;
  after: Stay;
}

interface PlannedStop {
  kind: StopKind;
  stay: Stay;
  appointment: Appointment | null;
  freeMin?: number;
}

/** What can become of a load: the demo has one of each. */
export const SAMPLE_NAMES = [
  ...([
    'swapped trucks',
    'silent truck',
    'at delivery',
    'at pickup',
    'not moving',
    'late',
    'at risk',
  ] as const),
  ...(['in transit', 'delivered', 'ended by hand', 'on the way to pickup', 'no truck'] as const),
] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

/** A load of the demo, and when it was given to which truck. */
export interface SampleLoad {
  name: SampleName;
  stops: PlannedStop[];
  trucks: { vin: string | null; atMs: number }[];
  /** When a dispatcher ended it, Unix ms; absent: trucks do. */
  endedMs?: number;
}

/** Which loads are planned, and at which moment. */
export interface SamplePlanOptions {
  /** What was before is not recorded well enough. */
  fromMs: number;
  nowMs: number;
  /** Absent: all. */
  names?: readonly SampleName[];
  /** VINs of the trucks that have a load. */
  loaded?: ReadonlySet<string>;
}

const QUARTER_MS = 15 * MINUTE_MS;
const floor = (ms: number): number => Math.floor(ms / QUARTER_MS) * QUARTER_MS;
const ceil = (ms: number): number => Math.ceil(ms / QUARTER_MS) * QUARTER_MS;

/** A truck has its load so long before it comes to the pickup. */
const GIVEN_BEFORE_MS = HOUR_MS / 2;

const toMoment = (fleet: DemoFleet, unit: number, nowMs: number): Moment | null => {
  const stays = fleet.dockStaysOf(unit, nowMs);
  const index = stays.findLastIndex(({ untilMs }) => untilMs <= nowMs);
  const isHere = (stays[index + 1]?.fromMs ?? Infinity) <= nowMs;
  const here = isHere ? stays[index + 1]! : null;
  const first = index + (here ? 2 : 1);
  const [earlier, before, next, after] = [stays[index - 1], stays[index], stays[first], stays[first + 1]];
  if (!earlier || !before || !next || !after) return null;
  return { unit, vin: fleet.vehicles[unit]!.vin, earlier, before, here, next, after };
};

/** An appointment around a stay that it was in time for. */
const around = ({ fromMs }: Stay, earlyMs = HOUR_MS, lateMs = 2 * HOUR_MS): Appointment => ({
  fromMs: floor(fromMs - earlyMs),
  toMs: ceil(fromMs + lateMs),
});

const until = (toMs: number): Appointment => ({ fromMs: toMs - 2 * HOUR_MS, toMs });

const pickup = (stay: Stay): PlannedStop => ({
  kind: 'pickup',
  stay,
  appointment: around(stay),
  freeMin: 120,
});
const delivery = (stay: Stay, appointment = around(stay), freeMin = 120): PlannedStop => ({
  ...{ kind: 'delivery', stay, appointment, freeMin },
});

/** Finds units for the loads of the demo, each for one. */
class SamplePlan {
  readonly #used: Set<number>;
  readonly #moments: Moment[];
  readonly #fleet: DemoFleet;
  readonly #nowMs: number;
  readonly #seenFromMs: number;
  readonly #planned: Record<SampleName, () => Omit<SampleLoad, 'name'> | null> = {
    'swapped trucks': () => this.#planSwapped(),
    'silent truck': () => this.#planSilent(),
    'at delivery': () => this.#planAtDelivery(),
    'at pickup': () => this.#planAtPickup(),
    'not moving': () => this.#planNotMoving(),
    late: () => this.#planLate(),
    'at risk': () => this.#planAtRisk(),
    'in transit': () => this.#planInTransit(),
    delivered: () => this.#planDelivered(),
    'ended by hand': () => this.#planEnded(),
    'on the way to pickup': () => this.#planToPickup(),
    'no truck': () => this.#planNoTruck(),
  };

  constructor(fleet: DemoFleet, { fromMs, nowMs, loaded }: SamplePlanOptions) {
    this.#fleet = fleet;
    this.#nowMs = nowMs;
    this.#seenFromMs = fromMs + HOUR_MS;
    this.#used = new Set([...fleet.vehicles.keys()].filter((unit) => loaded?.has(fleet.vehicles[unit]!.vin)));
    this.#moments = fleet.vehicles.flatMap((_, unit) => toMoment(fleet, unit, nowMs) ?? []);
  }

  make(names: readonly SampleName[]): SampleLoad[] {
    return names.flatMap((name) => {
      const load = this.#planned[name]();
      return load ? [{ name, ...load }] : [];
    });
  }

  /** The first unused unit without a fault that is so. */
  #find(isSo: (moment: Moment) => boolean): Moment | null {
    const found = this.#moments.find(
      (moment) => !this.#used.has(moment.unit) && specimenOf(moment.unit) === null && isSo(moment),
    );
    if (found) this.#used.add(found.unit);
    return found ?? null;
  }

  #givenAt = ({ vin }: Moment, stay: Stay) => [{ vin, atMs: stay.fromMs - GIVEN_BEFORE_MS }];

  #isSeen = ({ fromMs }: Stay): boolean => fromMs - GIVEN_BEFORE_MS > this.#seenFromMs;
  #lasted = ({ fromMs }: Stay): number => this.#nowMs - fromMs;
  #left = ({ untilMs }: Stay): number => untilMs - this.#nowMs;
  /** On the road since a while, for so long. */
  #isUnderWay = ({ here, before, next }: Moment, leastMs: number, mostMs: number): boolean => {
    const leftMs = next.fromMs - this.#nowMs;
    return here === null && leftMs > leastMs && leftMs < mostMs && this.#isSeen(before);
  };

  /** The window of a truck for its next stay, as the feed finds it at first. */
  #windowOf({ unit, next }: Moment): ArrivalWindow {
    const arrivals = new Arrivals();
    const { lat, lng, isDriving } = this.#fleet.stateAt(unit, this.#nowMs);
    const fix = { lat, lng, fixAtMs: this.#nowMs, isStanding: !isDriving };
    const estimate = arrivals.estimate(fix, { ...next.at, key: '' }, RESTED);
    return { ...estimate, ...arrivals.window(estimate, this.#nowMs, MINUTE_MS) };
  }

  /** A load that is on the road to its delivery, with the appointment there. */
  #toOnTheRoad(moment: Moment, appointment: Appointment) {
    const { before, next } = moment;
    return { stops: [pickup(before), delivery(next, appointment)], trucks: this.#givenAt(moment, before) };
  }

  /** Two trucks that meet at a dock: one brought the load there, the other has it from then on. */
  #planSwapped() {
    const isFree = ({ unit }: Moment) => !this.#used.has(unit) && specimenOf(unit) === null;
    for (const to of this.#moments) {
      if (!isFree(to) || !this.#isUnderWay(to, 2 * HOUR_MS, 12 * HOUR_MS)) continue;
      const relay = to.before;
      const from = this.#moments.find(
        (moment) =>
          moment.unit !== to.unit &&
          isFree(moment) &&
          moment.here === null &&
          moment.before.place === relay.place &&
          moment.before.fromMs < relay.untilMs - HOUR_MS / 2 &&
          moment.before.untilMs > relay.fromMs &&
          this.#isSeen(moment.earlier),
      );
      if (!from) continue;
      this.#used.add(from.unit).add(to.unit);
      const swapMs = Math.max(from.before.fromMs, relay.fromMs) + QUARTER_MS;
      const relayStop: PlannedStop = { kind: 'other', stay: from.before, appointment: null };
      return {
        stops: [pickup(from.earlier), relayStop, delivery(to.next, around(to.next, HOUR_MS, 8 * HOUR_MS))],
        trucks: [...this.#givenAt(from, from.earlier), { vin: to.vin, atMs: swapMs }],
      };
    }
    return null;
  }

  /** A truck that was seen last so long ago that it can be anywhere, or never, and is yet to come to its pickup. */
  #planSilent() {
    const lastMs = ({ unit }: Moment): number | null => this.#fleet.lastReportAt(unit, this.#nowMs);
    const isLost = (moment: Moment): boolean => {
      if (this.#used.has(moment.unit)) return false;
      const seenMs = lastMs(moment);
      if (seenMs === null) return specimenOf(moment.unit) === 'neverReporting';
      const isGone = moment.before.untilMs < seenMs - HOUR_MS;
      return specimenOf(moment.unit) === 'vanishing' && isGone && this.#nowMs - seenMs > MOST_SILENT_MS;
    };
    const [silent] = this.#moments
      .filter(isLost)
      .sort((a, b) => (lastMs(a) ?? this.#nowMs) - (lastMs(b) ?? this.#nowMs));
    if (!silent) return null;
    this.#used.add(silent.unit);
    const { vin, next, after } = silent;
    const seenMs = lastMs(silent);
    // What never reported is waited for until the next day.
    const appointment =
      seenMs === null ? until(ceil(this.#nowMs + 18 * HOUR_MS)) : around(next, HOUR_MS, 4 * HOUR_MS);
    return {
      stops: [
        { ...pickup(next), appointment },
        { ...delivery(after), appointment: null },
      ],
      trucks: [{ vin, atMs: (seenMs ?? this.#nowMs - HOUR_MS) - QUARTER_MS }],
    };
  }

  /** A truck at a dock; `isLoaded`: it came there with a load. */
  #findAtDock(leastMs: number, leftMs: number, { isLoaded }: { isLoaded: boolean }): Moment | null {
    return this.#find(
      ({ here, before }) =>
        here !== null &&
        this.#lasted(here) > leastMs &&
        this.#lasted(here) < 3 * HOUR_MS &&
        this.#left(here) > leftMs &&
        this.#isSeen(isLoaded ? before : here),
    );
  }

  /** Its free time runs out, and on its way it was not seen at a stop. */
  #planAtDelivery() {
    const found = this.#findAtDock(2 * QUARTER_MS, 3 * QUARTER_MS, { isLoaded: true });
    if (!found) return null;
    const { before } = found;
    const here = found.here!;
    const appointment = { fromMs: floor(here.fromMs), toMs: ceil(here.fromMs + HOUR_MS) };
    const freeMin = Math.ceil((this.#lasted(here) + 10 * MINUTE_MS) / QUARTER_MS) * 15;
    const other = this.#moments.find((moment) =>
      [before, here].every(({ at }) => distanceM(moment.before.at, at) > 300_000),
    );
    const missed: PlannedStop[] = other ? [{ kind: 'other', stay: other.before, appointment: null }] : [];
    return {
      stops: [pickup(before), ...missed, delivery(here, appointment, freeMin)],
      trucks: this.#givenAt(found, before),
    };
  }

  #planAtPickup() {
    const found = this.#findAtDock(2 * QUARTER_MS, 2 * QUARTER_MS, { isLoaded: false });
    if (!found) return null;
    const { here, next } = found;
    return { stops: [pickup(here!), delivery(next)], trucks: this.#givenAt(found, here!) };
  }

  /** A truck that rests on its way. */
  #planNotMoving() {
    const found = this.#find(
      (moment) =>
        this.#isUnderWay(moment, 2 * HOUR_MS, 20 * HOUR_MS) &&
        isResting(this.#fleet, moment.unit, this.#nowMs + HOUR_MS, NOT_MOVING_MS + HOUR_MS + QUARTER_MS),
    );
    if (!found) return null;
    const toMs = ceil(Math.max(this.#windowOf(found).toMs, found.next.fromMs) + 4 * HOUR_MS);
    return this.#toOnTheRoad(found, { fromMs: floor(this.#nowMs), toMs });
  }

  #planLate() {
    const found = this.#find((moment) => this.#isUnderWay(moment, 4 * HOUR_MS, 14 * HOUR_MS));
    if (!found) return null;
    const { fromMs } = this.#windowOf(found);
    return this.#toOnTheRoad(found, until(floor((this.#nowMs + fromMs) / 2)));
  }

  /** The appointment ends when the truck arrives, or else within its window. */
  #planAtRisk() {
    const found = this.#find((moment) => this.#isUnderWay(moment, 3 * HOUR_MS, 12 * HOUR_MS));
    if (!found) return null;
    const { fromMs, toMs } = this.#windowOf(found);
    const arrivalMs = ceil(found.next.fromMs);
    const isWithin = arrivalMs > fromMs + QUARTER_MS && arrivalMs < toMs - QUARTER_MS;
    return this.#toOnTheRoad(found, until(isWithin ? arrivalMs : floor((fromMs + toMs) / 2)));
  }

  #planInTransit() {
    const found = this.#find((moment) => this.#isUnderWay(moment, HOUR_MS, 8 * HOUR_MS));
    if (!found) return null;
    const toMs = ceil(Math.max(this.#windowOf(found).toMs, found.next.fromMs) + 2 * HOUR_MS);
    return this.#toOnTheRoad(found, { fromMs: floor(this.#nowMs), toMs });
  }

  #planDelivered() {
    const found = this.#find(
      ({ here, before, earlier }) =>
        here === null &&
        this.#nowMs - before.untilMs > HOUR_MS &&
        this.#nowMs - before.untilMs < 12 * HOUR_MS &&
        this.#isSeen(earlier),
    );
    if (!found) return null;
    const { earlier, before } = found;
    return { stops: [pickup(earlier), delivery(before)], trucks: this.#givenAt(found, earlier) };
  }

  /** A truck that left a dock so long ago that it was gone from it, as far as is known, when it got its next load. */
  #findNearing(goneMs: number): Moment | null {
    return this.#find(
      ({ here, before, next }) =>
        here === null &&
        this.#nowMs - before.untilMs > goneMs &&
        next.fromMs - this.#nowMs > HOUR_MS &&
        next.fromMs - this.#nowMs < 8 * HOUR_MS,
    );
  }

  /** The customer canceled it while its truck was on the way. */
  #planEnded() {
    const found = this.#findNearing(4 * HOUR_MS);
    if (!found) return null;
    const { vin, next, after } = found;
    const trucks = [{ vin, atMs: this.#nowMs - 3 * HOUR_MS }];
    return { stops: [pickup(next), delivery(after)], trucks, endedMs: this.#nowMs - HOUR_MS };
  }

  #planToPickup() {
    const found = this.#findNearing(2 * HOUR_MS);
    if (!found) return null;
    const { vin, next, after } = found;
    const appointment = around(next, HOUR_MS, 6 * HOUR_MS);
    return {
      stops: [{ ...pickup(next), appointment }, delivery(after)],
      trucks: [{ vin, atMs: this.#nowMs - HOUR_MS }],
    };
  }

  /** A truck comes there later, and is to have it then. */
  #planNoTruck() {
    const found = this.#moments.find(
      ({ unit, next }) =>
        !this.#used.has(unit) &&
        specimenOf(unit) === null &&
        next.fromMs - this.#nowMs > 8 * HOUR_MS &&
        next.fromMs - this.#nowMs < 30 * HOUR_MS,
    );
    if (!found) return null;
    const { next, after } = found;
    return {
      stops: [pickup(next), delivery(after)],
      trucks: [{ vin: null, atMs: this.#nowMs - 2 * HOUR_MS }],
    };
  }
}

/** A truck that stands on its way for so long is said to be not moving. */
export const NOT_MOVING_MS = HOUR_MS;

/** Whether a unit stood for so long before a moment. */
export const isResting = (fleet: DemoFleet, unit: number, untilMs: number, forMs: number): boolean => {
  for (let atMs = untilMs; atMs >= untilMs - forMs; atMs -= QUARTER_MS)
    if (fleet.stateAt(unit, atMs).isDriving) return false;
  return true;
};

/** The loads that the trucks of a demo fleet have at a moment, by what they truly do around it. */
export const planSampleLoads = (fleet: DemoFleet, options: SamplePlanOptions): SampleLoad[] =>
  new SamplePlan(fleet, options).make(options.names ?? SAMPLE_NAMES);

const CUSTOMERS = [
  ...['Lakeshore Foods', 'Copper State Steel', 'Prairie Seed', 'Gulf Chemical', 'Summit Outfitters'],
  ...['Blue Ridge Furniture', 'Cascade Beverage', 'Heartland Tire'],
];
const FIRST_REFERENCE = 8841;

const toStop = (
  { kind, stay, appointment, freeMin }: PlannedStop,
  customer: string,
  sites: readonly Site[],
): object => {
  const site = siteAt(sites, stay.at);
  const [town] = stay.place.split(',');
  const names = { pickup: `${town} terminal`, delivery: `${customer}, ${town}`, other: `${town} drop yard` };
  const { lat, lng }: LatLng = stay.at;
  return {
    ...{ kind, appointment, freeMin: freeMin ?? null, address: stay.place },
    ...(site ? { siteId: site.id, place: null } : { siteId: null, place: { name: names[kind], lat, lng } }),
  };
};

/** Adds planned loads, as the fleet's dispatcher did, and returns their ids; `contextAt` is what was done at a moment with. */
export const addSampleLoads = async (
  planned: readonly SampleLoad[],
  { usdot, sites, firstNumber = 0 }: { usdot: string; sites: readonly Site[]; firstNumber?: number },
  contextAt: (atMs: number) => LoadContext,
): Promise<number[]> => {
  const ids: number[] = [];
  for (const [index, { stops, trucks, endedMs }] of planned.entries()) {
    const number = firstNumber + index;
    const customer = CUSTOMERS[number % CUSTOMERS.length]!;
    const [first, ...others] = trucks;
    const input: LoadInput = loadInputSchema.parse({
      ...{ reference: String(FIRST_REFERENCE + number), po: `PO ${55_012 + 7 * number}`, customer },
      ...{ bol: `BOL ${70_318 + 11 * number}`, unit: first!.vin },
      stops: stops.map((stop) => toStop(stop, customer, sites)),
    });
    const { id } = await addLoad(contextAt(first!.atMs), usdot, input);
    ids.push(id);
    for (const { vin, atMs } of others) await changeLoad(contextAt(atMs), usdot, id, { ...input, unit: vin });
    if (endedMs !== undefined) await endLoad(contextAt(endedMs), usdot, id);
  }
  return ids;
};

/** How many numbers were given out, by the references of a fleet's loads. */
export const countNumbers = (references: readonly string[]): number =>
  Math.max(
    0,
    ...references.map((reference) =>
      /^\d{4,6}$/.test(reference) ? Number(reference) + 1 - FIRST_REFERENCE : 0,
    ),
  );
