import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBatcher } from '../store/batcher';
import type { Position, Revisions } from '../store/fixes/positions';
import type { Store } from '../store/store';
import type { StoredVehicle } from '../store/vehicles';
import { createLargeRepresentation, createRepresentation } from './representation';
import type { Representation } from './representation';
import { toUnit } from './unit';

/** The two answers that grow with a fleet, made once a version however many ask for them. */
export interface FleetCache {
  /** GET /api/units/:usdot */
  readUnits(usdot: string): Promise<Representation>;
  /** GET /api/vin-numbers/:usdot */
  readVins(usdot: string): Promise<Representation>;
}

export interface FleetCacheOptions {
  store: Pick<Store, 'positions' | 'vehicles'>;
  now: () => number;
  /** How old the newest fix of an active unit may be. */
  activeWindowMs: number;
}

/** A unit as the text that it is in the answer, and the moment after which it is no longer active. */
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
  usedAtMs: number;
}

/** A few milliseconds of work between two chances for other requests. */
const UNITS_A_SLICE = 1000;
/** Fleets that nobody asked for in this time are let go. */
const IDLE_MS = 15 * 60_000;

const EMPTY_UNITS = createRepresentation('{"units":[]}');
const EMPTY_VINS = createRepresentation('[]');

/** `{"units":[…]}` in parts of a slice each. */
function* toUnitsParts(units: string[]): Generator<string> {
  yield '{"units":[';
  for (let first = 0; first < units.length; first += UNITS_A_SLICE)
    yield (first === 0 ? '' : ',') + units.slice(first, first + UNITS_A_SLICE).join(',');
  yield ']}';
}

export const createFleetCache = ({ store, now, activeWindowMs }: FleetCacheOptions): FleetCache => {
  const fleets = new Map<string, Fleet>();

  const writeFragments = async (fleet: Fleet, positions: Position[]): Promise<void> => {
    const vehicleById = new Map(fleet.vehicles.map((vehicle) => [vehicle.id, vehicle]));
    for (const [i, position] of positions.entries()) {
      if (i % UNITS_A_SLICE === UNITS_A_SLICE - 1) await nextTurn();
      const vehicle = vehicleById.get(position.vehicleId);
      // A vehicle added since the list was read comes with the next revision.
      if (vehicle === undefined) continue;
      const json = JSON.stringify(toUnit(vehicle, position));
      fleet.fragments.set(vehicle.id, { json, activeUntilMs: position.orderAtMs + activeWindowMs });
    }
  };

  const startFleet = async (usdot: string, revisions: Revisions): Promise<Fleet> => {
    const vehicles = await store.vehicles.list(usdot);
    const fleet: Fleet = {
      revisions,
      vehicles,
      fragments: new Map(),
      units: null,
      vins: null,
      usedAtMs: now(),
    };
    await writeFragments(fleet, await store.positions.listSince(usdot, 0));
    return fleet;
  };

  /** Brings the fleet to the newest revision, by what changed since the one that is held. */
  const refreshFleet = async (usdot: string): Promise<Fleet | null> => {
    const revisions = await store.positions.readRevisions(usdot);
    if (revisions === null) {
      fleets.delete(usdot);
      return null;
    }
    let fleet = fleets.get(usdot);
    if (fleet?.revisions.vehiclesRevision !== revisions.vehiclesRevision) {
      fleet = await startFleet(usdot, revisions);
      fleets.set(usdot, fleet);
    } else if (fleet.revisions.revision !== revisions.revision) {
      await writeFragments(fleet, await store.positions.listSince(usdot, fleet.revisions.revision));
      fleet.revisions = revisions;
      fleet.units = null;
    }
    fleet.usedAtMs = now();
    return fleet;
  };

  const buildUnits = (fleet: Fleet, nowMs: number): NonNullable<Fleet['units']> => {
    const active: string[] = [];
    let nextExpiryMs = Infinity;
    for (const { id } of fleet.vehicles) {
      const fragment = fleet.fragments.get(id);
      if (fragment === undefined || fragment.activeUntilMs < nowMs) continue;
      active.push(fragment.json);
      nextExpiryMs = Math.min(nextExpiryMs, fragment.activeUntilMs);
    }
    return {
      representation: createLargeRepresentation(toUnitsParts(active)),
      builtAtMs: nowMs,
      nextExpiryMs,
    };
  };

  const letGoOfIdle = (): void => {
    const idleBeforeMs = now() - IDLE_MS;
    for (const [usdot, fleet] of fleets) if (fleet.usedAtMs < idleBeforeMs) fleets.delete(usdot);
  };

  /** One refresh of a fleet at a time; those who ask meanwhile share the next. */
  const refreshers = new Map<string, (ask: null) => Promise<Fleet | null>>();
  const refresh = (usdot: string): Promise<Fleet | null> => {
    let refresher = refreshers.get(usdot);
    if (refresher === undefined) {
      refresher = createBatcher({
        maxWeight: Infinity,
        async run(asks: null[]) {
          letGoOfIdle();
          const fleet = await refreshFleet(usdot);
          return asks.map(() => fleet);
        },
      });
      refreshers.set(usdot, refresher);
    }
    return refresher(null);
  };

  return {
    async readUnits(usdot) {
      const fleet = await refresh(usdot);
      if (fleet === null) return EMPTY_UNITS;
      const nowMs = now();
      const held = fleet.units;
      if (held === null || nowMs < held.builtAtMs || nowMs > held.nextExpiryMs)
        fleet.units = buildUnits(fleet, nowMs);
      return fleet.units!.representation;
    },

    async readVins(usdot) {
      const fleet = await refresh(usdot);
      if (fleet === null) return EMPTY_VINS;
      fleet.vins ??= createRepresentation(JSON.stringify(fleet.vehicles.map((vehicle) => vehicle.vin)));
      return fleet.vins;
    },
  };
};
