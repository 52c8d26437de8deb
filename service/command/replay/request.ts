import { KPH_PER_KNOT, MPS_PER_KPH } from '@/lib/wire/units';
import type { ReplayProtocol } from './plan';
import type { RecordedFix } from './recording-formats';

/** The request with which a device would report these fixes. */
export const toRequest = (
  protocol: ReplayProtocol,
  baseUrl: string,
  fixes: RecordedFix[],
): { url: string; init: RequestInit } =>
  protocol === 'osmand'
    ? { url: `${baseUrl}/ingest/osmand?${toOsmandQuery(fixes[0]!)}`, init: {} }
    : {
        url: `${baseUrl}/ingest/overland`,
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ locations: fixes.map(toOverlandFeature) }),
        },
      };

const toOsmandQuery = (fix: RecordedFix): string => {
  const parameters = new URLSearchParams({
    id: fix.deviceId,
    lat: String(fix.lat),
    lon: String(fix.lng),
    timestamp: String(fix.fixAtMs),
  });
  const add = (name: string, value: number | null) => {
    if (value !== null) parameters.set(name, String(value));
  };
  add('speed', fix.speedKph === null ? null : fix.speedKph / KPH_PER_KNOT);
  add('bearing', fix.headingDeg);
  add('altitude', fix.altitudeM);
  add('accuracy', fix.accuracyM);
  add('batt', fix.batteryPercent);
  return parameters.toString();
};

/** What the app writes for a quantity that it does not know. */
const UNKNOWN = -1;

const toOverlandFeature = (fix: RecordedFix) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [fix.lng, fix.lat] },
  properties: {
    timestamp: new Date(fix.fixAtMs).toISOString(),
    device_id: fix.deviceId,
    speed: fix.speedKph === null ? UNKNOWN : fix.speedKph * MPS_PER_KPH,
    course: fix.headingDeg ?? UNKNOWN,
    altitude: fix.altitudeM ?? 0,
    vertical_accuracy: fix.altitudeM === null ? UNKNOWN : 0,
    horizontal_accuracy: fix.accuracyM ?? UNKNOWN,
    battery_level: fix.batteryPercent === null ? UNKNOWN : fix.batteryPercent / 100,
  },
});
