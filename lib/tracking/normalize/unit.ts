import 'server-only';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { FlagEvidence } from '@/lib/wire/unit';
import { NAME_KINDS, toNameKey, type Names } from '@/lib/wire/unit-names';
import { isJsonObject } from '../schema';
import { normalizeNumber, normalizeText, describe, type NoteRepair, type SalvageNotes } from './salvage';
import { normalizeTime } from './time';
import { normalizeVin, type NormalizedVin } from './vin';
import type { TrackedUnit } from '../unit';
import type { LatLng } from '@/lib/geo/units';

interface NormalizedPosition {
  position: LatLng | null;
  /** Why there is no position, as text for a dispatcher; null where there is one. */
  fault: string | null;
}

const without = (fault: string): NormalizedPosition => ({ position: null, fault });

/** The position in a record's `coordinates`: WGS 84, decimal degrees, and never exactly 0, 0. */
const normalizePosition = (coordinates: unknown, noteRepair: NoteRepair): NormalizedPosition => {
  if (coordinates === null || coordinates === undefined) return without('The provider gives no coordinates.');
  if (typeof coordinates !== 'object' || Array.isArray(coordinates)) {
    noteRepair('coordinates', coordinates, null);
    return without(`The provider gives ${describe(coordinates)} as coordinates, which cannot be read.`);
  }
  const { lat: latValue, lng: lngValue } = coordinates as { lat?: unknown; lng?: unknown };
  const lat = normalizeNumber(latValue, 'coordinates.lat', noteRepair);
  const lng = normalizeNumber(lngValue, 'coordinates.lng', noteRepair);
  if (lat === null && lng === null) return without('The provider gives no coordinates.');
  if (lat === null) return without('The provider gives a longitude without a latitude.');
  if (lng === null) return without('The provider gives a latitude without a longitude.');
  if (Math.abs(lat) > 90) return without(`The provider gives latitude ${lat}, beyond the poles.`);
  if (Math.abs(lng) > 180) return without(`The provider gives longitude ${lng}, beyond 180 degrees.`);
  if (lat === 0 && lng === 0)
    return without('The provider gives 0, 0: what a tracker reports before it has a fix.');
  return { position: { lat, lng }, fault: null };
};

/** The first motor truck was sold in 1896; a model year further ahead than this is an error. */
const FIRST_MODEL_YEAR = 1896;
const LAST_MODEL_YEAR = 2100;

const normalizeYear = (value: unknown, noteRepair: NoteRepair): number | null => {
  const year = normalizeNumber(value, 'year', noteRepair);
  if (year === null || (Number.isInteger(year) && year >= FIRST_MODEL_YEAR && year <= LAST_MODEL_YEAR))
    return year;
  noteRepair('year', value, null);
  return null;
};

const normalizePlate = (
  value: unknown,
  noteRepair: NoteRepair,
): Pick<UnitIdentity, 'plateState' | 'plateNumber'> => {
  if (isJsonObject(value)) {
    return {
      plateState: normalizeText(value.state, 'licensePlate.state', noteRepair),
      plateNumber: normalizeText(value.number, 'licensePlate.number', noteRepair),
    };
  }
  const plateNumber = normalizeText(value, 'licensePlate', noteRepair);
  if (typeof value === 'string' && plateNumber !== null) noteRepair('licensePlate', value, plateNumber);
  return { plateState: null, plateNumber };
};

/** The key of a record by itself: its VIN where that can identify a unit, else its device, truck number or plate. */
const toKey = ({ vin, isUsable }: NormalizedVin, names: Names): string | null => {
  if (vin !== null && isUsable) return vin;
  for (const kind of NAME_KINDS) {
    const key = toNameKey(names, kind);
    if (key !== null) return key;
  }
  return vin === null ? null : `vin:${vin}`;
};

/** One record of the provider as a valid unit; null, with a note, where no field identifies a unit. Never throws. */
export const normalizeUnit = (
  value: unknown,
  where: string,
  nowMs: number,
  notes: SalvageNotes,
): TrackedUnit | null => {
  if (!isJsonObject(value)) {
    notes.dropped(where, `${describe(value)} is not a unit`);
    return null;
  }
  const noteRepair: NoteRepair = (field, got, readAs) => notes.repaired(`${where}.${field}`, got, readAs);
  const vin = normalizeVin(value.vin, noteRepair);
  const deviceId = normalizeText(value.deviceId, 'deviceId', noteRepair);
  const truckNumber = normalizeText(value.truckNumber, 'truckNumber', noteRepair);
  const plate = normalizePlate(value.licensePlate, noteRepair);
  const key = toKey(vin, { deviceId, truckNumber, ...plate });
  if (key === null) {
    notes.dropped(where, 'it has no VIN, device id, truck number or plate');
    return null;
  }
  const located = normalizePosition(value.coordinates, noteRepair);
  const time = normalizeTime(value, nowMs, noteRepair);
  const flags: FlagEvidence[] = [];
  if (located.fault !== null) flags.push({ flag: 'noPosition', text: located.fault });
  const isUndated = time.fixAtMs === null && located.position !== null;
  const timeFault = time.fault ?? (isUndated ? 'The provider gives its position without a time.' : null);
  if (timeFault !== null) flags.push({ flag: 'clockFault', text: timeFault });
  if (vin.fault !== null) flags.push({ flag: 'badVin', text: vin.fault });
  return {
    identity: {
      key,
      vin: vin.vin,
      truckNumber,
      ...plate,
      make: normalizeText(value.make, 'make', noteRepair),
      model: normalizeText(value.model, 'model', noteRepair),
      year: normalizeYear(value.year, noteRepair),
      fuelType: normalizeText(value.fuelType, 'fuelType', noteRepair),
      assetType: normalizeText(value.assetType, 'assetType', noteRepair),
      deviceId,
    },
    position: located.position,
    fixAtMs: time.fixAtMs,
    otherAtMs: time.otherAtMs,
    flags,
  };
};
