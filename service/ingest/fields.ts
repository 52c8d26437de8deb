import { z } from 'zod';
import {
  FULL_BATTERY_PERCENT,
  MAX_ACCURACY_M,
  MAX_ALTITUDE_M,
  MAX_SPEED_KPH,
  MIN_ALTITUDE_M,
} from '../store/fixes/fix-limits';
import { isPrintable } from '@/lib/identity/printable';
import { IngestInputError } from './input-error';
import type { LatLng } from '@/lib/wire/units';

/** The roster's limit. */
const MAX_DEVICE_ID_CHARACTERS = 200;

/** Kilometers per hour in one meter per second (exact). */
export const KPH_PER_MPS = 3.6;

/** A backlog of a day at a fix a minute, and more than the 1,000 points that Overland sends at once. */
export const MAX_BATCH_LOCATIONS = 2_000;

/** @throws IngestInputError `batch_too_large` */
export const requireBatchSize = (locations: readonly unknown[], field: string): void => {
  if (locations.length <= MAX_BATCH_LOCATIONS) return;
  const expected = `at most ${MAX_BATCH_LOCATIONS} locations`;
  throw new IngestInputError(field, expected, locations.length, 'batch_too_large');
};

/** A number in JSON that may be missing; 1e999, which JSON.parse reads as Infinity, is an unknown one and no error. */
export const measuredSchema = z.custom<number>((value) => typeof value === 'number', 'a number').nullish();

/** A device's own identifier, trimmed. Phones and trackers send it as text or as a bare number. */
export const requireDeviceId = (value: unknown, field: string): string => {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') {
    throw new IngestInputError(field, 'the device id, as text', value);
  }
  const trimmed = text.trim();
  if (trimmed.length > MAX_DEVICE_ID_CHARACTERS || !isPrintable(trimmed)) {
    throw new IngestInputError(field, `at most ${MAX_DEVICE_ID_CHARACTERS} printable characters`, value);
  }
  return trimmed;
};

/**
 * A position in decimal degrees, WGS 84.
 * @throws IngestInputError `no_position` for exactly 0,0, which is how trackers say that they have none.
 */
export const requirePosition = (
  lat: number | null,
  lng: number | null,
  fields: { lat: string; lng: string },
): LatLng => {
  if (lat === null || !(Math.abs(lat) <= 90)) {
    throw new IngestInputError(fields.lat, 'a latitude from -90 to 90 degrees', lat ?? undefined);
  }
  if (lng === null || !(Math.abs(lng) <= 180)) {
    throw new IngestInputError(fields.lng, 'a longitude from -180 to 180 degrees', lng ?? undefined);
  }
  if (lat === 0 && lng === 0) {
    const field = fields.lat === fields.lng ? fields.lat : `${fields.lat}, ${fields.lng}`;
    throw new IngestInputError(field, 'a position', '0, 0', 'no_position');
  }
  return { lat, lng };
};

/** Finer than any receiver measures, and coarse enough for a `real` of PostgreSQL, which 1e-200 underflows. */
const STEPS_A_UNIT = 1000;

/** A measurement, to a thousandth; null outside of its bounds, and for NaN, which firmware sends for unknown. */
const toMeasured = (value: number | null, min: number, max: number): number | null =>
  value !== null && value >= min && value <= max ? Math.round(value * STEPS_A_UNIT) / STEPS_A_UNIT : null;

/** km/h, from a number in units of `kphPerUnit`; negative or faster than any vehicle means unknown. */
export const toSpeedKph = (value: number | null, kphPerUnit: number): number | null =>
  toMeasured(value === null ? null : value * kphPerUnit, 0, MAX_SPEED_KPH);

/** Degrees clockwise from north in [0, 360); negative or beyond a full turn means unknown. */
export const toHeadingDeg = (value: number | null): number | null => {
  const headingDeg = toMeasured(value, 0, 360);
  return headingDeg === 360 ? 0 : headingDeg;
};

/** Whole percent from 0 to 100, from a number in which `full` means full; anything else is unknown. */
export const toBatteryPercent = (value: number | null, full: 1 | 100): number | null => {
  const percent = value === null ? null : value * (FULL_BATTERY_PERCENT / full);
  return percent !== null && percent >= 0 && percent <= FULL_BATTERY_PERCENT ? Math.round(percent) : null;
};

/** Meters above the ellipsoid or the sea; below zero is real, and off the Earth means unknown. */
export const toAltitudeM = (value: number | null): number | null =>
  toMeasured(value, MIN_ALTITUDE_M, MAX_ALTITUDE_M);

/** The radius of the fix in meters; negative or larger than a country means unknown. */
export const toAccuracyM = (value: number | null): number | null => toMeasured(value, 0, MAX_ACCURACY_M);
