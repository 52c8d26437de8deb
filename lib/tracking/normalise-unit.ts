import 'server-only';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { FlagEvidence } from '@/lib/wire/unit';
import { NAME_KINDS, toNameKey } from '@/lib/wire/unit-names';
import type { Names } from '@/lib/wire/unit-names';
import { isJsonObject } from './json-object';
import { normalisePosition } from './normalise-position';
import { normaliseNumber, normaliseText } from './normalise-scalar';
import { normaliseTime } from './normalise-time';
import { normaliseVin } from './normalise-vin';
import type { NormalisedVin } from './normalise-vin';
import { describe } from './salvage';
import type { Mend, SalvageNotes } from './salvage';
import type { TrackedUnit } from './unit';

/** The first motor truck was sold in 1896; a model year further ahead than this is an error. */
const FIRST_MODEL_YEAR = 1896;
const LAST_MODEL_YEAR = 2100;

const normaliseYear = (value: unknown, mend: Mend): number | null => {
  const year = normaliseNumber(value, 'year', mend);
  if (year === null || (Number.isInteger(year) && year >= FIRST_MODEL_YEAR && year <= LAST_MODEL_YEAR))
    return year;
  mend('year', value, null);
  return null;
};

const normalisePlate = (value: unknown, mend: Mend): Pick<UnitIdentity, 'plateState' | 'plateNumber'> => {
  if (isJsonObject(value)) {
    return {
      plateState: normaliseText(value.state, 'licensePlate.state', mend),
      plateNumber: normaliseText(value.number, 'licensePlate.number', mend),
    };
  }
  const plateNumber = normaliseText(value, 'licensePlate', mend);
  if (typeof value === 'string' && plateNumber !== null) mend('licensePlate', value, plateNumber);
  return { plateState: null, plateNumber };
};

/**
 * The key of a record by itself: its VIN where that can identify a unit, else its device, truck number or
 * plate.
 */
const toKey = ({ vin, isUsable }: NormalisedVin, names: Names): string | null => {
  if (vin !== null && isUsable) return vin;
  for (const kind of NAME_KINDS) {
    const key = toNameKey(names, kind);
    if (key !== null) return key;
  }
  return vin === null ? null : `vin:${vin}`;
};

/**
 * One record of the provider as a valid unit; null, with a note, where no field identifies a unit. Never
 * throws.
 */
export const normaliseUnit = (
  value: unknown,
  where: string,
  nowMs: number,
  notes: SalvageNotes,
): TrackedUnit | null => {
  if (!isJsonObject(value)) {
    notes.dropped(where, `${describe(value)} is not a unit`);
    return null;
  }
  const mend: Mend = (field, got, readAs) => notes.repaired(`${where}.${field}`, got, readAs);
  const vin = normaliseVin(value.vin, mend);
  const deviceId = normaliseText(value.deviceId, 'deviceId', mend);
  const truckNumber = normaliseText(value.truckNumber, 'truckNumber', mend);
  const plate = normalisePlate(value.licensePlate, mend);
  const key = toKey(vin, { deviceId, truckNumber, ...plate });
  if (key === null) {
    notes.dropped(where, 'it has no VIN, device id, truck number or plate');
    return null;
  }
  const place = normalisePosition(value.coordinates, mend);
  const time = normaliseTime(value, nowMs, mend);
  const flags: FlagEvidence[] = [];
  if (place.fault !== null) flags.push({ flag: 'noPosition', words: place.fault });
  const isUndated = time.fixAtMs === null && place.position !== null;
  const timeFault = time.fault ?? (isUndated ? 'The provider gives its position without a time.' : null);
  if (timeFault !== null) flags.push({ flag: 'clockFault', words: timeFault });
  if (vin.fault !== null) flags.push({ flag: 'badVin', words: vin.fault });
  return {
    identity: {
      key,
      vin: vin.vin,
      truckNumber,
      ...plate,
      make: normaliseText(value.make, 'make', mend),
      model: normaliseText(value.model, 'model', mend),
      year: normaliseYear(value.year, mend),
      fuelType: normaliseText(value.fuelType, 'fuelType', mend),
      assetType: normaliseText(value.assetType, 'assetType', mend),
      deviceId,
    },
    position: place.position,
    fixAtMs: time.fixAtMs,
    otherAtMs: time.otherAtMs,
    flags,
  };
};
