import { describe, expect, it } from 'vitest';
import type { Site } from '../schema';
import { writeCsv } from './csv';
import { writeGeoJson } from './geojson';
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

const kindsOf = (text: string, existing = SITES) =>
  planFile(text, existing, null).planned.map(({ kind }) => kind);
const faultsOf = (text: string, defaultRadiusM: number | null = null) =>
  planFile(text, [], defaultRadiusM).faults.map(({ where, message }) => `${where}: ${message}`);
const toGeo = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });

describe.each([
  ['CSV', writeCsv],
  ['GeoJSON', writeGeoJson],
])('%s', (_, write) => {
  it('that was exported imports as unchanged, and as the same sites into another fleet', () => {
    const text = write(SITES);
    expect(planFile(text, SITES, null)).toMatchObject({ faults: [] });
    expect(kindsOf(text)).toEqual(['unchanged', 'unchanged']);
    const { planned } = planFile(text, [], null);
    expect(planned.map(({ site }) => site)).toEqual(SITES.map(({ id: _id, ...site }) => site));
  });

  it('changes a site of the same name', () => {
    expect(
      kindsOf(
        write([
          { ...YARD, marginM: 20 },
          { ...AREA, name: 'New' },
        ]),
      ),
    ).toEqual(['changed', 'added']);
  });
});

describe('CSV', () => {
  it('needs a name, a place and a radius by its header, and leaves what it does not have', () => {
    const text = '\ufeffSite;Lat;Long;Radius (miles)\nYard;32.5;-96.5;0.5\n\n';
    const existing = [{ ...YARD, name: 'Yard' }];
    const [planned] = planFile(text, existing, null).planned;
    expect(planned!.site).toEqual({
      ...{ ...YARD, id: undefined },
      name: 'Yard',
      shape: { type: 'circle', lat: 32.5, lng: -96.5, radiusM: 804.7 },
    });
  });

  it('names the line of each fault', () => {
    const text = [
      'name,latitude,longitude,radius_ft,kind,opening_hours',
      'A,32,-96,500,Yard,',
      'B,132,-96,500,Fuel stop,',
      '"B\nB",32,-96,500,depot,always',
      'A,32,-96,1,,',
      'C,,-96,500,,',
      ',32,-96,abc,,',
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      'Line 3: A latitude is a number from -85 to 85.',
      'Line 5: “depot” is no kind of site: use Yard, Customer, Fuel stop, No-go area, Other.',
      'Line 5: “always” are no opening hours: write “Mon-Fri 08:00-17:00; America/Chicago”.',
      'Line 6: A radius is from 10 m (33 ft) to 50 km (31 mi).',
      'Line 6: Line 2 has this name too.',
      'Line 7: It has no latitude or no longitude.',
      'Line 8: Give a name.',
      'Line 8: A radius is from 10 m (33 ft) to 50 km (31 mi).',
    ]);
  });

  it.each([
    [
      'name,latitude,longitude,radius\nA,1,2,3',
      'The column “radius” does not say its unit: name it radius_m, radius_ft or radius_mi.',
    ],
    ['name,radius_m\nA,3', 'The first line has no columns “latitude” and “longitude”.'],
    ['latitude,longitude\n1,2', 'The first line has no column “name”.'],
    ['name,latitude,longitude', 'There is no site in the file.'],
    ['', 'The file is empty.'],
  ])('%j is refused', (text, message) => expect(faultsOf(text)).toEqual([`: ${message}`]));
});

it('a file of 5,001 sites is refused with their number, and one of 5,000 is not', () => {
  const toFile = (count: number) =>
    [
      'name,latitude,longitude,radius_m',
      ...Array.from({ length: count }, (_, i) => `Site ${i},32,-96,100`),
    ].join('\n');
  expect(faultsOf(toFile(5001))).toEqual([
    ': The fleet would have 5,001 sites, and at most 5,000 are possible.',
  ]);
  expect(planFile(toFile(5000), [], null)).toMatchObject({ faults: [], planned: { length: 5000 } });
});

describe('GeoJSON', () => {
  const properties = { name: 'A', radius_m: 100 };

  it.each([
    [
      { type: 'MultiPolygon', coordinates: [] },
      'It is several polygons (MultiPolygon): make each a site of its own.',
    ],
    [{ type: 'LineString', coordinates: [] }, 'It is a LineString: a site is a Point or a Polygon.'],
    [
      { type: 'Polygon', coordinates: [[[0, 0]], [[0, 0]]] },
      'Its polygon has a hole, which a site cannot have.',
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
    [null, 'It has no place.'],
  ])('%j is refused', (geometry, message) =>
    expect(faultsOf(toGeo({ type: 'Feature', geometry, properties }))).toEqual([`Feature 1: ${message}`]),
  );

  it('a point needs a radius, which may be that for all points', () => {
    const text = toGeo({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-96, 32] },
      properties: { Name: 'A' },
    });
    expect(faultsOf(text)).toEqual([expect.stringContaining('A point needs a radius')]);
    expect(planFile(text, [], 150).sites[0]!.shape).toEqual({
      type: 'circle',
      lat: 32,
      lng: -96,
      radiusM: 150,
    });
  });

  it.each([
    ['{', 'The file is not JSON'],
    ['{"type":"Topology"}', 'The file is not GeoJSON with features'],
    ['PK\u0003\u0004', 'The file is packed'],
  ])('%j is refused', (text, message) => expect(faultsOf(text)).toEqual([expect.stringContaining(message)]));
});
