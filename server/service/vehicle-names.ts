import 'server-only';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '@/lib/base/log';
import { createSalvageNotes } from '@/lib/tracking/normalize/salvage';
import { normalizeUnit } from '@/lib/tracking/normalize/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { Store } from '@/service/store/store';
import type { StoredVehicle } from '@/service/store/vehicles';

/** From this many vehicles on, other requests get a turn between them. */
const VEHICLES_A_TURN = 1000;

/** A vehicle's names as the feed would read them from an answer of the service. */
const toIdentities = (vehicle: StoredVehicle): UnitIdentity[] => {
  const licensePlate = { state: vehicle.plateState, number: vehicle.plateNumber };
  const unit = normalizeUnit({ ...vehicle, licensePlate }, 'vehicle', 0, createSalvageNotes());
  return unit === null ? [] : [unit.identity];
};

/** The names of an own fleet's vehicles, also of those that no poll shows because they have not reported for long, or never. */
export class VehicleNames {
  readonly #open: () => Promise<Pick<Store, 'vehicles' | 'positions'>>;
  readonly #log: Pick<Log, 'warn'>;
  /** The revision of the vehicles of each fleet whose names were read. */
  readonly #read = new Map<string, number>();

  constructor(open: () => Promise<Pick<Store, 'vehicles' | 'positions'>>, log: Pick<Log, 'warn'>) {
    this.#open = open;
    this.#log = log;
  }

  /** The names of a fleet's vehicles for a feed that begins. Never rejects. */
  readAll(usdot: string): Promise<UnitIdentity[]> {
    this.#read.delete(usdot);
    return this.readChanged(usdot);
  }

  /** The names of a fleet's vehicles where one of them changed since the last call, none where none did. Never rejects. */
  async readChanged(usdot: string): Promise<UnitIdentity[]> {
    try {
      return await this.#readChanged(usdot);
    } catch (error) {
      this.#log.warn({ usdot, reason: String(error) }, 'The names of a fleet cannot be read now.');
      return [];
    }
  }

  async #readChanged(usdot: string): Promise<UnitIdentity[]> {
    const store = await this.#open();
    const revision = (await store.positions.readRevisions(usdot))?.vehiclesRevision ?? null;
    if (revision === null || this.#read.get(usdot) === revision) return [];
    const vehicles = await store.vehicles.list(usdot);
    const identities: UnitIdentity[] = [];
    for (let at = 0; at < vehicles.length; at += VEHICLES_A_TURN) {
      identities.push(...vehicles.slice(at, at + VEHICLES_A_TURN).flatMap(toIdentities));
      await nextTurn();
    }
    this.#read.set(usdot, revision);
    return identities;
  }
}
