import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestInfo } from '@playwright/test';
import { MINUTE_MS } from '@/lib/base/time';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { openStore } from '@/service/store/store';
import { FROM, findTrucks } from '@/testing/service/driven-load';
import { OWN_CARRIER, toVehicle } from '@/testing/service/vehicles';
import type { Variables } from './programs';

const { usdot } = OWN_CARRIER;
/** A server reads its clock ten times a second, in each thread. */
const CLOCK_READ_MS = 150;

/** The trucks of each load, which drives along a meridian of its own: "T-1" and "T-2" of the first. */
export const truckOf = (load: number, which: 1 | 2): string => `T-${load * 2 + which}`;
export const lngOf = (load: number): number => FROM.lng + load * 0.2;

/** The times of the fixes that a server shows, Unix ms. */
const readFixTimes = async (url: string, cookie: string): Promise<number[]> => {
  const response = await fetch(`${url}/api/fleets/${usdot}/live`, { headers: { cookie } });
  if (response.status !== 200) return [];
  const { columns } = applyLiveAnswer(null, fromLiveBytes(new Uint8Array(await response.arrayBuffer())));
  return [...new Set(columns.fixAtS)].map((fixAtS) => fixAtS * 1000);
};

/**
 * Trucks of an own fleet whose devices report by HTTP ingest as testing/service/driven-load.ts says, by a clock of the test
 * that the servers with `variables` have, too.
 */
export const prepareTrucks = (loads: number, testInfo: TestInfo) => {
  const startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const clockFile = testInfo.outputPath('clock');
  const writeClock = (min: number): void =>
    writeFileSync(clockFile, String(startMs + min * MINUTE_MS - Date.now()));
  writeClock(0);
  const trucks = Array.from({ length: loads }, (_, load) =>
    ([1, 2] as const).map((which) => ({ load, which })),
  );
  let token = '';
  const variables: Variables = {
    ...{ ACCOUNTS: 'required', FLEET_SOURCE: 'own', CARRIER_USDOT: usdot, CARRIER_NAME: 'Blue Mesa' },
    HISTORY_DIR: testInfo.outputPath('history'),
    NODE_OPTIONS: `--require "${resolve('e2e/support/set-clock.cjs')}"`,
    SET_CLOCK_FILE: clockFile,
  };
  return {
    startMs,
    variables,
    /** Adds the trucks to the fleet of servers that run. */
    add: async (databaseUrl: string): Promise<void> => {
      const store = await openStore({ databaseUrl, now: Date.now });
      const vehicles = trucks.flat().map((_, i) => toVehicle(i + 1, { usdot }));
      await store.vehicles.upsertMany(vehicles);
      ({ token } = await store.ingestTokens.create({ usdot, name: 'phones' }));
      await store.close();
    },
    /** Sets the servers' clock to a minute of the drive. */
    setClock: async (min: number): Promise<void> => {
      writeClock(min);
      await sleep(CLOCK_READ_MS);
    },
    /** Sends what the devices of all trucks say at a minute, and waits until a server shows it. */
    report: async (min: number, url: string, cookie: string): Promise<void> => {
      const atMs = startMs + min * MINUTE_MS;
      const send = async ({ load, which }: { load: number; which: 1 | 2 }): Promise<void> => {
        const query = new URLSearchParams({
          ...{ id: truckOf(load, which).replace('T', 'device'), lon: lngOf(load).toFixed(6) },
          ...{ lat: findTrucks(min)[which - 1]!.lat.toFixed(6), timestamp: String(atMs / 1000) },
        });
        const address = `${url}/tracking/ingest/${token}/osmand?${query.toString()}`;
        expect((await fetch(address, { method: 'POST' })).status).toBe(200);
      };
      await Promise.all(trucks.flat().map(send));
      await expect
        .poll(() => readFixTimes(url, cookie), { timeout: 30_000, intervals: [100] })
        .toEqual([atMs]);
    },
  };
};
