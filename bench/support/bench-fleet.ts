import { createDemoFleet } from '@/service/simulator/demo-fleet';
import { hashUnit } from '@/service/simulator/random';

/** A fleet as a provider would tell of it, moved on poll by poll: the same for the same seed. */
export interface BenchFleet {
  units: number;
  vins: readonly string[];
  /** Moves `movedShare` (0 to 1) of the units on to their next place. */
  step(movedShare: number): void;
  /** The records of GET /api/units/:usdot as they stand, as JSON text. */
  toJson(): string;
  /** Where a unit stands, degrees, and since when, Unix milliseconds. */
  positionOf(unit: number): { lat: number; lng: number; fixAtMs: number };
}

/** How far units that moved have gone on, by default; as long as a fast poll. */
export const STEP_MS = 10_000;

/**
 * `startAtMs`: when the first fixes were taken, Unix milliseconds; `stepMs`: how far a step goes on. Who steps by the
 * clock must step as far: else fixes come from ahead of it, and every unit is flagged.
 */
export const createBenchFleet = (
  units: number,
  seed: number,
  startAtMs: number,
  stepMs = STEP_MS,
): BenchFleet => {
  const fleet = createDemoFleet({ units, seed });
  const lat = new Float64Array(units);
  const lng = new Float64Array(units);
  const fixAtMs = new Float64Array(units);
  // Everything but place and time is the same in each answer.
  const heads = fleet.vehicles.map((vehicle) =>
    JSON.stringify({
      truckNumber: vehicle.truckNumber,
      vin: vehicle.vin,
      licensePlate: { state: vehicle.plateState, number: vehicle.plateNumber },
      assetType: vehicle.assetType,
      deviceId: vehicle.deviceId,
      make: vehicle.make,
      model: vehicle.model,
      year: vehicle.year,
      fuelType: vehicle.fuelType,
    }).slice(0, -1),
  );
  let steps = 0;

  const place = (unit: number, atMs: number): void => {
    const state = fleet.stateAt(unit, atMs);
    lat[unit] = Number(state.lat.toFixed(6));
    lng[unit] = Number(state.lng.toFixed(6));
    fixAtMs[unit] = atMs;
  };
  // Devices report at their own seconds.
  const toFixMs = (unit: number, step: number): number =>
    startAtMs + step * stepMs - Math.floor(hashUnit(seed, unit, step, 11) * stepMs);
  for (let unit = 0; unit < units; unit++) place(unit, toFixMs(unit, 0));

  return {
    units,
    vins: fleet.vehicles.map(({ vin }) => vin),
    step: (movedShare) => {
      steps += 1;
      for (let unit = 0; unit < units; unit++) {
        if (hashUnit(seed, unit, steps, 12) < movedShare) place(unit, toFixMs(unit, steps));
      }
    },
    toJson: () => {
      const records = heads.map((head, unit) => {
        const time = new Date(fixAtMs[unit]!).toISOString();
        const seconds = Math.floor(fixAtMs[unit]! / 1000);
        return `${head},"coordinates":{"lat":${lat[unit]},"lng":${lng[unit]}},"timestamp":"${time}","unixTimestamp":${seconds}}`;
      });
      return `{"units":[${records.join(',')}]}`;
    },
    positionOf: (unit) => ({ lat: lat[unit]!, lng: lng[unit]!, fixAtMs: fixAtMs[unit]! }),
  };
};
