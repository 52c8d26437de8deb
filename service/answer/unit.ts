import type { CarrierAccount, Unit, VinCarrier } from '../contract';
import type { Carrier } from '../store/inputs';
import type { Position } from '../store/fixes/positions';
import type { StoredVehicle } from '../store/vehicles';

/** A vehicle at its newest fix, in the shape of the API. */
export const toUnit = (vehicle: StoredVehicle, position: Position): Unit => ({
  truckNumber: vehicle.truckNumber,
  vin: vehicle.vin,
  coordinates: { lat: position.lat, lng: position.lng },
  timestamp: new Date(position.fixAtMs).toISOString(),
  licensePlate: { state: vehicle.plateState, number: vehicle.plateNumber },
  assetType: vehicle.assetType,
  unixTimestamp: Math.floor(position.fixAtMs / 1000),
  deviceId: vehicle.deviceId,
  make: vehicle.make,
  model: vehicle.model,
  year: vehicle.year,
  fuelType: vehicle.fuelType,
});

export const toCarrierAccount = ({ companyName, companyId, usdot }: Carrier): CarrierAccount => ({
  companyName,
  companyId,
  usdot,
});

/** The carrier that a vehicle is registered to: its fleet's, unless another one was given for it. */
export const toVinCarrier = (vehicle: StoredVehicle, fleet: Carrier | null): VinCarrier => {
  const usDotNumber = vehicle.registeredUsdot ?? vehicle.usdot;
  const fleetMcNumber = usDotNumber === fleet?.usdot ? fleet.mcNumber : null;
  return { mcNumber: vehicle.registeredMcNumber ?? fleetMcNumber, usDotNumber };
};
