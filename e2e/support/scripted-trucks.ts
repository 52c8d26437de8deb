import { writeFileSync } from 'node:fs';
import { expect, type TestInfo } from '@playwright/test';
import { findFreePorts } from '@/testing/ports';
import { startTcpProxy, type TcpProxy } from '@/testing/tcp-proxy';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { startApplication, type Application } from './application';
import { createDatabase } from './databases';
import { runCommandLine, startProgram, stopProgram, waitForAnswer } from './programs';

/** Of latitude. */
export const KM_PER_DEGREE = 111.195;

interface Origin {
  lat: number;
  lng: number;
}

/**
 * A carrier whose trucks report to a tracking service by ingest as a test says, and an application that reads that service
 * through `proxy`.
 */
export const startScriptedTrucks = async (
  testInfo: TestInfo,
  { usdot, count, origin }: { usdot: string; count: number; origin: Origin },
) => {
  const store = { DATABASE_URL: await createDatabase() };
  const trucks = createScriptedUnits(count).map(({ vin, truckNumber }) => ({ vin, truckNumber }));
  const file = testInfo.outputPath('vehicles.csv');
  const lines = trucks.map(({ vin, truckNumber }) => `${vin},${truckNumber},device-${truckNumber}`);
  writeFileSync(file, ['vin,truck_number,device_id', ...lines].join('\n'));
  await runCommandLine(['carriers', 'add', usdot, '--name', 'Scripted Freight'], store);
  await runCommandLine(['vehicles', 'import', file, '--usdot', usdot], store);
  const owner = ['--usdot', usdot, '--name', 'test'];
  const { apiKey, providerToken } = await runCommandLine<{ apiKey: string; providerToken: string }>(
    ['keys', 'create', ...owner],
    store,
  );
  const { token } = await runCommandLine<{ token: string }>(['tokens', 'create', ...owner], store);

  const [port] = (await findFreePorts(1)) as [number];
  const serviceUrl = `http://127.0.0.1:${port}`;
  const log = testInfo.outputPath('service.log');
  const service = startProgram('service', ['serve', '--port', String(port)], store, log);
  const stops: (() => Promise<unknown>)[] = [() => stopProgram(service)];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  let proxy: TcpProxy;
  let application: Application;
  try {
    await waitForAnswer(`${serviceUrl}/openapi.json`, service, log);
    proxy = await startTcpProxy(port);
    stops.push(() => proxy.close());
    application = await startApplication(
      {
        TRACKING_BASE_URL: `http://127.0.0.1:${proxy.port}`,
        TRACKING_API_KEY: apiKey,
        TRACKING_PROVIDER_TOKEN: providerToken,
        TRACKING_USDOT: usdot,
        LINEHAUL_TEST_TRACKING_MAX_BACKOFF_MS: '2000',
        // Several trucks leave the list at once.
        LINEHAUL_TEST_TRACKING_DOUBT_HOLD_MS: '2000',
      },
      testInfo.outputPath('application.log'),
    );
    stops.push(application.stop);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    application,
    proxy,
    trucks,
    stop,
    /** Reports a fix of a truck by the OsmAnd protocol. */
    report: async (truck: number, atMs: number, northKm: number): Promise<void> => {
      const query = new URLSearchParams({
        ...{ id: `device-${trucks[truck]!.truckNumber}`, token, timestamp: String(atMs / 1000) },
        ...{ lat: (origin.lat + northKm / KM_PER_DEGREE).toFixed(6), lon: String(origin.lng) },
      });
      const response = await fetch(`${serviceUrl}/ingest/osmand?${query.toString()}`, { method: 'POST' });
      expect(response.status).toBe(200);
    },
  };
};
