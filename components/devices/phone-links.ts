export interface PhoneSettings {
  /** The address of this server as phones reach it, such as http://host:port, without a trailing slash. */
  origin: string;
  token: string;
  deviceId: string;
}

/** The path at which the web application mounts the ingest. */
const INGEST_PATH = '/tracking/ingest';

/** A fix a minute, and one every 75 m, suffice for a live map. */
const INTERVAL_S = 60;
const DISTANCE_M = 75;
/** A parked truck is heard this often. */
const HEARTBEAT_S = 300;

/** OwnTracks' number for HTTP (owntracks.org/booklet/tech/json, `mode`). */
const OWNTRACKS_HTTP = 3;

/**
 * Where Traccar Client 9 and later reports to, with its settings as parameters: what its QR code screen takes, and cuts
 * off before it reports (github.com/traccar/traccar-client, configuration_service.dart).
 */
export const toTraccarLink = ({ origin, token, deviceId }: PhoneSettings): string => {
  const settings = new URLSearchParams({
    id: deviceId,
    accuracy: 'high',
    interval: String(INTERVAL_S),
    distance: String(DISTANCE_M),
    heartbeat: String(HEARTBEAT_S),
    buffer: 'true',
  });
  return `${origin}${INGEST_PATH}/${encodeURIComponent(token)}/traccar?${settings}`;
};

const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A link that configures OwnTracks, also as a QR code for the phone's camera (owntracks.org/booklet/features/remoteconfig). */
export const toOwntracksLink = ({ origin, token, deviceId }: PhoneSettings): string => {
  const configuration = {
    _type: 'configuration',
    mode: OWNTRACKS_HTTP,
    url: `${origin}${INGEST_PATH}/owntracks`,
    auth: true,
    username: deviceId,
    password: token,
    deviceId,
    locatorInterval: INTERVAL_S,
    locatorDisplacement: DISTANCE_M,
  };
  return `owntracks:///config?inline=${encodeURIComponent(toBase64(JSON.stringify(configuration)))}`;
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether an address is a loopback address, at which a phone would reach itself. */
export const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname);
