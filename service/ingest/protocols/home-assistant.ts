import { z } from 'zod';
import type { ReportInput } from '../../store/inputs';
import {
  KPH_PER_MPS,
  orEmpty,
  requireDeviceId,
  toPosition,
  IngestInputError,
  measured,
  toMeasurements,
} from '../fields';
import { requireShape } from '../request';

const messageSchema = z.object({
  type: z.string(),
  data: z.unknown().optional(),
});

const locationSchema = orEmpty(
  z.object({
    gps: orEmpty(z.array(z.unknown()), []),
    ...measured('gps_accuracy', 'speed', 'course', 'altitude', 'battery'),
  }),
);

/** Whether a message, or its data, is encrypted. */
const isEncrypted = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const { type, encrypted, encrypted_data: sealed } = value as Record<string, unknown>;
  const isMarked =
    encrypted !== undefined && encrypted !== null && !/^(false|0|no|)$/i.test(String(encrypted));
  return type === 'encrypted' || isMarked || (sealed !== undefined && sealed !== null);
};

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
  if (isEncrypted(body) || isEncrypted((body as { data?: unknown } | null)?.data))
    throw new IngestInputError(
      'encrypted_data',
      'a message in the clear: have Home Assistant send the position, as the documented automation does, in place of the app’s own request',
      'encrypted',
      'encrypted_payload',
    );
  const { type, data } = requireShape(messageSchema, body);
  if (type !== 'update_location') return [];
  const location = requireShape(locationSchema, data, 'data');
  const [latitude, longitude] = location.gps;
  return [
    {
      deviceId: requireDeviceId(addressDevice ?? undefined, 'id in the address'),
      fixAtMs: nowMs,
      ...toPosition(latitude, longitude, { lat: 'data.gps[0]', lng: 'data.gps[1]' }),
      ...toMeasurements({ ...location, accuracy: location.gps_accuracy }, KPH_PER_MPS, 100),
    },
  ];
};
