import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { checkDigit } from '@/lib/identity/vin';
import { IS_LONG } from '@/testing/long';
import { parseUnits } from '@/testing/tracking/parse-units';
import { evidenceOf, flagsOf } from '@/testing/live/shown-flags';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';

const USDOT = '9000001';
const KEYS = ['vin', 'deviceId', 'truckNumber', 'licensePlate'] as const;
type Key = (typeof KEYS)[number];
type Keys = Record<Key, unknown>;

const vinOf = (serial: number): string => {
  const blank = `1FUJGLDR0NL${String(serial).padStart(6, '0')}`;
  return `${blank.slice(0, 8)}${checkDigit(blank)}${blank.slice(9)}`;
};
const UNIQUE: Record<Key, (serial: number) => unknown> = {
  vin: vinOf,
  deviceId: (serial) => `PT30-${serial}`,
  truckNumber: (serial) => `T${serial}`,
  licensePlate: (serial) => ({ state: 'TX', number: `R48 ${serial}` }),
};
const SHARED: Keys = {
  vin: 'UNKNOWN',
  deviceId: '0',
  truckNumber: '1',
  licensePlate: { state: 'TX', number: 'NONE' },
};

/** A truck that an answer leaves out. */
const OFF: Keys = { vin: null, deviceId: null, truckNumber: null, licensePlate: null };

/** What a provider writes into a key of a truck: one of its own, one that stands for none, or nothing. */
type Written = 'own' | 'shared' | 'none';
const toValue = (key: Key, written: Written, serial: number): unknown =>
  written === 'own' ? UNIQUE[key](serial) : written === 'shared' ? SHARED[key] : null;

/** Each 25 km from the next truck; those with odd numbers drive 1 km a minute. */
const placeOf = (i: number, minute: number) => ({
  lat: Number((28 + (i % 12) * 0.225 + (i % 2) * minute * 0.009).toFixed(5)),
  lng: Number((-103 + Math.floor(i / 12) * 0.5 + ((i * 7 + minute * 3) % 5) * 0.00002).toFixed(5)),
});

const watch = (roster: ReadonlySet<string> | null = null) => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
  let minute = 0;
  const poll = (trucks: readonly Keys[]): void => {
    const records = trucks.flatMap((keys, i) => {
      const unixTimestamp = START_MS / 1000 + minute * 60;
      const record = { coordinates: placeOf(i, minute), ...keys, unixTimestamp, make: `truck ${i}` };
      return keys === OFF ? [] : [record];
    });
    const nowMs = START_MS + minute * MINUTE_MS + 5000;
    tracker.observe(parseUnits({ units: records }, USDOT, nowMs).units, roster, nowMs);
    minute++;
  };
  return { tracker, poll };
};

const shownOf = (tracker: FleetTracker) => tracker.copyRows().identities.flatMap((each) => each ?? []);

/** One row for each truck, each with the way of that truck alone. */
const expectUnits = (tracker: FleetTracker, trucks: number, polls: number): void => {
  const shown = shownOf(tracker);
  expect(shown.map(({ make }) => make).sort()).toEqual(
    Array.from({ length: trucks }, (_, i) => `truck ${i}`).sort(),
  );
  for (const { key, make } of shown) {
    const { track } = tracker.detail(key, 'e.1')!;
    expect(track).toHaveLength(Math.min(polls, 31));
    const home = placeOf(Number(make!.slice(6)), 0);
    for (const { lat, lng } of track)
      expect(Math.abs(lat - home.lat) + Math.abs(lng - home.lng)).toBeLessThan(0.2);
  }
};

const written = fc.constantFrom<Written>('own', 'shared', 'none');
const fleet = fc.record({ vin: written, deviceId: written, truckNumber: written, licensePlate: written });
const correction = fc.record({
  key: fc.constantFrom(...KEYS),
  written,
  /** All trucks, each third, or one. */
  each: fc.constantFrom(1, 3, 100),
});

describe('keys that a provider corrects', () => {
  it('one at a time, in any order, with keys that stand for none among them: each truck stays one unit', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 24 }),
      fleet,
      fc.array(correction, { minLength: 1, maxLength: 8 }),
      (count, first, corrections) => {
        const { tracker, poll } = watch();
        let serial = 100;
        let trucks = Array.from({ length: count }, (): Keys => {
          serial++;
          const keys = Object.fromEntries(KEYS.map((key) => [key, toValue(key, first[key], serial)])) as Keys;
          return KEYS.some((key) => keys[key] !== null) ? keys : { ...keys, truckNumber: '1' };
        });
        for (let i = 0; i < 3; i++) poll(trucks);
        for (const { key, written: as, each } of corrections) {
          trucks = trucks.map((keys, i) => {
            if (i % each !== 0) return keys;
            const next = { ...keys, [key]: toValue(key, as, ++serial) };
            return KEYS.some((every) => next[every] !== null) ? next : keys;
          });
          poll(trucks);
        }
        expectUnits(tracker, count, 3 + corrections.length);
      },
    );
    fc.assert(property, { numRuns: IS_LONG ? 1000 : 15 });
  });

  const sound = (i: number): Keys => Object.fromEntries(KEYS.map((key) => [key, UNIQUE[key](i)])) as Keys;
  const trucksOf = (toKeys: (i: number) => Keys): Keys[] => Array.from({ length: 24 }, (_, i) => toKeys(i));

  it('VINs of eight of 24 trucks whose other names stay: no twins, and the evidence names the former VIN', () => {
    const roster = new Set(trucksOf(sound).map(({ vin }) => vin as string));
    const { tracker, poll } = watch(roster);
    for (let i = 0; i < 5; i++) poll(trucksOf(sound));
    const corrected = trucksOf((i) => (i % 3 ? sound(i) : { ...sound(i), vin: vinOf(5000 + 31 * i) }));
    for (let i = 0; i < 3; i++) poll(corrected);
    expectUnits(tracker, 24, 8);
    const vin = vinOf(5000 + 31 * 3);
    expect(shownOf(tracker).map(({ key }) => key)).toContain(vin);
    expect(tracker.detail(vin, 'e.1')).toMatchObject({ status: 'moving' });
    expect(flagsOf(tracker, vin)).toContain('identityChange');
    expect(evidenceOf(tracker, vin)).toContain(`Its device PT30-3 belonged to ${vinOf(3)} until`);
  });

  it.each([2, 60])('VINs while the trucks are off the list for %i minutes: no twins', (minutes) => {
    const { tracker, poll } = watch();
    const isCorrected = (i: number): boolean => i % 3 === 0;
    for (let i = 0; i < 5; i++) poll(trucksOf(sound));
    for (let i = 0; i < minutes; i++) poll(trucksOf((truck) => (isCorrected(truck) ? OFF : sound(truck))));
    const corrected = trucksOf((i) =>
      isCorrected(i) ? { ...sound(i), vin: vinOf(5000 + 31 * i) } : sound(i),
    );
    for (let i = 0; i < 3; i++) poll(corrected);
    const shown = shownOf(tracker).map(({ make }) => make);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown).toHaveLength(24);
    expect(tracker.detail(vinOf(5000 + 31 * 3), 'e.1')!.track.length).toBeGreaterThan(3);
  });

  it('nothing of a truck that was off the list for longer, or whose other names do not all agree', () => {
    const { tracker, poll } = watch();
    for (let i = 0; i < 5; i++) poll([sound(0), sound(1), sound(2)]);
    for (let i = 0; i < 5; i++) poll([OFF, OFF, sound(2)]);
    poll([{ ...sound(0), vin: vinOf(5000), deviceId: 'other' }, OFF, sound(2)]);
    expect(tracker.detail(vinOf(5000), 'e.1')!.track).toHaveLength(1);
    for (let i = 0; i < 130; i++) poll([OFF, OFF, sound(2)]);
    poll([OFF, { ...sound(1), vin: vinOf(5001) }, sound(2)]);
    expect(tracker.detail(vinOf(5001), 'e.1')!.track).toHaveLength(1);
  });

  it('a VIN into one that the roster has as another truck’s: both stay on the list', () => {
    const roster = new Set([vinOf(0), vinOf(500)]);
    const { tracker, poll } = watch(roster);
    for (let i = 0; i < 3; i++) poll([sound(0)]);
    for (let i = 0; i < 3; i++) poll([{ ...sound(0), vin: vinOf(500) }]);
    expect(shownOf(tracker).map(({ key }) => key)).toEqual([vinOf(500), vinOf(0)]);
    expect(tracker.detail(vinOf(500), 'e.1')!.track).toHaveLength(6);
    expect(tracker.detail(vinOf(0), 'e.1')!.reason).toBe('neverSeen');
  });

  it('plates that are all that tells 24 trucks apart: they come, change and go, and no truck is twice', () => {
    const { tracker, poll } = watch();
    const alike = { vin: null, deviceId: null, truckNumber: '1' };
    const plates = [
      () => null,
      (i: number) => UNIQUE.licensePlate(i),
      (i: number) => UNIQUE.licensePlate(700 + i),
    ];
    for (const toPlate of [...plates, ...plates])
      for (let i = 0; i < 3; i++) poll(trucksOf((each) => ({ ...alike, licensePlate: toPlate(each) })));
    expectUnits(tracker, 24, 18);
  });

  it('never make one unit of a truck that leaves and another that comes to the same yard', () => {
    const { tracker, poll } = watch();
    const only = (truckNumber: string): Keys => ({
      vin: null,
      deviceId: null,
      truckNumber,
      licensePlate: null,
    });
    const away = { coordinates: { lat: 28.002, lng: -103.001 } };
    for (let i = 0; i < 3; i++) poll([only('12')]);
    for (let i = 0; i < 3; i++) poll([{ ...only('13'), ...away }]);
    expect(shownOf(tracker).map(({ key }) => key)).toEqual(['truck:12', 'truck:13']);
  });
});
