import { z } from 'zod';
import type { ReportInput } from '../../store/inputs';
import {
  requireDeviceId,
  toPosition,
  toReportTime,
  IngestInputError,
  measured,
  toMeasurements,
} from '../fields';
import { requireShape } from '../request';

/** The sender of an OwnTracks request, as given outside the JSON. */
export interface OwntracksSender {
  /** `X-Limit-D`, or `d` in the address */
  device: string | null;
  /** `X-Limit-U`, or `u` in the address */
  user: string | null;
  /** the user name of Basic authentication; its password is the token */
  basicUser: string | null;
}

const messageSchema = z.object({ _type: z.string() });

const locationSchema = z.object({
  lat: z.unknown().optional(),
  lon: z.unknown().optional(),
  tst: z.unknown().optional(),
  ...measured('vel', 'cog', 'alt', 'vac', 'acc', 'batt'),
  tid: z.unknown().optional(),
  topic: z.string().nullish().catch(null),
});
type Location = z.infer<typeof locationSchema>;

/**
 * One OwnTracks HTTP message. Only `_type: location` holds a fix; the other types (`lwt`, `transition`,
 * `waypoint`, `card`, `status` and so on) are accepted and not read.
 *
 * Units: `vel` in km/h, `cog` in degrees, `alt` and `acc` in meters, `batt` in percent, `tst` in Unix seconds.
 * The device is the first that is given of: the device that the app was set up with (X-Limit-D), the device of `topic`,
 * the user (X-Limit-U), the Basic user name, `tid`. A vehicle may also have the whole topic as its device id.
 *
 * @throws IngestInputError; `encrypted_payload` when the app encrypts, which hides the position from the service.
 */
export const parseOwntracks = (body: unknown, sender: OwntracksSender): ReportInput[] => {
  const { _type: type } = requireShape(messageSchema, body);
  if (type === 'encrypted') {
    throw new IngestInputError(
      '_type',
      'a message in the clear (encryption key left empty)',
      type,
      'encrypted_payload',
    );
  }
  if (type !== 'location') return [];
  const location = requireShape(locationSchema, body);
  const { vel, cog, alt, vac, acc, batt } = location;
  // On iOS a negative vertical accuracy means that there is no altitude.
  const isHeightKnown = !(typeof vac === 'number' && vac < 0);
  const topic = location.topic?.trim();
  const position = toPosition(location.lat, location.lon, { lat: 'lat', lng: 'lon' });
  return [
    {
      deviceId: requireDeviceId(toDevice(location, sender), 'X-Limit-D, topic, X-Limit-U, Basic user or tid'),
      ...(topic ? { otherDeviceIds: [topic] } : {}),
      fixAtMs: toReportTime(toUnixS(location.tst), 'tst', position),
      ...position,
      ...toMeasurements(
        { speed: vel, course: cog, altitude: isHeightKnown ? alt : null, accuracy: acc, battery: batt },
        1,
        100,
      ),
    },
  ];
};

/** Sent by the iOS app for a device and a user that are not set. */
const UNSET_DEVICE = 'device';
const UNSET_USER = 'user';

/** The device of `owntracks/USER/DEVICE`, as the app writes it, or of Overland's `owntracks/DEVICE`. */
const toTopicDevice = (topic: string | null | undefined): string | undefined => {
  const [, second, third] = topic?.split('/', 3) ?? [];
  return third ?? second;
};

/** 2001-01-01, from which Overland counts in its OwnTracks mode (`timeIntervalSinceReferenceDate`), in Unix seconds. */
const REFERENCE_S = 978_307_200;
/** Until 2032 a count from 2001 stays below this; as Unix time it is September 2001, before there were such apps. */
const FIRST_UNIX_S = 1e9;

const toUnixS = (tst: unknown): unknown =>
  typeof tst === 'number' && tst > 0 && tst < FIRST_UNIX_S ? tst + REFERENCE_S : tst;

const toDevice = (location: Location, sender: OwntracksSender): string | undefined => {
  const device = sender.device === UNSET_DEVICE ? null : sender.device;
  const topicDevice = toTopicDevice(location.topic);
  const user = sender.user === UNSET_USER ? null : sender.user;
  const { tid } = location;
  const trackerId = typeof tid === 'string' || typeof tid === 'number' ? String(tid) : null;
  return [device, topicDevice === UNSET_DEVICE ? null : topicDevice, user, sender.basicUser, trackerId]
    .map((each) => each?.trim())
    .find((each) => each);
};
