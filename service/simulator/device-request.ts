import { KPH_PER_KNOT, MPS_PER_KPH } from '@/lib/geo/units';
import type { FixInput } from '../store/inputs';

/** The protocols of ingest, by the last part of their address. */
export type DeviceProtocol = 'osmand' | 'traccar' | 'owntracks' | 'overland';

/** The fixes of one request: several only in Overland, which has batches. */
export type ReportedFixes = readonly [FixInput, ...FixInput[]];

/** The number that the apps write for an unknown quantity. */
const UNKNOWN = -1;

const toMps = (speedKph: number | null): number => (speedKph === null ? UNKNOWN : speedKph * MPS_PER_KPH);
const toFraction = (percent: number | null): number => (percent === null ? UNKNOWN : percent / 100);

const toOsmandQuery = (fix: FixInput): string => {
  const parameters = new URLSearchParams({
    id: fix.deviceId,
    lat: String(fix.lat),
    lon: String(fix.lng),
    timestamp: String(fix.fixAtMs),
  });
  const measured = {
    speed: fix.speedKph === null ? null : fix.speedKph / KPH_PER_KNOT,
    bearing: fix.headingDeg,
    altitude: fix.altitudeM,
    accuracy: fix.accuracyM,
    batt: fix.batteryPercent,
  };
  for (const [name, value] of Object.entries(measured))
    if (value !== null) parameters.set(name, String(value));
  return parameters.toString();
};

const toTraccarBody = (fix: FixInput): object => ({
  device_id: fix.deviceId,
  location: {
    timestamp: new Date(fix.fixAtMs).toISOString(),
    coords: {
      latitude: fix.lat,
      longitude: fix.lng,
      accuracy: fix.accuracyM ?? UNKNOWN,
      speed: toMps(fix.speedKph),
      heading: fix.headingDeg ?? UNKNOWN,
      altitude: fix.altitudeM ?? 0,
    },
    battery: { level: toFraction(fix.batteryPercent), is_charging: true },
    activity: { type: (fix.speedKph ?? 0) > 3 ? 'in_vehicle' : 'still' },
  },
});

const toOwntracksBody = (fix: FixInput): object => ({
  _type: 'location',
  topic: `owntracks/demo/${fix.deviceId}`,
  tst: Math.round(fix.fixAtMs / 1000),
  lat: fix.lat,
  lon: fix.lng,
  vel: Math.round(fix.speedKph ?? UNKNOWN),
  cog: Math.round(fix.headingDeg ?? UNKNOWN),
  acc: fix.accuracyM ?? UNKNOWN,
  batt: fix.batteryPercent ?? UNKNOWN,
});

const toOverlandBody = (fixes: ReportedFixes): object => ({
  locations: fixes.map((fix) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [fix.lng, fix.lat] },
    properties: {
      timestamp: new Date(fix.fixAtMs).toISOString(),
      device_id: fix.deviceId,
      speed: toMps(fix.speedKph),
      course: fix.headingDeg ?? UNKNOWN,
      altitude: fix.altitudeM ?? 0,
      vertical_accuracy: fix.altitudeM === null ? UNKNOWN : 0,
      horizontal_accuracy: fix.accuracyM ?? UNKNOWN,
      battery_level: toFraction(fix.batteryPercent),
    },
  })),
});

/** The request by which a device reports fixes, without its token; of several fixes only Overland sends all. */
export const toDeviceRequest = (
  ingestUrl: string,
  protocol: DeviceProtocol,
  fixes: ReportedFixes,
): { url: string; init: RequestInit } => {
  const [fix] = fixes;
  if (protocol === 'osmand') return { url: `${ingestUrl}/osmand?${toOsmandQuery(fix)}`, init: {} };
  const body = {
    traccar: () => toTraccarBody(fix),
    owntracks: () => toOwntracksBody(fix),
    overland: () => toOverlandBody(fixes),
  }[protocol]();
  const headers = { 'content-type': 'application/json' };
  return {
    url: `${ingestUrl}/${protocol}`,
    init: { method: 'POST', headers, body: JSON.stringify(body) },
  };
};
