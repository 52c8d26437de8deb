import { z } from 'zod';
import { isPrintable } from '@/lib/identity/text';
import {
  FULL_BATTERY_PERCENT,
  MAX_ACCURACY_M,
  MAX_ALTITUDE_M,
  MAX_SPEED_KPH,
  MIN_ALTITUDE_M,
  MAX_TIME_MS,
  MAX_ALARM_CHARACTERS,
  MAX_ODOMETER_M,
} from '../store/schema';
import { MAX_TEXT_CHARACTERS, type ReportInput, type FixInput } from '../store/inputs';

/** Why an ingest request was refused; stable, for programs. */
export type IngestInputCode = 'invalid_input' | 'clock_fault' | 'encrypted_payload' | 'batch_too_large';

/**
 * A device sent something that cannot be stored. The message names the field, what was expected and what was sent,
 * and is safe to answer: it never holds a credential.
 */
export class IngestInputError extends Error {
  override name = 'IngestInputError';

  constructor(
    readonly field: string,
    expected: string,
    got: unknown,
    readonly code: IngestInputCode = 'invalid_input',
    options?: ErrorOptions,
  ) {
    super(`${field}: expected ${expected}, got ${toShown(got)}`, options);
  }
}

/** Long enough to recognize a value, short enough for a log line. */
const SHOWN_CHARACTERS = 60;

/** Takes constant time: the value may be megabytes long or deeply nested. */
const toShown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return isEmpty(value) ? '{}' : 'an object';
  if (typeof value !== 'string') return String(value);
  const text = JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
  return value.length > SHOWN_CHARACTERS || text.length > SHOWN_CHARACTERS
    ? `${text.slice(0, SHOWN_CHARACTERS)}…`
    : text;
};

const isEmpty = (value: object): boolean => {
  for (const key in value) return key === undefined;
  return true;
};

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

/** Longer than any number that a program prints. */
const MAX_NUMBER_CHARACTERS = 100;

/** No two parts of it match the same digits, so that a text which is no number is refused in one pass. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A number, which trackers may give as text; null for anything else, such as "unavailable". */
export const toNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_CHARACTERS) return null;
  const text = value.trim();
  return DECIMAL.test(text) ? Number(text) : null;
};

/** A measurement besides the position: what is no number is unknown and no error. */
const measuredSchema = z.unknown().optional().transform(toNumber);

/** Measurements of a schema, by their names. */
export const measured = <Name extends string>(...names: Name[]): Record<Name, typeof measuredSchema> =>
  Object.fromEntries(names.map((name) => [name, measuredSchema])) as Record<Name, typeof measuredSchema>;

/** A device's own identifier, trimmed. Phones and trackers send it as text or as a bare number. */
export const requireDeviceId = (value: unknown, field: string): string => {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') {
    throw new IngestInputError(field, 'the device id, as text', value);
  }
  const trimmed = text.trim();
  if (trimmed.length > MAX_TEXT_CHARACTERS || !isPrintable(trimmed)) {
    throw new IngestInputError(field, `at most ${MAX_TEXT_CHARACTERS} printable characters`, value);
  }
  return trimmed;
};

type ReportedPosition = Pick<ReportInput, 'lat' | 'lng'>;

/** A report by which a device is only heard. */
export const NO_POSITION: ReportedPosition = { lat: null, lng: null };

/** Texts that firmware, templates and C libraries write for an unknown coordinate, in lower case or not. */
const NO_COORDINATE =
  /^(null|nil|none|no|false|undefined|unknown|unavailable|n\/?a|-+|[+-]?(nan(\(\w*\))?|inf(inity)?|1\.#(ind|qnan|snan|inf)\d*)|)$/i;

/** An empty array or object, or an array of a few such or of nulls. Bounded, as JSON may be nested 100,000 times. */
const isEmptyContainer = (value: unknown, depth = 3): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value))
    return depth > 0 && value.every((each) => each === null || isEmptyContainer(each, depth - 1));
  for (const key in value) return key === undefined;
  return true;
};

const isNoCoordinate = (value: unknown): boolean =>
  value === null ||
  value === false ||
  Number.isNaN(value) ||
  isEmptyContainer(value) ||
  (typeof value === 'string' && NO_COORDINATE.test(value.slice(0, MAX_NUMBER_CHARACTERS).trim()));

/** Whether what should hold coordinates holds none: it is missing, empty, or a text such as "unavailable" or "home". */
export const holdsNoCoordinates = (value: unknown): boolean =>
  value === undefined || isNoCoordinate(value) || (typeof value === 'string' && !/\d/.test(value));

/** A schema of a value with coordinates, by which one without any is read as `empty`. */
export const orEmpty = <Schema extends z.ZodType>(schema: Schema, empty: object = {}) =>
  z.preprocess((value) => (holdsNoCoordinates(value) ? empty : value), schema);

/** Whether a device marks its position as invalid: `false`, `0` or `no`. */
export const isMarkedInvalid = (valid: unknown): boolean => /^(0|false|no)$/i.test(String(valid).trim());

/**
 * A position in decimal degrees, WGS 84; none where both coordinates are missing, where one is not known, and for exactly
 * 0,0, which trackers send without a position.
 * @throws IngestInputError for what is no coordinate
 */
export const toPosition = (
  latitude: unknown,
  longitude: unknown,
  fields: { lat: string; lng: string },
): ReportedPosition => {
  if (latitude === undefined && longitude === undefined) return NO_POSITION;
  if ([latitude, longitude].some((each) => each !== undefined && isNoCoordinate(each))) return NO_POSITION;
  const [lat, lng] = [toNumber(latitude), toNumber(longitude)];
  if (lat === null || !(Math.abs(lat) <= 90))
    throw new IngestInputError(fields.lat, 'a latitude from -90 to 90 degrees', lat ?? latitude);
  if (lng === null || !(Math.abs(lng) <= 180))
    throw new IngestInputError(fields.lng, 'a longitude from -180 to 180 degrees', lng ?? longitude);
  return lat === 0 && lng === 0 ? NO_POSITION : { lat, lng };
};

/** Finer than any receiver measures, and coarse enough for a `real` of PostgreSQL, which 1e-200 underflows. */
const STEPS_A_UNIT = 1000;

type Measured = number | null | undefined;

/** A measurement, to a thousandth; null outside of its bounds, and for NaN, which firmware sends for unknown. */
const toMeasured = (value: Measured, min: number, max: number): number | null =>
  value != null && value >= min && value <= max ? Math.round(value * STEPS_A_UNIT) / STEPS_A_UNIT : null;

/** km/h, from a number in units of `kphPerUnit`; negative or faster than any vehicle means unknown. */
export const toSpeedKph = (value: Measured, kphPerUnit: number): number | null =>
  toMeasured(value == null ? null : value * kphPerUnit, 0, MAX_SPEED_KPH);

/** Percent from 0 to 100, from a number in which `full` means full; anything else is unknown. */
const toBatteryPercent = (value: Measured, full: 1 | 100): number | null =>
  toMeasured(value == null ? null : value * (FULL_BATTERY_PERCENT / full), 0, FULL_BATTERY_PERCENT);

/**
 * The measurements of a device besides its position, null where it is unknown: the course is in degrees clockwise from north and
 * becomes less than 360, the altitude in meters above the ellipsoid or the sea, the accuracy the radius of the fix in meters.
 *
 * @param kphPerUnit of the speed
 * @param full what a full battery is given as
 */
export const toMeasurements = (
  given: Partial<Record<'speed' | 'course' | 'altitude' | 'accuracy' | 'battery', Measured>>,
  kphPerUnit: number,
  full: 1 | 100,
) => {
  const headingDeg = toMeasured(given.course, 0, 360);
  return {
    speedKph: toSpeedKph(given.speed, kphPerUnit),
    headingDeg: headingDeg === 360 ? 0 : headingDeg,
    altitudeM: toMeasured(given.altitude, MIN_ALTITUDE_M, MAX_ALTITUDE_M),
    accuracyM: toMeasured(given.accuracy, 0, MAX_ACCURACY_M),
    batteryPercent: toBatteryPercent(given.battery, full),
  };
};

/** Seconds since 1970 stay below this until the year 5138, and milliseconds passed it in March 1973. */
const FIRST_MILLISECONDS = 1e11;

/**
 * Date, time, optional fraction and optional zone, with or without separators. A space before the offset is a `+` decoded
 * from a query string.
 */
const ISO_8601 =
  /^(\d{4})-?(\d{2})-?(\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\-\s]\d{2}(?::?\d{2})?)?$/i;

const EXPECTED = 'a time as Unix seconds, Unix milliseconds or ISO 8601';

/**
 * The time of a fix in milliseconds since 1970, as the device claims it, even when that is in the future.
 * Takes Unix seconds or milliseconds (distinguished by size), ISO 8601, or `yyyy-MM-dd HH:mm:ss`; no zone means UTC.
 */
export const requireFixTime = (value: unknown, field: string): number => {
  const timeMs = toTimeMs(value);
  if (timeMs === null || !(timeMs >= 0 && timeMs <= MAX_TIME_MS)) {
    throw new IngestInputError(field, EXPECTED, value);
  }
  return Math.round(timeMs);
};

/** The time of a report that may have no position, which is then only heard and needs none. @throws IngestInputError */
export const toReportTime = (value: unknown, field: string, { lat }: ReportedPosition): number =>
  lat === null ? 0 : requireFixTime(value, field);

/** The first time that GPS can give. */
const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
/** GPS counts weeks in ten bits: a receiver that misses the rollover is 1024 weeks behind. */
const GPS_ROLLOVER_MS = 1024 * 7 * 86_400_000;
/** A receiver that is a rollover behind sends fixes of the last weeks; no other sends any that are 20 years old. */
const ROLLOVER_MARGIN_MS = 30 * 86_400_000;

/**
 * Refuses fixes of a clock that was never set or is a GPS week rollover behind.
 * @throws IngestInputError `clock_fault`
 */
export const requireSetClock = (reports: readonly ReportInput[], nowMs: number): void => {
  const oldestMs = Math.max(GPS_EPOCH_MS, nowMs - GPS_ROLLOVER_MS + ROLLOVER_MARGIN_MS);
  const faulty = reports.find(({ lat, fixAtMs }) => lat !== null && fixAtMs < oldestMs);
  if (faulty === undefined) return;
  const expected =
    faulty.fixAtMs < GPS_EPOCH_MS
      ? 'a clock that is set'
      : 'a time less than 1024 weeks ago (the receiver may have missed a GPS week rollover)';
  throw new IngestInputError(
    'time of the fix',
    expected,
    new Date(faulty.fixAtMs).toISOString(),
    'clock_fault',
  );
};

const toTimeMs = (value: unknown): number | null => {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^\d+(\.\d+)?$/.test(text) ? fromUnix(Number(text)) : fromIso(text);
};

const fromUnix = (value: number): number => (value < FIRST_MILLISECONDS ? value * 1000 : value);

const fromIso = (text: string): number | null => {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const fractionMs = Number(`0.${match[7] ?? 0}`) * 1000;
  // Date.UTC maps years below 100 to the 20th century.
  const date = new Date(0);
  const dayMs = date.setUTCFullYear(year!, month! - 1, day);
  // 31 February rolls over into March; a device that sends one has a faulty clock.
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return null;
  if (hour! > 23 || minute! > 59 || second! > 59) return null;
  return dayMs + ((hour! * 60 + minute!) * 60 + second!) * 1000 + fractionMs - toOffsetMs(match[8]);
};

const toOffsetMs = (zone: string | undefined): number => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.replace(/[^\d]/g, '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
};

/** The rest of a device's report besides the fix, by the names of Traccar's attributes of a position. */
export const attributesSchema = z.record(z.string(), z.unknown());
export type Attributes = z.infer<typeof attributesSchema>;

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

const toOdometerM = (value: unknown): number | null => {
  const odometerM = toNumber(value);
  return odometerM !== null && odometerM > 0 && odometerM <= MAX_ODOMETER_M ? Math.round(odometerM) : null;
};

const toAlarm = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && text.length <= MAX_ALARM_CHARACTERS && isPrintable(text) ? text : null;
};

/** The battery of the device. */
export const readBatteryPercent = ({ batteryLevel }: Attributes): number | null =>
  toBatteryPercent(toNumber(batteryLevel), 100);

/**
 * The state of the vehicle. `odometer`, or that of the diagnostic port, is in meters; 0 is what a device without one
 * sends. A value that cannot be read is unknown and never costs the position.
 */
export const readVehicleState = ({
  ignition,
  odometer,
  obdOdometer,
  alarm,
}: Attributes): Pick<FixInput, 'isIgnitionOn' | 'odometerM' | 'alarm'> => ({
  isIgnitionOn: FLAGS[String(ignition)] ?? null,
  odometerM: toOdometerM(odometer) ?? toOdometerM(obdOdometer),
  alarm: toAlarm(alarm),
});
