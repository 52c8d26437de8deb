import { MAX_SYNTAX_FAULTS, parseCsv } from '@/lib/table-files/csv';
import {
  UnreadableFileError,
  findRepeatedColumns,
  findSpoiled,
  toQuotedList,
  type TableRow,
} from '@/lib/table-files/table';
import { KPH_PER_KNOT, METERS_PER_MILE } from '@/lib/geo/units';
import { KPH_PER_MPS, requireFixTime, IngestInputError } from '../../ingest/fields';
import type { FixInput } from '../../store/inputs';

/** One row of a recording, as its device would report it. */
export interface ReplayFix extends FixInput {
  line: number;
}

/** How a recorder writes its file. */
interface RecordingFormat {
  name: string;
  /** column names by field; a header matches when it has the device, the time and the position */
  columns: Partial<Record<keyof ReplayFix, string[]>>;
  /** kilometers per hour in one unit of a column that holds a speed */
  speedFactors: Record<string, number>;
  /** by default as ingest reads times */
  parseTime?(text: string): number;
}

const KPH_PER_MPH = METERS_PER_MILE / 1000;

/** 255 mph, the largest number of one byte: recorders write it for a speed that they do not have. */
const NO_SPEED_KPH = 255 * KPH_PER_MPH - 0.01;

const RECORDING_FORMATS: RecordingFormat[] = [
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
  },
];

const parseTime = (text: string): number => requireFixTime(text, 'timestamp');

const US_TIME = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?$/;

const parseUsTime = (text: string): number => {
  const match = US_TIME.exec(text);
  if (!match) throw new IngestInputError('timestamp', 'a time as M/D/YYYY H:MM', text);
  const [month, day, year, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const pad = (value: number | undefined) => String(value).padStart(2, '0');
  return parseTime(`${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`);
};

export interface LineNote {
  line: number;
  message: string;
}

export interface Recording {
  format: string;
  rows: number;
  /** in the order of the file */
  fixes: ReplayFix[];
  /** rows that hold no fix that could be sent */
  unreadable: LineNote[];
  /** rows whose speed means "no speed" and is left out */
  withoutSpeed: LineNote[];
}

export class UnknownRecordingError extends Error {
  override name = 'UnknownRecordingError';
}

const REQUIRED = ['deviceId', 'fixAtMs', 'lat', 'lng'] as const;

/**
 * The fixes of a recorded CSV; its header determines the format. Positions are not checked here but by the
 * service that receives them.
 * @throws UnknownRecordingError, and UnreadableFileError for a file that is hardly CSV
 */
export const parseRecording = (text: string): Recording => {
  const { header: names, rows, broken, isCut } = parseCsv(text);
  const header = names.map((name) => name.toLowerCase());
  const found = RECORDING_FORMATS.map((format) => ({ format, at: locate(format, header) })).find(({ at }) =>
    REQUIRED.every((field) => at[field] !== undefined),
  );
  if (found === undefined) {
    const known = RECORDING_FORMATS.map(({ name }) => `  ${name}`).join('\n');
    throw new UnknownRecordingError(
      `The header ${JSON.stringify(header.join(','))} belongs to no known recording:\n${known}`,
    );
  }
  const [repeated] = findRepeatedColumns(header, (column) => fieldOf(found.format, column));
  if (repeated !== undefined)
    throw new UnreadableFileError(
      `its columns ${toQuotedList(repeated.map((at) => names[at]!))} stand for the same: delete all but one. Nothing was sent.`,
    );
  if (isCut) {
    throw new UnreadableFileError(
      `it has ${MAX_SYNTAX_FAULTS} faults of CSV syntax up to line ${broken.at(-1)?.line}. Nothing was sent.`,
    );
  }
  const recording: Recording = {
    format: found.format.name,
    rows: rows.length + broken.length,
    fixes: [],
    unreadable: [...broken],
    withoutSpeed: [],
  };
  for (const row of rows) readRow(row, found.format, found.at, header, recording);
  return recording;
};

/** The field that a column holds; null: it is not read. */
const fieldOf = ({ columns }: RecordingFormat, column: string): string | null =>
  Object.entries(columns).find(([, names]) => names.includes(column))?.[0] ?? null;

type Located = Partial<Record<keyof ReplayFix, number>>;

const locate = ({ columns }: RecordingFormat, header: string[]): Located =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, names]) => {
      const at = header.findIndex((name) => names.includes(name));
      return at === -1 ? [] : [[field, at]];
    }),
  );

const readRow = (
  row: TableRow,
  format: RecordingFormat,
  at: Located,
  header: string[],
  recording: Recording,
): void => {
  const { line, cells } = row;
  const number = (field: keyof ReplayFix): number | null => {
    const text = at[field] === undefined ? '' : (cells[at[field]] ?? '');
    return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  try {
    const speedKph = toSpeedKph(number('speedKph'), format, header[at.speedKph ?? -1]);
    if (speedKph !== null && speedKph >= NO_SPEED_KPH) {
      recording.withoutSpeed.push({
        line,
        message: `a speed of ${cells[at.speedKph!]} means no speed`,
      });
    }
    recording.fixes.push({
      line,
      deviceId: requireText(cells[at.deviceId!], header[at.deviceId!]!),
      fixAtMs: (format.parseTime ?? parseTime)(cells[at.fixAtMs!] ?? ''),
      lat: requireNumber(number('lat'), header[at.lat!]!, cells[at.lat!]),
      lng: requireNumber(number('lng'), header[at.lng!]!, cells[at.lng!]),
      speedKph: speedKph !== null && speedKph < NO_SPEED_KPH ? speedKph : null,
      headingDeg: number('headingDeg'),
      altitudeM: number('altitudeM'),
      accuracyM: number('accuracyM'),
      batteryPercent: number('batteryPercent'),
    });
  } catch (error) {
    if (!(error instanceof IngestInputError)) throw error;
    recording.unreadable.push({ line, message: error.message });
  }
};

const toSpeedKph = (
  speed: number | null,
  { speedFactors }: RecordingFormat,
  column: string | undefined,
): number | null => (speed === null || column === undefined ? null : speed * (speedFactors[column] ?? 1));

const requireText = (text: string | undefined, column: string): string => {
  if (!text || findSpoiled(text) !== null) throw new IngestInputError(column, 'a device id', text);
  return text;
};

const requireNumber = (value: number | null, column: string, text: string | undefined): number => {
  if (value === null) throw new IngestInputError(column, 'a number', text);
  return value;
};
