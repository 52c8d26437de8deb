import type { DemoFleet } from '@/service/simulator/demo-fleet';

/** What the load generator has to know of the vehicles: plain arrays, so that they travel between processes. */
export interface Reporters {
  deviceIds: string[];
  /** Position of each vehicle at `sinceMs` in degrees, and its change a second. */
  lat: Float64Array;
  lng: Float64Array;
  latPerS: Float64Array;
  lngPerS: Float64Array;
  speedKph: Float64Array;
  headingDeg: Float64Array;
  /** Unix milliseconds */
  sinceMs: number;
}

const KM_PER_DEGREE = 111.195;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Starts every vehicle of a fleet where the simulator has it, on a straight line from there. */
export const toReporters = (fleet: DemoFleet, sinceMs: number): Reporters => {
  const units = fleet.vehicles.length;
  const column = () => new Float64Array(units);
  const reporters: Reporters = {
    deviceIds: fleet.vehicles.map(({ deviceId }) => deviceId!),
    lat: column(),
    lng: column(),
    latPerS: column(),
    lngPerS: column(),
    speedKph: column(),
    headingDeg: column(),
    sinceMs,
  };
  for (let unit = 0; unit < units; unit++) {
    const { lat, lng, speedKph, headingDeg } = fleet.stateAt(unit, sinceMs);
    const degreesPerS = speedKph / 3600 / KM_PER_DEGREE;
    const radians = headingDeg * RADIANS_PER_DEGREE;
    reporters.lat[unit] = lat;
    reporters.lng[unit] = lng;
    reporters.latPerS[unit] = degreesPerS * Math.cos(radians);
    reporters.lngPerS[unit] = (degreesPerS * Math.sin(radians)) / Math.cos(lat * RADIANS_PER_DEGREE);
    reporters.speedKph[unit] = Math.round(speedKph);
    reporters.headingDeg[unit] = Math.round(headingDeg);
  }
  return reporters;
};

/** The reported position of a vehicle at a time: the load generator sends it, and the check recomputes it. */
export const positionAt = (
  reporters: Reporters,
  unit: number,
  atMs: number,
): { lat: number; lng: number } => {
  const seconds = (atMs - reporters.sinceMs) / 1000;
  const lat = reporters.lat[unit]! + reporters.latPerS[unit]! * seconds;
  const lng = reporters.lng[unit]! + reporters.lngPerS[unit]! * seconds;
  return { lat: Math.round(lat * 1e6) / 1e6, lng: Math.round(lng * 1e6) / 1e6 };
};
