import { z } from 'zod';
import type { ReportInput } from '../../store/inputs';
import {
  KPH_PER_MPS,
  measuredSchema,
  requireDeviceId,
  toAccuracyM,
  toAltitudeM,
  toBatteryPercent,
  toHeadingDeg,
  toPosition,
  toSpeedKph,
} from '../fields';
import { IngestInputError } from '../input-error';
import { requireShape } from '../request';

const messageSchema = z.object({
  type: z.string(),
  data: z.unknown().optional(),
  encrypted: z.unknown().optional(),
  encrypted_data: z.unknown().optional(),
});

const locationSchema = z.object({
  gps: z.array(z.unknown()).nullish(),
  gps_accuracy: measuredSchema,
  speed: measuredSchema,
  course: measuredSchema,
  altitude: measuredSchema,
  battery: measuredSchema,
});

/**
 * One message to the webhook of Home Assistant's companion app. Only `type: update_location` holds a position, and none
 * where the app reports a zone; the other types are accepted and not read. The message has no time: it is of `nowMs`.
 * Encrypted messages are refused, because the loss of their positions would go unnoticed.
 *
 * Units: `gps` is latitude and longitude, `speed` in m/s, `course` in degrees, `altitude` and `gps_accuracy` in meters,
 * `battery` in percent.
 *
 * @param addressDevice the device named in the address, which the message does not name
 * @throws IngestInputError
 */
export const parseHomeAssistant = (
  body: unknown,
  addressDevice: string | null,
  nowMs: number,
): ReportInput[] => {
  const { type, data, encrypted, encrypted_data: sealed } = requireShape(messageSchema, body);
  if (type === 'encrypted' || encrypted === true || typeof sealed === 'string')
    throw new IngestInputError(
      'encrypted_data',
      'a message in the clear: have Home Assistant send the position, as the documented automation does, in place of the app’s own request',
      type,
      'encrypted_payload',
    );
  if (type !== 'update_location') return [];
  const location = requireShape(locationSchema, data, 'data');
  const { gps } = location;
  return [
    {
      deviceId: requireDeviceId(addressDevice ?? undefined, 'id in the address'),
      fixAtMs: nowMs,
      ...toPosition(gps?.[0], gps?.[1], { lat: 'data.gps[0]', lng: 'data.gps[1]' }),
      speedKph: toSpeedKph(location.speed ?? null, KPH_PER_MPS),
      headingDeg: toHeadingDeg(location.course ?? null),
      altitudeM: toAltitudeM(location.altitude ?? null),
      accuracyM: toAccuracyM(location.gps_accuracy ?? null),
      batteryPercent: toBatteryPercent(location.battery ?? null, 100),
    },
  ];
};
