import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { START_MS, fixAt } from '@/testing/motion/fixes';
import { EXPORT_FORMATS, toExportSegments, toFileName, writeExport } from './export';

const MINUTE_MS = 60_000;
const NAME = 'Truck <116> & "co"';

/** A fix a minute, half a mile each, and none from minute 10 to 60. */
const FIXES = [
  ...Array.from({ length: 11 }, (_, i) => i),
  ...Array.from({ length: 5 }, (_, i) => 60 + i),
].map((minute) => ({ ...fixAt(minute, minute * 800), isByReceipt: false }));
const segments = toExportSegments(FIXES, { fromMs: START_MS + MINUTE_MS, toMs: START_MS + 64 * MINUTE_MS });
const write = (format: (typeof EXPORT_FORMATS)[number]): string =>
  [...writeExport(format, { name: NAME, segments })].join('');

test('a gap begins another segment, and only the fixes of the range are exported', () => {
  expect(segments.map((points) => points.length)).toEqual([10, 4]);
  expect(segments[0]![0]!.fixAtMs).toBe(START_MS + MINUTE_MS);
});

test('CSV has a line for each fix, with its segment', () => {
  const rows = parse(write('csv'), { columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(14);
  expect(rows[9]).toEqual({
    time: new Date(START_MS + 10 * MINUTE_MS).toISOString(),
    latitude: String(segments[0]![9]!.lat),
    longitude: '-101.00437',
    speed_mph: '30',
    heading_deg: '0',
    segment: '1',
  });
  expect(rows[13]!.segment).toBe('2');
});

test('GeoJSON has a line for each segment, as RFC 7946 has it', () => {
  const { type, features } = JSON.parse(write('geojson')) as {
    type: string;
    features: {
      geometry: { type: string; coordinates: number[][] };
      properties: { name: string; times: string[] };
    }[];
  };
  expect([type, features.length]).toEqual(['FeatureCollection', 2]);
  expect(features[0]!.geometry.coordinates[0]).toEqual([-101.00437, segments[0]![0]!.lat]);
  expect(features.map(({ properties }) => properties.times.length)).toEqual([10, 4]);
  expect(features[0]!.properties.name).toBe(NAME);
});

test('GPX and KML have a segment for each, and escape the name', () => {
  const [gpx, kml] = [write('gpx'), write('kml')];
  expect(gpx.match(/<trkseg>/g)).toHaveLength(2);
  expect(gpx.match(/<trkpt /g)).toHaveLength(14);
  expect(kml.match(/<gx:Track>/g)).toHaveLength(2);
  expect(kml.match(/<when>/g)).toHaveLength(kml.match(/<gx:coord>/g)!.length);
  for (const text of [gpx, kml])
    expect(text).toContain('<name>Truck &#60;116&#62; &#38; &#34;co&#34;</name>');
});

test('an export without a fix is a whole file', () => {
  for (const format of EXPORT_FORMATS) {
    const text = [...writeExport(format, { name: NAME, segments: [] })].join('');
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
