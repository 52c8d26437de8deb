import { describe, expect, it } from 'vitest';
import { hasValidCheckDigit } from '@/lib/identity/vin';
import { distanceM } from '@/lib/geo/geodesy';
import { createDemoFleet } from './demo-fleet';
import { DEMO_SPECIMENS } from '../../testing/service/demo-specimens';
import { specimenOf } from './specimens';
import { HOUR_MS } from '@/lib/base/time';

const UNITS = 400;
const fleet = createDemoFleet({ units: UNITS, seed: 1956 });
const DAY_START_MS = Date.UTC(2026, 5, 15);
const everyUnit = Array.from({ length: UNITS }, (_, unit) => unit);

describe('createDemoFleet', () => {
  it('returns the same for the same seed, unit and time, in any order of calls', () => {
    const asked = [7, 3, 7, 250, 3].map((unit, i) => ({ unit, atMs: DAY_START_MS + (i % 3) * HOUR_MS }));
    const again = createDemoFleet({ units: UNITS, seed: 1956 });
    const forwards = asked.map(({ unit, atMs }) => fleet.reportAt(unit, atMs));
    const backwards = asked.toReversed().map(({ unit, atMs }) => again.reportAt(unit, atMs));
    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('drives another way for another seed', () => {
    const other = createDemoFleet({ units: 20, seed: 1957 });
    const same = everyUnit
      .slice(0, 20)
      .filter((unit) => other.stateAt(unit, DAY_START_MS).lat === fleet.stateAt(unit, DAY_START_MS).lat);
    expect(same).toEqual([]);
  });

  it('gives every vehicle its own VIN with a valid check digit, except the specimens', () => {
    const { vehicles } = fleet;
    expect(new Set(vehicles.map(({ vin }) => vin)).size).toBe(UNITS);
    expect(new Set(vehicles.map(({ deviceId }) => deviceId)).size).toBe(UNITS);
    const bad = vehicles.filter(({ vin }) => !hasValidCheckDigit(vin)).map(({ truckNumber }) => truckNumber);
    expect(bad).toEqual(DEMO_SPECIMENS.badVin);
    expect(bad.length).toBeGreaterThan(0);
  });

  it('registers leased trucks to another carrier that cannot be real', () => {
    const leased = fleet.vehicles.filter(({ registeredUsdot }) => registeredUsdot !== null);
    expect(leased.map(({ truckNumber }) => truckNumber)).toEqual(DEMO_SPECIMENS.leased);
    for (const { registeredUsdot } of leased) expect(Number(registeredUsdot)).toBeGreaterThan(9_000_000);
  });

  it('never drives faster than 130 km/h between two reports, except units that jump or freeze', () => {
    let fastestKph = 0;
    for (const unit of everyUnit) {
      if (['jumping', 'lostFix', 'frozen'].includes(specimenOf(unit) ?? '')) continue;
      let atMs = fleet.nextReportAt(unit, DAY_START_MS);
      for (let i = 0; i < 60 && atMs < Infinity; i++) {
        const nextAtMs = fleet.nextReportAt(unit, atMs);
        const apartM = distanceM(fleet.reportAt(unit, atMs), fleet.reportAt(unit, nextAtMs));
        fastestKph = Math.max(fastestKph, (apartM / (nextAtMs - atMs)) * 3600);
        atMs = nextAtMs;
      }
    }
    expect(fastestKph).toBeLessThan(130);
    expect(fastestKph).toBeGreaterThan(95);
  });

  it('has moving units at every hour, and more by day than by night', () => {
    const shares = Array.from({ length: 24 }, (_, hour) => {
      const atMs = DAY_START_MS + hour * HOUR_MS;
      return everyUnit.filter((unit) => fleet.stateAt(unit, atMs).isDriving).length / UNITS;
    });
    expect(Math.min(...shares)).toBeGreaterThan(0.55);
    expect(Math.max(...shares)).toBeLessThan(0.8);
    // 18:00 UTC is noon in the middle of the country, 06:00 UTC midnight.
    expect(shares[18]!).toBeGreaterThan(shares[6]!);
  });

  it('goes through its reports without skipping one or standing still', () => {
    for (const unit of [0, 1, 3, 7, 31, 200]) {
      const atMs = fleet.nextReportAt(unit, DAY_START_MS);
      expect(atMs).toBeGreaterThan(DAY_START_MS);
      expect(fleet.lastReportAt(unit, atMs)).toBe(atMs);
      expect(fleet.nextReportAt(unit, atMs - 1)).toBe(atMs);
    }
  });

  it('repeats the last position of a frozen receiver to the last digit, and then catches up', () => {
    const unit = everyUnit.find((each) => specimenOf(each) === 'frozen')!;
    const places: string[] = [];
    let atMs = DAY_START_MS;
    for (let i = 0; i < 120; i++) {
      atMs = fleet.nextReportAt(unit, atMs);
      const { lat, lng } = fleet.reportAt(unit, atMs);
      places.push(`${lat},${lng}`);
    }
    const repeated = places.filter((place, i) => i > 0 && place === places[i - 1]).length;
    expect(repeated).toBeGreaterThan(40);
    expect(new Set(places).size).toBeGreaterThan(10);
  });

  it('keeps the unit that never reports silent', () => {
    const unit = fleet.vehicles.findIndex(
      ({ truckNumber }) => truckNumber === DEMO_SPECIMENS.neverReporting[0],
    );
    expect(fleet.nextReportAt(unit, DAY_START_MS)).toBe(Infinity);
    expect(fleet.lastReportAt(unit, DAY_START_MS)).toBeNull();
  });

  it('loses the position of some reports of the unit with a bad antenna, never of others', () => {
    const isLost = (unit: number): boolean => {
      let atMs = DAY_START_MS;
      for (let i = 0; i < 100; i++) {
        atMs = fleet.nextReportAt(unit, atMs);
        const { lat, lng } = fleet.reportAt(unit, atMs);
        if (lat === 0 && lng === 0) return true;
      }
      return false;
    };
    expect(isLost(51)).toBe(true);
    expect(isLost(52)).toBe(false);
  });
});
