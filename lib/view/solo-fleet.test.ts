import { expect, it } from 'vitest';
import { toSoloFleet } from './solo-fleet';
import { createTestFleet } from '@/testing/view/fleet';
import { readUnitRow } from './unit-row';

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
