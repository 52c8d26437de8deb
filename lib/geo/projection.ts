import { DEGREES_PER_E5 } from './units';

/** Side of the whole world at a zoom, CSS pixels. */
export const worldSizePx = (zoom: number): number => 256 * 2 ** zoom;

/**
 * The map is cut along this longitude, in Asia, and not along the date line, on both sides of which the United States lie:
 * Guam and the westernmost Aleutians are drawn to the left of Alaska and Hawaii.
 */
const SEAM_LNG = 130;

/** A longitude on the map, from 230° W to 130° E. */
export const toMapLng = (lng: number): number => (lng > SEAM_LNG ? lng - 360 : lng);

/** Web Mercator x of a longitude: 0 at 180°, 0.86 at 130° E, and less than 0 from there on to the west of 180°. */
export const toMercatorX = (lng: number): number => toMapLng(lng) / 360 + 0.5;

/** Web Mercator y of a latitude: 0 in the north, 1 in the south. EPSG:3857, scaled to one. */
export const toMercatorY = (lat: number): number => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

export const toLng = (x: number): number => (x - 0.5) * 360;

export const toLat = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

export const mercatorXOfE5 = (lngE5: number): number => toMercatorX(lngE5 * DEGREES_PER_E5);

/** Latitudes of the table, hundredths of a degree; beyond the edge of the square world there is none. */
const EDGE = 85;
const STEPS_A_DEGREE = 100;
const E5_A_STEP = 1 / DEGREES_PER_E5 / STEPS_A_DEGREE;
const EDGE_E5 = EDGE / DEGREES_PER_E5;
const Y_OF_STEP = Float64Array.from({ length: 2 * EDGE * STEPS_A_DEGREE + 2 }, (_, step) =>
  toMercatorY(step / STEPS_A_DEGREE - EDGE),
);

/**
 * Read between the lines of a table, for a hundred thousand units a poll: a quarter of the formula's time, and
 * within 5 cm of it as far as 60° north or south, 30 cm at the edge.
 */
export const mercatorYOfE5 = (latE5: number): number => {
  if (latE5 > EDGE_E5 || latE5 < -EDGE_E5) return toMercatorY(latE5 * DEGREES_PER_E5);
  const at = (latE5 + EDGE_E5) / E5_A_STEP;
  const step = Math.floor(at);
  return Y_OF_STEP[step]! + (Y_OF_STEP[step + 1]! - Y_OF_STEP[step]!) * (at - step);
};
