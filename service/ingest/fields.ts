import { IngestInputError } from './input-error';
import type { LatLng } from '@/lib/wire/units';

/** As long as the roster takes. */
const MAX_DEVICE_ID_CHARACTERS = 200;

/** Kilometres per hour in one metre per second (exact). */
export const KPH_PER_MPS = 3.6;

/** Highest battery charge in percent; chargers report no more. */
const FULL_PERCENT = 100;

/** A device's own identifier, trimmed. Phones and trackers send it as text or as a bare number. */
export const requireDeviceId = (value: unknown, field: string): string => {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') {
    throw new IngestInputError(field, 'the device id, as text', value);
  }
  const trimmed = text.trim();
  if (trimmed.length > MAX_DEVICE_ID_CHARACTERS || hasControlCharacter(trimmed)) {
    throw new IngestInputError(field, `at most ${MAX_DEVICE_ID_CHARACTERS} printable characters`, value);
  }
  return trimmed;
};

/** PostgreSQL stores no NUL in text, and no device prints the others. */
const hasControlCharacter = (text: string): boolean =>
  [...text].some((character) => character.charCodeAt(0) < 0x20 || character.charCodeAt(0) === 0x7f);

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

/** A measured quantity that cannot be negative: negative or NaN is how devices say that they do not know it. */
export const toMeasured = (value: number | null, factor = 1): number | null =>
  value !== null && value >= 0 && Number.isFinite(value) ? value * factor : null;

/** Degrees clockwise from north in [0, 360); negative means unknown. */
export const toHeadingDeg = (value: number | null): number | null => {
  const headingDeg = toMeasured(value);
  return headingDeg === null ? null : headingDeg % 360;
};

/** Whole percent from 0 to 100, from a number in which `full` means full; anything else is unknown. */
export const toBatteryPercent = (value: number | null, full: 1 | 100): number | null => {
  const percent = toMeasured(value, FULL_PERCENT / full);
  return percent !== null && percent <= FULL_PERCENT ? Math.round(percent) : null;
};

/** Metres above the ellipsoid or the sea; below zero is real. */
export const toAltitudeM = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null;
