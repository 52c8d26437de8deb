import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNNAMED, type UnitIdentity } from '@/lib/wire/fleet';
import { changesOf, setUpRecording } from '@/testing/history/recording';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { IS_LONG } from '@/testing/long';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { START_MS as FIRST_MS } from '@/testing/motion/fixes';
import { FIXES } from '@/lib/archive/tables';
import { toTexts } from '@/lib/fleet/poll-changes';
import { readVisits } from '@/lib/reports/server/who-was-here';

const held = setUpRecording();
const VIN = '1M8GDM9AXKP042788';
const START_MS = Date.parse('2026-11-17T17:00:00Z');
const atMs = (minute: number): number => START_MS + minute * 60_000;

/** A poll with one unit, and a fix of it. */
const write = (
  minute: number,
  identity: Omit<UnitIdentity, keyof typeof UNNAMED> & Partial<UnitIdentity>,
) => {
  const names = JSON.stringify({ ...UNNAMED, ...identity });
  const changes = {
    ...changesOf(atMs(minute), [{ unit: identity.key, fixMs: atMs(minute) }]),
    identities: { count: 1, columns: [toTexts([identity.key]), toTexts([names])] },
  };
  return held.write({ usdot: '1', seenMs: atMs(minute), changes });
};

const readMinutes = async (unit: string, toMinute = 1000): Promise<number[]> => {
  const fixes = await held.reader.readTrail('1', unit, 0, atMs(toMinute));
  expect(await held.reader.countTrail('1', unit, 0, atMs(toMinute))).toBe(fixes.length);
  return fixes.map(({ fixAtMs }) => (fixAtMs - START_MS) / 60_000);
};

test('a trail begins before the VIN was known, where device and truck number were the same', async () => {
  const device = { key: 'device:D1', deviceId: 'D1', truckNumber: '116' };
  await write(0, device);
  await write(5, device);
  await write(10, { ...device, key: VIN, vin: VIN });
  await write(15, device);
  expect(await readMinutes(VIN)).toEqual([0, 5, 10]);
  expect(await readMinutes(VIN, 5)).toEqual([0]);
  expect(await readMinutes(device.key)).toEqual([15]);
});

test('a device that was in another truck, or in one without a number, tells nothing', async () => {
  await write(0, { key: 'device:D1', deviceId: 'D1', truckNumber: '200' });
  await write(1, { key: 'device:D1', deviceId: 'D1', truckNumber: '116' });
  await write(2, { key: 'device:D2', deviceId: 'D2' });
  await write(10, { key: VIN, vin: VIN, deviceId: 'D1', truckNumber: '116' });
  const other = '1FUJHHDR0NLNA1234';
  await write(10, { key: other, vin: other, deviceId: 'D2' });
  expect(await readMinutes(VIN)).toEqual([10]);
  expect(await readMinutes(other)).toEqual([10]);
});

test('a trail begins before the VIN was known, where the roster named the VIN first', async () => {
  const device = { key: 'device:D1', deviceId: 'D1', truckNumber: '116' };
  await write(0, { key: VIN, vin: VIN });
  await write(1, device);
  await write(5, device);
  await write(10, { ...device, key: VIN, vin: VIN });
  expect(await readMinutes(VIN)).toEqual([0, 1, 5, 10]);
});

test('a unit whose keys are corrected is one unit in its trail, in who was here, in exports, in reports and in the past', async () => {
  const OTHER = '1FUJHHDR0NLNA1234';
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, '1');
  const roster = new Set([VIN, OTHER]);
  const names = { deviceId: 'D1', truckNumber: '116' };
  // The roster knows both VINs from the start, and the truck hardly moves.
  const keys = ['truck:116', 'device:D1', VIN, OTHER];
  for (let minute = 0; minute < 12; minute++) {
    const key = keys[Math.floor(minute / 3)]!;
    const identity = identityOf(key, key === 'truck:116' ? { truckNumber: '116' } : names);
    const seenMs = FIRST_MS + minute * 60_000;
    tracker.observe([unitAt(key, minute, minute < 2 ? 0 : 100, { identity })], roster, seenMs);
    await held.write({ usdot: '1', seenMs, changes: tracker.takeChanges(tracker.copyRows()) });
  }
  const { reader } = held;
  const range = { fromMs: FIRST_MS, toMs: FIRST_MS + 3_600_000 };
  expect(await reader.readTrail('1', OTHER, range.fromMs, range.toMs)).toHaveLength(12);
  expect(await reader.countTrail('1', OTHER, range.fromMs, range.toMs)).toBe(12);
  const { lat, lng } = unitAt('any', 0, 0).position!;
  const area = { kind: 'circle', lat, lng, radiusM: 500 } as const;
  const who = await readVisits(reader, '1', area, range, range.toMs);
  expect(who.units.map(({ key }) => key)).toEqual([OTHER]);
  expect(who.visits).toHaveLength(1);
  const units = await reader.readFixes('1', range, ({ duck, from }) =>
    duck.readRows<[string, number]>(`SELECT unit, count(*)::DOUBLE FROM ${from} GROUP BY unit`),
  );
  expect(units).toEqual([[OTHER, 12]]);
  const box = { south: lat - 1, north: lat + 1, west: lng - 1, east: lng + 1 };
  const tailsQuery = {
    usdot: '1',
    toMs: FIRST_MS + 12 * 60_000,
    minutes: 60,
    seen: new Set([OTHER]),
    ...box,
  };
  const tails = (await reader.readTails(tailsQuery))!;
  expect([...tails.keys()]).toEqual([OTHER]);
  expect(tails.get(OTHER)!.fixS[0]).toBe(FIRST_MS / 1000);
  for (const minute of [1, 4, 7, 10]) {
    const past = (await reader.readFleetAt('1', FIRST_MS + minute * 60_000 + 1))!;
    const row = past.identities.findIndex((identity) => identity?.key === OTHER);
    expect(past.columns.fixAtS[row]).toBe(FIRST_MS / 1000 + minute * 60);
    expect(past.identities[row]!.truckNumber).toBe('116');
    expect(past.identities.filter((identity) => identity?.truckNumber === '116')).toHaveLength(1);
  }
  expect((await reader.readNames('1', [OTHER])).get(OTHER)).not.toHaveProperty('former');
});

const VINS = [VIN, '1FUJHHDR0NLNA1234', '1XKYD49X7NJ123456'] as const;

/** A truck of a poll; null: it is not listed. */
type Said = { vin: string | null; deviceId: string | null; truckNumber: string } | null;

/** Records polls of three trucks that are a minute apart, and compares each trail with what reports and exports read. */
const compareTrails = async (
  usdot: string,
  polls: readonly (readonly Said[])[],
): Promise<Map<string, number[]>> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, usdot);
  for (const [minute, trucks] of polls.entries()) {
    const units = trucks.flatMap((said, i) => {
      if (said === null) return [];
      const key =
        said.vin ?? (said.deviceId === null ? `truck:${said.truckNumber}` : `device:${said.deviceId}`);
      return [unitAt(key, minute, 100 * i, { identity: identityOf(key, said) })];
    });
    const seenMs = FIRST_MS + minute * 60_000;
    const listed = units.filter(
      ({ identity: { key } }, i) => units.findIndex((each) => each.identity.key === key) === i,
    );
    tracker.observe(listed, new Set(VINS), seenMs);
    await held.write({ usdot, seenMs, changes: tracker.takeChanges(tracker.copyRows()) });
  }
  const range = { fromMs: FIRST_MS - 1, toMs: FIRST_MS + 3_600_000 };
  const rows = await held.reader.readFixes(usdot, range, ({ duck, from }) =>
    duck.readRows<[string, number]>(`SELECT unit, (${FIXES.timeMs})::DOUBLE FROM ${from} ORDER BY 1, 2`),
  );
  const trails = new Map<string, number[]>();
  for (const unit of new Set(rows!.map(([key]) => key))) {
    const trail = await held.reader.readTrail(usdot, unit, range.fromMs, range.toMs);
    const inReports = rows!.filter(([key]) => key === unit).map(([, fixMs]) => fixMs);
    expect(
      trail.map(({ fixAtMs }) => fixAtMs),
      unit,
    ).toEqual([...new Set(inReports)]);
    trails.set(
      unit,
      trail.map(({ fixAtMs }) => (fixAtMs - FIRST_MS) / 60_000),
    );
  }
  return trails;
};

test('a VIN that one truck had by mistake, and another one has now, has the trail of that one alone', async () => {
  const first = { vin: VINS[1], deviceId: 'D1', truckNumber: '1' };
  const second = { vin: VINS[1], deviceId: 'D2', truckNumber: '2' };
  const trails = await compareTrails('1', [
    [first, null],
    [first, null],
    [{ ...first, vin: VINS[2] }, null],
    [{ ...first, vin: VINS[2] }, second],
  ]);
  expect(trails.get(VINS[2])).toEqual([0, 1, 2, 3]);
  expect(trails.get(VINS[1])).toEqual([3]);
});

test.runIf(IS_LONG)(
  'each recorded fix is in the trail of one unit, however keys are corrected and swapped',
  async () => {
    const said = fc.option(
      fc.record({
        vin: fc.constantFrom(null, ...VINS),
        deviceId: fc.constantFrom(null, 'D1', 'D2', 'D3'),
        truckNumber: fc.constantFrom('1', '2', '3'),
      }),
    );
    const change = fc.record({ at: fc.nat(2), said, polls: fc.integer({ min: 1, max: 5 }) });
    let fleet = 10;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 8 }), async (changes) => {
        const now: Said[] = VINS.map((vin, i) => ({ vin, deviceId: `D${i + 1}`, truckNumber: `${i + 1}` }));
        const polls = changes.flatMap((each) => {
          now[each.at] = each.said;
          return Array.from({ length: each.polls }, () => [...now]);
        });
        if (polls.flat().some((each) => each !== null)) await compareTrails(String(fleet++), polls);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  },
);
