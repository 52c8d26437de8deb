import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, signIn, usersOf } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';
import { parseEnv } from '@/lib/config/env';
import { readRuntime } from '@/server/runtime';
import { openRuntime } from '@/server/open-runtime';
import { LIVE_TYPE, fromLiveBytes } from '@/lib/wire/live-bytes';
import { fleetListSchema } from '@/lib/fleets/schema';
import { problemSchema } from '@/lib/base/http/protocol';
import { rosterSchema } from '@/lib/roster/roster';
import { unitAnswerSchema, unitDetailSchema, vinCarrierSchema } from '@/lib/wire/unit';
import { carrierAccountSchema } from '@/lib/wire/fleet';
import { serverStatusSchema } from '@/lib/status/schema';
import { GET as readNothing } from './[...path]/route';
import { GET as readAccount } from './carrier/route';
import { GET as readVinCarrier } from './fleets/[usdot]/carrier/[vin]/route';
import { GET as readFleets } from './fleets/route';
import { GET as readDetail } from './fleets/[usdot]/live/[key]/route';
import { GET as readLive } from './fleets/[usdot]/live/route';
import { GET as readRoster } from './fleets/[usdot]/roster/route';
import { GET as readUnit } from './fleets/[usdot]/units/[vin]/route';
import { GET as readLiveness } from './health/live/route';
import { GET as readReadiness } from './health/ready/route';
import { GET as readHealth } from './health/route';
import { GET as readStatus } from './status/route';
import { GET as readMetrics } from '../metrics/route';
import { answerTracking as serveTracking } from '@/server/application';

type Params = Record<string, string>;
type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

const VIN = '1M8GDM9AXKP042788';
const SECRETS = {
  TRACKING_API_KEY: 'planted-api-key-31c7',
  TRACKING_PROVIDER_TOKEN: 'planted-provider-token-88d0',
  METRICS_TOKEN: 'planted-metrics-token-5f21',
  AUTH_SECRET: 'planted-auth-secret-of-32-characters-9e04',
};
const UNIT = {
  vin: VIN,
  deviceId: 'PT/1',
  coordinates: { lat: 35, lng: -101 },
  timestamp: new Date().toISOString(),
};
const SOUND: Record<string, unknown> = {
  '/api/carrier': { companyName: 'Prairie Star', companyId: 'ps', usdot: '9000001' },
  '/api/vin-numbers/9000001': [VIN],
  '/api/units/9000001': { units: [UNIT, { ...UNIT, vin: null }] },
  [`/api/units/9000001/${VIN}`]: UNIT,
  [`/api/carrier/${VIN}`]: { mcNumber: 'MC-990001', usDotNumber: '9000001' },
};

let provider: TestProvider;
let database: TestDatabase;
/** Cookie of a manager's session. */
let cookie: string;

beforeAll(async () => {
  provider = await startProvider((request, response) => {
    const sound = SOUND[request.url ?? ''];
    // A provider that repeats the credentials in every refusal.
    const echo = JSON.stringify({ headers: request.headers });
    response.writeHead(sound === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(sound === undefined ? echo : JSON.stringify(sound));
  });
  database = await createTestDatabase();
  const variables = { ...SECRETS, DATABASE_URL: database.databaseUrl, TRACKING_BASE_URL: provider.baseUrl };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  await openRuntime(parseEnv(process.env), fetch);
  const app = readRuntime();
  const email = 'manager@carrier.test';
  await usersOf(app).create({ name: 'M', email, role: 'manager', usdots: null, password: PASSWORD });
  cookie = await signIn(app, email);
});
afterAll(async () => {
  await readRuntime().close();
  await database.drop();
  await provider.close();
  vi.unstubAllEnvs();
});

const ask = async (handler: Handler, path: string, params: Params = {}, init: RequestInit = {}) => {
  const request = new Request(`http://127.0.0.1:3000${path}`, init);
  if (!request.headers.has('cookie')) request.headers.set('cookie', cookie);
  const response = await handler(request, { params: Promise.resolve(params as never) });
  const body = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(body);
  for (const secret of Object.values(SECRETS)) {
    expect(text).not.toContain(secret);
    expect(JSON.stringify([...response.headers])).not.toContain(secret);
  }
  const isJson = /json$/.test(response.headers.get('content-type') ?? '');
  return { response, body, json: (isJson ? JSON.parse(text) : null) as unknown };
};

const askForProblem = async (handler: Handler, path: string, params: Params = {}, init: RequestInit = {}) => {
  const { response, json } = await ask(handler, path, params, init);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = problemSchema.parse(json);
  expect(problem.status).toBe(response.status);
  return problem;
};

describe('the routes of the web application', () => {
  it('GET /api/fleets/:usdot/live answers the fleet, then 304 while nothing has changed', async () => {
    const { response, body } = await ask(readLive, '/api/fleets/9000001/live', { usdot: '9000001' });
    expect(response.headers.get('content-type')).toBe(LIVE_TYPE);
    const answer = fromLiveBytes(body);
    expect(answer).toMatchObject({
      usdot: '9000001',
      since: null,
      rows: 2,
      account: { companyName: 'Prairie Star' },
    });
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const path = `/api/fleets/9000001/live?since=${answer.version}`;
    expect((await ask(readLive, path, { usdot: '9000001' })).response.status).toBe(304);
  });

  it('GET /api/fleets/:usdot/live accepts leading zeros in the number', async () => {
    const { body } = await ask(readLive, '/api/fleets/0009000001/live', { usdot: '0009000001' });
    expect(fromLiveBytes(body).usdot).toBe('9000001');
  });

  it('GET /api/fleets/:usdot/live/:key answers the detail of a unit, whatever its key', async () => {
    for (const key of [VIN, 'device:PT/1']) {
      const { json } = await ask(readDetail, `/api/fleets/9000001/live/${encodeURIComponent(key)}`, {
        usdot: '9000001',
        key,
      });
      expect(unitDetailSchema.parse(json).identity.key).toBe(key);
    }
    const problem = await askForProblem(readDetail, '/', { usdot: '9000001', key: 'device:none' });
    expect(problem.code).toBe('unknown-unit');
  });

  it('GET /api/fleets/:usdot/units/:vin requests the unit from the provider', async () => {
    const { json } = await ask(readUnit, '/', { usdot: '9000001', vin: VIN.toLowerCase() });
    expect(unitAnswerSchema.parse(json)).toMatchObject({ outcome: 'unit', unit: { identity: { vin: VIN } } });
  });

  it('GET /api/fleets/:usdot/roster lists the VINs', async () => {
    const { json } = await ask(readRoster, '/', { usdot: '9000001' });
    expect(rosterSchema.parse(json).vins).toEqual([VIN]);
  });

  it('GET /api/carrier and GET /api/fleets/:usdot/carrier/:vin name carriers', async () => {
    expect(carrierAccountSchema.parse((await ask(readAccount, '/')).json).usdot).toBe('9000001');
    const { json } = await ask(readVinCarrier, '/', { usdot: '9000001', vin: VIN });
    expect(vinCarrierSchema.parse(json).mcNumber).toBe('MC-990001');
  });

  it('GET /api/fleets lists the fleet of the only account, once it is known', async () => {
    const list = async () => fleetListSchema.parse((await ask(readFleets, '/api/fleets')).json).fleets;
    await expect.poll(list).toEqual([
      {
        usdot: '9000001',
        account: expect.objectContaining({ companyName: 'Prairie Star' }),
        problem: null,
      },
    ]);
  });

  it('GET /api/health answers 200, even while a fleet fails', async () => {
    await ask(readLive, '/api/fleets/9000009/live', { usdot: '9000009' });
    const { response, json } = await ask(readHealth, '/api/health');
    expect(response.status).toBe(200);
    expect(json).toMatchObject({ status: 'degraded', source: 'provider' });
  });

  it('GET /api/health/live answers 200, GET /api/health/ready once the server has started', async () => {
    expect((await ask(readLiveness, '/api/health/live')).response.status).toBe(200);
    const before = await ask(readReadiness, '/api/health/ready');
    expect(before.response.status).toBe(503);
    expect(before.json).toMatchObject({ ready: false, notReady: ['starting'] });
    await readRuntime().start();
    const after = await ask(readReadiness, '/api/health/ready');
    expect(after.response.status).toBe(200);
    expect(after.json).toEqual({ ready: true, notReady: [], accountsDatabase: 'ok' });
    // A supervisor must not restart this process because the provider fails.
    await ask(readLive, '/api/fleets/9000009/live', { usdot: '9000009' });
    expect((await ask(readReadiness, '/api/health/ready')).response.status).toBe(200);
  });

  it('GET /api/status reports each feed and its last problems, in plain text and for an engineer', async () => {
    await ask(readLive, '/api/fleets/9000001/live', { usdot: '9000001' });
    await ask(readLive, '/api/fleets/9000009/live', { usdot: '9000009' });
    const read = async () => serverStatusSchema.parse((await ask(readStatus, '/api/status')).json);
    await expect
      .poll(async () => (await read()).feeds.map(({ problems }) => problems.length))
      .toEqual([0, 1]);
    const { feeds, versions } = await read();
    expect(feeds[1]!.problems[0]).toMatchObject({ kind: 'status', untilMs: null });
    expect(feeds[1]!.problems[0]!.detail).toContain('TrackingError [status]');
    expect(versions.node).toBe(process.versions.node);
  });

  it('GET /metrics answers only the bearer of the token', async () => {
    const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const { response, body } = await ask(readMetrics, '/metrics', {}, bearing(SECRETS.METRICS_TOKEN));
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(new TextDecoder().decode(body)).toContain('linehaul_polls_total{usdot="9000001",outcome="ok"}');
    for (const init of [{}, bearing('planted-metrics-token-5f22')]) {
      const problem = await askForProblem(readMetrics, '/metrics', {}, init);
      expect(problem).toMatchObject({ status: 401, code: 'metrics-token' });
    }
    const refused = await ask(readMetrics, '/metrics');
    expect(refused.response.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
  });

  it('answers a fleet that a viewer may no longer see as one that does not exist', async () => {
    const app = readRuntime();
    const email = 'dispatcher@carrier.test';
    const user = { name: 'D', email, role: 'dispatcher', usdots: ['9000001'], password: PASSWORD } as const;
    const { id } = await usersOf(app).create({ ...user, usdots: [...user.usdots] });
    const own = { headers: { cookie: await signIn(app, email) } };
    const live = (path = '') => ask(readLive, `/api/fleets/9000001/live${path}`, { usdot: '9000001' }, own);
    const { version } = fromLiveBytes((await live()).body);
    expect((await live(`?since=${version}`)).response.status).toBe(304);
    const other = await ask(readLive, '/api/fleets/9000002/live', { usdot: '9000002' }, own);
    expect(other.json).toMatchObject({ status: 404, code: 'unknown-fleet' });
    // Leading zeros name the same fleet, which stays out of scope.
    const zeros = await ask(readLive, '/api/fleets/0009000002/live', { usdot: '0009000002' }, own);
    expect(zeros.json).toEqual(other.json);
    await usersOf(app).change(id, { usdots: ['9000002'] });
    expect((await live(`?since=${version}`)).json).toEqual(other.json);
    await usersOf(app).change(id, { usdots: null });
    // A poll may have changed it meanwhile.
    expect([200, 304]).toContain((await live(`?since=${version}`)).response.status);
    expect((await ask(readStatus, '/api/status', {}, own)).json).toMatchObject({ code: 'managers-only' });
    await usersOf(app).change(id, { disabledAtMs: Date.now() });
    expect((await live(`?since=${version}`)).json).toMatchObject({ status: 401, code: 'sign-in-needed' });
  });

  it('refuses malformed numbers and VINs before a request to the provider', async () => {
    const asked = provider.requests.length;
    for (const handler of [readLive, readRoster] as Handler[]) {
      expect(await askForProblem(handler, '/', { usdot: 'abc' })).toMatchObject({
        status: 400,
        code: 'malformed-usdot',
      });
    }
    expect(await askForProblem(readUnit, '/', { usdot: '9000001', vin: 'x' })).toMatchObject({
      code: 'malformed-vin',
    });
    expect(await askForProblem(readVinCarrier, '/', { usdot: '9000001', vin: '..' })).toMatchObject({
      status: 400,
      code: 'malformed-vin',
    });
    expect(await askForProblem(readDetail, '/', { usdot: '0', key: 'x' })).toMatchObject({
      code: 'malformed-usdot',
    });
    const path = '/api/fleets/9000001/live?since=%22';
    expect(await askForProblem(readLive, path, { usdot: '9000001' })).toMatchObject({
      code: 'malformed-version',
    });
    expect(provider.requests).toHaveLength(asked);
  });

  it("reports a failure of the provider without the provider's text", async () => {
    const failing = { usdot: '9000009', vin: VIN };
    expect(await askForProblem(readUnit, '/', failing)).toMatchObject({
      status: 502,
      code: 'provider-status',
    });
    expect(await askForProblem(readRoster, '/', failing)).toMatchObject({
      status: 502,
      code: 'provider-status',
    });
  });

  it('answers a problem document for unknown addresses and for a service that is not mounted', async () => {
    expect(await askForProblem(readNothing, '/api/nothing')).toMatchObject({
      status: 404,
      code: 'unknown-address',
    });
    expect(await askForProblem(serveTracking, '/tracking/docs')).toMatchObject({
      status: 404,
      code: 'not-embedded',
    });
  });
});
