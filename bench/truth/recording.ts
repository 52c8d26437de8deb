import { createRandom } from '@/testing/motion/fixes';
import type { Fix } from '@/lib/motion/track';
import type { ReplayFix } from '@/service/command/replay/recording';
import { MINUTE_MS } from '@/lib/base/time';

/** A day of reports: what each device sends, and where each vehicle really was. */
export interface Recording {
  name: string;
  /** What devices send, in the order in which they send it. */
  reports: readonly ReplayFix[];
  /** Where each vehicle was, by device id, in the order of time. */
  actual: ReadonlyMap<string, readonly Fix[]>;
}

const METERS_PER_DEGREE = 111_195.08;

const isPosition = ({ lat, lng }: ReplayFix): boolean => lat !== 0 || lng !== 0;

/** The usable fixes of each device in the order of time; of two at one time, the first. */
export const toTrails = (reports: readonly ReplayFix[]): Map<string, Fix[]> => {
  const trails = new Map<string, Fix[]>();
  for (const report of reports) {
    if (!isPosition(report)) continue;
    const trail = trails.get(report.deviceId) ?? [];
    trails.set(report.deviceId, trail);
    trail.push({ lat: report.lat, lng: report.lng, fixAtMs: report.fixAtMs });
  }
  for (const [device, trail] of trails) {
    trail.sort((a, b) => a.fixAtMs - b.fixAtMs);
    trails.set(
      device,
      trail.filter(({ fixAtMs }, i) => fixAtMs !== trail[i - 1]?.fixAtMs),
    );
  }
  return trails;
};

/** A recording whose reports are where the vehicles really were, each sent when it was made. */
export const toRecording = (name: string, reports: readonly ReplayFix[]): Recording => ({
  name,
  reports: [...reports].sort((a, b) => a.fixAtMs - b.fixAtMs),
  actual: toTrails(reports),
});

/** The same day from devices that report only every `everyMs`; the rest of the fixes is known to the judge alone. */
export const withEvery = (recording: Recording, name: string, everyMs: number): Recording => {
  const lastMs = new Map<string, number>();
  const reports = [...recording.reports]
    .filter(isPosition)
    .sort((a, b) => a.fixAtMs - b.fixAtMs)
    .filter(({ deviceId, fixAtMs }) => {
      if (fixAtMs - (lastMs.get(deviceId) ?? -Infinity) < everyMs) return false;
      lastMs.set(deviceId, fixAtMs);
      return true;
    });
  return { ...recording, name, reports };
};

/** The same day with coordinates rounded to so many decimals. */
export const withDecimals = (recording: Recording, name: string, decimals: number): Recording => ({
  ...recording,
  name,
  reports: recording.reports.map((report) => ({
    ...report,
    lat: Number(report.lat.toFixed(decimals)),
    lng: Number(report.lng.toFixed(decimals)),
  })),
});

/** The same day from receivers that are off by up to `byM` to the north and to the east, each fix on its own. */
export const withWander = (recording: Recording, name: string, byM: number, seed = 1): Recording => {
  const random = createRandom(seed);
  const off = (): number => ((random() * 2 - 1) * byM) / METERS_PER_DEGREE;
  return {
    ...recording,
    name,
    reports: recording.reports.map((report) => {
      if (!isPosition(report)) return report;
      const lng = report.lng + off() / Math.cos((report.lat * Math.PI) / 180);
      return { ...report, lat: report.lat + off(), lng };
    }),
  };
};

const NO_READINGS = {
  line: 0,
  speedKph: null,
  headingDeg: null,
  altitudeM: null,
  accuracyM: null,
  batteryPercent: null,
};

/** Trucks that stand all day beside one another and report every `everyMs`. */
export const toParked = (
  name: string,
  { trucks, forMs, everyMs, fromMs }: { trucks: number; forMs: number; everyMs: number; fromMs: number },
): Recording => {
  const reports: ReplayFix[] = [];
  for (let atMs = 0; atMs <= forMs; atMs += everyMs) {
    for (let truck = 0; truck < trucks; truck++) {
      const fixAtMs = fromMs + atMs + truck * 5000;
      const [lat, lng] = [35.21437 + truck * 0.0113, -101.83461 + truck * 0.0127];
      reports.push({ ...NO_READINGS, deviceId: `parked-${truck}`, fixAtMs, lat, lng });
    }
  }
  return toRecording(name, reports);
};

/** Meters along a route after so many minutes of a day that has stops, a jam, red lights and open road. */
const toDrivenM = (minutes: number): number => {
  const legs = [
    { untilMin: 20, mPerMin: 0 },
    { untilMin: 45, mPerMin: 1500 },
    { untilMin: 55, mPerMin: 35 },
    { untilMin: 75, mPerMin: 900 },
    { untilMin: 76.5, mPerMin: 0 },
    { untilMin: 95, mPerMin: 600 },
    { untilMin: 130, mPerMin: 0 },
    { untilMin: Infinity, mPerMin: 1300 },
  ];
  let drivenM = 0;
  let fromMin = 0;
  for (const { untilMin, mPerMin } of legs) {
    drivenM += Math.max(0, Math.min(minutes, untilMin) - fromMin) * mPerMin;
    fromMin = untilMin;
  }
  return drivenM;
};

/**
 * Two and a half hours of six trucks that have every trait of the recorded days: stop-and-go, reports each half
 * minute, minute or ten minutes, fixes at 0,0, fixes sent twice and fixes sent late.
 */
export const toMixedDay = (name: string, fromMs: number): Recording => {
  const everyMin = [0.5, 1, 1, 2, 10, 10];
  const reports = everyMin.flatMap((every, truck) =>
    Array.from({ length: Math.floor(150 / every) }, (_, i) => {
      const minutes = i * every + truck / 7;
      const northM = toDrivenM(Math.max(0, minutes - truck * 3));
      return {
        ...NO_READINGS,
        deviceId: `truck-${truck}`,
        fixAtMs: fromMs + Math.round(minutes * MINUTE_MS),
        lat: 33.10713 + northM / METERS_PER_DEGREE,
        lng: -98.51239 + truck * 0.31,
      };
    }),
  );
  reports.sort((a, b) => a.fixAtMs - b.fixAtMs);
  const actual = toTrails(reports);
  const sent = reports.flatMap((report, i) => {
    if (i % 97 === 0) return [report, { ...report, fixAtMs: report.fixAtMs + 1000, lat: 0, lng: 0 }];
    return i % 41 === 0 ? [report, report] : [report];
  });
  // One in sixty is sent after the four that follow it.
  for (let i = 60; i + 4 < sent.length; i += 60) sent.splice(i + 4, 0, ...sent.splice(i, 1));
  return { name, reports: sent, actual };
};
