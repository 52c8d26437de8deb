/** Devices report to several servers of one carrier, of which one after another is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import type { IssuedKey } from '@/lib/api-keys/schema';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { openStore } from '@/service/store/store';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { toVehicle } from '@/testing/service/vehicles';
import { SESSION_SECRET } from './support/application';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';

const USDOT = '2345678';
const DEVICES = 8;
const KILLS = 10;
const REPORT_EVERY_MS = 100;
const LIVE_WITHIN_MS = 10_000;

/** A vehicle for each device, and the token of all of them. */
const createDevices = async (databaseUrl: string): Promise<string> => {
  const store = await openStore({ databaseUrl, now: Date.now });
  try {
    await store.vehicles.upsertMany(
      Array.from({ length: DEVICES }, (_, i) => toVehicle(i, { usdot: USDOT })),
    );
    return (await store.ingestTokens.create({ usdot: USDOT, name: 'phones' })).token;
  } finally {
    await store.close();
  }
};

/** Each device reports to another server each time, again until a server takes the report, as a phone does. */
const startDevices = (servers: readonly Server[], token: string) => {
  const acknowledged: { device: string; fixAtMs: number }[] = [];
  let isStopped = false;
  let refused = 0;
  const report = async (device: string, fixAtMs: number, turn: number): Promise<boolean> => {
    const { url } = servers[turn % servers.length]!;
    const query = `id=${device}&lat=35.2&lon=-101.8&timestamp=${fixAtMs}`;
    try {
      const signal = AbortSignal.timeout(5000);
      return (await fetch(`${url}/tracking/ingest/${token}/osmand?${query}`, { signal })).ok;
    } catch {
      // The server is killed.
      return false;
    }
  };
  const run = async (number: number): Promise<void> => {
    const device = `device-${number}`;
    for (let turn = number; !isStopped;) {
      const fixAtMs = Date.now();
      while (!isStopped) {
        if (await report(device, fixAtMs, turn++)) {
          acknowledged.push({ device, fixAtMs });
          break;
        }
        refused++;
      }
      await sleep(REPORT_EVERY_MS);
    }
  };
  const ended = Promise.all(Array.from({ length: DEVICES }, (_, i) => run(i)));
  return {
    acknowledged,
    refused: () => refused,
    stop: () => {
      isStopped = true;
      return ended;
    },
  };
};

/** The time of the newest fix that a server shows, Unix s. */
const readNewestS = async ({ url }: Server): Promise<number> => {
  const { managerCookie: cookie } = readSharedPostgres();
  const response = await fetch(`${url}/api/fleets/${USDOT}/live`, { headers: { cookie } });
  if (response.status !== 200) return 0;
  const { columns } = applyLiveAnswer(null, fromLiveBytes(new Uint8Array(await response.arrayBuffer())));
  return Math.max(0, ...columns.fixAtS);
};

const untilLive = async (servers: readonly Server[]): Promise<void> => {
  const nowS = Math.floor(Date.now() / 1000);
  for (const server of servers)
    await expect
      .poll(() => readNewestS(server), { timeout: LIVE_WITHIN_MS, intervals: [100] })
      .toBeGreaterThan(nowS);
};

/** Creates a key on one server and revokes it there; the other one refuses it within a second. */
const expectKeyRevoked = async (one: Server, other: Server): Promise<void> => {
  const { managerCookie: cookie } = readSharedPostgres();
  const access = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
  const made = await sendAsPage(one.url, '/api/api-keys', { usdot: USDOT, name: 'lost', access }, cookie);
  const { id, apiKey, providerToken } = (await made.json()) as IssuedKey;
  const headers = { 'x-api-key': apiKey, 'provider-token': providerToken };
  const read = async () => (await fetch(`${other.url}/tracking/api/carrier`, { headers })).status;
  expect(await read()).toBe(200);
  expect((await sendAsPage(one.url, `/api/api-keys/${id}`, {}, cookie, 'DELETE')).ok).toBe(true);
  await expect.poll(read, { timeout: 1000, intervals: [50] }).toBe(401);
};

let redis: RedisServer;
let database: pg.Client;
let devices: ReturnType<typeof startDevices> | null = null;
const servers: Server[] = [];

test.afterAll(async () => {
  await devices?.stop();
  await database?.end();
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  await redis?.stop();
});

test('a revoked key is refused everywhere, ten kills in a row lose no acknowledged fix, and the others show the fleet within 10 s', async ({}, testInfo) => {
  test.setTimeout(600_000);
  redis = await startRedis((await findFreePorts(1))[0]!);
  const databaseUrl = await createDatabase(TEMPLATE);
  const variables = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    AUTH_SECRET: SESSION_SECRET,
    ACCOUNTS: 'required',
    MAP_TILES_URL: 'none',
    POLL_INTERVAL_MS: '1000',
    RECORD_INTERVAL_MS: '5000',
    HISTORY_DIR: testInfo.outputPath('history'),
    FLEET_SOURCE: 'own',
    CARRIER_NAME: 'Prairie Freight',
    CARRIER_USDOT: USDOT,
  };
  const start = (name: string) => startServer(variables, testInfo.outputPath(`server-${name}.log`));
  // The first one migrates the tables.
  for (const name of ['0', '1', '2']) servers.push(await start(name));
  database = new pg.Client(databaseUrl);
  await database.connect();
  devices = startDevices(servers, await createDevices(databaseUrl));
  await untilLive(servers);
  await expectKeyRevoked(servers[0]!, servers[1]!);
  for (let kill = 0; kill < KILLS; kill++) {
    const index = kill % servers.length;
    servers[index]!.program.kill('SIGKILL');
    await untilLive(servers.filter((_, i) => i !== index));
    servers[index] = await start(`${index}-after-${kill}`);
  }
  await untilLive(servers);
  await devices.stop();
  const { acknowledged } = devices;
  expect(devices.refused()).toBeGreaterThan(0);
  expect(acknowledged.length).toBeGreaterThan(KILLS * DEVICES);

  const { rows: stored } = await database.query<{ device: string; at: number }>(
    `SELECT device_id AS device, fix_at_ms::float8 AS at
     FROM tracking.fixes JOIN tracking.vehicles ON id = vehicle_id`,
  );
  const known = new Set(stored.map(({ device, at }) => `${device} ${at}`));
  expect(acknowledged.filter(({ device, fixAtMs }) => !known.has(`${device} ${fixAtMs}`))).toEqual([]);

  const { rows: positions } = await database.query<{ device: string; at: number }>(
    `SELECT device_id AS device, fix_at_ms::float8 AS at
     FROM tracking.positions JOIN tracking.vehicles ON id = vehicle_id`,
  );
  for (const { device, at } of positions)
    expect(at, device).toBe(Math.max(...stored.filter((fix) => fix.device === device).map((fix) => fix.at)));
  const { rows: twice } = await database.query(
    'SELECT unit, fix_ms FROM linehaul.fixes GROUP BY unit, fix_ms HAVING count(*) > 1',
  );
  expect(twice).toEqual([]);
});
