import { expect, it } from 'vitest';
import { readUnitRow } from './unit-row';
import { toSoloFleet, toVehicleRow } from './vehicle-row';
import { createTestFleet } from '@/testing/view/fleet';
import type { UnitAnswer } from '@/lib/wire/unit';

it('round-trips a unit', () => {
  const fleet = createTestFleet([
    {
      key: 'A',
      vin: 'A',
      lat: 35.19042,
      lng: -101.35117,
      fixAtS: 1000,
      sinceS: 900,
      speedKph: 100,
      headingDeg: 82,
      flags: ['badVin'],
    },
    { key: 'B', status: 'silent', reason: 'neverSeen' },
  ]);
  for (const row of [0, 1]) {
    const unit = readUnitRow(fleet, row)!;
    expect(readUnitRow(toSoloFleet(unit), 0)).toEqual({ ...unit, row: 0 });
  }
});

const VIN = '1FUJHHDRXNLNA1234';
const live = (flags: ('impossibleJump' | 'notOnRoster')[] = []) =>
  readUnitRow(
    createTestFleet([{ key: VIN, vin: VIN, lat: 35, lng: -101, fixAtS: 1000, speedKph: 100, flags }]),
    0,
  )!;
const answer: NonNullable<UnitAnswer['unit']> = {
  identity: { ...live().identity, truckNumber: '412' },
  position: { lat: 35.1, lng: -101.2 },
  fixAtMs: 2_000_000,
  flags: [{ flag: 'badVin', text: 'wrong' }],
};

it("shows the provider's newest report with the status of the live feed", () => {
  expect(toVehicleRow(VIN, answer, live(['notOnRoster']))).toMatchObject({
    identity: { truckNumber: '412' },
    position: { lat: 35.1, lng: -101.2 },
    fixAtMs: 2_000_000,
    status: 'moving',
    speedKph: 100,
    flags: ['notOnRoster', 'badVin'],
  });
});

it('holds back the position of an impossible jump as the map does', () => {
  const row = toVehicleRow(VIN, answer, live(['impossibleJump']));
  expect(row.position?.lat).toBeCloseTo(35, 5);
  expect(row.fixAtMs).toBe(1_000_000);
});

it('shows the fix of the live feed while the answer for the vehicle is older', () => {
  const older = { ...answer, fixAtMs: 999_000 };
  expect(toVehicleRow(VIN, older, live())).toMatchObject({
    status: 'moving',
    position: live().position,
    fixAtMs: 1_000_000,
    from: 'fleetList',
  });
  expect(toVehicleRow(VIN, { ...answer, fixAtMs: null }, live()).fixAtMs).toBe(1_000_000);
  expect(toVehicleRow(VIN, answer, live()).from).toBe('vehicle');
});

it('shows when a report was received where its own time cannot be trusted', () => {
  const row = toVehicleRow(VIN, { ...answer, fixAtMs: 9_000_000 }, { ...live(), reason: 'byReceipt' });
  expect(row.fixAtMs).toBe(1_000_000);
  expect(row.position?.lat).toBeCloseTo(35, 5);
});

it('shows only the VIN of a vehicle that never reported', () => {
  expect(toVehicleRow(VIN, null, null)).toMatchObject({
    identity: { vin: VIN, truckNumber: null },
    status: 'unknown',
    reason: 'noFix',
    position: null,
  });
});
