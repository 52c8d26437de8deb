import { IngestInputError } from '../../ingest/input-error';
import { parseCsv } from '../vehicles/csv';
import { RECORDING_FORMATS } from './recording-formats';
import type { CsvRow } from '../vehicles/csv';
import type { RecordedFix } from './recording-formats';
import type { RecordingFormat } from './recording-formats';

export interface LineNote {
  line: number;
  message: string;
}

export interface Recording {
  format: string;
  rows: number;
  /** in the order of the file */
  fixes: RecordedFix[];
  /** rows that hold no fix that could be sent */
  unreadable: LineNote[];
  /** rows whose speed means "no speed" and is left out */
  withoutSpeed: LineNote[];
}

/** The header belongs to no known format. */
export class UnknownRecordingError extends Error {
  override name = 'UnknownRecordingError';
}

const REQUIRED = ['deviceId', 'fixAtMs', 'lat', 'lng'] as const;

/**
 * The fixes of a recorded CSV; its header says which format it has. Positions are not checked here but by the
 * service that receives them.
 * @throws UnknownRecordingError
 */
export const parseRecording = (text: string): Recording => {
  const { header, rows, broken } = parseCsv(text);
  const found = RECORDING_FORMATS.map((format) => ({ format, at: locate(format, header) })).find(({ at }) =>
    REQUIRED.every((field) => at[field] !== undefined),
  );
  if (found === undefined) {
    const known = RECORDING_FORMATS.map(({ name }) => `  ${name}`).join('\n');
    throw new UnknownRecordingError(
      `The header ${JSON.stringify(header.join(','))} belongs to no known recording:\n${known}`,
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

type Located = Partial<Record<keyof RecordedFix, number>>;

const locate = ({ columns }: RecordingFormat, header: string[]): Located =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, names]) => {
      const at = header.findIndex((name) => names.includes(name));
      return at === -1 ? [] : [[field, at]];
    }),
  );

const readRow = (
  row: CsvRow,
  format: RecordingFormat,
  at: Located,
  header: string[],
  recording: Recording,
): void => {
  const { line, cells } = row;
  const number = (field: keyof RecordedFix): number | null => {
    const text = at[field] === undefined ? '' : (cells[at[field]] ?? '');
    return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  try {
    const speedKph = toSpeedKph(number('speedKph'), format, header[at.speedKph ?? -1]);
    if (speedKph !== null && speedKph >= format.noSpeedKph) {
      recording.withoutSpeed.push({
        line,
        message: `a speed of ${cells[at.speedKph!]} means no speed`,
      });
    }
    recording.fixes.push({
      line,
      deviceId: requireText(cells[at.deviceId!], header[at.deviceId!]!),
      fixAtMs: format.parseTime(cells[at.fixAtMs!] ?? ''),
      lat: requireNumber(number('lat'), header[at.lat!]!, cells[at.lat!]),
      lng: requireNumber(number('lng'), header[at.lng!]!, cells[at.lng!]),
      speedKph: speedKph !== null && speedKph < format.noSpeedKph ? speedKph : null,
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
  if (!text) throw new IngestInputError(column, 'a device id', text);
  return text;
};

const requireNumber = (value: number | null, column: string, text: string | undefined): number => {
  if (value === null) throw new IngestInputError(column, 'a number', text);
  return value;
};
