import { describe, expect, it } from 'vitest';
import { NO_POSITION } from '@/lib/wire/fleet';
import { createFleet } from '@/testing/map/create-fleet';
import { mercatorXOfE5 } from '@/lib/geo/projection';
import { UnitPlaces } from './unit-places';

const at = (latE5: number, lngE5: number, fixAtS: number) => ({ latE5, lngE5, fixAtS });

describe('UnitPlaces', () => {
  it('puts a fleet in its place at once, and glides to what a poll changed in place', () => {
    const places = new UnitPlaces();
    const fleet = createFleet([at(3_500_000, -10_100_000, 1000)]);
    places.update(fleet, 0, 1);
    expect(places.glide.x[0]).toBeCloseTo(mercatorXOfE5(-10_100_000), 12);
    fleet.columns.lngE5[0] = -10_090_000;
    fleet.columns.fixAtS[0] = 1010;
    places.update({ ...fleet, version: 'a.2' }, 1000, 1);
    places.glide.advance(6000);
    expect(places.glide.x[0]).toBeCloseTo(mercatorXOfE5(-10_095_000), 9);
    places.glide.advance(60_000);
    expect(places.glide.x[0]).toBeCloseTo(mercatorXOfE5(-10_090_000), 12);
  });

  it('jumps when motion is not wanted', () => {
    const places = new UnitPlaces();
    const fleet = createFleet([at(3_500_000, -10_100_000, 1000)]);
    places.update(fleet, 0, 0);
    fleet.columns.lngE5[0] = -10_090_000;
    fleet.columns.fixAtS[0] = 1010;
    places.update(fleet, 1000, 0);
    expect(places.glide.x[0]).toBeCloseTo(mercatorXOfE5(-10_090_000), 12);
    expect(places.glide.gliding).toBe(0);
  });

  it('never glides from one unit’s position to another’s when the rows are renumbered', () => {
    const places = new UnitPlaces();
    places.update(createFleet([at(3_500_000, -10_100_000, 1000), at(3_600_000, -9_000_000, 1000)]), 0, 1);
    const isOther = places.update(createFleet([at(4_000_000, -8_000_000, 1010)], 'b.1'), 1000, 1);
    expect(isOther).toBe(true);
    expect(places.glide.x[0]).toBeCloseTo(mercatorXOfE5(-8_000_000), 12);
    expect(places.glide.x[1]).toBeNaN();
  });

  it('takes a unit off the map when it loses its position, and puts it back without a glide', () => {
    const places = new UnitPlaces();
    const fleet = createFleet([at(3_500_000, -10_100_000, 1000)]);
    places.update(fleet, 0, 1);
    fleet.columns.latE5[0] = NO_POSITION;
    places.update(fleet, 10, 1);
    expect(places.glide.x[0]).toBeNaN();
    fleet.columns.latE5[0] = 3_600_000;
    fleet.columns.fixAtS[0] = 1010;
    places.update(fleet, 20, 1);
    expect(places.glide.y[0]).not.toBeNaN();
    expect(places.glide.gliding).toBe(0);
  });

  it('takes the positions of a large fleet in pieces, and omits none', () => {
    const places = new UnitPlaces();
    const rows = 50_000;
    const fleet = createFleet(Array.from({ length: rows }, () => at(3_500_000, -10_100_000, 1000)));
    places.update(fleet, 0, 1);
    expect(places.isTaking).toBe(false);
    fleet.columns.lngE5.fill(-10_090_000);
    fleet.columns.fixAtS.fill(1010);
    places.update({ ...fleet, version: 'a.2' }, 1000, 1);
    places.takeMore(1000);
    expect(places.glide.gliding).toBeGreaterThan(0);
    expect(places.glide.gliding).toBeLessThan(rows);
    while (places.isTaking) places.takeMore(1016);
    expect(places.glide.gliding).toBe(rows);
    places.glide.advance(60_000);
    expect(places.glide.x[rows - 1]).toBeCloseTo(mercatorXOfE5(-10_090_000), 12);
  });

  it('grows with the fleet', () => {
    const places = new UnitPlaces();
    places.update(createFleet([at(3_500_000, -10_100_000, 1000)]), 0, 1);
    const grown = createFleet(
      Array.from({ length: 50 }, () => at(3_500_000, -10_100_000, 1000)),
      'a.2',
    );
    places.update(grown, 10, 1);
    expect(places.glide.x[49]).toBeCloseTo(mercatorXOfE5(-10_100_000), 12);
  });
});
