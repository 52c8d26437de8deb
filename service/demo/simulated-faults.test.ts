import { expect, it } from 'vitest';
import { createDemoFleet } from '../simulator/demo-fleet';
import { DEMO_SEED } from './seed';
import { SPECIMENS } from '../simulator/specimens';
import { withoutSimulatedFaults } from './simulated-faults';

it('the recording gets no stored fix of a truck whose faults are in the answers alone', async () => {
  const fleet = createDemoFleet({ units: 200, seed: DEMO_SEED });
  const fixes = fleet.vehicles.map(({ vin }) => ({
    ...{ vin, deviceId: null, truckNumber: null, fixAtMs: 1, receivedAtMs: 2, lat: 35, lng: -101 },
  }));
  const store = { readRevision: async () => 7, listSince: async () => ({ fixes, revision: 7 }) };
  const listed = await withoutSimulatedFaults(store, fleet).listSince('9000001', 0, 7);
  expect(listed.revision).toBe(7);
  const vins = new Set(listed.fixes.map(({ vin }) => vin));
  const isListed = ([every, remainder]: readonly [number, number]): boolean =>
    vins.has(fleet.vehicles[remainder % every]!.vin);
  const { signLost, unplaced, wrongZone, doubled, dropped, jumping, fastClock, nameless } = SPECIMENS;
  expect([signLost, unplaced, wrongZone, doubled, dropped].map(isListed)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([jumping, fastClock, nameless].map(isListed)).toEqual([true, true, true]);
});
