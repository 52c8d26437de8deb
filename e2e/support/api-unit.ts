import type { TrackingApi } from './fixtures';

/** A unit in the tracking API's format. */
export interface ApiUnit {
  truckNumber: string;
  vin: string;
  coordinates: { lat: number; lng: number } | null;
  timestamp: string;
  licensePlate: { state: string; number: string };
  assetType: string;
  unixTimestamp: number;
  deviceId: string;
  make: string;
  model: string;
  year: number;
  fuelType: string;
}

type ListedUnit = Omit<ApiUnit, 'vin'> & { vin: string | null };

/** All units that the API lists as active now; the demo has trucks that lose their VIN. */
export const readListedUnits = async (api: TrackingApi, usdot: string): Promise<ListedUnit[]> =>
  (await api.read<{ units: ListedUnit[] }>(`/api/units/${usdot}`)).units;

/** Those of them that have a VIN. */
export const readUnits = async (api: TrackingApi, usdot: string): Promise<ApiUnit[]> =>
  (await readListedUnits(api, usdot)).filter((unit): unit is ApiUnit => Boolean(unit.vin));

/**
 * How many of them are on the map of the fleet: a truck that is listed twice counts once, and one whose
 * longitude has lost its sign is drawn on the other side of the world.
 */
export const countPlaced = (units: readonly ListedUnit[]): number =>
  new Set(
    units
      .filter(({ coordinates }) => coordinates !== null && coordinates.lng < 0)
      .map(({ truckNumber }) => truckNumber),
  ).size;
