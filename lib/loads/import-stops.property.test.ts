import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCsvFile } from '@/lib/base/text/csv';
import { parseCsv } from '@/lib/table-files/csv';
import { mergeStops } from './import-stops';
import type { StoredStop } from './load';
import { readLoadTable } from './load-table';
import { toIso } from './times';

const PLACES = ['Dallas yard', 'Atlanta DC', 'Waco dock'] as const;
const sites = PLACES.map((name, at) => ({ id: at + 1, name }));
const zoneOf = (at: unknown): string => (at === 2 ? 'America/New_York' : 'America/Chicago');
const read = (rows: string[][]) =>
  readLoadTable(parseCsv(toCsvFile(rows)), { units: [], sites, findTown: () => null });

/** What a file may say of a stop, as it is stored. */
interface Said {
  place: number;
  address: string;
  appointment: StoredStop['appointment'];
  freeMin: number | null;
  contactName: string;
  contactPhone: string;
}

const textArb = fc.constantFrom('', 'A', 'B', 'C');
const saidArb: fc.Arbitrary<Said> = fc.record({
  place: fc.integer({ min: 0, max: 2 }),
  address: textArb,
  appointment: fc.option(
    fc
      .integer({ min: 1_700_000, max: 1_701_000 })
      .map((at) => ({ fromMs: at * 1e6, toMs: at * 1e6 + 3.6e6 })),
  ),
  freeMin: fc.option(fc.integer({ min: 0, max: 500 })),
  contactName: textArb,
  contactPhone: textArb,
});
const toStored = (kind: StoredStop['kind'], { place, ...said }: Said): StoredStop => ({
  ...{ ...said, kind, siteId: place + 1, name: PLACES[place]!, lat: 33, lng: -96, isOwn: false },
  timeZone: zoneOf(place + 1),
});

/** The columns of each part, and its cells. */
const COLUMNS: { [Part in keyof Said]: [columns: string[], cells: (value: Said[Part]) => string[]] } = {
  place: [['place'], (at) => [PLACES[at]!]],
  address: [['address'], (text) => [text]],
  appointment: [
    ['from', 'to'],
    (times) => (times === null ? ['', ''] : [toIso(times.fromMs, 'UTC'), toIso(times.toMs, 'UTC')]),
  ],
  freeMin: [['free_minutes'], (min) => [min === null ? '' : String(min)]],
  contactName: [['contact'], (text) => [text]],
  contactPhone: [['phone'], (text) => [text]],
};
const PARTS = Object.keys(COLUMNS) as (keyof Said)[];
const columnsOf = (parts: readonly (keyof Said)[]): string[] => parts.flatMap((part) => COLUMNS[part][0]);
const cellsOf = (parts: readonly (keyof Said)[], said: Said): string[] =>
  parts.flatMap((part) => (COLUMNS[part][1] as (value: unknown) => string[])(said[part]));
const partsArb = fc.subarray(PARTS);

/** A stop by what a load says of it then; sites that a file names are found by their ids. */
const toSaid = (stop: NonNullable<ReturnType<typeof mergeStops>>[number]): Said & { kind: string } => ({
  ...{ kind: stop.kind, place: stop.siteId! - 1, address: stop.address, appointment: stop.appointment },
  ...{ freeMin: stop.freeMin, contactName: stop.contactName, contactPhone: stop.contactPhone },
});
const withParts = (held: Said, said: Said, parts: readonly (keyof Said)[]): Said => ({
  ...held,
  ...Object.fromEntries(parts.map((part) => [part, said[part]])),
});

it('changes only the parts of a pickup and a delivery that a file has', () => {
  fc.assert(
    fc.property(
      fc.tuple(saidArb, saidArb, saidArb),
      fc.tuple(saidArb, saidArb),
      fc.tuple(partsArb, partsArb),
      ([pickup, between, delivery], [newPickup, newDelivery], [ofPickup, ofDelivery]) => {
        const held = [toStored('pickup', pickup), toStored('other', between), toStored('delivery', delivery)];
        const sides = [
          ['pickup', ofPickup],
          ['delivery', ofDelivery],
        ] as const;
        const columns = sides.flatMap(([side, parts]) => columnsOf(parts).map((name) => `${side}_${name}`));
        const cells = [...cellsOf(ofPickup, newPickup), ...cellsOf(ofDelivery, newDelivery)];
        const { loads, faults } = read([
          ['reference', 'po', ...columns],
          ['8841', '', ...cells],
        ]);
        expect(faults).toEqual([]);
        expect((mergeStops(held, loads[0]!.load, zoneOf) ?? held).map(toSaid)).toEqual([
          { kind: 'pickup', ...withParts(pickup, newPickup, ofPickup) },
          { kind: 'other', ...between },
          { kind: 'delivery', ...withParts(delivery, newDelivery, ofDelivery) },
        ]);
      },
    ),
  );
});

it('changes only the parts of listed stops that a file has', () => {
  const stopArb = fc.record({
    kind: fc.constantFrom('pickup' as const, 'delivery' as const, 'other' as const),
    held: saidArb,
    said: saidArb,
  });
  fc.assert(
    fc.property(fc.array(stopArb, { minLength: 1, maxLength: 5 }), partsArb, (stops, parts) => {
      // Which stop a line is, its place tells: here each keeps it.
      const lines = stops.map(({ kind, held, said }) => [
        ...['8841', kind],
        ...cellsOf(parts, { ...said, place: held.place }),
      ]);
      const { loads, faults } = read([['reference', 'kind', ...columnsOf(parts)], ...lines]);
      expect(faults).toEqual([]);
      const held = stops.map((stop) => toStored(stop.kind, stop.held));
      expect(mergeStops(held, loads[0]!.load, zoneOf)!.map(toSaid)).toEqual(
        stops.map((stop) => ({
          kind: stop.kind,
          ...withParts(stop.held, { ...stop.said, place: stop.held.place }, parts),
        })),
      );
    }),
  );
});

it('keeps a stop that is left out of a list no more, and makes what is new of columns that are there', () => {
  const held = [
    toStored('pickup', {
      place: 0,
      address: 'A',
      appointment: null,
      freeMin: 1,
      contactName: '',
      contactPhone: '',
    }),
    toStored('delivery', {
      place: 1,
      address: 'B',
      appointment: null,
      freeMin: 2,
      contactName: '',
      contactPhone: '',
    }),
    toStored('delivery', {
      place: 2,
      address: 'C',
      appointment: null,
      freeMin: 3,
      contactName: '',
      contactPhone: '',
    }),
  ];
  const { loads } = read([
    ['reference', 'kind', 'place'],
    ...[
      ['8841', 'pickup', 'Dallas yard'],
      ['', 'delivery', 'Waco dock'],
      ['', 'other', 'Atlanta DC'],
    ],
  ]);
  expect(mergeStops(held, loads[0]!.load, zoneOf)!.map(({ freeMin }) => freeMin)).toEqual([1, 3, null]);
  expect(mergeStops(held, { pickup: null }, zoneOf)!.map(({ freeMin }) => freeMin)).toEqual([2, 3]);
  expect(() => mergeStops([], { delivery: { address: 'D' } }, zoneOf)).toThrow(/no place/);
});
