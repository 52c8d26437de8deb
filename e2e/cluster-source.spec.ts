/** A manager connects another provider on the page of one of three servers. */
import { expect, test } from '@playwright/test';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { SESSION_SECRET } from './support/application';
import { startCountingProvider, type CountingProvider } from './support/counting-provider';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';

/** Both providers have these, each with the same truck at another place. */
const FLEETS = ['1000001', '1000002', '1000003', '1000004'];
const VIN = '1M8GDM9AXKP042788';
const [BEFORE, AFTER] = [-101, -101.02] as const;
const CHANGES_WITHIN_MS = 10_000;
const POLLS = 8;

let redis: RedisServer;
let providers: CountingProvider[] = [];
let servers: Server[] = [];

const { managerCookie: cookie } = process.env.E2E_POSTGRES ? readSharedPostgres() : { managerCookie: '' };

const connect = async ({ url }: Server, { baseUrl }: CountingProvider): Promise<void> => {
  const secrets = { apiKey: 'planted-key', providerToken: 'planted-token' };
  const source = { kind: 'provider', provider: { baseUrl, ...secrets, usdot: FLEETS[0] } };
  const response = await sendAsPage(url, '/api/fleet-source', { source, manager: null }, cookie, 'PUT');
  expect(response.status, await response.text()).toBe(200);
};

test.beforeAll(async ({}, testInfo) => {
  const [port] = (await findFreePorts(1)) as [number];
  redis = await startRedis(port);
  providers = await Promise.all([BEFORE, AFTER].map((lng) => startCountingProvider(VIN, { lng })));
  const variables = {
    DATABASE_URL: await createDatabase(TEMPLATE),
    REDIS_URL: redis.url,
    AUTH_SECRET: SESSION_SECRET,
    // A manager signs in, so that this is no demo of this machine.
    ACCOUNTS: 'required',
    PRIVATE_ADDRESSES: 'allow',
    DEMO_UNITS: '2',
    MAP_TILES_URL: 'none',
    POLL_INTERVAL_MS: '1000',
    RECORD_INTERVAL_MS: '5000',
    HISTORY_DIR: testInfo.outputPath('history'),
  };
  const start = (index: number) => startServer(variables, testInfo.outputPath(`server-${index}.log`));
  servers = [await start(0)];
  await connect(servers[0]!, providers[0]!);
  servers.push(...(await Promise.all([start(1), start(2)])));
});

test.afterAll(async () => {
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  for (const provider of providers) await provider.close();
  await redis?.stop();
});

/** The longitude of the truck of a fleet on one server, in degrees times 100,000; NaN before the first answer. */
const readLngE5 = async ({ url }: Server, usdot: string): Promise<number> => {
  const response = await fetch(`${url}/api/fleets/${usdot}/live`, { headers: { cookie } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.status, `${url} ${usdot}`).toBe(200);
  const { rows, columns } = applyLiveAnswer(null, fromLiveBytes(bytes));
  expect(rows).toBeLessThanOrEqual(1);
  return columns.lngE5[0] ?? NaN;
};

const pairs = () => servers.flatMap((server) => FLEETS.map((usdot) => ({ server, usdot })));
/** What each server shows of each fleet. */
const readAll = () => Promise.all(pairs().map(({ server, usdot }) => readLngE5(server, usdot)));
const all = (lng: number) => pairs().map(() => Math.round(lng * 1e5));

test('three servers change to the fleets of another provider within 10 s', async () => {
  test.setTimeout(120_000);
  const [before, after] = providers as [CountingProvider, CountingProvider];
  await expect.poll(readAll, { timeout: 30_000 }).toEqual(all(BEFORE));
  await connect(servers[1]!, after);
  await expect.poll(readAll, { timeout: CHANGES_WITHIN_MS, intervals: [100] }).toEqual(all(AFTER));

  const requestsBefore = before.requests.length;
  const counts = new Map(after.counts);
  const polls = (usdot: string) => after.counts.get(usdot)! - counts.get(usdot)!;
  while (polls(FLEETS[0]!) < POLLS) expect(await readAll()).toEqual(all(AFTER));
  const first = polls(FLEETS[0]!);
  for (const usdot of FLEETS) expect(Math.abs(polls(usdot) - first), usdot).toBeLessThanOrEqual(1);
  for (const provider of providers) expect(provider.mostInFlight()).toBe(1);
  expect(before.requests).toHaveLength(requestsBefore);
});
