/**
 * The server is killed and started again, while it sends messages and while trucks stand at a site.
 * lib/alerts/server/delivery/crash.test.ts kills a process that only sends, lib/alerts/server/restart.test.ts cuts a feed at
 * each of its polls.
 */
import { expect, test, type TestInfo } from '@playwright/test';
import pg from 'pg';
import { createRandom } from '@/service/simulator/random';
import { startReceiver, type ReceivedRequest } from '@/testing/alerts/receiver';
import { findFreePorts } from '@/testing/ports';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits, toApiRecord } from '@/testing/tracking/scripted-units';
import { SESSION_SECRET } from './support/application';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';
import { MINUTE_MS } from '@/lib/base/time';

const USDOT = '9100001';
const YARD = { lat: 32.78123, lng: -96.80457 };

test.setTimeout(900_000);

/** A server that can be killed and started again, over one database and one provider. */
class KillableServer {
  private constructor(
    private readonly testInfo: TestInfo,
    private readonly variables: Record<string, string>,
    readonly provider: FaultyProvider,
    readonly database: pg.Client,
  ) {}

  #server = null as never as Server;

  static async open(testInfo: TestInfo, more: Record<string, string> = {}): Promise<KillableServer> {
    const provider = await startFaultyProvider();
    const databaseUrl = await createDatabase(TEMPLATE);
    const database = new pg.Client(databaseUrl);
    await database.connect();
    const [port] = await findFreePorts(1);
    const variables = {
      ...provider.variables,
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: SESSION_SECRET,
      MAP_TILES_URL: 'none',
      POLL_INTERVAL_MS: '1000',
      RECORD_INTERVAL_MS: '5000',
      HISTORY_DIR: testInfo.outputPath('history'),
      PORT: String(port),
      ...more,
    };
    return new KillableServer(testInfo, variables, provider, database);
  }

  async start(name: string): Promise<void> {
    this.#server = await startServer(this.variables, this.testInfo.outputPath(`server-${name}.log`));
  }

  kill(): void {
    this.#server.program.kill('SIGKILL');
  }

  /** The signal that ended the server; null while it runs. */
  get signal(): NodeJS.Signals | null {
    return this.#server.program.signalCode;
  }

  /** Reads the fleet, which keeps it polled. @throws if the server is killed while it answers */
  async look(): Promise<void> {
    const { managerCookie: cookie } = readSharedPostgres();
    const live = await fetch(`${this.#server.url}/api/fleets/${USDOT}/live`, { headers: { cookie } });
    await live.arrayBuffer();
  }

  /** Changes something of the fleet as a page of the manager's. */
  async post(path: string, body: unknown): Promise<void> {
    const { managerCookie } = readSharedPostgres();
    const response = await sendAsPage(this.#server.url, `/api/fleets/${USDOT}/${path}`, body, managerCookie);
    expect(response.status, path).toBe(200);
  }

  async addYard(): Promise<void> {
    await this.post('sites', {
      ...{ name: 'Yard Dallas', kind: 'yard', color: '#2f7de1', notes: '', marginM: 75, openingHours: null },
      shape: { type: 'circle', ...YARD, radiusM: 300 },
    });
  }

  async close(): Promise<void> {
    await stopProgram(this.#server.program);
    await this.database.end();
    await this.provider.close();
  }
}

const KILLS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_126);
const FAR_LAT = YARD.lat - 0.05123;
/** Trucks that arrive together, and the most messages of them before the server is killed. */
const GROUP = 40;
const MOST_BEFORE = 30;
const SOON = { timeout: 60_000, intervals: [100] };
/** What a killed server was sending is sent again by the jobs' next maintenance. */
const RECOVERS_WITHIN = { timeout: 120_000, intervals: [1000] };

const unitOf = ({ body }: ReceivedRequest): string =>
  (JSON.parse(body.toString()) as { data: { unit: { key: string } } }).data.unit.key;

test(`a server that is killed ${KILLS} times while it sends loses no message, and repeats none under another id (seed ${SEED})`, async ({}, testInfo) => {
  const server = await KillableServer.open(testInfo, { PRIVATE_ADDRESSES: 'allow' });
  const { provider, database } = server;
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
  /** The server is killed once so many trucks' messages are taken. */
  let killAt = Infinity;
  const receiver = await startReceiver((count) => (response) => {
    setTimeout(
      () => {
        if (response.socket?.destroyed !== false) return;
        taken.push(receiver.received[count]!);
        response.writeHead(204).end();
        if (countTrucks() >= killAt) server.kill();
      },
      20 + 250 * (count % 5),
    );
  });
  const countPolls = (): number =>
    provider.received.filter(({ resource, subject }) => resource === 'units' && subject === USDOT).length;
  /** Waits until the fleet has been polled with what the provider shows now. */
  const seePolls = async (): Promise<void> => {
    const before = countPolls();
    await expect.poll(async () => (await server.look(), countPolls()), SOON).toBeGreaterThan(before + 1);
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
  await server.start('first');
  try {
    await server.addYard();
    await server.post('alert-rules', {
      ...{ name: 'Arrivals', units: { type: 'all' }, schedule: null, severity: 'warning', coolDownMin: 0 },
      ...{ condition: { kind: 'arrives', siteIds: null }, isEnabled: true, isOwn: false },
    });
    await server.post('webhooks', {
      ...{ name: 'Dispatch board', url: receiver.url, minSeverity: 'info', isEnabled: true },
    });
    await seePolls();
    let unsent = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      killAt = countTrucks() + random.integer(1, MOST_BEFORE);
      await arrive(kill);
      const readEnd = async () => {
        // It may be killed while it answers.
        await server.look().catch(() => null);
        return server.signal;
      };
      await expect.poll(readEnd, SOON).toBe('SIGKILL');
      killAt = Infinity;
      const { rows } = await database.query<{ count: number }>(
        `select count(*)::int as count from linehaul.alert_deliveries where state = 'pending'`,
      );
      if (rows[0]!.count > 0) unsent++;
      await server.start(String(kill));
    }
    await arrive(KILLS);

    const readStates = async () => {
      await server.look();
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
    await server.close();
    await receiver.close();
  }
});

const STEP_MS = 10_000;
/** A truck drives 400 m a step, stands at the site for ten steps, and drives on. */
const DEGREES_A_STEP = 400 / 111_195;
const STANDS = 10;
/** Each truck arrives a step after the one before. */
const TRUCKS = 16;
const ARRIVES = 20;
const KILLS_AT = [26, 33];
const LAST_STEP = ARRIVES + TRUCKS + STANDS + 20;

test('trucks that stand for 100 s while the server is killed have their visits', async ({}, testInfo) => {
  const server = await KillableServer.open(testInfo);
  const { provider, database } = server;
  const startMs = Date.now() - LAST_STEP * STEP_MS;
  const trucks = createScriptedUnits(TRUCKS).map((unit) => ({ ...unit, northMps: 0 }));
  /** Time goes on with each poll: none is missed while no server runs. */
  let step = 0;
  let killAt = Infinity;
  const latAt = (truck: number): number => {
    const since = step - ARRIVES - truck;
    const driven = since < 0 ? since : Math.max(0, since - STANDS);
    return YARD.lat + driven * DEGREES_A_STEP;
  };
  provider.give(USDOT, () => {
    step++;
    if (step === killAt) server.kill();
    const fixAtMs = startMs + step * STEP_MS;
    return trucks.map((truck, i) => toApiRecord({ ...truck, lat: latAt(i), lng: YARD.lng }, fixAtMs));
  });
  const seeStep = (least: number) =>
    expect
      .poll(
        async () => {
          // It may be killed while it answers.
          await server.look().catch(() => null);
          return step;
        },
        { timeout: 120_000, intervals: [200] },
      )
      .toBeGreaterThanOrEqual(least);
  await server.start('first');
  try {
    await server.addYard();
    // Before it all trucks are far away, and the recording of the site is older than what is replayed.
    await database.query("update linehaul.sites set updated_at = now() - interval '1 hour'");
    for (const at of KILLS_AT) {
      killAt = at;
      await seeStep(at);
      await expect.poll(() => server.signal).toBe('SIGKILL');
      killAt = Infinity;
      await server.start(String(at));
    }
    await seeStep(LAST_STEP);
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
    await server.close();
  }
});
