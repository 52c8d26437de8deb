import { z } from 'zod';
import type { FixInput } from '../../store/inputs';
import {
  KPH_PER_MPS,
  measuredSchema,
  requireBatchSize,
  requireDeviceId,
  requirePosition,
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
  coords: z.object({
    latitude: z.number(),
    longitude: z.number(),
    accuracy: measuredSchema,
    speed: measuredSchema,
    heading: measuredSchema,
    altitude: measuredSchema,
  }),
  battery: z.object({ level: measuredSchema }).nullish(),
});

const traccarSchema = z.object({ device_id: z.unknown().optional(), location: z.unknown().optional() });

/**
 * One JSON report of Traccar Client 9 and later; `location` may also be an array, as its library sends a backlog.
 *
 * Units: `coords.speed` in m/s, `heading` in degrees, `altitude` and `accuracy` in meters, `battery.level` from 0
 * to 1; a negative value means unknown. `timestamp` is ISO 8601.
 *
 * @throws IngestInputError naming the field, and the index within a backlog; then no fix of it may be stored.
 */
export const parseTraccar = (body: unknown): FixInput[] => {
  const report = requireShape(traccarSchema, body);
  const deviceId = requireDeviceId(report.device_id, 'device_id');
  const { location } = report;
  if (!Array.isArray(location)) return [toFix(deviceId, location, 'location')];
  requireBatchSize(location, 'location');
  return location.map((each, index) => toFix(deviceId, each, `location[${index}]`));
};

const toFix = (deviceId: string, value: unknown, field: string): FixInput => {
  const location = requireShape(locationSchema, value, field);
  const { coords } = location;
  return {
    deviceId,
    fixAtMs: requireFixTime(location.timestamp, `${field}.timestamp`),
    ...requirePosition(coords.latitude, coords.longitude, {
      lat: `${field}.coords.latitude`,
      lng: `${field}.coords.longitude`,
    }),
    speedKph: toSpeedKph(coords.speed ?? null, KPH_PER_MPS),
    headingDeg: toHeadingDeg(coords.heading ?? null),
    altitudeM: toAltitudeM(coords.altitude ?? null),
    accuracyM: toAccuracyM(coords.accuracy ?? null),
    batteryPercent: toBatteryPercent(location.battery?.level ?? null, 1),
  };
};
