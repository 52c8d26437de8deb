/**
 * The database is away while an alert opens, while a message is on its way, and while one is due: after it is back, each
 * alert is open once, and each message arrives under one id.
 */
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { startReceiver, type ReceivedRequest } from '@/testing/alerts/receiver';
import { startTcpProxy, throughProxy } from '@/testing/tcp-proxy';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import { SCRIPTED_UNITS, toApiRecord } from '@/testing/tracking/scripted-units';
import { startApplication } from './support/application';
import { createDatabase } from './support/databases';
import { sendAsPage } from './support/session';
import { MINUTE_MS } from '@/lib/base/time';

const USDOT = '9000002';
const YARD = { lat: 32.78123, lng: -96.80457 };
const FAR_LAT = YARD.lat - 0.05123;
/** The paths of two programs that get messages. */
const [TAKES, IS_DOWN] = ['/takes', '/is-down'] as const;
/** A process that was sending when the database went away is waited for. */
const RECOVERS_WITHIN = { timeout: 90_000 };

test.setTimeout(240_000);

const unitOf = ({ body }: ReceivedRequest): string =>
  (JSON.parse(body.toString()) as { data: { unit: { key: string } } }).data.unit.key;

test('alerts and messages outlast a database that is away', async ({}, testInfo) => {
  const provider = await startFaultyProvider({
    account: { companyName: 'Away Freight', companyId: 'away', usdot: USDOT },
  });
  /** The newest fix of each truck. */
  const trucks = SCRIPTED_UNITS.map((unit) => ({
    ...unit,
    lat: FAR_LAT,
    lng: YARD.lng,
    fixAtMs: Date.now() - 10 * MINUTE_MS,
  }));
  provider.give(USDOT, () => trucks.map((truck) => toApiRecord(truck, truck.fixAtMs)));
  const databaseUrl = await createDatabase();
  const proxy = await startTcpProxy(Number(new URL(databaseUrl).port));
  /** How the receiver answers the newest request. */
  let answer = async ({ path }: ReceivedRequest): Promise<number> => (path === TAKES ? 204 : 503);
  const receiver = await startReceiver(
    () => (response) =>
      void answer(receiver.received.at(-1)!).then((status) => response.writeHead(status).end()),
  );
  const application = await startApplication(
    {
      ...provider.variables,
      TRACKING_USDOT: USDOT,
      RECORD_INTERVAL_MS: '5000',
      PRIVATE_ADDRESSES: 'allow',
      DATABASE_URL: throughProxy(databaseUrl, proxy),
    },
    testInfo.outputPath('application.log'),
  );
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const post = async (path: string, body: unknown): Promise<unknown> => {
      const response = await sendAsPage(
        application.url,
        `/api/fleets/${USDOT}/${path}`,
        body,
        application.cookie,
      );
      expect(response.status, path).toBe(200);
      return response.json();
    };
    const { id: siteId } = (await post('sites', {
      ...{ name: 'Yard Dallas', kind: 'yard', color: '#2f7de1', notes: '', marginM: 75, openingHours: null },
      shape: { type: 'circle', ...YARD, radiusM: 300 },
    })) as { id: number };
    await post('alert-rules', {
      ...{ name: 'Arrivals', units: { type: 'all' }, schedule: null, severity: 'warning', coolDownMin: 0 },
      condition: { kind: 'arrives', siteIds: [siteId] },
      ...{ isEnabled: true, isOwn: false },
    });
    // Each alert is a message to both: to one that takes them, and to one that is down.
    for (const path of [TAKES, IS_DOWN])
      await post('webhooks', {
        ...{ name: path, url: new URL(path, receiver.url).href, minSeverity: 'info', isEnabled: true },
      });

    const countPolls = () =>
      provider.received.filter(({ resource, subject }) => resource === 'units' && subject === USDOT).length;
    /** Waits until the feed has what the provider shows now; a request for the fleet keeps it polling. */
    const seePolls = async (): Promise<void> => {
      const before = countPolls();
      const look = async (): Promise<number> => {
        await (await application.fetch(`/api/fleets/${USDOT}/live`)).arrayBuffer();
        return countPolls();
      };
      await expect.poll(look).toBeGreaterThan(before + 1);
    };
    const arrive = async (truck: (typeof trucks)[number]): Promise<void> => {
      truck.lat = YARD.lat;
      for (const minutesAgo of [6, 4]) {
        truck.fixAtMs = Date.now() - minutesAgo * MINUTE_MS;
        await seePolls();
      }
    };
    const countTaken = (unit: string): number =>
      receiver.received.filter((each) => each.path === TAKES && unitOf(each) === unit).length;
    const [first, second, third] = [trucks[0]!, trucks[1]!, trucks[2]!];
    await seePolls();

    await arrive(first);
    await expect.poll(() => receiver.received.length, RECOVERS_WITHIN).toBeGreaterThan(1);
    // The database goes away with a message on its way: it arrives, and nothing can note that.
    answer = async ({ path }) => {
      if (path === TAKES) await proxy.cut();
      return path === TAKES ? 204 : 503;
    };
    await arrive(second);
    await expect.poll(() => countTaken(second.vin), RECOVERS_WITHIN).toBe(1);
    // And an alert opens that cannot be stored.
    await arrive(third);
    answer = async () => 204;
    const sentBefore = receiver.received.length;
    await proxy.restore();

    await expect
      .poll(
        async () => {
          // As 45 s later: what was being sent when the database went away is sent again.
          await database.query(
            `update linehaul_jobs.job set started_on = started_on - interval '1 minute', start_after = now()
             where name = 'alert-delivery'`,
          );
          const { rows } = await database.query<{ state: string }>(
            `select state from linehaul.alert_deliveries order by alert_id`,
          );
          return rows.map(({ state }) => state);
        },
        { ...RECOVERS_WITHIN, intervals: [1000] },
      )
      .toEqual(Array<string>(6).fill('sent'));
    const { rows: alerts } = await database.query<{ unit: string }>(
      `select unit from linehaul.alerts where usdot = $1 order by opened_ms, id`,
      [USDOT],
    );
    expect(alerts.map(({ unit }) => unit).sort()).toEqual(trucks.map(({ vin }) => vin).sort());
    const idsOf = new Map<string, Set<string>>();
    for (const message of receiver.received) {
      const name = `${message.path} ${unitOf(message)}`;
      idsOf.set(name, (idsOf.get(name) ?? new Set()).add(String(message.headers['webhook-id'])));
    }
    expect([...idsOf.values()].map(({ size }) => size)).toEqual(Array<number>(6).fill(1));
    // What was on its way, and what was due or opened without the database, came after it.
    const sentAfter = receiver.received.slice(sentBefore).map((each) => `${each.path} ${unitOf(each)}`);
    expect(sentAfter).toContain(`${TAKES} ${second.vin}`);
    expect(sentAfter).toContain(`${IS_DOWN} ${first.vin}`);
    expect(sentAfter).toContain(`${TAKES} ${third.vin}`);
  } finally {
    await application.stop();
    await Promise.all([database.end(), receiver.close(), provider.close(), proxy.close()]);
  }
});
