import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { toCsv, toCsvFile } from '@/lib/base/text/csv';
import { toMph } from '@/lib/view/format';
import { escapeXml } from '@/lib/base/text/text';
import { FixReplay, toPoint, type RecordedFix, type TrailPoint } from '@/lib/trips/trail';
import type { TimeRange } from '@/lib/base/time';

export const EXPORT_FORMATS = ['csv', 'gpx', 'kml', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  gpx: 'application/gpx+xml; charset=utf-8',
  kml: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
};

export const BYTES_A_FIX: Readonly<Record<ExportFormat, number>> = {
  csv: 52,
  gpx: 84,
  kml: 102,
  geojson: 49,
};

/** A longer segment is in several parts, so that none has to be held as a whole. */
const POINTS_A_PART = 20_000;

/** Points without a gap or a jump between them. */
export interface ExportPart {
  /** From 1; a gap or a jump begins another one. */
  segment: number;
  points: readonly TrailPoint[];
  /** The last point of the segment's part before; null where it begins here. */
  joint: TrailPoint | null;
}

interface Exported {
  name: string;
  parts: AsyncIterable<ExportPart>;
}

/** The fixes of [fromMs, toMs) that the live screen would show, in segments without a gap. */
export async function* toExportParts(
  pieces: AsyncIterable<readonly RecordedFix[]>,
  { fromMs, toMs }: TimeRange,
): AsyncGenerator<ExportPart> {
  const replay = new FixReplay(DEFAULT_MOTION_SETTINGS);
  let segment = 0;
  let points: TrailPoint[] = [];
  let joint: TrailPoint | null = null;
  for await (const piece of pieces)
    for (const point of piece.flatMap((fix) => replay.add(fix).map(toPoint))) {
      if (point.fixAtMs < fromMs || point.fixAtMs >= toMs) continue;
      const isNext = segment === 0 || point.link !== 'seen';
      if (isNext || points.length >= POINTS_A_PART) {
        if (points.length > 0) yield { segment, points, joint };
        joint = isNext ? null : (points[points.length - 1] ?? null);
        [segment, points] = [segment + Number(isNext), []];
      }
      points.push(point);
    }
  if (points.length > 0) yield { segment, points, joint };
}

/** The points of a part as a line that meets the part before. */
const toLine = ({ points, joint }: ExportPart): readonly TrailPoint[] =>
  joint === null ? points : [joint, ...points];

/** Points to an item of a stream: large enough for few writes, small enough to be sent at once. */
const POINTS_A_CHUNK = 1000;

const timeOf = ({ fixAtMs }: TrailPoint): string => new Date(fixAtMs).toISOString();

function* toChunks(points: readonly TrailPoint[], write: (point: TrailPoint, index: number) => string) {
  for (let from = 0; from < points.length; from += POINTS_A_CHUNK)
    yield points
      .slice(from, from + POINTS_A_CHUNK)
      .map((point, i) => write(point, from + i))
      .join('');
}

async function* toCsvText({ parts }: Exported): AsyncGenerator<string> {
  yield toCsvFile([['time', 'latitude', 'longitude', 'speed_mph', 'heading_deg', 'segment']]);
  for await (const { segment, points } of parts)
    yield* toChunks(points, (point) => {
      const { lat, lng, speedKph, headingDeg } = point;
      const speed = speedKph === null ? null : toMph(speedKph);
      const heading = headingDeg === null ? null : Math.round(headingDeg);
      return toCsv([[timeOf(point), lat, lng, speed, heading, segment]]);
    });
}

async function* toGpx({ name, parts }: Exported): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<gpx version="1.1" creator="Linehaul" xmlns="http://www.topografix.com/GPX/1/1">\n';
  yield `<trk><name>${escapeXml(name)}</name>\n`;
  let end = '';
  for await (const { points, joint } of parts) {
    if (joint === null) yield `${end}<trkseg>\n`;
    end = '</trkseg>\n';
    yield* toChunks(
      points,
      (point) => `<trkpt lat="${point.lat}" lon="${point.lng}"><time>${timeOf(point)}</time></trkpt>\n`,
    );
  }
  yield `${end}</trk>\n</gpx>\n`;
}

async function* toKml({ name, parts }: Exported): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n';
  const escaped = escapeXml(name);
  yield `<Document><name>${escaped}</name>\n`;
  for await (const part of parts) {
    const points = toLine(part);
    const head = `<Placemark><name>${escaped}</name>`;
    yield `${head}<gx:Track>\n`;
    yield* toChunks(points, (point) => `<when>${timeOf(point)}</when>\n`);
    yield* toChunks(points, ({ lat, lng }) => `<gx:coord>${lng} ${lat} 0</gx:coord>\n`);
    yield '</gx:Track></Placemark>\n';
    // For programs that know only KML 2.2 itself; a line has at least two points.
    const geometry = points.length > 1 ? 'LineString' : 'Point';
    yield `${head}<${geometry}><coordinates>\n`;
    yield* toChunks(points, ({ lat, lng }) => `${lng},${lat}\n`);
    yield `</coordinates></${geometry}></Placemark>\n`;
  }
  yield '</Document>\n</kml>\n';
}

async function* toGeoJson({ name, parts }: Exported): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[\n';
  let before = '';
  for await (const part of parts) {
    const points = toLine(part);
    const isLine = points.length > 1;
    const comma = (i: number): string => (i === 0 ? '' : ',');
    const [type, bracket] = isLine ? ['LineString', '['] : ['Point', ''];
    yield `${before}{"type":"Feature","geometry":{"type":"${type}","coordinates":${bracket}`;
    yield* toChunks(points, ({ lat, lng }, i) => `${comma(i)}[${lng},${lat}]`);
    yield `${isLine ? ']' : ''}},"properties":{"name":${JSON.stringify(name)},"segment":${part.segment},"times":[`;
    yield* toChunks(points, (point, i) => `${comma(i)}"${timeOf(point)}"`);
    yield ']}}';
    before = ',\n';
  }
  yield '\n]}\n';
}

const WRITERS: Readonly<Record<ExportFormat, (exported: Exported) => AsyncGenerator<string>>> = {
  csv: toCsvText,
  gpx: toGpx,
  kml: toKml,
  geojson: toGeoJson,
};

/** A trail as a file, piece by piece. Times are UTC, coordinates WGS 84. */
export const writeExport = (format: ExportFormat, exported: Exported): AsyncGenerator<string> =>
  WRITERS[format](exported);

/** The name of a file: "linehaul-116-2026-11-17.gpx", "linehaul-116-2026-11-16-to-2026-11-17.csv". */
export const toFileName = (
  unit: string,
  first: string,
  last: string,
  format: ExportFormat | 'parquet',
): string => {
  const range = first === last ? first : `${first}-to-${last}`;
  return `linehaul-${unit.replace(/[^\w.-]+/g, '-')}-${range}.${format}`;
};
