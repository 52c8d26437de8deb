import { KPH_PER_KNOT } from '@/lib/wire/units';

/** One report of a device, independent of its protocol. */
export interface Report {
  deviceId: string;
  /** By the device's own clock. */
  fixAtMs: number;
  lat: number;
  lng: number;
  speedKph: number;
  headingDeg: number;
  accuracyM: number;
  batteryPercent: number;
}

export const PROTOCOLS = ['osmand', 'traccar', 'owntracks', 'overland'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const toOsmandQuery = (report: Report): string =>
  new URLSearchParams({
    id: report.deviceId,
    timestamp: String(Math.round(report.fixAtMs / 1000)),
    lat: report.lat.toFixed(6),
    lon: report.lng.toFixed(6),
    speed: (report.speedKph / KPH_PER_KNOT).toFixed(2),
    bearing: report.headingDeg.toFixed(1),
    accuracy: String(report.accuracyM),
    batt: String(report.batteryPercent),
  }).toString();

const toTraccarBody = (report: Report): object => ({
  device_id: report.deviceId,
  location: {
    timestamp: new Date(report.fixAtMs).toISOString(),
    coords: {
      latitude: round(report.lat, 6),
      longitude: round(report.lng, 6),
      accuracy: report.accuracyM,
      speed: round(report.speedKph / 3.6, 2),
      heading: round(report.headingDeg, 1),
      altitude: 0,
    },
    battery: { level: report.batteryPercent / 100, is_charging: true },
    activity: { type: report.speedKph > 3 ? 'in_vehicle' : 'still' },
  },
});

const toOwntracksBody = (report: Report): object => ({
  _type: 'location',
  topic: `owntracks/demo/${report.deviceId}`,
  tst: Math.round(report.fixAtMs / 1000),
  lat: round(report.lat, 6),
  lon: round(report.lng, 6),
  vel: Math.round(report.speedKph),
  cog: Math.round(report.headingDeg),
  acc: report.accuracyM,
  batt: report.batteryPercent,
});

const toOverlandBody = (reports: readonly Report[]): object => ({
  locations: reports.map((report) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [round(report.lng, 6), round(report.lat, 6)] },
    properties: {
      device_id: report.deviceId,
      timestamp: new Date(report.fixAtMs).toISOString(),
      speed: round(report.speedKph / 3.6, 2),
      course: round(report.headingDeg, 1),
      horizontal_accuracy: report.accuracyM,
      battery_level: report.batteryPercent / 100,
    },
  })),
});

/**
 * The request by which a device reports. Several reports go together in the one protocol that has batches.
 *
 * @throws RangeError when several are given to a protocol without batches.
 */
export const toReportRequest = (
  ingestUrl: string,
  ingestToken: string,
  protocol: Protocol,
  reports: readonly [Report, ...Report[]],
): Request => {
  const authorization = `Bearer ${ingestToken}`;
  if (protocol !== 'overland' && reports.length > 1) {
    throw new RangeError(`Got ${reports.length} reports when ${protocol} takes one.`);
  }
  if (protocol === 'osmand') {
    return new Request(`${ingestUrl}/osmand?${toOsmandQuery(reports[0])}`, { headers: { authorization } });
  }
  const body =
    protocol === 'traccar'
      ? toTraccarBody(reports[0])
      : protocol === 'owntracks'
        ? toOwntracksBody(reports[0])
        : toOverlandBody(reports);
  return new Request(`${ingestUrl}/${protocol}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
};
