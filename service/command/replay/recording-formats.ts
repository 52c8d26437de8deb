import { KPH_PER_KNOT, METERS_PER_MILE } from '@/lib/wire/units';
import { KPH_PER_MPS } from '../../ingest/fields';
import { requireFixTime } from '../../ingest/fix-time';
import { IngestInputError } from '../../ingest/input-error';

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

/** How a recorder writes its file. */
export interface RecordingFormat {
  name: string;
  /** column names by field; a header matches when it has the device, the time and the position */
  columns: Partial<Record<keyof RecordedFix, string[]>>;
  /** kilometers per hour in one unit of a column that holds a speed */
  speedFactors: Record<string, number>;
  /** the recorder writes this speed in km/h, or more, for none */
  noSpeedKph: number;
  parseTime(text: string): number;
}

const KPH_PER_MPH = METERS_PER_MILE / 1000;

/** 255 mph, the largest number of one byte: recorders write it for a speed that they do not have. */
const ONE_BYTE_MPH_KPH = 255 * KPH_PER_MPH - 0.01;

const parseIsoTime = (text: string): number => requireFixTime(text, 'timestamp');

export const RECORDING_FORMATS: RecordingFormat[] = [
  {
    name: 'vehicle_id,timestamp,speed (m/s),latitude,longitude',
    columns: {
      deviceId: ['vehicle_id'],
      fixAtMs: ['timestamp'],
      lat: ['latitude'],
      lng: ['longitude'],
      speedKph: ['speed'],
    },
    speedFactors: { speed: KPH_PER_MPS },
    noSpeedKph: ONE_BYTE_MPH_KPH,
    parseTime: parseIsoTime,
  },
  {
    name: 'trace_id,timestamp (M/D/YYYY H:MM),x,y,speed (mph),heading',
    columns: {
      deviceId: ['trace_id'],
      fixAtMs: ['timestamp'],
      lat: ['y'],
      lng: ['x'],
      speedKph: ['speed'],
      headingDeg: ['heading'],
    },
    speedFactors: { speed: KPH_PER_MPH },
    noSpeedKph: ONE_BYTE_MPH_KPH,
    parseTime: (text) => parseUsTime(text),
  },
  {
    name: 'id,timestamp,lat,lon',
    columns: {
      deviceId: ['id', 'device_id'],
      fixAtMs: ['timestamp'],
      lat: ['lat', 'latitude'],
      lng: ['lon', 'lng', 'longitude'],
      speedKph: ['speed_kph', 'speed_mph', 'speed_mps', 'speed_knots'],
      headingDeg: ['heading_deg', 'heading'],
      altitudeM: ['altitude_m', 'altitude'],
      accuracyM: ['accuracy_m', 'accuracy'],
      batteryPercent: ['battery_percent'],
    },
    speedFactors: { speed_kph: 1, speed_mph: KPH_PER_MPH, speed_mps: KPH_PER_MPS, speed_knots: KPH_PER_KNOT },
    noSpeedKph: ONE_BYTE_MPH_KPH,
    parseTime: parseIsoTime,
  },
];

const US_TIME = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?$/;

const parseUsTime = (text: string): number => {
  const match = US_TIME.exec(text);
  if (!match) throw new IngestInputError('timestamp', 'a time as M/D/YYYY H:MM', text);
  const [month, day, year, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const pad = (value: number | undefined) => String(value).padStart(2, '0');
  return requireFixTime(
    `${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`,
    'timestamp',
  );
};
