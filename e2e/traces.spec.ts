import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { startApplication, type Application } from './support/application';
import { createDatabase } from './support/databases';
import { findFreePorts } from '@/testing/ports';
import { runCommandLine, startProgram, stopProgram, waitForAnswer } from './support/programs';
import { readNewestFixes } from './support/recorded-fixes';

const { LINEHAUL_TRACES } = process.env;
const USDOT = '9000077';
const BUSES = 329;
/** Three of the 45,386 fixes are at 0,0. */
const FIXES = 45_383;
/** The recording lasts ten hours; every bus must be active, including those parked early. */
const ACTIVE_MIN = '1440';

type Stop = () => Promise<unknown> | void;

const readFleet = async (application: Application): Promise<Fleet> => {
  const response = await application.fetch(`/api/fleets/${USDOT}/live`);
  return applyLiveAnswer(null, fromLiveBytes(new Uint8Array(await response.arrayBuffer())));
};

interface UnitPlace {
  deviceId: string;
  lat: number;
  lng: number;
  fixAtS: number;
}

const toPlaces = ({ identities, columns: { latE5, lngE5, fixAtS } }: Fleet): UnitPlace[] =>
  identities.map((identity, row) => {
    expect(latE5[row], `${identity?.deviceId} has a position`).not.toBe(NO_POSITION);
    return {
      deviceId: identity?.deviceId ?? '',
      lat: latE5[row]! * DEGREES_PER_E5,
      lng: lngE5[row]! * DEGREES_PER_E5,
      fixAtS: fixAtS[row]!,
    };
  });

const stops: Stop[] = [];
test.afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

test('a recorded day of buses, replayed through ingest, puts each on the roster and at its newest fix', async ({
  page,
}, testInfo) => {
  test.skip(!LINEHAUL_TRACES, 'LINEHAUL_TRACES does not say where the recorded traces are');
  test.setTimeout(180_000);
  const recording = join(LINEHAUL_TRACES ?? '', 'austin-buses-2017-03-21.csv');
  const store = { DATABASE_URL: await createDatabase() };

  const [port] = await findFreePorts(1);
  const serviceUrl = `http://127.0.0.1:${port}`;
  const serviceLog = testInfo.outputPath('service.log');
  const serveArgs = ['serve', '--port', String(port), '--active-window', ACTIVE_MIN];
  const service = startProgram('service', serveArgs, store, serviceLog);
  stops.push(() => stopProgram(service));
  await waitForAnswer(`${serviceUrl}/openapi.json`, service, serviceLog);

  const replayedFromS = Date.now() / 1000;
  const replay = await runCommandLine<{
    accepted: number;
    vehiclesAdded: number;
    withoutPosition: number[];
    refused: object[];
  }>(['replay', recording, '--register', '--usdot', USDOT, '--url', serviceUrl], store);
  const replayedToS = Date.now() / 1000;
  expect(replay).toMatchObject({ accepted: FIXES, vehiclesAdded: BUSES });
  expect(replay.withoutPosition).toHaveLength(3);
  expect(replay.refused).toEqual([]);

  const { apiKey, providerToken } = await runCommandLine<{ apiKey: string; providerToken: string }>(
    ['keys', 'create', '--usdot', USDOT, '--name', 'traces'],
    store,
  );
  const application = await startApplication(
    { TRACKING_BASE_URL: serviceUrl, TRACKING_API_KEY: apiKey, TRACKING_PROVIDER_TOKEN: providerToken },
    testInfo.outputPath('application.log'),
  );
  stops.push(application.stop);

  const fleet = await readFleet(application);
  expect(fleet.rows).toBe(BUSES);
  const newest = readNewestFixes(recording);
  const places = toPlaces(fleet);
  expect(places.map(({ deviceId }) => deviceId).sort()).toEqual([...newest.keys()].sort());
  // All times of the recording are shifted by one offset, so that its newest fix has the time of the replay.
  const recordedToS = Math.max(...[...newest.values()].map(([fix]) => fix!.atS));
  const shiftS = Math.max(...places.map(({ fixAtS }) => fixAtS)) - recordedToS;
  expect(recordedToS + shiftS).toBeGreaterThan(replayedFromS - 1);
  expect(recordedToS + shiftS).toBeLessThan(replayedToS + 1);
  const astray = places.filter(
    ({ deviceId, lat, lng, fixAtS }) =>
      !newest
        .get(deviceId)!
        .some(
          (fix) =>
            Math.abs(fix.lat - lat) < 1.1 * DEGREES_PER_E5 &&
            Math.abs(fix.lng - lng) < 1.1 * DEGREES_PER_E5 &&
            Math.abs(fix.atS + shiftS - fixAtS) <= 1,
        ),
  );
  expect(astray).toEqual([]);
  expect(places.filter(({ lat, lng }) => Math.abs(lat) < 1 && Math.abs(lng) < 1)).toEqual([]);

  await application.signIn(page.context());
  await page.goto(`${application.url}/fleets/${USDOT}/roster`);
  await expect(page.getByText(`${BUSES} VINs of USDOT ${USDOT}`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Active ${BUSES}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Silent 0' })).toBeVisible();
});
