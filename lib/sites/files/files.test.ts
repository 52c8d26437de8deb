import { describe, expect, it } from 'vitest';
import { createWorkbook } from '@/testing/service/workbook';
import type { Site } from '../schema';
import { writeCsv } from './csv';
import { readFeatures, writeGeoJson } from './geojson';
import { planFile } from './read-file';

const YARD: Site = {
  id: 1,
  name: '=Yard "Dallas", <north> & Söhne',
  kind: 'yard',
  color: '#2f7de1',
  notes: 'Gate 4711\nRing twice; "loud"',
  openingHours: {
    timeZone: 'America/Chicago',
    days: [
      { weekdays: [1, 2, 3, 4, 5], fromMin: 480, toMin: 1020 },
      { weekdays: [6], fromMin: 1320, toMin: 360 },
    ],
  },
  marginM: 75,
  shape: { type: 'circle', lat: 32.7781512345, lng: -96.7954, radiusM: 250.5 },
};
const AREA: Site = {
  ...YARD,
  id: 2,
  name: 'No-go',
  kind: 'noGo',
  notes: '',
  openingHours: null,
  shape: {
    type: 'polygon',
    corners: [
      [33.123456, -97],
      [33, -96.99],
      [33.01, -96.98],
    ],
  },
};
const SITES = [YARD, AREA];

const plan = (file: string | Uint8Array, existing: readonly Site[] = [], radiusM: number | null = null) =>
  planFile(typeof file === 'string' ? Buffer.from(file) : file, existing, { radiusM, unit: 'ft' });
const kindsOf = async (text: string, existing = SITES) =>
  (await plan(text, existing)).planned.map(({ kind }) => kind);
const toTexts = (lines: { where: string; message: string }[]) =>
  lines.map(({ where, message }) => `${where}: ${message}`);
const faultsOf = async (file: string | Uint8Array, radiusM: number | null = null) =>
  toTexts((await plan(file, [], radiusM)).faults);
const toGeo = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });

describe.each([
  ['CSV', writeCsv],
  ['GeoJSON', writeGeoJson],
])('%s', (_, write) => {
  it('that was exported imports as unchanged, and as the same sites into another fleet', async () => {
    const text = write(SITES);
    expect(await plan(text, SITES)).toMatchObject({ faults: [] });
    expect(await kindsOf(text)).toEqual(['unchanged', 'unchanged']);
    const { planned } = await plan(text);
    expect(planned.map(({ site }) => site)).toEqual(SITES.map(({ id: _id, ...site }) => site));
  });

  it('changes a site of the same name', async () => {
    expect(
      await kindsOf(
        write([
          { ...YARD, marginM: 20 },
          { ...AREA, name: 'New' },
        ]),
      ),
    ).toEqual(['changed', 'added']);
  });
});

describe('CSV', () => {
  it('needs a name, a place and a radius by its header, and leaves what it does not have', async () => {
    const text = '\ufeffSite;Lat;Long;Radius (miles)\nYard;32.5;-96.5;0.5\n\n';
    const existing = [{ ...YARD, name: 'Yard' }];
    const [planned] = (await plan(text, existing)).planned;
    expect(planned!.site).toEqual({
      ...{ ...YARD, id: undefined },
      name: 'Yard',
      shape: { type: 'circle', lat: 32.5, lng: -96.5, radiusM: 804.7 },
    });
  });

  it('names the line of each fault', async () => {
    const text = [
      'name,latitude,longitude,radius_ft,kind,opening_hours',
      'A,32,-96,500,Yard,',
      'B,132,-96,500,Fuel stop,',
      '"B\nB",32,-96,500,depot,always',
      'A,32,-96,1,,',
      'C,,-96,500,,',
      ',32,-96,abc,,',
    ].join('\n');
    expect(await faultsOf(text)).toEqual([
      'Line 3: Its latitude is “132” and its longitude “-96”. Enter latitude (-85 to 85) and longitude in degrees, as in 32.7767 and -96.797.',
      'Line 4: “depot” is no kind of site: use Yard, Customer, Fuel stop, No-go area, Other.',
      'Line 4: “always” are no opening hours: write “Mon-Fri 08:00-17:00; America/Chicago”.',
      'Line 6: Its radius is “1”. Enter one from 10 m (33 ft) to 50 km (31 mi), as in 500 ft, 150 m or 0.5 mi.',
      'Line 6: Line 2 has this name too.',
      'Line 7: It has no latitude: enter it in degrees, as in 32.7767.',
      'Line 8: Its radius is “abc”. Enter one from 10 m (33 ft) to 50 km (31 mi), as in 500 ft, 150 m or 0.5 mi.',
      'Line 8: It has no name: give it one as “name”.',
    ]);
  });

  it('reads corners that end in a semicolon, and the minus sign of typesetters', async () => {
    const text = 'name,corners\nA,"32 -96; 32 -95; 33 \u221295;"';
    expect((await plan(text)).sites[0]!.shape).toMatchObject({
      corners: [
        [32, -96],
        [32, -95],
        [33, -95],
      ],
    });
  });

  it.each([
    [
      'name,radius_m\nA,3',
      'The first line names no column for the place of a site; it has “name”, “radius_m”. Name the columns name, latitude and longitude in the first line, above the sites.',
    ],
    [
      'latitude,longitude\n1,2',
      'The first line names no column for the name of a site; it has “latitude”, “longitude”. Name the columns name, latitude and longitude in the first line, above the sites.',
    ],
    ['name,latitude,longitude', 'There is no site in the file.'],
    ['', 'The file is empty.'],
  ])('%j is refused', async (text, message) => expect(await faultsOf(text)).toEqual([`: ${message}`]));
});

it('a file of 5,001 sites is refused with their number, and one of 5,000 is not', async () => {
  const toFile = (count: number) =>
    [
      'name,latitude,longitude,radius_m',
      ...Array.from({ length: count }, (_, i) => `Site ${i},32,-96,100`),
    ].join('\n');
  expect(await faultsOf(toFile(5001))).toEqual([
    ': The fleet would have 5,001 sites, and at most 5,000 are possible.',
  ]);
  expect(await plan(toFile(5000))).toMatchObject({ faults: [], planned: { length: 5000 } });
});

describe('a table of sites, as the import of vehicles reads one', () => {
  const rows = (separator: string, end: string) =>
    [
      ['name', 'latitude', 'longitude', 'radius_ft'],
      ['Peñasco', '32.1', '-96.5', '500'],
    ]
      .map((cells) => cells.join(separator))
      .join(end);
  it.each<[string, Uint8Array]>([
    ['Windows-1252', Buffer.from(rows(',', '\r\n'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${rows('\t', '\r\n')}`, 'utf16le')],
    ['UTF-8 with a byte order mark and semicolons', Buffer.from(`\ufeff${rows(';', '\n')}`)],
    ['line ends of old Macs', Buffer.from(rows(',', '\r'))],
    ['sep= and a separator of its own', Buffer.from(`sep=|\r\n${rows('|', '\r\n')}`)],
    ['a title above the header', Buffer.from(`Customers of 2026\n\n${rows(',', '\n')}`)],
    ['a name in ="…"', Buffer.from(rows(',', '\n').replace('Peñasco', '="Peñasco"'))],
    [
      'a workbook',
      createWorkbook([
        ['Customers'],
        ['name', 'latitude', 'longitude', 'radius_ft'],
        ['Peñasco', 32.1, -96.5, 500],
      ]),
    ],
  ])('%s', async (_, bytes) => {
    const { faults, sites } = await plan(bytes);
    expect(faults).toEqual([]);
    expect(sites).toEqual([
      { name: 'Peñasco', shape: { type: 'circle', lat: 32.1, lng: -96.5, radiusM: 152.4 } },
    ]);
  });

  it('takes a radius with its unit from its cell, and one without from the choice, with a warning', async () => {
    const text = 'name,lat,lng,radius\nA,32,-96,500 ft\nB,33,-96,0.1 mi\nC,34,-96,150m\nD,35,-96,"1,000"';
    const { sites, warnings } = await plan(text);
    expect(sites.map(({ shape }) => shape.type === 'circle' && shape.radiusM)).toEqual([
      152.4, 160.9, 150, 304.8,
    ]);
    expect(toTexts(warnings)).toEqual(['Line 5: Its radius 1,000 has no unit, and is read as 1,000 ft.']);
  });

  it('takes the name from the column “name”, and an address for none', async () => {
    const head = 'Location,Name,Latitude,Longitude,radius_m';
    const { sites } = await plan(`${head}\n"123 Main St, Dallas, TX 75201",Dock 4,32,-96,100`);
    expect(sites[0]!.name).toBe('Dock 4');
    expect(
      await faultsOf('Location,Latitude,Longitude,radius_m\n"123 Main St, Dallas, TX 75201",32,-96,100'),
    ).toEqual([
      'Line 2: “123 Main St, Dallas, TX 75201” is an address: give the site a name, in a column “name”.',
    ]);
  });

  it.each([
    ['32.7,96.8', 'Its longitude seems to have lost its sign: that would be 32.70, -96.80.'],
    ['-96.8,32.7', 'Its latitude and longitude seem to be swapped: that would be 32.70, -96.80.'],
    ['-75.1,39.9', 'Its latitude and longitude seem to be swapped: that would be 39.90, -75.10.'],
  ])('warns of coordinates %s as of those of a truck', async (place, expected) => {
    const { warnings, faults } = await plan(`name,latitude,longitude,radius_m\nA,${place},100`);
    expect(toTexts([...warnings, ...faults])).toEqual([expect.stringContaining(expected)]);
  });
});

describe('GeoJSON', () => {
  it.each([
    [
      'MultiPolygon',
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [-96, 32],
              [-95, 32],
              [-95, 33],
              [-96, 32],
            ],
          ],
        ],
      },
    ],
    [
      'GeometryCollection',
      {
        type: 'GeometryCollection',
        geometries: [
          {
            type: 'Polygon',
            coordinates: [
              [
                [-96, 32],
                [-95, 32],
                [-95, 33],
                [-96, 32],
              ],
            ],
          },
        ],
      },
    ],
  ])('a %s of one polygon is that polygon', async (_, geometry) => {
    const { faults, sites } = await plan(toGeo({ type: 'Feature', geometry, properties: { name: 'A' } }));
    expect(faults).toEqual([]);
    expect(sites[0]!.shape).toMatchObject({
      type: 'polygon',
      corners: [
        [32, -96],
        [32, -95],
        [33, -95],
      ],
    });
  });

  const properties = { name: 'A', radius_m: 100 };

  it.each([
    [
      { type: 'MultiPolygon', coordinates: [[[[0, 0]]], [[[1, 1]]]] },
      'It is 2 polygons (MultiPolygon): make each a site of its own.',
    ],
    [{ type: 'LineString', coordinates: [] }, 'It is a LineString: a site is a Point or a Polygon.'],
    [
      { type: 'Polygon', coordinates: [[[0, 0]], [[0, 0]]] },
      'Its polygon has a hole, which a site cannot have: draw its outer edge alone.',
    ],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      'A polygon has at least three corners.',
    ],
    [null, 'It has no place: give it a Point or a Polygon.'],
    [
      { type: 'Point', coordinates: [null, null] },
      'Its latitude is “null” and its longitude “null”. Enter latitude (-85 to 85) and longitude in degrees, as in 32.7767 and -96.797.',
    ],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [32, -96],
            [32, -95],
            [33, -95],
            [32, -96],
          ],
        ],
      },
      'Corner 1: Its latitude is “-96” and its longitude “32”. Its latitude and longitude seem to be swapped: that would be 32.00, -96.00.',
    ],
    [
      { type: 'Point', coordinates: [0, 0] },
      'Its place is 0, 0, which programs write where they have none: enter its latitude and longitude.',
    ],
  ])('%j is refused', async (geometry, message) =>
    expect(await faultsOf(toGeo({ type: 'Feature', geometry, properties }))).toContain(
      `Feature 1: ${message}`,
    ),
  );

  it('keeps a description in HTML, as KML has it in CDATA, without its tags', () => {
    const description = { '@type': 'html', value: 'Gate <b>4711</b><br>Ring &amp; wait' };
    const feature = {
      geometry: { type: 'Point', coordinates: [-96, 32] },
      properties: { name: 'A', description },
    };
    const [candidate] = readFeatures([feature], 'Placemark', { radiusM: 100, unit: 'ft' });
    expect(candidate).toMatchObject({ site: { notes: 'Gate 4711\nRing & wait' }, faults: [] });
  });

  it('a point needs a radius, which may be that for all points', async () => {
    const text = toGeo({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-96, 32] },
      properties: { Name: 'A' },
    });
    expect(await faultsOf(text)).toEqual([expect.stringContaining('A point needs a radius')]);
    expect((await plan(text, [], 150)).sites[0]!.shape).toEqual({
      type: 'circle',
      lat: 32,
      lng: -96,
      radiusM: 150,
    });
  });

  it.each([
    ['{', 'The file is not JSON'],
    ['{"type":"Topology"}', 'The file is not GeoJSON with features'],
    ['PK\u0003\u0004', 'The file is a damaged archive'],
  ])('%j is refused', async (text, message) =>
    expect(await faultsOf(text)).toEqual([expect.stringContaining(message)]),
  );
});
