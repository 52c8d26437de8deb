import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as pinoModule from 'pino';
import { PUT } from '@/app/api/fleet-source/route';
import { DELETE } from '@/app/api/fleet-source/demo/route';
import { parseEnv } from '@/lib/config/env';
import { readSource } from '@/lib/fleet-source/server/change-source';
import type * as storedSource from '@/lib/fleet-source/server/stored-source';
import { UNKNOWN_CONTEXT, readRuntime, withRequestContext } from '@/server/runtime';
import type { Viewer } from '@/lib/base/viewer';
import { openRuntime, type OpenedRuntime } from '@/server/open-runtime';
import { PASSWORD, signIn } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { dumpDatabase } from '@/testing/dump';
import { startTcpProxy, throughProxy } from '@/testing/tcp-proxy';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';
import { IS_LONG } from '@/testing/long';

const logged = vi.hoisted((): string[] => []);
vi.mock('pino', async (original) => {
  const { pino, ...rest } = await original<typeof pinoModule>();
  const kept = { write: (line: string) => void logged.push(line) };
  return {
    ...rest,
    pino: Object.assign((...args: Parameters<typeof pino>) => pino(...args), pino, {
      destination: () => kept,
    }),
  };
});

/** Runs once, after the stored source was read and before it is used. */
const reading = vi.hoisted(() => ({ afterNext: null as (() => Promise<void>) | null }));
vi.mock('@/lib/fleet-source/server/stored-source', async (original) => {
  const { readStoredSource, ...rest } = await original<typeof storedSource>();
  return {
    ...rest,
    readStoredSource: async (...args: Parameters<typeof readStoredSource>) => {
      const stored = await readStoredSource(...args);
      const { afterNext } = reading;
      reading.afterNext = null;
      await afterNext?.();
      return stored;
    },
  };
});

const SECRETS = { apiKey: 'planted-key-of-the-page-4471', providerToken: 'planted-token-of-the-page-9be2' };
const ANN = { name: 'Ann', email: 'ann@carrier.test', password: PASSWORD };
const CARRIER = { companyName: 'Blue Mesa Hauling', usdot: '2345678', mcNumber: 'mc 556677' };
const OWN = { source: { kind: 'own', carrier: CARRIER }, manager: ANN };
const ALL = { usdots: null } as Viewer;

let database: TestDatabase;
let opened: OpenedRuntime | null;
const cleanups: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  cleanups.push(database.drop);
});
afterEach(async () => {
  await opened?.close();
  opened = null;
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const start = async (variables: Record<string, string> = {}): Promise<void> => {
  await opened?.close();
  const source = {
    DATABASE_URL: database.databaseUrl,
    AUTH_SECRET: 'seals-the-secrets-of-the-provider',
    DEMO_UNITS: '2',
    LINEHAUL_TEST_DEMO_HISTORY_HOURS: '0',
    PORT: '1',
    PRIVATE_ADDRESSES: 'allow',
    ...variables,
  };
  opened = await openRuntime(parseEnv(source), fetch);
  await opened.start();
};

/** Each starts a server, which takes seconds of the processor. */
const itLong = it.runIf(IS_LONG);

type Handler = typeof PUT | typeof DELETE;

/** Calls a route as a browser on this machine does. */
const call = (handler: Handler, method: string, body: unknown, cookie = ''): Promise<Response> => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
  const request = new Request('http://127.0.0.1:3000/', { method, headers, body: JSON.stringify(body) });
  return withRequestContext({ ...UNKNOWN_CONTEXT, isLocal: true, address: '127.0.0.1' }, () =>
    handler(request, { params: Promise.resolve({}) }),
  );
};

const change = async (body: unknown, cookie?: string) => {
  const response = await call(PUT, 'PUT', body, cookie);
  const text = await response.text();
  return { status: response.status, answer: text === '' ? null : (JSON.parse(text) as never), text };
};

const listStoredUsdots = async () =>
  (
    await database.query(
      "select value->'carrier'->>'usdot' as usdot from linehaul.settings where name = 'fleet-source'",
    )
  ).map(({ usdot }) => usdot);
const listCarriers = () => database.query('select usdot, company_name, mc_number from tracking.carriers');

it('leaves the demo for own trucks, with the first manager, and stays so after a restart', async () => {
  await start();
  expect(readRuntime().auth.mode).toBe('demo');
  expect(await change(OWN)).toMatchObject({ status: 204 });

  for (const when of ['at once', 'after a restart']) {
    const { auth, env, listPolled, readAccount } = readRuntime();
    expect(auth.mode, when).toBe('required');
    expect(env, when).toMatchObject({ source: 'own', homeUsdot: '2345678' });
    expect(await readAccount(), when).toMatchObject({ companyName: 'Blue Mesa Hauling', usdot: '2345678' });
    // Recorded without a viewer.
    expect(listPolled(), when).toMatchObject([{ usdot: '2345678', isWatched: false }]);
    await start();
  }
  const cookie = await signIn(readRuntime(), ANN.email);
  expect(await (await call(DELETE, 'DELETE', {}, cookie)).json()).toEqual({ isRemoved: true });
  expect(await listCarriers()).toEqual([
    { usdot: '2345678', company_name: 'Blue Mesa Hauling', mc_number: 'MC-556677' },
  ]);
  const [fixes] = await database.query('select count(*)::int as count from tracking.fixes');
  expect(fixes).toEqual({ count: 0 });
  expect(await (await call(DELETE, 'DELETE', {}, cookie)).json()).toEqual({ isRemoved: false });
  await start();
  expect(await listCarriers()).toHaveLength(1);
});

it('requires a manager to leave the demo, and a session to change the source afterwards', async () => {
  await start();
  expect(await change({ ...OWN, manager: null })).toMatchObject({ status: 400 });
  expect((await call(DELETE, 'DELETE', {})).status).toBe(409);
  expect(await change(OWN)).toMatchObject({ status: 204 });
  expect(await change(OWN)).toMatchObject({ status: 401 });
  const cookie = await signIn(readRuntime(), ANN.email);
  expect(await change({ ...OWN, manager: { ...ANN, email: 'b@carrier.test' } }, cookie)).toMatchObject({
    status: 400,
  });
  const renamed = { ...CARRIER, companyName: 'Red Mesa Hauling', mcNumber: '' };
  expect(await change({ source: { kind: 'own', carrier: renamed }, manager: null }, cookie)).toMatchObject({
    status: 204,
  });
  expect(await readRuntime().readAccount()).toMatchObject({ companyName: 'Red Mesa Hauling' });
  expect(await change({ source: { kind: 'demo' }, manager: null }, cookie)).toMatchObject({ status: 204 });
  expect(readRuntime().env.source).toBe('demo');
  // Users stay, so that this demo needs a sign-in too, and its manager leaves it without another one.
  expect(await change(OWN)).toMatchObject({ status: 401 });
  expect(await change({ ...OWN, manager: null }, cookie)).toMatchObject({ status: 204 });
});

const toOwn = (usdot: string) => ({
  source: { kind: 'own', carrier: { ...CARRIER, usdot } },
  manager: null,
});

itLong('shows the source that was stored last when two managers change it at once', async () => {
  await start();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  const cookie = await signIn(readRuntime(), ANN.email);
  let second: ReturnType<typeof change> | undefined;
  reading.afterNext = async () => {
    second = change(toOwn('4567890'), cookie);
    await expect.poll(listStoredUsdots).toEqual(['4567890']);
    await Promise.race([second, setTimeout(1500)]);
  };
  expect(await change(toOwn('3456789'), cookie)).toMatchObject({ status: 204 });
  expect(await second).toMatchObject({ status: 204 });
  expect(readRuntime().env.homeUsdot).toBe('4567890');
});

itLong('keeps its uptime when the source changes, and changes none once it is closing', async () => {
  await start();
  await setTimeout(50);
  const uptimeMs = readRuntime().readUptimeMs();
  const { sources } = readRuntime();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  expect(readRuntime().readUptimeMs()).toBeGreaterThanOrEqual(uptimeMs);
  const last = readRuntime();
  await opened?.close();
  opened = null;
  await expect(sources.reload()).rejects.toMatchObject({ code: 'database-unavailable' });
  expect(readRuntime()).toBe(last);
});

itLong('composes nothing again while the stored source is the same', async () => {
  await start();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  const before = readRuntime();
  await before.sources.reload();
  expect(readRuntime()).toBe(before);
});

it('removes what was recorded of the demo with it', async () => {
  await start();
  const readRecorded = () => database.query("select from linehaul.coverage where usdot = '9000001'");
  expect(await change(OWN)).toMatchObject({ status: 204 });
  await database.query("insert into linehaul.coverage values ('9000001', 1, 2, 'answered', null)");
  const cookie = await signIn(readRuntime(), ANN.email);
  expect((await call(DELETE, 'DELETE', undefined, cookie)).status).toBe(200);
  expect(await readRecorded()).toEqual([]);
});

it('ends the wall screens that show the demo alone, and others show it no more', async () => {
  await start();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  const cookie = await signIn(readRuntime(), ANN.email);
  const { screens, auth } = readRuntime();
  const toClient = (line: string) =>
    ({ address: '127.0.0.1', headers: new Headers({ cookie: line }) }) as never;
  const { viewer } = (await auth.authenticate(toClient(cookie)))!;
  const openScreen = async (usdots: string[]) => {
    const about = { name: usdots.join(' '), usdots };
    const { token } = await screens.create(about, { viewer, client: toClient('') });
    const [line] = (await screens.open(token, toClient(''))).split(';');
    return async () => (await screens.read(toClient(line!)))?.viewer.usdots;
  };
  const ofDemo = await openScreen(['9000001']);
  const ofBoth = await openScreen(['9000001', '2345678']);
  expect(await ofDemo()).toEqual(['9000001']);
  expect((await call(DELETE, 'DELETE', undefined, cookie)).status).toBe(200);
  expect(await ofDemo()).toBeUndefined();
  expect(await ofBoth()).toEqual(['2345678']);
});

itLong('records a removal of the demo only if it takes place', async () => {
  await start();
  expect((await call(DELETE, 'DELETE', {})).status).toBe(409);
  expect(await database.query("select action from linehaul.audit_log where action = 'demo.remove'")).toEqual(
    [],
  );
});

it('refuses a change to managers of some fleets, and to dispatchers', async () => {
  await start();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  for (const [who, code] of [
    [{ role: 'manager', usdots: '{2345678}' }, 'whole-server'],
    [{ role: 'dispatcher', usdots: null }, 'managers-only'],
  ] as const) {
    await database.query('update linehaul.users set role = $1, usdots = $2', [who.role, who.usdots]);
    const cookie = await signIn(readRuntime(), ANN.email);
    expect(await change(toOwn('3456789'), cookie)).toMatchObject({ status: 403, answer: { code } });
    const removed = await call(DELETE, 'DELETE', {}, cookie);
    expect(await removed.json()).toMatchObject({ code });
  }
  expect(await listStoredUsdots()).toEqual(['2345678']);
});

it('shows a manager of some fleets neither the carrier, nor the provider, nor who chose it', async () => {
  const provider = await startFleetProvider();
  await start();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  const limited = { usdots: ['7654321'] } as unknown as Viewer;
  const own = { kind: 'own', text: 'Own trucks', fixedBecause: 'scope', changed: { by: 'another manager' } };
  expect(await readSource(readRuntime(), limited)).toMatchObject({ ...own, carrier: null });
  const cookie = await signIn(readRuntime(), ANN.email);
  expect(await change({ ...connectTo(provider.baseUrl), manager: null }, cookie)).toMatchObject({
    status: 200,
  });
  expect(await readSource(readRuntime(), limited)).toMatchObject({ text: 'A provider', provider: null });
});

it('refuses what no carrier has, by its field', async () => {
  await start();
  const faulty = { companyName: ' ', usdot: '9000001', mcNumber: 'XY' };
  const { status, text } = await change({ source: { kind: 'own', carrier: faulty }, manager: ANN });
  expect(status).toBe(400);
  for (const field of ['companyName', 'usdot', 'mcNumber']) expect(text).toContain(`source.carrier.${field}`);
});

itLong('leaves the choice to the environment where that names the source', async () => {
  await start({ FLEET_SOURCE: 'demo' });
  expect(await change(OWN)).toMatchObject({ status: 409, answer: { code: 'fixed-setting' } });
  expect(await readSource(readRuntime(), ALL)).toMatchObject({ kind: 'demo', fixedBecause: 'environment' });
  await start({ FLEET_SOURCE: 'own', CARRIER_NAME: 'Env Freight', CARRIER_USDOT: '3456789' });
  expect(await readRuntime().readAccount()).toMatchObject({ companyName: 'Env Freight', usdot: '3456789' });
  expect(readRuntime().auth.mode).toBe('required');
});

itLong('reads the choice once the database is back, and shows no demo before', async () => {
  await start();
  expect(await change(OWN)).toMatchObject({ status: 204 });
  const proxy = await startTcpProxy(Number(new URL(database.databaseUrl).port), { isCut: true });
  cleanups.push(proxy.close);
  await start({ DATABASE_URL: throughProxy(database.databaseUrl, proxy) });
  expect(readRuntime().env.source).toBeNull();
  expect(readRuntime().auth.mode).toBe('required');
  await proxy.restore();
  await expect
    .poll(
      () =>
        readRuntime()
          .readAccount()
          .then(
            ({ usdot }) => usdot,
            () => null,
          ),
      { timeout: 15_000, interval: 500 },
    )
    .toBe('2345678');
  expect(readRuntime().env.source).toBe('own');
});

const ACCOUNT = { companyName: 'Prairie Star', companyId: 'ps', usdot: '7654321' };

const startFleetProvider = async (): Promise<TestProvider> => {
  const provider = await startProvider(({ url, headers }, response) => {
    const isRight =
      headers['x-api-key'] === SECRETS.apiKey && headers['provider-token'] === SECRETS.providerToken;
    const answer = url === '/api/carrier' ? ACCOUNT : { units: [] };
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (url?.startsWith('/html')) send(200, 'text/html', '<!doctype html><title>Welcome</title>');
    else if (url?.startsWith('/slow')) return;
    else if (isRight) send(200, 'application/json', JSON.stringify(answer));
    else send(401, 'application/json', JSON.stringify({ error: 'bad key', headers }));
  });
  cleanups.push(provider.close);
  return provider;
};

const connectTo = (baseUrl: string, more: object = {}) => ({
  source: { kind: 'provider', provider: { baseUrl, ...SECRETS, usdot: '', ...more } },
  manager: ANN,
});

it('connects a provider that answers, and names what is wrong with one that does not', async () => {
  const provider = await startFleetProvider();
  await start({ TRACKING_TIMEOUT_MS: '500' });
  const refused: [object, string, RegExp][] = [
    [connectTo('nonsense'), 'baseUrl', /must be an http or https URL/],
    [connectTo('http://127.0.0.1:9'), 'baseUrl', /does not answer as a tracking API/],
    [connectTo(`${provider.baseUrl}/any/path?`), 'baseUrl', /must not hold a query or a fragment/],
    [connectTo(`${provider.baseUrl}/any/path#`), 'baseUrl', /must not hold a query or a fragment/],
    [connectTo(provider.baseUrl, { apiKey: 'wrong' }), 'apiKey', /refuses this API key or provider token/],
    [connectTo(`${provider.baseUrl}/html`), 'baseUrl', /does not answer as a tracking API/],
    [connectTo(`${provider.baseUrl}/slow`), 'baseUrl', /does not answer as a tracking API/],
  ];
  for (const [input, field, message] of refused) {
    const { status, text } = await change(input);
    expect(status, text).toBe(status === 400 ? 400 : 422);
    expect(text).toContain(`source.provider.${field}`);
    expect(text).toMatch(message);
    expect(text).not.toMatch(/planted/);
    expect(readRuntime().env.source).toBe('demo');
  }
  readRuntime().log.error('nothing is wrong');
  expect(logged.at(-1)).toContain('nothing is wrong');
  expect(await change(connectTo(`${provider.baseUrl}/`))).toMatchObject({
    status: 200,
    answer: { companyName: 'Prairie Star', usdot: '7654321', units: 0 },
  });
  await start();
  expect(await readRuntime().readAccount()).toMatchObject({ companyName: 'Prairie Star' });

  const dump = JSON.stringify(await dumpDatabase(database.databaseUrl));
  const shown = JSON.stringify(await readSource(readRuntime(), ALL));
  expect(dump).toContain(provider.baseUrl);
  expect(shown).toContain(provider.baseUrl);
  for (const place of [dump, shown, logged.join('')])
    for (const secret of Object.values(SECRETS)) {
      expect(place).not.toContain(secret);
      expect(place).not.toContain(Buffer.from(secret).toString('base64url').slice(0, -2));
    }
});

it('sends nothing to an address of a private network, and says no more of it than of any other failure', async () => {
  const provider = await startFleetProvider();
  await start({ PRIVATE_ADDRESSES: '' });
  const messageOf = async (baseUrl: string) =>
    (await change(connectTo(baseUrl))).text
      .replaceAll(new URL(baseUrl).host, 'HOST')
      .replace(/"requestId":"[^"]*"/, '');
  const closed = await messageOf('http://127.0.0.1:9');
  expect(closed).toContain('PRIVATE_ADDRESSES=allow');
  for (const baseUrl of [provider.baseUrl, `${provider.baseUrl}/html`, 'http://nothing.invalid'])
    expect(await messageOf(baseUrl)).toBe(closed);
  expect(provider.requests).toEqual([]);
});

it('checks the right to change the source before it requests an address, and an address only so often', async () => {
  const provider = await startFleetProvider();
  await start();
  await change(OWN);
  const cookie = await signIn(readRuntime(), ANN.email);
  await database.query(`update linehaul.users set usdots = '{2345678}'`);
  const input = { ...connectTo(provider.baseUrl), manager: null };
  expect((await change(input, cookie)).text).toContain('whole-server');
  expect(provider.requests).toEqual([]);
  await database.query('update linehaul.users set usdots = null');
  const again = await signIn(readRuntime(), ANN.email);
  const statuses = new Set<number>();
  for (let i = 0; i < 11; i++)
    statuses.add((await change({ ...connectTo(`${provider.baseUrl}/html`), manager: null }, again)).status);
  expect([...statuses]).toEqual([422, 429]);
});

it('reports a key that another AUTH_SECRET sealed, and deletes it with the provider', async () => {
  const provider = await startFleetProvider();
  await start();
  expect(await change(connectTo(provider.baseUrl))).toMatchObject({ status: 200 });
  await start({ AUTH_SECRET: 'another-secret-than-the-sealing-one' });
  expect(await readSource(readRuntime(), ALL)).toMatchObject({ kind: 'provider', isKeyLost: true });
  await expect(readRuntime().readAccount()).rejects.toMatchObject({ kind: 'unauthorized' });

  const cookie = await signIn(readRuntime(), ANN.email);
  expect(await change({ ...connectTo(provider.baseUrl), manager: null }, cookie)).toMatchObject({
    status: 200,
  });
  expect(await readSource(readRuntime(), ALL)).toMatchObject({ isKeyLost: false });
  expect(await change({ source: { kind: 'demo' }, manager: null }, cookie)).toMatchObject({ status: 204 });
  expect(await database.query("select name from linehaul.settings where name = 'fleet-source'")).toEqual([]);
});
