/**
 * Three servers of one carrier, to which the trucks of a load report in turn while one after another is killed: each answers
 * the same board, and what happened is written once.
 */
import { expect, test } from '@playwright/test';
import pg from 'pg';
import type { ServerStatus } from '@/lib/status/schema';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { LAST_MIN, SWAP_MIN, VERDICTS, toDrivenLoad } from '@/testing/service/driven-load';
import { OWN_CARRIER } from '@/testing/service/vehicles';
import { SESSION_SECRET } from './support/application';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { prepareTrucks } from './support/driven-trucks';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';

const { usdot } = OWN_CARRIER;
const PATH = `/api/fleets/${usdot}`;
const STEP_MIN = 5;
/** While the truck drives, while the other one does, and while it stands at the delivery. */
const KILLS_AT_MIN: readonly number[] = [60, 165, 200];

let redis: RedisServer;
let database: pg.Client;
const servers: Server[] = [];

test.afterAll(async () => {
  await database?.end();
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  await redis?.stop();
});

const { managerCookie: cookie } = process.env.E2E_POSTGRES ? readSharedPostgres() : { managerCookie: '' };

const read = async <T>({ url }: Server, path: string): Promise<T> => {
  const response = await fetch(url + path, { headers: { cookie } });
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
};

const send = async ({ url }: Server, path: string, body: unknown, method = 'POST'): Promise<void> => {
  const response = await sendAsPage(url, PATH + path, body, cookie, method);
  expect(response.ok, `${path}: ${await response.text()}`).toBe(true);
};

interface Board {
  loads: {
    id: number;
    state: string;
    verdict: string;
    window: unknown;
    trucks: unknown[];
    seenMs: number | null;
  }[];
}

/** The load as each server answers it, once all say the same. */
const readSame = async (): Promise<Board['loads'][number]> => {
  const readAll = () =>
    Promise.all(servers.map(async (each) => (await read<Board>(each, `${PATH}/loads`)).loads));
  // A poll may be written between two answers.
  await expect
    .poll(async () => new Set((await readAll()).map((loads) => JSON.stringify(loads))).size, {
      timeout: 20_000,
    })
    .toBe(1);
  return (await readAll())[0]![0]!;
};

/** The server that polls the fleet, and so judges its loads. */
const findOwner = async (): Promise<number> => {
  const own = await Promise.all(
    servers.map(async (server) => {
      const { sharing } = await read<ServerStatus>(server, '/api/status');
      return sharing!.servers.some(({ isThis, usdots }) => isThis && usdots.includes(usdot));
    }),
  );
  return own.indexOf(true);
};

test('three servers answer one board of loads, and nothing that happens is lost or twice while those that judge are killed', async ({}, testInfo) => {
  test.setTimeout(290_000);
  redis = await startRedis((await findFreePorts(1))[0]!);
  const databaseUrl = await createDatabase(TEMPLATE);
  database = new pg.Client(databaseUrl);
  await database.connect();
  const trucks = prepareTrucks(1, testInfo);
  const variables = {
    ...trucks.variables,
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, AUTH_SECRET: SESSION_SECRET },
    ...{ MAP_TILES_URL: 'none', POLL_INTERVAL_MS: '1000', RECORD_INTERVAL_MS: '5000' },
  };
  const start = (name: string) => startServer(variables, testInfo.outputPath(`server-${name}.log`));
  // The first one migrates the tables.
  for (const name of ['0', '1', '2']) servers.push(await start(name));
  await trucks.add(databaseUrl);
  let turn = 0;
  const next = (): Server => servers[turn++ % servers.length]!;
  await trucks.report(0, next().url, cookie);
  for (const kind of ['loadWillBeLate', 'loadLate'])
    await send(next(), '/alert-rules', {
      ...{ name: kind, condition: { kind }, units: { type: 'all' }, schedule: null, severity: 'critical' },
      ...{ coolDownMin: 0, isEnabled: true, isOwn: false },
    });
  await send(next(), '/loads', toDrivenLoad(trucks.startMs, 1));
  const { id } = await readSame();

  const found: string[] = [];
  for (let min = STEP_MIN; min <= LAST_MIN; min += STEP_MIN) {
    await trucks.setClock(min);
    const isSwap = min - STEP_MIN < SWAP_MIN && min >= SWAP_MIN;
    if (isSwap) await send(next(), `/loads/${id}`, toDrivenLoad(trucks.startMs, 2), 'PUT');
    if (KILLS_AT_MIN.includes(min)) {
      const owner = await findOwner();
      expect(owner).toBeGreaterThanOrEqual(0);
      servers[owner]!.program.kill('SIGKILL');
      servers[owner] = await start(`${owner}-at-${min}`);
      // A server that has just started may not have reached the database yet.
      await expect(async () => expect(await findOwner()).not.toBe(owner)).toPass({ timeout: 20_000 });
    }
    await trucks.report(min, next().url, cookie);
    // A load that was just added is judged with the next poll.
    await expect.poll(async () => (await readSame()).seenMs).not.toBeNull();
    // A load that has another truck is unknown until a poll has judged it so.
    if (isSwap)
      await expect.poll(async () => (await readSame()).verdict, { timeout: 30_000 }).not.toBe('unknown');
    const { state, verdict } = await readSame();
    if (found.at(-1) !== `${state} ${verdict}`) found.push(`${state} ${verdict}`);
  }
  expect(found).toEqual(VERDICTS);
  expect(await readSame()).toMatchObject({ state: 'delivered', trucks: { length: 2 } });

  const { rows: events } = await database.query<{ event: string }>(
    `select kind || ' ' || position as event from linehaul.load_events order by at_ms, position, kind`,
  );
  expect(events.map(({ event }) => event)).toEqual([
    ...['truck -1', 'arrived 0', 'left 0', 'truck -1', 'arrived 1', 'ended 1', 'left 1'],
  ]);
  const { rows: alerts } = await database.query(
    `select rule_name as rule, right(unit, 1) as truck, closed_ms is null as open from linehaul.alerts order by 1, 2`,
  );
  expect(alerts).toEqual(['1', '2'].map((truck) => ({ rule: 'loadWillBeLate', truck, open: false })));
  // The windows for the delivery that were shown at each lead time.
  const { rows: graded } = await database.query<{ leadMin: number }>(
    `select lead_ms::float8 / 60000 as "leadMin" from linehaul.arrival_grades where position = 1 order by 1`,
  );
  expect(graded.map(({ leadMin }) => leadMin)).toEqual([15, 60, 120]);
});
