import { describe, expect, it, vi } from 'vitest';
import { silentLog } from '../log';
import { createService } from '../service';
import { startSimulator } from '../simulator/simulator';
import { DEMO_SPECIMENS } from '../../testing/service/demo-specimens';
import { createTestStore } from '../../testing/service/store';
import { seedDemo } from './seed';

interface SaidUnit {
  truckNumber: string;
  coordinates: { lat: number; lng: number };
  unixTimestamp: number;
}

const UNITS = 100;
const test = createTestStore();

describe('the demo', () => {
  it('is seeded again without doubling anything, and ends the credentials of the start before', async () => {
    const { store } = test;
    const first = await seedDemo(store, { units: UNITS + 20 });
    const second = await seedDemo(store, { units: UNITS });
    const vehicles = await store.vehicles.list(second.usdot);
    expect(vehicles.map(({ vin }) => vin).sort()).toEqual(second.fleet.vehicles.map(({ vin }) => vin).sort());
    expect(await store.keys.verify(first.apiKey, first.providerToken)).toBeNull();
    expect(await store.ingestTokens.verify(first.ingestToken)).toBeNull();
    expect(await store.keys.verify(second.apiKey, second.providerToken)).toMatchObject({
      usdot: second.usdot,
    });
  });

  it('reaches the API through the ingest endpoints, each unit at a position of its device', async () => {
    const { store } = test;
    const seeded = await seedDemo(store, { units: UNITS });
    const service = createService({ store, now: test.now, log: silentLog });
    const headers = { 'x-api-key': seeded.apiKey, 'provider-token': seeded.providerToken };
    const readUnits = async (): Promise<SaidUnit[]> => {
      const response = await service.fetch(
        new Request(`http://service/api/units/${seeded.usdot}`, { headers }),
      );
      return ((await response.json()) as { units: SaidUnit[] }).units;
    };
    const startMs = test.nowMs;
    const simulator = startSimulator({
      ingestUrl: 'http://service/ingest',
      ingestToken: seeded.ingestToken,
      fleet: seeded.fleet,
      now: test.now,
      fetch: service.fetch,
      log: silentLog,
    });
    try {
      // The last of the first round of reports is due after three seconds of the demo's own time.
      test.nowMs = startMs + 3500;
      await vi.waitFor(async () => expect((await readUnits()).length).toBeGreaterThan(UNITS * 0.9), 8000);
      test.nowMs = startMs + 10_000;
      await vi.waitFor(async () => {
        const units = await readUnits();
        expect(units.filter(({ unixTimestamp }) => unixTimestamp * 1000 > startMs).length).toBeGreaterThan(
          20,
        );
      }, 8000);
    } finally {
      await simulator.stop();
    }
    const units = await readUnits();
    expect(units.map(({ truckNumber }) => truckNumber)).not.toContain(DEMO_SPECIMENS.neverReporting[0]);
    for (const { truckNumber, coordinates, unixTimestamp } of units) {
      const unit = seeded.fleet.vehicles.findIndex((vehicle) => vehicle.truckNumber === truckNumber);
      if (DEMO_SPECIMENS.fastClock.includes(truckNumber)) continue;
      const meant = seeded.fleet.reportAt(unit, unixTimestamp * 1000);
      expect(coordinates.lat).toBeCloseTo(meant.lat, 5);
      expect(coordinates.lng).toBeCloseTo(meant.lng, 5);
    }
  });
});
