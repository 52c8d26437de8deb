import type { TrackingApi } from './fixtures';

/** A unit as the tracking API says it. */
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

/** The units that the API lists as active now. */
export const readUnits = async (api: TrackingApi, usdot: string): Promise<ApiUnit[]> =>
  (await api.read<{ units: ApiUnit[] }>(`/api/units/${usdot}`)).units;

/** How many of them have a place on the map; a VIN that is listed twice has one. */
export const countPlaced = (units: readonly ApiUnit[]): number =>
  new Set(units.filter(({ coordinates }) => coordinates !== null).map(({ vin }) => vin)).size;
