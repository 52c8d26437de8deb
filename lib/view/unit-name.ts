import type { UnitIdentity } from '@/lib/wire/fleet';

/** What a dispatcher calls a unit: its truck number, else the best other thing that is known of it. */
export const unitName = (identity: UnitIdentity): string =>
  identity.truckNumber ??
  identity.plateNumber ??
  (identity.vin === null ? null : identity.vin.slice(-6)) ??
  identity.deviceId ??
  identity.key;

/** The same as a heading: "Truck 412", or what kind of name it is where there is no truck number. */
export const unitTitle = (identity: UnitIdentity): string => {
  if (identity.truckNumber !== null) return `Truck ${identity.truckNumber}`;
  if (identity.plateNumber !== null) return `Plate ${identity.plateNumber}`;
  if (identity.vin !== null) return `VIN …${identity.vin.slice(-6)}`;
  return `Device ${identity.deviceId ?? identity.key}`;
};
