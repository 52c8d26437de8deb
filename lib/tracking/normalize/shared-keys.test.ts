import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUnits } from '@/testing/tracking/parse-units';
import { NOW_MS, createRandom, createRecord } from '@/testing/tracking/records';
import { IS_LONG } from '@/testing/long';
import { shortestMs } from '@/testing/processor-time';

const USDOT = '9000001';
const TRUCKS = 24;
const VINS = ['1FUJGLDR0NLM12041', '1FUJGLDR2NLM12042', '1FUJGLDR4NLM12043', '1FUJGLDR6NLM12044'];

/** A truck at a position of its own, `secondsAgo` old; positions are 25 km apart. */
const truck = (i: number, changes: Record<string, unknown> = {}, secondsAgo = 10) =>
  createRecord({
    vin: null,
    truckNumber: String(4100 + i),
    deviceId: `PT30-${i}`,
    licensePlate: { state: 'TX', number: `R48 ${2100 + i}` },
    coordinates: { lat: 30 + i * 0.225, lng: -101 },
    timestamp: null,
    unixTimestamp: NOW_MS / 1000 - secondsAgo,
    ...changes,
  });

const trucks = (changes: (i: number) => Record<string, unknown>) =>
  Array.from({ length: TRUCKS }, (_, i) => truck(i, changes(i)));

const read = (records: readonly unknown[]) => {
  const { units, report } = parseUnits({ units: records }, USDOT, NOW_MS);
  return {
    units,
    report,
    keys: units.map(({ identity }) => identity.key),
    flags: units.map((unit) => unit.flags.map(({ flag }) => flag)),
  };
};

describe('a name that several records of one answer share', () => {
  it('keeps 24 trucks with one device id apart by their truck numbers', () => {
    const { keys, flags, units } = read(trucks(() => ({ deviceId: '0' })));
    expect(keys).toEqual(Array.from({ length: TRUCKS }, (_, i) => `truck:${4100 + i}`));
    expect(flags).toEqual(Array.from({ length: TRUCKS }, () => ['notIdentified']));
    expect(units[0]?.flags[0]?.text).toBe(
      'Its device 0 stands in 24 records of one answer and identifies none of them; this unit is identified by its truck number 4100.',
    );
  });

  it('keeps 24 trucks with one truck number and no device apart by their plates', () => {
    const { keys } = read(trucks(() => ({ deviceId: null, truckNumber: 'TRUCK' })));
    expect(keys[3]).toBe('plate:TX R48 2103');
    expect(new Set(keys).size).toBe(TRUCKS);
  });

  it('keeps trucks apart that share every name, by their order among each other', () => {
    const alike = () => ({ deviceId: '0', truckNumber: null, licensePlate: null });
    const { keys, flags } = read(trucks(alike));
    expect(keys).toEqual(Array.from({ length: TRUCKS }, (_, i) => `#${i + 1} device:0`));
    expect(flags.flat()).toEqual(Array.from({ length: TRUCKS }, () => 'notIdentified'));
    const other = truck(30);
    expect(read([other, ...trucks(alike)]).keys).toEqual(['device:PT30-30', ...keys]);
  });

  it('keeps a unit by its plate, and by a text that is no VIN where no other name identifies it', () => {
    const nameless = { deviceId: null, truckNumber: null };
    expect(read([truck(1, nameless)]).keys).toEqual(['plate:TX R48 2101']);
    const unknown = (i: number) => truck(i, { ...nameless, licensePlate: null, vin: 'UNKNOWN' });
    expect(read([unknown(1)]).keys).toEqual(['vin:UNKNOWN']);
    expect(read([unknown(1), unknown(2)]).keys).toEqual(['#1 vin:UNKNOWN', '#2 vin:UNKNOWN']);
  });

  it('gives each truck the same key in whatever order the answer lists them', () => {
    const records = [
      ...Array.from({ length: 6 }, (_, i) => truck(i, { deviceId: '0' })),
      ...Array.from({ length: 6 }, (_, i) => truck(6 + i, { truckNumber: '1', deviceId: null })),
      truck(12, { vin: VINS[0] }),
      truck(13, { vin: VINS[0] }),
    ];
    const keyByPlate = (order: readonly unknown[]) =>
      Object.fromEntries(read(order).units.map(({ identity }) => [identity.plateNumber, identity.key]));
    const expected = keyByPlate(records);
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        expect(keyByPlate(shuffled)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});

describe('one VIN in two records', () => {
  it('is two units where names differ and no truck drives from one to the other', () => {
    const { keys, flags, report } = read([truck(1, { vin: VINS[0] }), truck(2, { vin: VINS[0] })]);
    expect(keys).toEqual(['device:PT30-1', 'device:PT30-2']);
    expect(flags).toEqual([
      ['duplicateVin', 'notIdentified'],
      ['duplicateVin', 'notIdentified'],
    ]);
    expect(report.dropped).toBe(0);
  });

  it('is two units in one yard where device, truck number and plate all differ', () => {
    const yard = { vin: VINS[0], coordinates: { lat: 30, lng: -101 } };
    expect(read([truck(1, yard), truck(2, yard)]).keys).toEqual(['device:PT30-1', 'device:PT30-2']);
  });

  it('is one truck with two trackers where it may have driven from one fix to the other', () => {
    const { units, keys, report, flags } = read([
      truck(1, { vin: VINS[0] }, 60),
      truck(1, { vin: VINS[0], deviceId: 'B', coordinates: { lat: 30.23, lng: -101 } }, 10),
    ]);
    expect(keys).toEqual([VINS[0]]);
    expect(flags).toEqual([['duplicateVin']]);
    expect(units[0]?.identity.deviceId).toBe('B');
    expect(report).toMatchObject({ dropped: 1, examples: [expect.stringContaining('device PT30-1')] });
  });
});

describe('one truck in two records', () => {
  it('is one unit by its newer fix, and the other record is counted and named', () => {
    const older = truck(1, { coordinates: { lat: 30.224, lng: -101 } }, 60);
    for (const records of [
      [older, truck(1)],
      [truck(1), older],
    ]) {
      const { units, keys, report } = read(records);
      expect(keys).toEqual(['device:PT30-1']);
      expect(units[0]?.fixAtMs).toBe(NOW_MS - 10_000);
      expect(report.dropped).toBe(1);
      expect(report.examples).toEqual([
        'unit device:PT30-1: left out, device PT30-1 at 2026-03-01 11:59:00 UTC is another record of it; the newest fix is shown',
      ]);
    }
  });

  it('is one unit where the same record is repeated, or has fewer names', () => {
    expect(read([truck(1), truck(1), truck(1)]).report.dropped).toBe(2);
    const { keys, report } = read([truck(1), truck(1, { truckNumber: null, licensePlate: null }, 40)]);
    expect(keys).toEqual(['device:PT30-1']);
    expect(report.dropped).toBe(1);
  });

  it('is named in the report however many fields had to be repaired', () => {
    const records = trucks((i) => ({ year: '2020', coordinates: { lat: String(30 + i), lng: '-101' } }));
    const { report } = read([...records, truck(7, { coordinates: { lat: 37, lng: -101 } }, 20)]);
    expect(report.examples).toHaveLength(10);
    expect(report.examples[0]).toContain('unit device:PT30-7');
  });
});

const MAYBE = [null, '0', '1', 'A'];
const record = fc.record({
  vin: fc.constantFrom(null, null, 'UNKNOWN', VINS[0], VINS[1]),
  deviceId: fc.constantFrom(...MAYBE),
  truckNumber: fc.constantFrom(...MAYBE),
  licensePlate: fc.constantFrom(null, { state: 'TX', number: '1' }, { state: 'TX', number: '2' }),
  coordinates: fc.constantFrom(
    null,
    { lat: 30, lng: -101 },
    { lat: 30.001, lng: -101 },
    { lat: 40, lng: -90 },
  ),
  secondsAgo: fc.constantFrom(5, 6, 65, -3600),
});

describe('every record of an answer', () => {
  it('is shown, or counted and named, whatever the records are and in whatever order', () => {
    const property = fc.property(fc.array(record, { maxLength: 30 }), (given) => {
      const records = given.map(({ secondsAgo, ...fields }) =>
        createRecord({ ...fields, timestamp: null, unixTimestamp: NOW_MS / 1000 - secondsAgo }),
      );
      const { units, report, keys } = read(records);
      expect(units.length + report.dropped).toBe(records.length);
      expect(report.examples.filter((example) => example.includes('left out'))).toHaveLength(
        Math.min(10, report.dropped),
      );
      expect(new Set(keys).size).toBe(keys.length);
      // A unit without a flag has a name of its own that no other unit has.
      for (const { identity, flags } of units) {
        if (identity.key.startsWith('#')) expect(flags.map(({ flag }) => flag)).toContain('notIdentified');
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('never merges trucks whose truck numbers differ under one device', () => {
    const property = fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 24 }),
      fc.constantFrom('0', 'N/A', 'PT30'),
      (numbers, deviceId) => {
        const { units } = read(
          numbers.map((i) => truck(i, { deviceId, coordinates: { lat: 30, lng: -101 } })),
        );
        const shown = units.map(({ identity }) => identity.truckNumber).sort();
        expect(shown).toEqual(numbers.map((i) => String(4100 + i)).sort());
      },
    );
    fc.assert(property, { numRuns: 100 });
  });

  it.each([
    ['share a device id', () => ({ deviceId: '0' })],
    ['share every name', () => ({ deviceId: '0', truckNumber: '1', licensePlate: null })],
    ['share a VIN', () => ({ vin: VINS[0] })],
    ['share names in pairs', (i: number) => ({ deviceId: `d${i >> 1}`, truckNumber: null })],
  ])(
    'takes under 0.08 ms for each of many that %s',
    (_, change) => {
      const random = createRandom(7);
      const length = IS_LONG ? 100_000 : 10_000;
      const records = Array.from({ length }, (_, i) =>
        truck(i, { ...change(i), coordinates: { lat: 30 + 10 * random(), lng: -101 - 10 * random() } }),
      );
      const tookMs = shortestMs(() => {
        const { units, report } = parseUnits({ units: records }, USDOT, NOW_MS);
        expect(units.length + report.dropped).toBe(records.length);
      });
      expect(tookMs / length).toBeLessThan(0.08);
    },
    60_000,
  );
});
