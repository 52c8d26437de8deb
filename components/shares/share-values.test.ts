import { describe, expect, it } from 'vitest';
import type { Share, ShareInput } from '@/lib/shares/schema';
import {
  itemOfLoad,
  itemOfTruck,
  isPossible,
  toEndChoices,
  toTypedShare,
  typedShareSchema,
  valuesOfLoad,
  valuesOfShare,
  valuesOfTruck,
  withinOf,
  type ShareReading,
  type ShareValues,
} from './share-values';

const HOUR = 3_600_000;
const NOW = new Date(2026, 10, 29, 12, 0).getTime();
const stop = (name: string) => ({ name }) as ShareReading['loads'][number]['stops'][number];
const READING: ShareReading = {
  nowMs: NOW,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  sites: [{ id: 3, name: 'Yard North' }],
  loads: [{ id: 7, stops: [stop('Mill 4'), stop('Acme DC')] }],
};
const LOAD = valuesOfLoad({ id: 7, reference: '8841', customer: 'Acme' });
const TRUCK = valuesOfTruck('u1', '118');

const inputOf = (values: ShareValues) => toTypedShare(values, READING).input;
const problemsOf = (values: ShareValues) =>
  typedShareSchema
    .safeParse(toTypedShare(values, READING))
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('what is chosen before anyone chooses', () => {
  it('for a load, its customer sees the way to its delivery, and no truck is named', () => {
    expect(problemsOf(LOAD)).toEqual([]);
    expect(inputOf(LOAD)).toEqual({
      ...{ recipient: 'Acme', items: [{ loadId: 7, unit: null, alias: '' }], precision: 'exact' },
      ...{ fields: ['status', 'window', 'stops'], delayMin: 0, endsMs: null, endsOn: 'delivery' },
      ...{ endsAtStop: null, endsAtSite: null, showsEnd: true, frameOrigins: [] },
    } satisfies ShareInput);
  });
  it('for a truck, it ends within a day', () => {
    expect(problemsOf(TRUCK)).toEqual([]);
    expect(inputOf(TRUCK)).toMatchObject({
      fields: ['status', 'truckNumber'],
      endsOn: null,
      endsMs: NOW + 24 * HOUR,
    });
  });
  it.each([LOAD, TRUCK])('never a VIN or a plate', ({ fields }) => {
    expect(fields.filter((field) => field === 'vin' || field === 'plate')).toEqual([]);
  });
});

describe('what may end a link', () => {
  const choicesOf = (values: ShareValues) => toEndChoices(values, READING).map(({ label }) => label);
  it('of a load, each of its stops', () => {
    expect(choicesOf(LOAD)).toEqual([
      'Delivery',
      ...['Arrival at Mill 4', 'Arrival at Acme DC', 'Departure from Mill 4', 'Departure from Acme DC'],
    ]);
    expect(inputOf({ ...LOAD, ends: 'departure:1' })).toMatchObject({ endsOn: 'departure', endsAtStop: 1 });
  });
  it('of several loads, delivery or the last stop of each', () => {
    const items = [...LOAD.items, itemOfLoad({ id: 8, reference: '8842' })];
    expect(choicesOf({ ...LOAD, items })[0]).toBe('Delivery of each load');
    // A stop of one load is none of the other.
    expect(inputOf({ ...LOAD, items, ends: 'arrival:1' }).endsOn).toBe('delivery');
  });
  it('of a truck, a site by its name', () => {
    const arrival = { ...TRUCK, ends: 'arrival', endsAtSite: 'yard north' };
    expect(inputOf(arrival)).toMatchObject({ endsOn: 'arrival', endsAtSite: 3 });
    expect(problemsOf({ ...arrival, endsAtSite: 'Nowhere' })).toEqual([
      'endsAtSite: Choose a site of this fleet from the list.',
    ]);
  });
  it('of a truck with a load, a time', () => {
    const mixed = { ...LOAD, items: [...LOAD.items, itemOfTruck('u1', '118')] };
    expect(withinOf(mixed, READING)).toBe('24');
    expect(inputOf(mixed)).toMatchObject({ endsOn: null, endsMs: NOW + 24 * HOUR });
  });
  it('a time as it is typed, ahead and within a year', () => {
    const at = (endsMs: string) => ({ ...LOAD, within: 'at', endsMs });
    expect(inputOf(at('5p')).endsMs).toBe(NOW + 5 * HOUR);
    expect(problemsOf(at('soon'))).toEqual(['endsMs: Type a time, such as 5p, tomorrow 17:00 or 12/3 8a.']);
    expect(problemsOf(at('2026-11-28 08:00'))).toEqual(['endsMs: This time has passed.']);
    expect(problemsOf(at('2028-11-28 08:00'))).toEqual(['endsMs: A link ends within a year.']);
  });
});

it('a position that is not exact has no heading and no route, which come back with it', () => {
  const values = { ...LOAD, fields: ['status', 'heading', 'trail', 'plate'] } satisfies Partial<ShareValues>;
  expect(inputOf({ ...values, precision: 'area' }).fields).toEqual(['status', 'plate']);
  expect(inputOf(values).fields).toEqual(['status', 'heading', 'trail', 'plate']);
});

it('a truck alone has neither stops nor a window', () => {
  expect(
    (['window', 'stops', 'trail', 'heading'] as const).filter((field) => isPossible(field, TRUCK)),
  ).toEqual(['heading']);
});

it('sites of frames are addresses of sites', () => {
  expect(inputOf({ ...LOAD, frameOrigins: 'https://a.test, https://b.test' }).frameOrigins).toEqual([
    'https://a.test',
    'https://b.test',
  ]);
  expect(problemsOf({ ...LOAD, frameOrigins: 'http://a.test/x' })).toHaveLength(1);
});

it.each<Partial<ShareInput>>([
  {},
  { endsOn: 'arrival', endsAtStop: 0, endsMs: NOW + HOUR, delayMin: 30, fields: ['status', 'vin'] },
  {
    items: [{ loadId: null, unit: 'u1', alias: 'Blue' }],
    endsOn: 'departure',
    endsAtSite: 3,
    endsMs: NOW + HOUR,
    fields: [],
  },
  { items: [{ loadId: 99, unit: null, alias: '' }], endsOn: 'departure', endsAtStop: 2, showsEnd: false },
  { items: [{ loadId: 99, unit: null, alias: '' }], endsOn: 'arrival', frameOrigins: ['https://a.test'] },
])('a link that is changed in nothing stays as it is: %j', (change) => {
  const input = { ...inputOf(LOAD), ...change };
  const share = { ...input, id: 'a', names: ['x'] } as Share;
  expect(inputOf(valuesOfShare(share, READING))).toEqual(input);
});
