import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { roomFor } from '@/lib/base/cache';
import { createBatcher } from '@/lib/database/batcher';
import type { Position, Revisions } from '../store/fixes/positions';
import type { Store } from '../store/store';
import type { StoredVehicle } from '../store/vehicles';
import { createLargeRepresentation, createRepresentation, type Representation } from './representation';
import { toUnit } from './unit';

interface FleetCacheOptions {
  store: Pick<Store, 'positions' | 'vehicles'>;
  now: () => number;
  activeWindowMs: number;
}

/** A unit as JSON text, and the time after which it is no longer active. */
interface Fragment {
  json: string;
  activeUntilMs: number;
}

interface Fleet {
  revisions: Revisions;
  vehicles: StoredVehicle[];
  fragments: Map<number, Fragment>;
  units: { representation: Promise<Representation>; builtAtMs: number; nextExpiryMs: number } | null;
  vins: Representation | null;
}

/** A few milliseconds of work, after which other requests get a turn. */
const UNITS_A_SLICE = 1000;
/** A fleet that is not requested for this long is dropped. */
const IDLE_MS = 15 * 60_000;
const MAX_FLEETS = 10_000;

const EMPTY_UNITS = createRepresentation('{"units":[]}');
const EMPTY_VINS = createRepresentation('[]');

/** `{"units":[…]}` in parts of a slice each. */
function* toUnitsParts(units: string[]): Generator<string> {
  yield '{"units":[';
  for (let first = 0; first < units.length; first += UNITS_A_SLICE)
    yield (first === 0 ? '' : ',') + units.slice(first, first + UNITS_A_SLICE).join(',');
  yield ']}';
}

const buildUnits = (fleet: Fleet, nowMs: number): NonNullable<Fleet['units']> => {
  const active: string[] = [];
  let nextExpiryMs = Infinity;
  for (const { id } of fleet.vehicles) {
    const fragment = fleet.fragments.get(id);
    if (fragment === undefined || fragment.activeUntilMs < nowMs) continue;
    active.push(fragment.json);
    nextExpiryMs = Math.min(nextExpiryMs, fragment.activeUntilMs);
  }
  return { representation: createLargeRepresentation(toUnitsParts(active)), builtAtMs: nowMs, nextExpiryMs };
};

/** The two responses that grow with a fleet, built once per version for all requests. */
export class FleetCache {
  readonly #options: FleetCacheOptions;
  readonly #refreshers: LRUCache<string, (request: null) => Promise<Fleet | null>>;

  constructor(options: FleetCacheOptions) {
    this.#options = options;
    this.#refreshers = new LRUCache({
      ...roomFor(MAX_FLEETS),
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      ttlResolution: 0,
      perf: { now: options.now },
      memoMethod: (usdot) => this.#createRefresher(usdot),
    });
  }

  /** GET /api/units/:usdot */
  async readUnits(usdot: string): Promise<Representation> {
    const fleet = await this.#refresh(usdot);
    if (fleet === null) return EMPTY_UNITS;
    const nowMs = this.#options.now();
    const { units } = fleet;
    if (units === null || nowMs < units.builtAtMs || nowMs > units.nextExpiryMs)
      fleet.units = buildUnits(fleet, nowMs);
    return fleet.units!.representation;
  }

  /** GET /api/vin-numbers/:usdot */
  async readVins(usdot: string): Promise<Representation> {
    const fleet = await this.#refresh(usdot);
    if (fleet === null) return EMPTY_VINS;
    fleet.vins ??= createRepresentation(JSON.stringify(fleet.vehicles.map((vehicle) => vehicle.vin)));
    return fleet.vins;
  }

  #refresh(usdot: string): Promise<Fleet | null> {
    // The cache drops an expired fleet only when it is requested again.
    this.#refreshers.purgeStale();
    return this.#refreshers.memo(usdot)(null);
  }

  /** One refresh of a fleet at a time; concurrent requests share the next one. */
  #createRefresher(usdot: string): (request: null) => Promise<Fleet | null> {
    let held: Fleet | null = null;
    return createBatcher({
      maxWeight: Infinity,
      run: async (requests) => {
        const fleet = await this.#readNewest(usdot, held);
        held = fleet;
        return requests.map(() => fleet);
      },
    });
  }

  /** The fleet at the newest revision, from what changed since the one held; null where there is no such carrier. */
  async #readNewest(usdot: string, held: Fleet | null): Promise<Fleet | null> {
    const { positions, vehicles } = this.#options.store;
    const revisions = await positions.readRevisions(usdot);
    if (revisions === null) return null;
    if (held?.revisions.vehiclesRevision !== revisions.vehiclesRevision) {
      const list = await vehicles.list(usdot);
      const fleet: Fleet = { revisions, vehicles: list, fragments: new Map(), units: null, vins: null };
      await this.#writeFragments(fleet, await positions.listSince(usdot, 0));
      return fleet;
    }
    if (held.revisions.revision !== revisions.revision) {
      await this.#writeFragments(held, await positions.listSince(usdot, held.revisions.revision));
      held.revisions = revisions;
      held.units = null;
    }
    return held;
  }

  async #writeFragments(fleet: Fleet, positions: Position[]): Promise<void> {
    const vehicleById = new Map(fleet.vehicles.map((vehicle) => [vehicle.id, vehicle]));
    for (const [i, position] of positions.entries()) {
      if (i % UNITS_A_SLICE === UNITS_A_SLICE - 1) await nextTurn();
      const vehicle = vehicleById.get(position.vehicleId);
      // A vehicle added since the list was read comes with the next revision.
      if (vehicle === undefined) continue;
      const json = JSON.stringify(toUnit(vehicle, position));
      fleet.fragments.set(vehicle.id, {
        json,
        activeUntilMs: position.orderAtMs + this.#options.activeWindowMs,
      });
    }
  }
}
