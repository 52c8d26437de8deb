import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { START_MS, fixAt } from '@/testing/motion/fixes';
import {
  EXPORT_FORMATS,
  toExportParts,
  toFileName,
  writeExport,
  type ExportFormat,
  type ExportPart,
} from './export';
import { MINUTE_MS } from '@/lib/base/time';

const NAME = 'Truck <116> & "co"';

/** A fix a minute, half a mile each, and none from minute 10 to 60. */
const FIXES = [
  ...Array.from({ length: 11 }, (_, i) => i),
  ...Array.from({ length: 5 }, (_, i) => 60 + i),
].map((minute) => ({ ...fixAt(minute, minute * 800), isByReceipt: false }));
const RANGE = { fromMs: START_MS + MINUTE_MS, toMs: START_MS + 64 * MINUTE_MS };

async function* inPieces<T>(items: readonly T[], length: number): AsyncGenerator<T[]> {
  for (let i = 0; i < items.length; i += length) yield items.slice(i, i + length);
}

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const toParts = (fixes = FIXES, pieceLength = 4) =>
  collect(toExportParts(inPieces(fixes, pieceLength), RANGE));
const write = async (format: ExportFormat, given?: ExportPart[]): Promise<string> => {
  async function* parts() {
    yield* given ?? (await toParts());
  }
  return (await collect(writeExport(format, { name: NAME, parts: parts() }))).join('');
};

test('a gap begins another segment, and only the fixes of the range are exported, however they are read', async () => {
  const parts = await toParts();
  expect(parts.map(({ segment, points }) => [segment, points.length])).toEqual([
    [1, 10],
    [2, 4],
  ]);
  expect(parts[0]!.points[0]!.fixAtMs).toBe(START_MS + MINUTE_MS);
  expect(await toParts(FIXES, 100)).toEqual(parts);
});

test('CSV has a line for each fix, with its segment', async () => {
  const [first] = await toParts();
  const csv = await write('csv');
  expect(csv.startsWith('\uFEFFtime,')).toBe(true);
  const rows = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows).toHaveLength(14);
  expect(rows[9]).toEqual({
    time: new Date(START_MS + 10 * MINUTE_MS).toISOString(),
    latitude: String(first!.points[9]!.lat),
    longitude: '-101.00437',
    speed_mph: '30',
    heading_deg: '0',
    segment: '1',
  });
  expect(rows[13]!.segment).toBe('2');
});

test('GeoJSON has a line for each segment, as RFC 7946 has it', async () => {
  const [first] = await toParts();
  const { type, features } = JSON.parse(await write('geojson')) as {
    type: string;
    features: {
      geometry: { type: string; coordinates: number[][] };
      properties: { name: string; times: string[] };
    }[];
  };
  expect([type, features.length]).toEqual(['FeatureCollection', 2]);
  expect(features[0]!.geometry.coordinates[0]).toEqual([-101.00437, first!.points[0]!.lat]);
  expect(features.map(({ properties }) => properties.times.length)).toEqual([10, 4]);
  expect(features[0]!.properties.name).toBe(NAME);
});

test('GPX and KML have a segment for each, and escape the name', async () => {
  const [gpx, kml] = [await write('gpx'), await write('kml')];
  expect(gpx.match(/<trkseg>/g)).toHaveLength(2);
  expect(gpx.match(/<trkpt /g)).toHaveLength(14);
  expect(kml.match(/<gx:Track>/g)).toHaveLength(2);
  expect(kml.match(/<when>/g)).toHaveLength(kml.match(/<gx:coord>/g)!.length);
  for (const text of [gpx, kml])
    expect(text).toContain('<name>Truck &#60;116&#62; &#38; &#34;co&#34;</name>');
});

test('KML has each segment as a plain line too, for programs that do not know gx:Track', async () => {
  const [, ...parts] = await toParts();
  const single = { segment: 3, points: parts[0]!.points.slice(0, 1), joint: null };
  const kml = await write('kml', [...(await toParts()), single]);
  const shapes = [...kml.matchAll(/<(LineString|Point)><coordinates>\n([^<]*)\n<\/coordinates><\/\1>/g)];
  const toCoordinates = (part: ExportPart) => part.points.map(({ lat, lng }) => `${lng},${lat}`).join('\n');
  expect(shapes.map(([, shape, coordinates]) => [shape, coordinates])).toEqual([
    ...(await toParts()).map((part) => ['LineString', toCoordinates(part)]),
    ['Point', toCoordinates(single)],
  ]);
  expect(kml.match(/<Placemark>/g)).toHaveLength(6);
});

test('a long segment is in several parts, whose lines meet', async () => {
  const driven = Array.from({ length: 30_000 }, (_, i) => ({
    ...fixAt(1 + i / 500, i),
    isByReceipt: false,
  }));
  const parts = await toParts(driven, 7000);
  expect(parts.map(({ segment, points }) => [segment, points.length])).toEqual([
    [1, 20_000],
    [1, 10_000],
  ]);
  expect((await write('gpx', parts)).match(/<trkseg>/g)).toHaveLength(1);
  expect((await write('csv', parts)).trim().split('\n')).toHaveLength(30_001);
  const { features } = JSON.parse(await write('geojson', parts)) as {
    features: { geometry: { coordinates: number[][] } }[];
  };
  const [first, second] = features.map(({ geometry }) => geometry.coordinates);
  expect(second![0]).toEqual(first![19_999]);
});

test('an export without a fix is a whole file', async () => {
  for (const format of EXPORT_FORMATS) {
    const text = await write(format, []);
    expect(text.endsWith('\n')).toBe(true);
    if (format === 'geojson') expect(JSON.parse(text)).toEqual({ type: 'FeatureCollection', features: [] });
  }
});

test('the name of a file has the unit and the range', () => {
  expect(toFileName('116', '2026-11-17', '2026-11-17', 'gpx')).toBe('linehaul-116-2026-11-17.gpx');
  expect(toFileName('A/ 7', '2026-11-16', '2026-11-17', 'csv')).toBe(
    'linehaul-A-7-2026-11-16-to-2026-11-17.csv',
  );
});
