import { positionAt, type Reporters } from './reporters';

/** A request that is ready to be sent, and the fixes it bears. */
export interface IngestRequest {
  text: string;
  units: number[];
  fixAtMs: number[];
}

/** The request number `index` of a load, whose newest fixes are of `atMs` (Unix milliseconds). */
export type ToRequest = (index: number, atMs: number) => IngestRequest;

/** Vehicles whose fixes a gateway forwards together. */
export const VEHICLES_A_BATCH = 100;
/** One fix in so many comes late: an older one, out of a device's buffer, after newer ones. */
export const FIXES_A_LATE_ONE = 50;
/** Older than what the vehicle reported in its last rounds; odd, because the others' times are even. */
const LATE_BY_MS = 61_001;
const KPH_PER_KNOT = 1.852;
const KPH_PER_MPS = 3.6;

/**
 * Fix times: even milliseconds, each vehicle's later than its last, and odd ones for the late. So no two
 * fixes of a vehicle are of one time, and the store has to hold exactly as many as were acknowledged.
 */
const createFixClock = (units: number) => {
  const lastMs = new Float64Array(units);
  return {
    next(unit: number, atMs: number): number {
      const evenMs = Math.floor(atMs / 2) * 2;
      return (lastMs[unit] = Math.max(evenMs, lastMs[unit]! + 2));
    },
    late: (unit: number): number => lastMs[unit]! - LATE_BY_MS,
  };
};

const toOverlandFeature = (reporters: Reporters, unit: number, fixAtMs: number): string => {
  const { lat, lng } = positionAt(reporters, unit, fixAtMs);
  const time = new Date(fixAtMs).toISOString();
  const speedMps = (reporters.speedKph[unit]! / KPH_PER_MPS).toFixed(1);
  return (
    `{"type":"Feature","geometry":{"type":"Point","coordinates":[${lng},${lat}]},"properties":{` +
    `"timestamp":"${time}","device_id":"${reporters.deviceIds[unit]}","speed":${speedMps},` +
    `"course":${reporters.headingDeg[unit]},"altitude":210,"horizontal_accuracy":4,"vertical_accuracy":3,` +
    `"battery_level":0.8,"battery_state":"charging","motion":["driving"],"wifi":""}}`
  );
};

const toOsmandQuery = (reporters: Reporters, unit: number, fixAtMs: number): string => {
  const { lat, lng } = positionAt(reporters, unit, fixAtMs);
  const knots = (reporters.speedKph[unit]! / KPH_PER_KNOT).toFixed(1);
  return (
    `id=${reporters.deviceIds[unit]}&timestamp=${fixAtMs}&lat=${lat}&lon=${lng}&speed=${knots}` +
    `&bearing=${reporters.headingDeg[unit]}&altitude=210&accuracy=4&batt=80`
  );
};

/** The requests of a fleet that reports in turn: Overland batches, or one OsmAnd request a fix. */
export const createReports = (reporters: Reporters, token: string) => {
  const units = reporters.deviceIds.length;
  const clock = createFixClock(units);

  const toOverland: ToRequest = (index, atMs) => {
    const first = (index * VEHICLES_A_BATCH) % units;
    const list = Array.from({ length: VEHICLES_A_BATCH }, (_, i) => (first + i) % units);
    const fixAtMs = list.map((unit) => clock.next(unit, atMs));
    for (let i = 0; i < VEHICLES_A_BATCH; i += FIXES_A_LATE_ONE) {
      list.push(list[i]!);
      fixAtMs.push(clock.late(list[i]!));
    }
    const features = list.map((unit, i) => toOverlandFeature(reporters, unit, fixAtMs[i]!));
    const body = `{"locations":[${features.join(',')}]}`;
    const head =
      `POST /ingest/overland HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return { text: head + body, units: list, fixAtMs };
  };

  const toOsmand: ToRequest = (index, atMs) => {
    const isLate = index % FIXES_A_LATE_ONE === FIXES_A_LATE_ONE - 1;
    // The late fix is of the vehicle that reported just before.
    const unit = (isLate ? index - 1 : index) % units;
    const fixAtMs = isLate ? clock.late(unit) : clock.next(unit, atMs);
    const query = toOsmandQuery(reporters, unit, fixAtMs);
    const text = `POST /ingest/${token}/osmand?${query} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n`;
    return { text, units: [unit], fixAtMs: [fixAtMs] };
  };

  return { overland: toOverland, osmand: toOsmand };
};
