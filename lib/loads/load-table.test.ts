import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { toCsvFile } from '@/lib/base/text/csv';
import { parseCsv } from '@/lib/table-files/csv';
import { readLoadFile } from './import';
import { readLoadTable, type LoadNames } from './load-table';
import { toIso } from './times';

const VIN = '1M8GDM9AXKP042788';
const NAMES: LoadNames = {
  units: [
    { key: VIN, vin: VIN, truckNumber: '116' },
    { key: 'A', vin: null, truckNumber: '7' },
    { key: 'B', vin: null, truckNumber: '7' },
  ],
  sites: [
    { id: 1, name: 'Dallas yard' },
    { id: 2, name: 'Atlanta DC' },
    { id: 3, name: 'Twin' },
    { id: 4, name: 'TWIN' },
  ],
  findTown: (text) =>
    text === 'Amarillo, TX' ? { name: text, lat: 35.2, lng: -101.8, radiusM: 8000 } : null,
};
const read = (text: string) => readLoadTable(parseCsv(text), NAMES);

describe('a file of loads', () => {
  it('has a load on each line, with a pickup and a delivery, by the names that people give columns', () => {
    const { loads, faults, warnings } = read(
      `Loads of March\nRow,Load Number,PO Number,Customer,Truck,Pickup,Pickup from,Pickup to,Delivery,Delivery Appointment,Delivery free time,Delivery phone
1,8841,PO 17,Peachtree Paper,116,dallas yard,2026-03-02 08:00,10:00,Atlanta DC,3/3/2026 1:00 PM,120,404 555 0123
2,8842,,,,TWIN,,,"Amarillo, TX",,,\n`,
    );
    expect(faults).toEqual([]);
    expect(loads).toMatchObject([
      {
        line: 3,
        load: {
          ...{ reference: '8841', po: 'PO 17', customer: 'Peachtree Paper', unit: VIN },
          pickup: {
            ...{ siteId: 1, place: null },
            appointment: { from: '2026-03-02T08:00', to: '2026-03-02T10:00' },
          },
          delivery: {
            ...{ siteId: 2, freeMin: 120, contactPhone: '404 555 0123' },
            appointment: { from: '2026-03-03T13:00', to: '2026-03-03T13:00' },
          },
        },
      },
      {
        load: {
          reference: '8842',
          po: '',
          unit: null,
          pickup: { siteId: 4, appointment: null },
          delivery: { place: { name: 'Amarillo, TX', radiusM: 8000 } },
        },
      },
    ]);
    // Of a column that is not there, nothing is sent.
    expect(loads[0]!.load).not.toHaveProperty('bol');
    expect(loads[0]!.load.pickup).not.toMatchObject({ freeMin: expect.anything() as unknown });
    expect(warnings).toEqual([
      { line: 2, column: 'Row', message: expect.stringMatching(/not read/) as string },
    ]);
  });

  it('has a stop on each line where it has their kinds, and coordinates in place of sites', () => {
    const { loads, faults } = read(
      `reference,truck,kind,place,lat,lng,from,to\n8841,116,pickup,Dallas yard,,,2026-03-02,\n,,Drop,Dock 4,35.9,-101,2026-03-02T08:00Z,\n8841,,other,,36,-101,,\n8842,,PU,,35,-100,,\n`,
    );
    expect(faults).toEqual([]);
    expect(
      loads.map(({ line, load }) => [line, load.reference, load.unit, load.stops!.map(({ kind }) => kind)]),
    ).toEqual([
      [2, '8841', VIN, ['pickup', 'delivery', 'other']],
      [5, '8842', null, ['pickup']],
    ]);
    expect(loads[0]!.load.stops!.map(({ siteId, place }) => siteId ?? place)).toEqual([
      1,
      { name: 'Dock 4', lat: 35.9, lng: -101 },
      { name: '36, -101', lat: 36, lng: -101 },
    ]);
    // A day without a time is all of it.
    expect(loads[0]!.load.stops![0]!.appointment).toEqual({
      from: '2026-03-02T00:00',
      to: '2026-03-02T23:59',
    });
  });

  it.each([
    ['reference,pickup\n8841,Nowhere', 2, 'pickup', /no site of the fleet and no town is Nowhere/],
    ['reference,pickup\n8841,twin', 2, 'pickup', /no town is twin/],
    ['reference,pickup\n,Dallas yard', 2, 'reference', /give the load a reference/],
    ['reference,pickup,delivery\n8841,,', 2, null, /has no stop/],
    [
      'reference,kind,place,pickup\n8841,pickup,Dallas yard,',
      1,
      'pickup',
      /each line is a stop; delete pickup/,
    ],
    [
      'reference,pickup\n8841,Dallas yard\n8842,Dallas yard\n8841,Dallas yard',
      4,
      'reference',
      /on line 2 already/,
    ],
    ['reference,truck,pickup\n8841,7,Dallas yard', 2, 'truck', /more than one truck/],
    ['reference,truck,pickup\n8841,999,Dallas yard', 2, 'truck', /no truck of this fleet is 999/],
    ['reference,pickup,pickup_from\n8841,Dallas yard,noon', 2, 'pickup_from', /2026-03-02 08:00/],
    [
      'reference,pickup,pickup_from,pickup_to\n8841,Dallas yard,2026-03-02 08:00,07:00',
      2,
      'pickup_to',
      /not before the begin/,
    ],
    [
      'reference,pickup,pickup_free_minutes\n8841,Dallas yard,two',
      2,
      'pickup_free_minutes',
      /number of minutes/,
    ],
    ['reference,pickup_lat,pickup_lng\n8841,95,-101', 2, 'pickup_lat', /./],
    ['reference,pickup_lat,pickup_lng\n8841,35,', 2, 'pickup_lat', /latitude and longitude/],
    ['reference,kind,place\n8841,lunch,Dallas yard', 2, 'kind', /pickup, delivery or other/],
    [
      'reference,po,kind,place\n8841,1,pickup,Dallas yard\n8841,2,delivery,Atlanta DC',
      3,
      'po',
      /line 2 of this load says 1/,
    ],
    ['reference,load,pickup\n8841,8841,Dallas yard', 1, 'reference', /mean the same/],
    ['load,color\n8841,red', 1, null, /no column reference, or none of what a load has/],
    ['reference,pickup\n8.84E+12,Dallas yard', 2, 'reference', /shortened/],
    ['reference,pickup\n8841,Dallas yard,7', 2, null, /expected 2 cells/],
    ['reference,pickup\n', 1, null, /no load/],
  ])('says where it cannot be imported: %j', (text, line, column, message) => {
    expect(read(text).faults).toContainEqual({
      ...{ line, column },
      message: expect.stringMatching(message) as string,
    });
  });

  it('may have any of the columns', () => {
    expect(read('reference,truck\n8841,116').loads[0]!.load).toEqual({ reference: '8841', unit: VIN });
    expect(read('reference,delivery_contact\n8841,').loads[0]!.load).toEqual({
      ...{ reference: '8841', delivery: { contactName: '' } },
    });
  });

  it.each([
    ['2026-03-02 08:00', '10:00', '2026-03-02T08:00', '2026-03-02T10:00'],
    ['2026-03-02T08:00-06:00', '10:00 AM', '2026-03-02T08:00-06:00', '2026-03-02T10:00-06:00'],
    ['12/1/2026', '', '2026-12-01T00:00', '2026-12-01T23:59'],
    ['12/1/2026', '12/3/2026', '2026-12-01T00:00', '2026-12-03T23:59'],
    ['12/1/2026', '2:00 PM', '2026-12-01T00:00', '2026-12-01T14:00'],
    ['', '12/1/26 8:00 AM', '2026-12-01T08:00', '2026-12-01T08:00'],
  ])('has the appointment %s to %s', (from, to, begin, end) => {
    const { loads, faults } = read(`reference,pickup,pickup_from,pickup_to\n8841,Dallas yard,${from},${to}`);
    expect(faults).toEqual([]);
    expect(loads[0]!.load.pickup!.appointment).toEqual({ from: begin, to: end });
  });

  it('may be a workbook, whose dates and times of day are by the clock of the stop', async () => {
    const rows = [
      [
        'reference',
        'truck',
        'pickup',
        'pickup_from',
        'pickup_to',
        'delivery',
        'delivery_from',
        'delivery_to',
      ],
      [
        ...[8841, 116, 'Dallas yard', new Date('2026-03-02T08:00:00Z'), new Date('1899-12-30T10:00:00Z')],
        ...['Atlanta DC', new Date('2026-03-03T00:00:00Z'), null],
      ],
    ];
    const { loads, faults } = readLoadTable(
      await readLoadFile(await writeXlsx({ sheets: [{ name: 'Loads', rows }] })),
      NAMES,
    );
    expect(faults).toEqual([]);
    expect(loads[0]!.load).toMatchObject({
      ...{ reference: '8841', unit: VIN },
      pickup: { appointment: { from: '2026-03-02T08:00:00', to: '2026-03-02T10:00:00' } },
      delivery: { appointment: { from: '2026-03-03T00:00', to: '2026-03-03T23:59' } },
    });
  });
});

const textArb = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,;"-]{0,20}[A-Za-z]$/);
const momentArb = fc.integer({ min: 1_600_000_000, max: 2_400_000_000 }).map((s) => s * 1000);
const stopArb = fc
  .record({
    kind: fc.constantFrom('pickup' as const, 'delivery' as const, 'other' as const),
    place: fc.record({
      name: textArb,
      lat: fc.double({ min: -84, max: 84, noNaN: true }).map((lat) => Math.round(lat * 1e5) / 1e5 + 0),
      lng: fc.double({ min: -179, max: 179, noNaN: true }).map((lng) => Math.round(lng * 1e5) / 1e5 + 0),
    }),
    times: fc.option(fc.tuple(momentArb, fc.integer({ min: 0, max: 100_000 }))),
    address: fc.oneof(fc.constant(''), textArb),
    freeMin: fc.option(fc.integer({ min: 0, max: 10_000 })),
  })
  .map(({ times, ...stop }) => ({
    ...{ ...stop, siteId: null },
    appointment: times && {
      ...{ from: toIso(times[0], 'UTC'), to: toIso(times[0] + times[1] * 1000, 'UTC') },
    },
  }));
const loadsArb = fc.uniqueArray(
  fc.record({
    reference: textArb,
    po: fc.oneof(fc.constant(''), textArb),
    stops: fc.array(stopArb, { minLength: 1, maxLength: 5 }),
  }),
  { selector: ({ reference }) => reference.trim(), minLength: 1, maxLength: 6 },
);

type WrittenLoad = typeof loadsArb extends fc.Arbitrary<(infer T)[]> ? T : never;

const COLUMNS = ['reference', 'po', 'kind', 'place', 'lat', 'lng', 'address', 'from', 'to', 'free_minutes'];
const toRows = ({ reference, po, stops }: WrittenLoad): string[][] =>
  stops.map(({ kind, place, address, appointment, freeMin }) => [
    ...[reference, po, kind, place.name, String(place.lat), String(place.lng), address],
    ...[appointment?.from ?? '', appointment?.to ?? ''],
    freeMin === null ? '' : String(freeMin),
  ]);

it('reads whatever loads are written as they are', () => {
  fc.assert(
    fc.property(loadsArb, (loads) => {
      const csv = toCsvFile([COLUMNS, ...loads.flatMap(toRows)]);
      const result = read(csv);
      expect(result.faults).toEqual([]);
      expect(result.loads.map(({ load }) => load)).toEqual(loads);
    }),
  );
});

it('never throws, and every line that is left out has a fault', () => {
  const cell = fc.oneof(
    fc.constantFrom('', 'pickup', 'Dallas yard', '8841', '116', '2026-03-02 08:00', '35', '-101', '=1+1'),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...COLUMNS, 'truck', 'pickup'], { minLength: 2 }),
      fc.array(fc.array(cell, { maxLength: 12 }), { maxLength: 5 }),
      (columns, cells) => {
        const { loads, faults } = read(
          [columns, ...cells]
            .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
            .join('\n'),
        );
        expect(loads.length + faults.length).toBeGreaterThan(0);
        for (const { load } of faults.length === 0 ? loads : []) expect(load.stops?.length).not.toBe(0);
      },
    ),
  );
});
