/**
 * The server is killed twenty times while it sends messages, and started again: each truck has one alert, and its message
 * arrives at least once and under one id. lib/alerts/server/delivery/crash.test.ts kills a process that only sends.
 */
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { createRandom } from '@/service/simulator/random';
import { startReceiver, type ReceivedRequest } from '@/testing/alerts/receiver';
import { findFreePorts } from '@/testing/ports';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits, toApiRecord } from '@/testing/tracking/scripted-units';
import { SESSION_SECRET } from './support/application';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';
import { MINUTE_MS } from '@/lib/base/time';

const KILLS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_126);
const USDOT = '9100001';
const YARD = { lat: 32.78123, lng: -96.80457 };
const FAR_LAT = YARD.lat - 0.05123;
/** Trucks that arrive together, and the most messages of them before the server is killed. */
const GROUP = 40;
const MOST_BEFORE = 30;
const SOON = { timeout: 60_000, intervals: [100] };
/** What a killed server was sending is sent again by the jobs' next maintenance. */
const RECOVERS_WITHIN = { timeout: 120_000, intervals: [1000] };

test.setTimeout(900_000);

const unitOf = ({ body }: ReceivedRequest): string =>
  (JSON.parse(body.toString()) as { data: { unit: { key: string } } }).data.unit.key;

test(`a server that is killed ${KILLS} times while it sends loses no message, and repeats none under another id (seed ${SEED})`, async ({}, testInfo) => {
  const provider = await startFaultyProvider();
  const startMs = Date.now();
  const trucks = createScriptedUnits((KILLS + 1) * GROUP).map((unit) => ({
    ...unit,
    northMps: 0,
    lat: FAR_LAT,
    lng: YARD.lng,
    fixAtMs: startMs - 10 * MINUTE_MS,
  }));
  provider.give(USDOT, () => trucks.map((truck) => toApiRecord(truck, truck.fixAtMs)));
  // It takes a message only with its answer, up to a second later: a killed server's connections close within some 100 ms.
  const taken: ReceivedRequest[] = [];
  const countTrucks = (): number => new Set(taken.map(unitOf)).size;
  let server = null as never as Server;
  /** The server is killed once so many trucks' messages are taken. */
  let killAt = Infinity;
  const receiver = await startReceiver((count) => (response) => {
    setTimeout(
      () => {
        if (response.socket?.destroyed !== false) return;
        taken.push(receiver.received[count]!);
        response.writeHead(204).end();
        if (countTrucks() >= killAt) server.program.kill('SIGKILL');
      },
      20 + 250 * (count % 5),
    );
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
        PRIVATE_ADDRESSES: 'allow',
        PORT: String(port),
      },
      testInfo.outputPath(`server-${name}.log`),
    );
  };
  const post = async (path: string, body: unknown): Promise<void> => {
    const response = await sendAsPage(server.url, `/api/fleets/${USDOT}/${path}`, body, cookie);
    expect(response.status, path).toBe(200);
  };
  const countPolls = (): number =>
    provider.received.filter(({ resource, subject }) => resource === 'units' && subject === USDOT).length;
  /** Reads the fleet, which keeps it polled. */
  const look = async (): Promise<void> => {
    await (await fetch(`${server.url}/api/fleets/${USDOT}/live`, { headers: { cookie } })).arrayBuffer();
  };
  /** Waits until the fleet has been polled with what the provider shows now. */
  const seePolls = async (): Promise<void> => {
    const before = countPolls();
    await expect.poll(async () => (await look(), countPolls()), SOON).toBeGreaterThan(before + 1);
  };
  const arrive = async (group: number): Promise<void> => {
    const ofGroup = trucks.slice(group * GROUP, (group + 1) * GROUP);
    const arriveAt = (minutesAgo: number): void => {
      for (const truck of ofGroup)
        Object.assign(truck, { lat: YARD.lat, fixAtMs: Date.now() - minutesAgo * MINUTE_MS });
    };
    arriveAt(4);
    await seePolls();
    arriveAt(2);
  };
  const random = createRandom(SEED);
  await start('first');
  try {
    await post('sites', {
      ...{ name: 'Yard Dallas', kind: 'yard', color: '#2f7de1', notes: '', marginM: 75, openingHours: null },
      shape: { type: 'circle', ...YARD, radiusM: 300 },
    });
    await post('alert-rules', {
      ...{ name: 'Arrivals', units: { type: 'all' }, schedule: null, severity: 'warning', coolDownMin: 0 },
      ...{ condition: { kind: 'arrives', siteIds: null }, isEnabled: true, isOwn: false },
    });
    await post('webhooks', {
      ...{ name: 'Dispatch board', url: receiver.url, minSeverity: 'info', isEnabled: true },
    });
    await seePolls();
    let unsent = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      killAt = countTrucks() + random.integer(1, MOST_BEFORE);
      await arrive(kill);
      const readEnd = async () => {
        // It may be killed while it answers.
        await look().catch(() => null);
        return server.program.signalCode;
      };
      await expect.poll(readEnd, SOON).toBe('SIGKILL');
      killAt = Infinity;
      const { rows } = await database.query<{ count: number }>(
        `select count(*)::int as count from linehaul.alert_deliveries where state = 'pending'`,
      );
      if (rows[0]!.count > 0) unsent++;
      await start(String(kill));
    }
    await arrive(KILLS);

    const readStates = async () => {
      await look();
      // As 45 s later.
      await database.query(
        `update linehaul_jobs.job set started_on = started_on - interval '1 minute', start_after = now()
         where name = 'alert-delivery'`,
      );
      const { rows } = await database.query<{ state: string; count: number }>(
        'select state, count(*)::int as count from linehaul.alert_deliveries group by 1',
      );
      return rows;
    };
    await expect.poll(readStates, RECOVERS_WITHIN).toEqual([{ state: 'sent', count: trucks.length }]);
    const { rows: deliveries } = await database.query<{ id: string; unit: string }>(
      'select d.id, a.unit from linehaul.alert_deliveries d join linehaul.alerts a on a.id = d.alert_id',
    );
    expect(deliveries.map(({ unit }) => unit).sort()).toEqual(trucks.map(({ vin }) => vin).sort());
    const expected = deliveries.map(({ id, unit }) => `${unit} ${id}`).sort();
    const listOf = (requests: readonly ReceivedRequest[]): string[] =>
      [...new Set(requests.map((each) => `${unitOf(each)} ${String(each.headers['webhook-id'])}`))].sort();
    expect(listOf(taken)).toEqual(expected);
    expect(listOf(receiver.received)).toEqual(expected);
    // It was killed with messages on their way, of which some came again.
    expect(receiver.received.length).toBeGreaterThan(expected.length);
    // Otherwise it would have been killed while it had nothing to send.
    expect(unsent).toBeGreaterThan(KILLS / 2);
  } finally {
    await stopProgram(server.program);
    await Promise.all([database.end(), receiver.close(), provider.close()]);
  }
});
