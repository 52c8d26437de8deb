import { z } from 'zod';
import type { ReportInput } from '../../store/inputs';
import {
  KPH_PER_MPS,
  measuredSchema,
  NO_POSITION,
  requireBatchSize,
  requireDeviceId,
  toPosition,
  toAccuracyM,
  toAltitudeM,
  toBatteryPercent,
  toHeadingDeg,
  toSpeedKph,
  requireFixTime,
} from '../fields';
import { requireShape } from '../request';

const locationSchema = z.object({
  timestamp: z.union([z.string(), z.number()]),
  coords: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      accuracy: measuredSchema,
      speed: measuredSchema,
      heading: measuredSchema,
      altitude: measuredSchema,
    })
    .nullish(),
  battery: z.object({ level: measuredSchema }).nullish(),
});

const traccarSchema = z.object({ device_id: z.unknown().optional(), location: z.unknown().optional() });

/**
 * One JSON report of Traccar Client 9; `location` may also be an array, as its library sends a backlog, and has no
 * `coords` where the device has no position.
 *
 * Units: `coords.speed` in m/s, `heading` in degrees, `altitude` and `accuracy` in meters, `battery.level` from 0
 * to 1; a negative value means unknown. `timestamp` is ISO 8601.
 *
 * @throws IngestInputError naming the field, and the index within a backlog; then no fix of it may be stored.
 */
export const parseTraccar = (body: unknown): ReportInput[] => {
  const report = requireShape(traccarSchema, body);
  const deviceId = requireDeviceId(report.device_id, 'device_id');
  const { location } = report;
  if (!Array.isArray(location)) return [toReport(deviceId, location, 'location')];
  requireBatchSize(location, 'location');
  return location.map((each, index) => toReport(deviceId, each, `location[${index}]`));
};

const toReport = (deviceId: string, value: unknown, field: string): ReportInput => {
  const location = requireShape(locationSchema, value, field);
  const { coords } = location;
  return {
    deviceId,
    fixAtMs: requireFixTime(location.timestamp, `${field}.timestamp`),
    ...(coords
      ? toPosition(coords.latitude, coords.longitude, {
          lat: `${field}.coords.latitude`,
          lng: `${field}.coords.longitude`,
        })
      : NO_POSITION),
    speedKph: toSpeedKph(coords?.speed ?? null, KPH_PER_MPS),
    headingDeg: toHeadingDeg(coords?.heading ?? null),
    altitudeM: toAltitudeM(coords?.altitude ?? null),
    accuracyM: toAccuracyM(coords?.accuracy ?? null),
    batteryPercent: toBatteryPercent(location.battery?.level ?? null, 1),
  };
};
