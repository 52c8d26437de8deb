/** One row of a recording, as its device would report it. */
export interface RecordedFix {
  line: number;
  deviceId: string;
  fixAtMs: number;
  lat: number;
  lng: number;
  speedKph: number | null;
  headingDeg: number | null;
  altitudeM: number | null;
  accuracyM: number | null;
  batteryPercent: number | null;
}
