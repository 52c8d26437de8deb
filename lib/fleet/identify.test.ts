import { describe, expect, it } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { checkDigit } from '@/lib/identity/vin';
import { parseUnits } from '@/testing/tracking/parse-units';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { flagsOf, evidenceOf } from '@/testing/live/shown-flags';

const USDOT = '9000001';
const TRUCKS = 24;

const vinOf = (i: number): string => {
  const blank = `1FUJGLDR0NLM${12000 + i}`;
  return `${blank.slice(0, 8)}${checkDigit(blank)}${blank.slice(9)}`;
};
const VINS = Array.from({ length: TRUCKS }, (_, i) => vinOf(i));
const ROSTER: ReadonlySet<string> = new Set(VINS);

/**
 * A record of truck `i` at a minute: 25 km from the next truck, driving 1 km a minute if its number is odd.
 */
const record = (i: number, minute: number, changes: Record<string, unknown> = {}) => ({
  vin: VINS[i],
  truckNumber: String(4100 + i),
  deviceId: `PT30-${i}`,
  licensePlate: { state: 'TX', number: `R48 ${2100 + i}` },
  coordinates: { lat: Number((30.12347 + i * 0.225 + (i % 2) * minute * 0.009).toFixed(5)), lng: -101.54321 },
  unixTimestamp: START_MS / 1000 + minute * 60,
  make: 'Freightliner',
  ...changes,
});

type Changes = (i: number) => Record<string, unknown> | null;

const watch = (roster: ReadonlySet<string> | null = ROSTER) => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, USDOT);
  let minute = 0;
  const poll = (changes: Changes = () => ({}), trucks = TRUCKS): void => {
    const records = Array.from({ length: trucks }, (_, i) => i).flatMap((i) => {
      const changed = changes(i);
      return changed === null ? [] : [record(i, minute, changed)];
    });
    const nowMs = START_MS + minute * MINUTE_MS + 5000;
    const { units, unreadable } = parseUnits({ units: records }, USDOT, nowMs);
    tracker.observe(units, roster, nowMs, unreadable);
    minute++;
  };
  const polls = (count: number, changes?: Changes, trucks?: number): void => {
    for (let i = 0; i < count; i++) poll(changes, trucks);
  };
  return { tracker, poll, polls, now: () => START_MS + (minute - 1) * MINUTE_MS + 5000 };
};

const keysOf = (tracker: FleetTracker): string[] =>
  tracker
    .copyRows()
    .identities.flatMap((identity) => (identity ? [identity.key] : []))
    .sort();

const detailOf = (tracker: FleetTracker, key: string) => {
  const detail = tracker.detail(key, 'e.1');
  if (!detail) throw new Error(`There is no unit ${key}: ${keysOf(tracker).join(', ')}.`);
  return detail;
};

/** Eight of 24 trucks. */
const isEighth = (i: number): boolean => i % 3 === 0;

describe('a VIN that an answer leaves out', () => {
  it('for one poll: the units keep their identities and VINs, and are flagged', () => {
    const { tracker, polls, poll } = watch();
    polls(5);
    const before = detailOf(tracker, VINS[3]!);
    poll((i) => (isEighth(i) ? { vin: '' } : {}));
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    const during = detailOf(tracker, VINS[3]!);
    expect(during.identity.vin).toBe(VINS[3]);
    expect(during.track).toHaveLength(before.track.length + 1);
    expect(flagsOf(tracker, VINS[3]!)).toEqual(['notIdentified']);
    expect(flagsOf(tracker, VINS[4]!)).toEqual([]);
    expect(evidenceOf(tracker, VINS[3]!)).toBe(
      `The provider gives no VIN for it; it is taken for ${VINS[3]} by its device, truck number and plate.`,
    );
    polls(3);
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    expect(flagsOf(tracker, VINS[3]!)).toEqual([]);
    expect(detailOf(tracker, VINS[3]!).status).toBe('moving');
  });

  it('for one poll: an answer that lost every VIN is not taken for another fleet’s', () => {
    const { tracker, polls, now } = watch();
    polls(3);
    const lost = Array.from({ length: TRUCKS }, (_, i) => record(i, 3, { vin: null }));
    const { units } = parseUnits({ units: lost }, USDOT, now() + MINUTE_MS);
    expect(tracker.compare(units, ROSTER, now() + MINUTE_MS)).toMatchObject({
      stillListed: TRUCKS,
      strangers: 0,
      newer: TRUCKS,
      onRoster: TRUCKS,
    });
  });

  it('for an hour, and for a parked truck: its parked time continues', () => {
    const { tracker, polls } = watch();
    polls(10);
    const { status, sinceMs } = detailOf(tracker, VINS[6]!);
    expect(status).toBe('stopped');
    polls(60, (i) => (isEighth(i) ? { vin: null } : {}));
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    expect(flagsOf(tracker, VINS[6]!)).toEqual(['notIdentified']);
    polls(3);
    expect(detailOf(tracker, VINS[6]!)).toMatchObject({ status: 'stopped', sinceMs, flags: [] });
  });

  it('where only the truck number is left, and where only the device is', () => {
    const { tracker, polls } = watch();
    polls(5);
    polls(2, (i) => ({ vin: null, licensePlate: null, [i % 2 ? 'deviceId' : 'truckNumber']: null }));
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    expect(evidenceOf(tracker, VINS[3]!)).toMatch(/by its truck number\.$/);
    expect(evidenceOf(tracker, VINS[4]!)).toMatch(/by its device\.$/);
  });

  it('is not carried over where the record is too far away for that truck', () => {
    const { tracker, polls, poll } = watch();
    polls(5);
    poll((i) => (i === 3 ? { vin: null, coordinates: { lat: 45, lng: -80 } } : {}));
    expect(keysOf(tracker)).toEqual([...VINS, 'device:PT30-3'].sort());
  });

  it('is not carried over where two known units fit, and the flag names both', () => {
    const { tracker, polls, poll } = watch();
    const alike = {
      deviceId: null,
      truckNumber: '7',
      licensePlate: null,
      coordinates: { lat: 30, lng: -101 },
    };
    polls(5, (i) => (i < 2 ? alike : {}));
    poll((i) => (i === 0 ? { ...alike, vin: null } : i === 1 ? null : {}));
    expect(keysOf(tracker)).toEqual([...VINS, 'truck:7'].sort());
    expect(evidenceOf(tracker, 'truck:7')).toContain(`${VINS[0]}`);
    expect(evidenceOf(tracker, 'truck:7')).toContain(`${VINS[1]}`);
  });

  it('is not carried over to a VIN of the roster that never reported', () => {
    const { tracker, polls } = watch();
    polls(5, (i) => (i === 3 ? { vin: null } : i === 4 ? null : {}));
    expect(keysOf(tracker)).toEqual([...VINS, 'device:PT30-3'].sort());
    expect(detailOf(tracker, VINS[3]!).reason).toBe('neverSeen');
  });
});

describe('a VIN that is mistyped', () => {
  const typo = `${VINS[3]!.slice(0, 15)}${VINS[3]!.charAt(15) === '0' ? '1' : '0'}${VINS[3]!.charAt(16)}`;

  it.each([
    ['in one character', typo],
    ['into a text that is no VIN', 'VIN 3'],
    ['into the VIN of another truck of the answer', VINS[8]!],
  ])('%s, in one answer: the unit stays itself, flagged', (_, vin) => {
    const { tracker, polls, poll } = watch();
    polls(5);
    poll((i) => (i === 3 ? { vin } : {}));
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    expect(flagsOf(tracker, VINS[3]!)).toContain('notIdentified');
    expect(evidenceOf(tracker, VINS[3]!)).toContain(`gives ${vin} as its VIN`);
    poll();
    expect(keysOf(tracker)).toEqual([...VINS].sort());
  });

  it('from the first answer on and then corrected: the unit takes the right VIN with its whole history', () => {
    const { tracker, polls } = watch();
    polls(30, (i) => (i === 3 ? { vin: typo } : {}));
    const before = detailOf(tracker, typo);
    polls(1);
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    const after = detailOf(tracker, VINS[3]!);
    expect(after.track.slice(0, -1)).toEqual(before.track.slice(-after.track.length + 1));
    expect(after).toMatchObject({ status: before.status, sinceMs: before.sinceMs });
  });

  it('is another truck where the VIN is valid and not close, though the device is the same', () => {
    const { tracker, polls, poll } = watch(null);
    polls(5);
    const another = { vin: '1M8GDM9AXKP042788', truckNumber: '4999' };
    poll((i) => (i === 3 ? { ...another, licensePlate: { state: 'TX', number: 'R99' } } : {}));
    expect(keysOf(tracker)).toEqual([...VINS, '1M8GDM9AXKP042788'].sort());
  });
});

describe('a VIN that appears', () => {
  it('after an hour without: the unit is merged into it, history included', () => {
    const { tracker, polls } = watch();
    polls(60, (i) => (isEighth(i) ? { vin: null } : {}));
    expect(keysOf(tracker)).toContain('device:PT30-6');
    const before = detailOf(tracker, 'device:PT30-6');
    polls(1);
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    const after = detailOf(tracker, VINS[6]!);
    expect(after).toMatchObject({ status: 'stopped', sinceMs: before.sinceMs, usualIntervalMs: MINUTE_MS });
    expect(after.track.slice(0, -1)).toEqual(before.track.slice(-after.track.length + 1));
    expect(detailOf(tracker, VINS[3]!)).toMatchObject({ status: 'moving' });
  });

  it('again after the twin could not be carried over: both histories become one', () => {
    const { tracker, polls } = watch();
    const one = { deviceId: null, licensePlate: null };
    polls(10, (i) => (i === 6 ? one : {}));
    const { sinceMs } = detailOf(tracker, VINS[6]!);
    // A name that is new to the fleet: a unit of its own.
    polls(20, (i) => (i === 6 ? { ...one, vin: null, truckNumber: 'T6' } : {}));
    expect(keysOf(tracker)).toContain('truck:T6');
    expect(detailOf(tracker, VINS[6]!).status).toBe('silent');
    polls(2, (i) => (i === 6 ? { ...one, truckNumber: 'T6' } : {}));
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    expect(detailOf(tracker, VINS[6]!)).toMatchObject({ status: 'stopped', sinceMs });
  });
});

describe('a device that was moved to another truck', () => {
  it('is a change of identity, and carries nothing over', () => {
    const { tracker, polls } = watch();
    polls(5, (i) => (i === 4 ? null : {}));
    polls(3, (i) => (i === 3 ? null : i === 4 ? { deviceId: 'PT30-3' } : {}));
    expect(keysOf(tracker)).toEqual([...VINS].sort());
    expect(flagsOf(tracker, VINS[4]!)).toEqual(['identityChange']);
    expect(detailOf(tracker, VINS[3]!).status).toBe('silent');
  });

  it('is another unit also where the record has no VIN', () => {
    const { tracker, polls } = watch();
    polls(5);
    polls(1, (i) => (i === 3 ? { vin: null, truckNumber: '4999', licensePlate: null } : {}));
    expect(keysOf(tracker)).toEqual([...VINS, 'device:PT30-3'].sort());
  });
});

describe('names that units share', () => {
  const shared: Changes = (i) => ({
    vin: null,
    deviceId: '0',
    licensePlate: null,
    truckNumber: String(4100 + i),
  });

  it('keep each unit its key and its history, however many of the others report', () => {
    const { tracker, polls } = watch(null);
    polls(3, shared, 1);
    expect(keysOf(tracker)).toEqual(['device:0']);
    polls(3, shared);
    const keys = keysOf(tracker);
    expect(keys).toHaveLength(TRUCKS);
    expect(detailOf(tracker, 'device:0')).toMatchObject({
      identity: { truckNumber: '4100' },
      track: expect.objectContaining({ length: 6 }),
    });
    polls(3, (i) => (i === 5 ? shared(i) : null));
    polls(3, (i) => (i === 0 ? shared(i) : null));
    polls(3, shared);
    expect(keysOf(tracker)).toEqual(keys);
    expect(flagsOf(tracker, 'truck:4105')).toEqual(['notIdentified']);
    expect(detailOf(tracker, 'truck:4105').track).toHaveLength(9);
  });

  it('never put a new truck into the row of another one that had the shared key', () => {
    const { tracker, polls } = watch(null);
    polls(3, shared, 1);
    polls(3, (i) => (i === 20 ? shared(i) : null));
    expect(keysOf(tracker)).toEqual(['#1 device:0', 'device:0']);
    expect(detailOf(tracker, '#1 device:0').identity.truckNumber).toBe('4120');
    expect(detailOf(tracker, 'device:0').identity.truckNumber).toBe('4100');
  });

  it('that are all that units have: each keeps its row whatever the order of the answer is', () => {
    const { tracker } = watch(null);
    const nameless = { vin: null, deviceId: '0', truckNumber: null, licensePlate: null };
    for (let minute = 0; minute < 6; minute++) {
      const records = Array.from({ length: TRUCKS }, (_, i) => record(i, minute, nameless));
      if (minute % 2) records.reverse();
      const nowMs = START_MS + minute * MINUTE_MS + 5000;
      tracker.observe(parseUnits({ units: records }, USDOT, nowMs).units, null, nowMs);
    }
    expect(keysOf(tracker)).toHaveLength(TRUCKS);
    for (const key of keysOf(tracker)) {
      expect(flagsOf(tracker, key)).toEqual(['notIdentified']);
      expect(detailOf(tracker, key).track).toHaveLength(6);
    }
  });
});
