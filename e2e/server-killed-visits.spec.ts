/**
 * The server is killed while trucks stand at a site for 100 s, and started again: each has its visit, with the times of its
 * fixes. lib/alerts/server/restart.test.ts cuts a feed at each of its polls.
 */
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { findFreePorts } from '@/testing/ports';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits, toApiRecord } from '@/testing/tracking/scripted-units';
import { SESSION_SECRET } from './support/application';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';

const USDOT = '9100001';
const YARD = { lat: 32.78123, lng: -96.80457 };
const STEP_MS = 10_000;
/** A truck drives 400 m a step, stands at the site for ten steps, and drives on. */
const DEGREES_A_STEP = 400 / 111_195;
const STANDS = 10;
/** Each truck arrives a step after the one before. */
const TRUCKS = 16;
const ARRIVES = 20;
const KILLS_AT = [26, 33];
const LAST = ARRIVES + TRUCKS + STANDS + 20;

test.setTimeout(300_000);

test('trucks that stand for 100 s while the server is killed have their visits', async ({}, testInfo) => {
  const provider = await startFaultyProvider();
  const startMs = Date.now() - LAST * STEP_MS;
  const trucks = createScriptedUnits(TRUCKS).map((unit) => ({ ...unit, northMps: 0 }));
  /** Time goes on with each poll: none is missed while no server runs. */
  let step = 0;
  let killAt = Infinity;
  let server = null as never as Server;
  const latAt = (truck: number): number => {
    const since = step - ARRIVES - truck;
    const driven = since < 0 ? since : Math.max(0, since - STANDS);
    return YARD.lat + driven * DEGREES_A_STEP;
  };
  provider.give(USDOT, () => {
    step++;
    if (step === killAt) server.program.kill('SIGKILL');
    const fixAtMs = startMs + step * STEP_MS;
    return trucks.map((truck, i) => toApiRecord({ ...truck, lat: latAt(i), lng: YARD.lng }, fixAtMs));
  });
  const databaseUrl = await createDatabase(TEMPLATE);
  const database = new pg.Client(databaseUrl);
  await database.connect();
  const { managerCookie: cookie } = readSharedPostgres();
  const [port] = await findFreePorts(1);
  const start = async (name: string): Promise<void> => {
    server = await startServer(
      {
        ...provider.variables,
        DATABASE_URL: databaseUrl,
        AUTH_SECRET: SESSION_SECRET,
        MAP_TILES_URL: 'none',
        POLL_INTERVAL_MS: '1000',
        RECORD_INTERVAL_MS: '5000',
        HISTORY_DIR: testInfo.outputPath('history'),
        PORT: String(port),
      },
      testInfo.outputPath(`server-${name}.log`),
    );
  };
  /** Reads the fleet, which keeps it polled; the server may be killed while it answers. */
  const look = async (): Promise<void> => {
    const live = fetch(`${server.url}/api/fleets/${USDOT}/live`, { headers: { cookie } });
    await live.then((answer) => answer.arrayBuffer()).catch(() => null);
  };
  const seeStep = (least: number) =>
    expect
      .poll(async () => (await look(), step), { timeout: 120_000, intervals: [200] })
      .toBeGreaterThanOrEqual(least);
  await start('first');
  try {
    const site = {
      ...{ name: 'Yard Dallas', kind: 'yard', color: '#2f7de1', notes: '', marginM: 75, openingHours: null },
      shape: { type: 'circle', ...YARD, radiusM: 300 },
    };
    expect((await sendAsPage(server.url, `/api/fleets/${USDOT}/sites`, site, cookie)).status).toBe(200);
    // Before it all trucks are far away, and the recording of the site is older than what is replayed.
    await database.query("update linehaul.sites set updated_at = now() - interval '1 hour'");
    for (const at of KILLS_AT) {
      killAt = at;
      await seeStep(at);
      await expect.poll(() => server.program.signalCode).toBe('SIGKILL');
      killAt = Infinity;
      await start(String(at));
    }
    await seeStep(LAST);
    const readVisits = async () =>
      (
        await database.query(
          `select unit, arrived_ms::float8 as arrived, left_ms::float8 as left from linehaul.site_visits
           where left_ms is not null order by arrived_ms`,
        )
      ).rows;
    await expect.poll(async () => (await readVisits()).length, { timeout: 20_000 }).toBe(TRUCKS);
    const visits = await readVisits();
    trucks.forEach(({ vin }, i) => {
      const { arrived, left } = visits.find(({ unit }) => unit === vin) as { arrived: number; left: number };
      // A fix is two seconds older than its record.
      const toStep = (ms: number): number => Math.round((ms + 2500 - startMs) / STEP_MS);
      // A fix of a killed server is not recorded.
      expect(Math.abs(toStep(arrived) - ARRIVES - i), vin).toBeLessThanOrEqual(1);
      expect(Math.abs(toStep(left) - ARRIVES - i - STANDS), vin).toBeLessThanOrEqual(1);
    });
  } finally {
    await stopProgram(server.program);
    await database.end();
    await provider.close();
  }
});
