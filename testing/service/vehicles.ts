import type { FixInput, VehicleInput } from '@/service/store/inputs';

export const CARRIER = {
  usdot: '9000001',
  companyName: 'Prairie Wind Freight',
  companyId: 'prairie-wind',
  mcNumber: 'MC900001',
};
export const OTHER_CARRIER = {
  usdot: '9000002',
  companyName: 'Salt Flat Lines',
  companyId: 'salt-flat',
  mcNumber: null,
};
/** The carrier whose trucks report to its own server. */
export const OWN_CARRIER = {
  usdot: '2345678',
  companyName: 'Blue Mesa',
  companyId: '2345678',
  mcNumber: null,
};

/** A vehicle whose VIN and device are numbered; any field can be given. */
export const toVehicle = (n: number, given: Partial<VehicleInput> = {}): VehicleInput => ({
  usdot: CARRIER.usdot,
  vin: `1XKYD49X0KJ${String(n).padStart(6, '0')}`,
  truckNumber: `T-${n}`,
  deviceId: `device-${n}`,
  plateState: 'TX',
  plateNumber: `R${n}`,
  assetType: 'Truck',
  make: 'Kenworth',
  model: 'T680',
  year: 2019,
  fuelType: 'Diesel',
  ...given,
});

/** A CSV file as the page sends it; the id of a preview confirms it. */
export const toImport = (usdot: string, lines: string[], confirmed: string | null = null) => ({
  usdot,
  file: Buffer.from(lines.join('\r\n')).toString('base64'),
  confirmed,
});

export const toVin = (n: number): string => toVehicle(n).vin;

/** A fix of device number `n`. */
export const toFix = (n: number, fixAtMs: number, given: Partial<FixInput> = {}): FixInput => ({
  deviceId: `device-${n}`,
  fixAtMs,
  lat: 35.2,
  lng: -101.8,
  speedKph: null,
  headingDeg: null,
  altitudeM: null,
  accuracyM: null,
  batteryPercent: null,
  ...given,
});
