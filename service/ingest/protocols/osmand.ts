import { KPH_PER_KNOT } from '@/lib/geo/units';
import type { ReportInput } from '../../store/inputs';
import {
  attributesSchema,
  readBatteryPercent,
  readVehicleState,
  type Attributes,
  KPH_PER_MPS,
  holdsNoCoordinates,
  isMarkedInvalid,
  requireDeviceId,
  toPosition,
  NO_POSITION,
  toSpeedKph,
  toNumber,
  toReportTime,
  IngestInputError,
  toMeasurements,
} from '../fields';
import { parseJson } from '../request';

/**
 * One request of the OsmAnd query protocol, from its query string or form body.
 *
 * Units: `speed` in knots, or `speedMps` in m/s for apps that have no other; `bearing` or `heading` in degrees, `altitude`,
 * `accuracy` and `odometer` in meters, `batt` in percent. `attributes` is JSON by which a Traccar server forwards
 * (`forward.type=url`) the battery and the state of the vehicle. `timestamp` may be Unix seconds, Unix milliseconds,
 * ISO 8601 or `yyyy-MM-dd HH:mm:ss` in UTC; without one the fix is of `nowMs`. Any other parameter is accepted and not read.
 *
 * The report has no position where the device marks it as invalid (`valid=0`) and where it sends none: a heartbeat,
 * cell towers and access points only, the `notificationToken` of Traccar Client.
 *
 * @throws IngestInputError
 */
export const parseOsmand = (parameters: URLSearchParams, nowMs: number): ReportInput[] => {
  const deviceId = requireDeviceId(readAny(parameters, 'id', 'deviceid'), 'id');
  const timestamp = readAny(parameters, 'timestamp') ?? nowMs;
  const number = (...names: string[]) => toNumber(readAny(parameters, ...names));
  const attributes = readAttributes(parameters);
  const measured = toMeasurements(
    {
      speed: number('speed'),
      course: number('bearing', 'heading'),
      altitude: number('altitude'),
      accuracy: number('accuracy'),
      battery: number('batt'),
    },
    KPH_PER_KNOT,
    100,
  );
  const position = isValid(parameters) ? readPosition(parameters) : NO_POSITION;
  return [
    {
      deviceId,
      fixAtMs: toReportTime(timestamp, 'timestamp', position),
      ...position,
      ...measured,
      speedKph: measured.speedKph ?? toSpeedKph(number('speedMps'), KPH_PER_MPS),
      batteryPercent: measured.batteryPercent ?? readBatteryPercent(attributes),
      ...readVehicleState(attributes),
    },
  ];
};

const STATE_PARAMETERS = ['ignition', 'odometer', 'obdOdometer', 'alarm'];

/** Parameters besides the position are accepted with any value: what cannot be read is left out. */
const readAttributes = (parameters: URLSearchParams): Attributes => {
  const own = STATE_PARAMETERS.map((name) => [name, readAny(parameters, name)] as const);
  return {
    ...toAttributes(readAny(parameters, 'attributes')),
    ...Object.fromEntries(own.filter(([, text]) => text !== undefined)),
  };
};

const toAttributes = (json: string | undefined): Attributes => {
  if (json === undefined) return {};
  try {
    return attributesSchema.catch({}).parse(parseJson(json));
  } catch (error) {
    if (error instanceof IngestInputError) return {};
    throw error;
  }
};

const readPosition = (parameters: URLSearchParams): Pick<ReportInput, 'lat' | 'lng'> => {
  const [lat, lng] = ['lat', 'lon'].map((name) => parameters.getAll(name).at(-1)?.trim());
  if (lat || lng) return toPosition(lat, lng, { lat: 'lat', lng: 'lon' });
  const location = readAny(parameters, 'location');
  if (location === undefined || holdsNoCoordinates(location)) return NO_POSITION;
  // The protocol has two parts; any further ones, such as an altitude, are not read.
  const parts = location.split(',', 2);
  if (parts.length < 2) throw new IngestInputError('location', 'lat,lon', location);
  return toPosition(parts[0], parts[1], { lat: 'location', lng: 'location' });
};

const isValid = (parameters: URLSearchParams): boolean => {
  const valid = readAny(parameters, 'valid');
  if (valid === undefined || /^(1|true|yes)$/i.test(valid)) return true;
  if (isMarkedInvalid(valid)) return false;
  throw new IngestInputError('valid', 'true, false, yes, no, 1 or 0', valid);
};

/** More than any app sends; trackers with every sensor known send some thirty. */
const MAX_PARAMETERS = 100;

/**
 * The parameters of an address's query, followed by those of a form body.
 * @throws IngestInputError for more than 100 of them
 */
export const readParameters = (query: string, form: string): URLSearchParams => {
  const text = [query, form].filter(Boolean).join('&');
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count++;
  if (count > MAX_PARAMETERS) throw new IngestInputError('parameters', `at most ${MAX_PARAMETERS}`, count);
  return new URLSearchParams(text);
};

/**
 * The first of some names that has a value; `altitude=` is how apps write that they have none. Of a repeated parameter the
 * last value counts: that of a form follows that of the address.
 */
const readAny = (parameters: URLSearchParams, ...names: string[]): string | undefined => {
  for (const name of names) {
    const text = parameters.getAll(name).at(-1)?.trim();
    if (text) return text;
  }
  return undefined;
};
