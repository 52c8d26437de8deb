import { z } from 'zod';
import { KPH_PER_KNOT } from '@/lib/geo/units';
import type { ReportInput } from '../../store/inputs';
import { attributesSchema, readBatteryPercent, readVehicleState } from '../attributes';
import {
  isMarkedInvalid,
  measuredSchema,
  NO_POSITION,
  orEmpty,
  requireDeviceId,
  toReportTime,
  toAccuracyM,
  toAltitudeM,
  toHeadingDeg,
  toPosition,
  toSpeedKph,
} from '../fields';
import { requireShape } from '../request';

const forwardedSchema = z.object({
  device: z.object({ uniqueId: z.unknown().optional() }),
  position: orEmpty(
    z.object({
      fixTime: z.unknown().optional(),
      valid: z.unknown().optional(),
      latitude: z.unknown().optional(),
      longitude: z.unknown().optional(),
      altitude: measuredSchema,
      speed: measuredSchema,
      course: measuredSchema,
      accuracy: measuredSchema,
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
    speedKph: toSpeedKph(position.speed ?? null, KPH_PER_KNOT),
    headingDeg: toHeadingDeg(position.course ?? null),
    altitudeM: toAltitudeM(position.altitude ?? null),
    accuracyM: toAccuracyM(position.accuracy || null),
    batteryPercent: readBatteryPercent(attributes),
    ...readVehicleState(attributes),
  };
};
