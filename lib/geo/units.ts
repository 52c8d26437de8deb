export const DEGREES_PER_E5 = 1e-5;

/** Meters in an international mile (exact, by definition). */
export const METERS_PER_MILE = 1609.344;

/** Meters in an international foot (exact, by definition). */
export const METERS_PER_FOOT = 0.3048;

/** Kilometers per hour in one knot (exact: 1852 m an hour). */
export const KPH_PER_KNOT = 1.852;

/** Meters per second in one kilometer per hour. */
export const MPS_PER_KPH = 1 / 3.6;

/** WGS 84, decimal degrees. */
export interface LatLng {
  lat: number;
  lng: number;
}
