import { z } from 'zod';
import type { ReportInput } from '../../store/inputs';
import {
  KPH_PER_MPS,
  holdsNoCoordinates,
  orEmpty,
  requireBatchSize,
  requireDeviceId,
  toPosition,
  toReportTime,
  IngestInputError,
  measured,
  toMeasurements,
} from '../fields';
import { requireShape } from '../request';
import { parseOwntracks } from './owntracks';

const batchSchema = z.object({
  locations: orEmpty(z.array(z.unknown()), []),
  current: z.unknown().optional(),
});

const featureSchema = orEmpty(
  z.object({
    geometry: orEmpty(
      z.object({ type: z.literal('Point').optional(), coordinates: orEmpty(z.array(z.unknown()), []) }),
    ),
    properties: orEmpty(
      z.object({
        timestamp: z.unknown().optional(),
        device_id: z.unknown().optional(),
        unique_id: z.unknown().optional(),
        ...measured(
          'speed',
          'course',
          'altitude',
          'horizontal_accuracy',
          'vertical_accuracy',
          'battery_level',
        ),
      }),
    ),
  }),
);

/**
 * One Overland batch: GeoJSON features in `locations`, and the newest point as `current` when the app is behind.
 *
 * Units: `speed` in m/s, `course` in degrees, `altitude` and the accuracies in meters, `battery_level` from 0 to
 * 1; a negative value means unknown. Trips, visits and app events in the batch are accepted and not read. Its OwnTracks
 * mode posts a single OwnTracks message instead of a batch.
 *
 * @param addressDevice the device named in the address, for an app that was set up without a device id; without either,
 * the phone's `unique_id` is the device
 * @throws IngestInputError naming the index of the first bad location; then no fix of the batch may be stored.
 */
export const parseOverland = (body: unknown, addressDevice: string | null): ReportInput[] => {
  if (isOwntracks(body)) return parseOwntracks(body, { device: addressDevice, user: null, basicUser: null });
  const { locations, current } = requireShape(batchSchema, body);
  if (!Object.hasOwn(body as object, 'locations') && (current ?? null) === null)
    throw new IngestInputError('locations', 'an array', undefined);
  requireBatchSize(locations, 'locations');
  const features = locations.map((each, index) => [each, `locations[${index}]`] as [unknown, string]);
  if ((current ?? null) !== null) features.push([current, 'current']);
  // A batch with nothing in it is one report without coordinates.
  if (features.length === 0) features.push([{}, 'locations']);
  const sender = {
    addressDevice,
    batchDevice: features.map(([feature]) => findDevice(feature)).find(Boolean),
  };
  return features
    .filter(([feature]) => !isNote(feature) && !isUnnamed(feature, sender))
    .map(([feature, field]) => toReport(feature, field, sender));
};

/** Names of the device for a location that names none itself. */
interface Sender {
  addressDevice: string | null;
  /** the device of another location of the batch, for one without coordinates */
  batchDevice: unknown;
}

const findDevice = (feature: unknown): unknown => {
  const { properties } = (feature ?? {}) as { properties?: Record<string, unknown> | null };
  return properties?.device_id || properties?.unique_id;
};

/** Whether a location is empty and nothing says of which device it is. */
const isUnnamed = (feature: unknown, { addressDevice, batchDevice }: Sender): boolean =>
  holdsNoCoordinates(feature) && !addressDevice && !batchDevice;

const isOwntracks = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && '_type' in body && !('locations' in body);

/** The app logs trips, visits and its own life among the locations; none of them is a fix. */
const isNote = (feature: unknown): boolean => {
  const properties = (feature as { properties?: { action?: unknown; type?: unknown } | null } | null)
    ?.properties;
  const kind = properties?.action ?? properties?.type;
  return typeof kind === 'string' && kind !== '';
};

const toReport = (feature: unknown, field: string, { addressDevice, batchDevice }: Sender): ReportInput => {
  const { geometry, properties } = requireShape(featureSchema, feature, field);
  const { speed, course, altitude, horizontal_accuracy: accuracy, battery_level: battery } = properties;
  const isHeightKnown = (properties.vertical_accuracy ?? 0) >= 0;
  const [lng, lat] = geometry.coordinates;
  const position = toPosition(lat, lng, {
    lat: `${field}.geometry.coordinates[1]`,
    lng: `${field}.geometry.coordinates[0]`,
  });
  return {
    deviceId: requireDeviceId(
      properties.device_id ||
        addressDevice ||
        properties.unique_id ||
        (position.lat === null ? batchDevice : undefined),
      `${field}.properties.device_id`,
    ),
    fixAtMs: toReportTime(properties.timestamp, `${field}.properties.timestamp`, position),
    ...position,
    ...toMeasurements(
      { speed, course, altitude: isHeightKnown ? altitude : null, accuracy, battery },
      KPH_PER_MPS,
      1,
    ),
  };
};
