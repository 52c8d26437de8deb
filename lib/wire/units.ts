/** Metres in an international mile (exact, by definition). */
export const METERS_PER_MILE = 1609.344;

/** Kilometres per hour in one knot (exact: 1852 m an hour). */
export const KPH_PER_KNOT = 1.852;

/** Metres per second in one kilometre per hour. */
export const MPS_PER_KPH = 1 / 3.6;

/** WGS 84, decimal degrees. */
export interface LatLng {
  lat: number;
  lng: number;
}
