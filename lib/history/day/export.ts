import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { toCsv } from '../../view/csv';
import { toMph } from '../../view/format';
import { toTrail } from './trail';
import type { RecordedFix, TrailPoint } from './trail';

export const EXPORT_FORMATS = ['csv', 'gpx', 'kml', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  gpx: 'application/gpx+xml; charset=utf-8',
  kml: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
};

interface Exported {
  /** Of the unit. */
  name: string;
  /** The points of a range, in segments: a gap or a jump begins another one. */
  segments: readonly (readonly TrailPoint[])[];
}

/** The fixes of [fromMs, toMs) that the live screen would show, in segments without a gap. */
export const toExportSegments = (
  fixes: readonly RecordedFix[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): TrailPoint[][] => {
  const segments: TrailPoint[][] = [];
  for (const point of toTrail(fixes, DEFAULT_MOTION_SETTINGS).points) {
    if (point.fixAtMs < fromMs || point.fixAtMs >= toMs) continue;
    if (point.link !== 'seen' || segments.length === 0) segments.push([]);
    segments[segments.length - 1]!.push(point);
  }
  return segments;
};

/** Points to an item of a stream: large enough for few writes, small enough to be sent at once. */
const POINTS_A_CHUNK = 1000;

const timeOf = ({ fixAtMs }: TrailPoint): string => new Date(fixAtMs).toISOString();
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

function* toChunks(points: readonly TrailPoint[], write: (point: TrailPoint, index: number) => string) {
  for (let from = 0; from < points.length; from += POINTS_A_CHUNK)
    yield points
      .slice(from, from + POINTS_A_CHUNK)
      .map((point, i) => write(point, from + i))
      .join('');
}

function* toCsvText({ segments }: Exported): Generator<string> {
  yield toCsv([['time', 'latitude', 'longitude', 'speed_mph', 'heading_deg', 'segment']]);
  for (const [index, points] of segments.entries())
    yield* toChunks(points, (point) => {
      const { lat, lng, speedKph, headingDeg } = point;
      const speed = speedKph === null ? null : toMph(speedKph);
      const heading = headingDeg === null ? null : Math.round(headingDeg);
      return toCsv([[timeOf(point), lat, lng, speed, heading, index + 1]]);
    });
}

function* toGpx({ name, segments }: Exported): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<gpx version="1.1" creator="Linehaul" xmlns="http://www.topografix.com/GPX/1/1">\n';
  yield `<trk><name>${escapeXml(name)}</name>\n`;
  for (const points of segments) {
    yield '<trkseg>\n';
    yield* toChunks(
      points,
      (point) => `<trkpt lat="${point.lat}" lon="${point.lng}"><time>${timeOf(point)}</time></trkpt>\n`,
    );
    yield '</trkseg>\n';
  }
  yield '</trk>\n</gpx>\n';
}

function* toKml({ name, segments }: Exported): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n';
  yield `<Placemark><name>${escapeXml(name)}</name><gx:MultiTrack>\n`;
  for (const points of segments) {
    yield '<gx:Track>\n';
    yield* toChunks(points, (point) => `<when>${timeOf(point)}</when>\n`);
    yield* toChunks(points, ({ lat, lng }) => `<gx:coord>${lng} ${lat} 0</gx:coord>\n`);
    yield '</gx:Track>\n';
  }
  yield '</gx:MultiTrack></Placemark>\n</kml>\n';
}

function* toGeoJson({ name, segments }: Exported): Generator<string> {
  yield '{"type":"FeatureCollection","features":[\n';
  for (const [index, points] of segments.entries()) {
    const isLine = points.length > 1;
    const comma = (i: number): string => (i === 0 ? '' : ',');
    yield `${index === 0 ? '' : ',\n'}{"type":"Feature","geometry":{"type":"${isLine ? 'LineString' : 'Point'}","coordinates":`;
    yield isLine ? '[' : '';
    yield* toChunks(points, ({ lat, lng }, i) => `${comma(i)}[${lng},${lat}]`);
    yield `${isLine ? ']' : ''}},"properties":{"name":${JSON.stringify(name)},"segment":${index + 1},"times":[`;
    yield* toChunks(points, (point, i) => `${comma(i)}"${timeOf(point)}"`);
    yield ']}}';
  }
  yield '\n]}\n';
}

const WRITERS: Readonly<Record<ExportFormat, (exported: Exported) => Generator<string>>> = {
  csv: toCsvText,
  gpx: toGpx,
  kml: toKml,
  geojson: toGeoJson,
};

/** A trail as a file, piece by piece. Times are UTC, coordinates WGS 84. */
export const writeExport = (format: ExportFormat, exported: Exported): Generator<string> =>
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
