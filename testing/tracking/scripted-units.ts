import { checkDigit } from '@/lib/identity/vin';
import { SECOND_MS } from '@/lib/base/time';

/** A truck of a test: its position at the start of 1970, and its speed north from there. */
export interface ScriptedUnit {
  vin: string;
  truckNumber: string;
  lat: number;
  lng: number;
  /** Meters per second; 0 for one that stands. */
  northMps: number;
}

/** A record of GET /api/units/:usdot, with every field of the contract. */
export type ApiRecord = Record<string, unknown> & { vin: string };

const DEGREES_PER_M = 1 / 111_195;
/** The fields that a device needs to report, and a provider to pass it on. */
const FIX_AGE_S = 2;
/** A truck turns around after this long, so that it stays in the state. */
const LEG_S = 7200;

/** Three parked trucks in Texas. */
export const SCRIPTED_UNITS: readonly ScriptedUnit[] = [
  { vin: '1FUJGLDR0NLM12041', truckNumber: '4107', lat: 35.2, lng: -101.83, northMps: 0 },
  { vin: '1FUJGLDR2NLM12042', truckNumber: '4108', lat: 32.78, lng: -96.8, northMps: 0 },
  { vin: '1FUJGLDR4NLM12043', truckNumber: '4109', lat: 29.76, lng: -95.37, northMps: 0 },
];

const createVin = (number: number): string => {
  const serial = String(number).padStart(5, '0');
  const blank = `1FUJGLDR0NL${serial.length > 5 ? '' : 'M'}${serial}`;
  return `${blank.slice(0, 8)}${checkDigit(blank)}${blank.slice(9)}`;
};

/** A number of trucks on a grid over Texas that drive or stand; another `first` gives other trucks. */
export const createScriptedUnits = (count: number, first = 20_000): ScriptedUnit[] =>
  Array.from({ length: count }, (_, i) => ({
    vin: createVin(first + i),
    truckNumber: String(first + i),
    lat: 29 + (i % 20) * 0.25,
    lng: -102 + (Math.floor(i / 20) % 20) * 0.3,
    northMps: i % 3 === 0 ? 0 : 15 + (i % 10),
  }));

/** A sound provider's record of a truck at a moment. */
export const toApiRecord = (unit: ScriptedUnit, nowMs: number): ApiRecord => {
  const fixAtS = Math.floor(nowMs / SECOND_MS) - FIX_AGE_S;
  const onLegS = fixAtS % (2 * LEG_S);
  const drivenM = unit.northMps * (onLegS < LEG_S ? onLegS : 2 * LEG_S - onLegS);
  return {
    truckNumber: unit.truckNumber,
    vin: unit.vin,
    coordinates: { lat: Number((unit.lat + drivenM * DEGREES_PER_M).toFixed(6)), lng: unit.lng },
    timestamp: new Date(fixAtS * SECOND_MS).toISOString(),
    unixTimestamp: fixAtS,
    licensePlate: { state: 'TX', number: `R48 ${unit.truckNumber}` },
    assetType: 'Truck',
    deviceId: `device-${unit.truckNumber}`,
    make: 'Freightliner',
    model: 'Cascadia',
    year: 2022,
    fuelType: 'Diesel',
  };
};
