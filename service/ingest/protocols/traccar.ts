import { z } from 'zod';
import type { ReportInput } from '../../store/inputs';
import {
  attributesSchema,
  readVehicleState,
  KPH_PER_MPS,
  orEmpty,
  requireBatchSize,
  requireDeviceId,
  toPosition,
  toReportTime,
  readBatteryPercent,
  isMarkedInvalid,
  NO_POSITION,
  measured,
  toMeasurements,
} from '../fields';
import { requireShape } from '../request';
import { KPH_PER_KNOT } from '@/lib/geo/units';

const locationSchema = z.object({
  timestamp: z.unknown().optional(),
  coords: orEmpty(
    z.object({
      latitude: z.unknown().optional(),
      longitude: z.unknown().optional(),
      ...measured('accuracy', 'speed', 'heading', 'altitude'),
    }),
  ),
  battery: z.object(measured('level')).nullish().catch(null),
  odometer: z.unknown().optional(),
  alarm: z.unknown().optional(),
  extras: attributesSchema.nullish().catch(null),
});

const clientSchema = z.object({ device_id: z.unknown().optional(), location: z.unknown().optional() });

/** The JSON of Traccar Client 9, or of a Traccar server that forwards positions. @throws IngestInputError */
export const parseTraccar = (body: unknown): ReportInput[] =>
  isForwarded(body) ? [parseForwarded(body)] : parseClient(body);

/**
 * One JSON report of Traccar Client 9; `location` may also be an array, as its library sends a backlog, and it or its
 * `coords` is missing or empty where the device has no position.
 *
 * Units: `coords.speed` in m/s, `heading` in degrees, `altitude` and `accuracy` in meters, `battery.level` from 0
 * to 1, `odometer` in meters; a negative value means unknown. `timestamp` is ISO 8601.
 *
 * @throws IngestInputError naming the field, and the index within a backlog; then no fix of it may be stored.
 */
const parseClient = (body: unknown): ReportInput[] => {
  const report = requireShape(clientSchema, body);
  const deviceId = requireDeviceId(report.device_id, 'device_id');
  const { location } = report;
  if (!Array.isArray(location) || location.length === 0) return [toReport(deviceId, location, 'location')];
  requireBatchSize(location, 'location');
  return location.map((each, index) => toReport(deviceId, each, `location[${index}]`));
};

const toReport = (deviceId: string, value: unknown, field: string): ReportInput => {
  const location = requireShape(orEmpty(locationSchema), value, field);
  const { coords } = location;
  const position = toPosition(coords.latitude, coords.longitude, {
    lat: `${field}.coords.latitude`,
    lng: `${field}.coords.longitude`,
  });
  return {
    deviceId,
    fixAtMs: toReportTime(location.timestamp, `${field}.timestamp`, position),
    ...position,
    ...toMeasurements(
      { ...coords, course: coords.heading, battery: location.battery?.level },
      KPH_PER_MPS,
      1,
    ),
    ...readVehicleState({
      ...location.extras,
      odometer: location.odometer ?? location.extras?.odometer,
      alarm: location.alarm ?? location.extras?.alarm,
    }),
  };
};

const forwardedSchema = z.object({
  device: z.object({ uniqueId: z.unknown().optional() }),
  position: orEmpty(
    z.object({
      fixTime: z.unknown().optional(),
      valid: z.unknown().optional(),
      latitude: z.unknown().optional(),
      longitude: z.unknown().optional(),
      ...measured('altitude', 'speed', 'course', 'accuracy'),
      attributes: attributesSchema.nullish().catch(null),
    }),
  ),
});

/** Whether a body of JSON is a position that a Traccar server forwards, and no report of Traccar Client. */
export const isForwarded = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  ('position' in body || ('device' in body && !('device_id' in body)));

/**
 * A position that a Traccar server forwards as JSON (`forward.type=json`).
 *
 * Units: `speed` in knots, `course` in degrees, `altitude` and `accuracy` in meters, where an accuracy of 0 means unknown;
 * `attributes.batteryLevel` in percent, `attributes.odometer` in meters. Its events come with a device and no position.
 *
 * @throws IngestInputError
 */
export const parseForwarded = (body: unknown): ReportInput => {
  const { device, position } = requireShape(forwardedSchema, body);
  const attributes = position.attributes ?? {};
  const fields = { lat: 'position.latitude', lng: 'position.longitude' };
  const reported = isMarkedInvalid(position.valid)
    ? NO_POSITION
    : toPosition(position.latitude, position.longitude, fields);
  return {
    deviceId: requireDeviceId(device.uniqueId, 'device.uniqueId'),
    fixAtMs: toReportTime(position.fixTime, 'position.fixTime', reported),
    ...reported,
    ...toMeasurements({ ...position, accuracy: position.accuracy || null }, KPH_PER_KNOT, 100),
    batteryPercent: readBatteryPercent(attributes),
    ...readVehicleState(attributes),
  };
};
