import { strToU8, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { createWorkbook } from '@/testing/service/workbook';
import { expectInTime } from '@/testing/processor-time';
import type { Site } from '@/lib/rules/site';
import { toCircle } from './candidate';
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

describe('an odd table', () => {
  const HEAD = 'name,latitude,longitude,radius_m';
  const toSites = async (file: string | Uint8Array) => {
    const { faults, sites } = await plan(file);
    return faults.length > 0 ? toTexts(faults) : sites;
  };
  const circle = (name: string, lat: number, lng: number, radiusM = 100) => ({
    ...{ name, shape: { type: 'circle', lat, lng, radiusM } },
  });
  const AREA_SITE = {
    name: 'A',
    shape: {
      type: 'polygon',
      corners: [
        [32.7, -96.8],
        [32.8, -96.8],
        [32.8, -96.9],
      ],
    },
  };

  it.each<[string, string, unknown[]]>([
    [
      'line ends of several kinds',
      `${HEAD}\r\nA,32,-96,100\nB,33,-96,100\rC,34,-96,100`,
      [circle('A', 32, -96), circle('B', 33, -96), circle('C', 34, -96)],
    ],
    ['two byte order marks', `\ufeff\ufeff${HEAD}\nA,32,-96,100`, [circle('A', 32, -96)]],
    [
      'a title with another separator',
      'Customers, as of May\nname;latitude;longitude;radius_m\nA;32;-96;100',
      [circle('A', 32, -96)],
    ],
    [
      'a title with another separator, and decimal commas',
      'Customers, as of May\nname;latitude;longitude;radius_m\nA;32,5;-96,5;100\nB;33,5;-96,5;"1.000,5 m"',
      [
        'Line 4: Its radius is “1.000,5 m”. Enter one from 10 m (33 ft) to 50 km (31 mi), as in 500 ft, 150 m or 0.5 mi.',
      ],
    ],
    ['decimal commas in corners', 'name,corners\nA,"32,7 -96,8; 32,8 -96,8; 32,8 -96,9"', [AREA_SITE]],
    ['commas between coordinates', 'name,corners\nA,"32.7, -96.8; 32.8,-96.8; 32.8 , -96.9"', [AREA_SITE]],
    [
      'heights in corners',
      'name,corners\nA,"32.7 -96.8 5; 32.8 -96.8 5"',
      [
        'Line 2: Corner 1 is “32.7 -96.8 5”: write “latitude longitude; latitude longitude; …”, as in 32.7 -96.8; 32.8 -96.8; 32.8 -96.9.',
      ],
    ],
    [
      'a ring that is closed, with corners twice',
      'name,corners\nA,"32.7 -96.8; 32.7 -96.8; 32.8 -96.8; 32.8 -96.9; 32.7 -96.8"',
      [
        {
          ...AREA_SITE,
          shape: { ...AREA_SITE.shape, corners: [...AREA_SITE.shape.corners.slice(1), [32.7, -96.8]] },
        },
      ],
    ],
    [
      'degrees with minutes, seconds and letters',
      `${HEAD}\nA,"32°46'36"" N",W 96° 47.8',100\nB,32° 30′,-96°15′,100\nC,32.5 N,96.5W,100`,
      [circle('A', 32.7766667, -96.7966667), circle('B', 32.5, -96.25), circle('C', 32.5, -96.5)],
    ],
    [
      'invisible characters and other dashes in numbers',
      `${HEAD}\nA,\u200e32.7,\u201396.8,\u206610 km`,
      [circle('A', 32.7, -96.8, 10_000)],
    ],
    [
      'radii in kilometers and yards',
      'name,lat,lng,Radius (km),radius_yd\nA,32,-96,"1,5",\nB,33,-96,"0,500 km",\nC,34,-96,,100',
      [circle('A', 32, -96, 1500), circle('B', 33, -96, 500), circle('C', 34, -96, 91.4)],
    ],
    [
      'a margin with its unit, and a color without #',
      `${HEAD},margin,colour\nA,32,-96,100,250 ft,2F7DE1`,
      [{ ...circle('A', 32, -96), marginM: 76, color: '#2f7de1' }],
    ],
    [
      'a name with an accent of its own, and other spaces',
      `${HEAD}\nCafe\u0301\u00a0 2,32,-96,100`,
      [circle('Café 2', 32, -96)],
    ],
  ])('is read as what it means, or refused: %s', async (_, text, expected) =>
    expect(await toSites(text)).toEqual(expected),
  );

  it.each<[string, string | Uint8Array, string]>([
    [
      'a column twice',
      'Name,Radius (m),Latitude,Longitude,radius_m\nA,100,32,-96,500',
      ': The columns “Radius (m)”, “radius_m” stand for the same: delete all but one, or rename the others.',
    ],
    [
      'two columns for a place',
      'name,Lat,Y,Long\nA,32,33,-96',
      ': The columns “Lat”, “Y” stand for the same',
    ],
    ['a name twice', 'Name,lat,lng,NAME\nA,32,-96,B', ': The columns “Name”, “NAME” stand for the same'],
    [
      'more cells than columns',
      `${HEAD},notes\nA,32,-96,100,ring twice, then wait`,
      'Line 2: It has 6 cells, and the header has 5: put quotes around a text with separators, or name the column of “then wait”.',
    ],
    [
      'an error of a spreadsheet as a name',
      createWorkbook([
        ['name', 'latitude', 'longitude', 'radius_m'],
        [{ error: '#N/A' }, 32, -96, 100],
      ]),
      'Line 2: Column “name”: the spreadsheet shows the error #N/A; correct its formula, or clear the cell.',
    ],
    [
      'a shortened number as a name',
      `${HEAD}\n8.61E+14,32,-96,100`,
      'a spreadsheet has shortened a number to "8.61E+14"',
    ],
    ['a zero byte', `${HEAD}\nA\0,32,-96,100`, ': Line 2 has a zero byte, which no text has'],
    ['two radii', 'name,lat,lng,radius_m,radius_ft\nA,32,-96,100,900', 'It has two radii, “100” and “900”'],
    [
      'corners and a place',
      'name,lat,lng,corners\nA,32,-96,"32 -96; 33 -96; 33 -95"',
      'It has corners, and “32”, “-96”',
    ],
    ['a Plus Code', `${HEAD}\nA,865J+GH Dallas,,100`, 'That is a Plus Code'],
    ['UTM', `${HEAD}\nA,14S 705000 3628000,,100`, 'That is a place of UTM'],
    ['both in one cell', `${HEAD}\nA,"32.7767, -96.797",,100`, 'Those are two numbers in one'],
    ['meters', `${HEAD}\nA,3628000,705000,100`, 'Those seem to be meters or feet of a projection'],
    [
      'millionths of degrees',
      `${HEAD}\nA,32776700,-96797000,100`,
      'They seem to be multiplied: that would be 32.78, -96.80.',
    ],
    ['letters of the other axis', `${HEAD}\nA,96.8 W,32.7 N,100`, 'Its latitude is “96.8 W”'],
    ['sixty minutes', `${HEAD}\nA,32°60',-96,100`, "Its latitude is “32°60'”"],
    [
      'digits that run together',
      `${HEAD}\nA,N3246,W1234,100`,
      'Its latitude is “N3246” and its longitude “W1234”',
    ],
    ['minutes and seconds that run together', `${HEAD}\nA,32°4636,-96,100`, 'Its latitude is “32°4636”'],
    ['degrees and minutes without a sign', `${HEAD}\nA,32 46,-96,100`, 'Its latitude is “32 46”'],
    ['a color by its name', `${HEAD},color\nA,32,-96,100,red`, '“red” is no color: write it as #rrggbb'],
    ['a margin of percent', `${HEAD},margin_m\nA,32,-96,100,50%`, 'Its margin is “50%”.'],
    ['a long name', `${HEAD}\n${'N'.repeat(300)},32,-96,100`, 'It has 300: “NNN'],
    [
      'OpenDocument',
      zipSync({ mimetype: strToU8('x'), 'content.xml': strToU8('<x/>') }),
      'an OpenDocument file (.ods)',
    ],
    ['Numbers', zipSync({ 'Index/Document.iwa': strToU8('x') }), 'a Numbers spreadsheet'],
    ['a text document', '{\\rtf1 x}', 'The file is a text document (RTF).'],
  ])('is refused by what was found and what to do: %s', async (_, file, message) =>
    expect(await faultsOf(file)).toEqual(expect.arrayContaining([expect.stringContaining(message)])),
  );

  it('changes the site whose name differs in spaces and the form of accents alone', async () => {
    const existing = ['Caf\u00e9 \u00a02', 'Yard', 'Yard  2', 'Yard 2'].map((name, id) => ({
      ...YARD,
      id,
      name,
    }));
    const { planned } = await plan(
      `${HEAD}\nCafe\u0301 2,32,-96,100\nYard,32,-96,100\nYard  2,32,-96,100\nYard 2,32,-96,100\nYard\u00a03,32,-96,100`,
      existing,
    );
    expect(planned.map(({ kind, site }) => [kind, site.name])).toEqual([
      ...existing.map(({ name }) => ['changed', name]),
      ['added', 'Yard 3'],
    ]);
  });

  it('of long texts in place of numbers is refused without delay', () => {
    for (const long of [`1${' '.repeat(300_000)}x`, '1 '.repeat(300_000), `${'2'.repeat(300_000)}+`])
      expectInTime(() =>
        expect(typeof toCircle([long, long], () => long, { radiusM: 1, unit: 'm' })).toBe('string'),
      );
  });

  it('warns of what is not read: further names, kinds of another program, further sheets', async () => {
    const { warnings, faults } = await plan(
      'Name,Location,lat,lng,radius_m,Type\nA,"1 Main St",32,-96,100,hub',
    );
    expect(faults).toEqual([]);
    expect(toTexts(warnings)).toEqual([
      ': “Location” is not read, because “Name” stands for the same.',
      'Line 2: “hub” is no kind of site, and is not read.',
    ]);
    const rows = [
      ['name', 'lat', 'lng', 'radius_m'],
      ['A', 32, -96, 100],
    ];
    const sheets = [
      { name: 'TX', rows },
      { name: 'OK', rows },
      { name: 'Notes', rows: [['Call Bob']] },
    ];
    expect(toTexts((await plan(await writeXlsx({ sheets }))).warnings)).toEqual([
      ': The sheet “OK” has sites too and is not read: import it by itself.',
    ]);
  });

  it('of a polygon with 500 corners imports as it was exported, and one with 501 is refused by their number', async () => {
    const toArea = (count: number): Site => ({
      ...AREA,
      shape: {
        type: 'polygon',
        corners: Array.from({ length: count }, (_, i) => {
          const angle = (i / count) * 2 * Math.PI;
          return [32.1234567 + Math.sin(angle), -96.1234567 + Math.cos(angle)];
        }),
      },
    });
    expect(await kindsOf(writeCsv([toArea(500)]), [toArea(500)])).toEqual(['unchanged']);
    expect(await faultsOf(writeCsv([toArea(501)]))).toEqual([
      'Line 2: It has 501 corners, and at most 500 are possible: simplify its outline.',
    ]);
  });
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

  const POINT = { type: 'Point', coordinates: [-96, 32, 120] };
  const toFeature = (properties: object, geometry: object = POINT) => ({
    type: 'Feature',
    geometry,
    properties,
  });

  it('takes the properties by the names that columns of a table may have, in any case', async () => {
    const names = [
      ['name', 'Site', 'SITE_NAME', 'Location Name', 'Title'],
      ['radius_ft', 'Radius (feet)', 'RADIUS_FOOT'],
      ['notes', 'Comment', 'DESCRIPTION', 'Note'],
      ['opening_hours', 'Hours', 'Opening Hours'],
      ['kind', 'Type', 'CATEGORY'],
      ['margin_m', 'Margin', 'Margin meters'],
    ];
    const values = ['A', '500', 'Ring', 'Mon-Fri 08:00-17:00; America/Chicago', 'Fuel stop', '20'];
    const expected = (
      await plan(
        `name,lat,lng,radius_ft,notes,opening_hours,kind,margin_m\nA,32,-96,${values
          .slice(1)
          .map((value) => `"${value}"`)
          .join(',')}`,
      )
    ).sites;
    expect(expected).toHaveLength(1);
    for (const [at, others] of names.entries())
      for (const other of others) {
        const given = names.map(([own], i) => [i === at ? other : own, values[i]]);
        const { sites, faults } = await plan(toGeo(toFeature(Object.fromEntries(given) as object)));
        expect({ other, sites, faults }).toEqual({ other, sites: expected, faults: [] });
      }
  });

  it('refuses a property that is there twice with different values', async () => {
    expect(await faultsOf(toGeo(toFeature({ name: 'A', NAME: 'B', radius_m: 100 })))).toEqual([
      'Feature 1: It has “name”, “NAME” with different values: keep one of them.',
    ]);
    expect(await faultsOf(toGeo(toFeature({ name: 'A', NAME: 'A', radius_m: 100 })))).toEqual([]);
  });

  it.each([
    ['collections in a collection', (each: object) => toGeo({ type: 'FeatureCollection', features: [each] })],
    ['a list of features', (each: object) => JSON.stringify([each])],
    [
      'a feature in each line',
      (each: object) => `${JSON.stringify(each)}\n`.repeat(2).trim().replace('"A"', '"B"'),
    ],
    ['a sequence by RFC 8142', (each: object) => `\u001e${JSON.stringify(each)}\n`],
    ['a feature alone', (each: object) => JSON.stringify(each, null, 2)],
  ])('reads %s', async (_, write) => {
    const { faults, sites } = await plan(write(toFeature({ name: 'A', radius_m: 100 })));
    expect(faults).toEqual([]);
    expect(sites.at(-1)).toEqual({ name: 'A', shape: { type: 'circle', lat: 32, lng: -96, radiusM: 100 } });
  });

  it.each([
    [{ type: 'Point', coordinates: [-96, 32] }, 'its type is "Point"'],
    [{ features: [{ attributes: {}, geometry: { x: -96, y: 32 } }] }, 'as Esri JSON has them'],
    [[1, 2], 'It has no place'],
    [{}, 'it names no type'],
  ])('refuses %j by what it is', async (value, message) =>
    expect(await faultsOf(JSON.stringify(value))).toEqual(
      expect.arrayContaining([expect.stringContaining(message)]),
    ),
  );

  it('warns of a corner at 0, 0, which stands for a missing one', async () => {
    const ring = [
      [-96, 32],
      [-95, 32],
      [0, 0],
      [-96, 32],
    ];
    const { warnings } = await plan(
      toGeo(toFeature({ name: 'A' }, { type: 'Polygon', coordinates: [ring] })),
    );
    expect(toTexts(warnings)).toEqual([expect.stringContaining('Its corner 3 is at 0.00, 0.00.')]);
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
