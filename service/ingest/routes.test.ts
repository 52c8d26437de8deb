import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW_MS, createTestStore } from '../../testing/service/store';
import { silentLog, type ServiceLog } from '../log';
import { ServiceProblem, toProblemResponse } from '../problem';
import { createService } from '../service';
import { InvalidRecordError } from '../store/errors';
import { MAX_BODY_BYTES } from './request';
import { ingestRoutes } from './routes';

const USDOT = '9000201';
const VIN = '1XKYD49X4KJ200001';
const test = createTestStore();
let token = '';
const logged: string[] = [];

const log: ServiceLog = {
  ...silentLog,
  info: (fields, message) => logged.push(JSON.stringify({ fields, message })),
};

beforeAll(async () => {
  const { carriers, vehicles, ingestTokens } = test.store;
  await carriers.upsert({ usdot: USDOT, companyName: 'Prairie Freight', companyId: 'P-1' });
  await vehicles.upsertMany([{ usdot: USDOT, vin: VIN, deviceId: 'truck-7' }]);
  token = (await ingestTokens.create({ usdot: USDOT, name: 'phones' })).token;
});

const send = (path: string, init: RequestInit = {}, bearer: string | null = token): Promise<Response> => {
  const app = new Hono().route('/ingest', ingestRoutes({ store: test.store, now: test.now, log }));
  app.onError((error) => {
    if (error instanceof ServiceProblem) return toProblemResponse(error, '', 'request-1');
    throw error;
  });
  const headers = new Headers(init.headers);
  if (bearer !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${bearer}`);
  return Promise.resolve(app.fetch(new Request(`http://service/ingest${path}`, { ...init, headers })));
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const postForm = (path: string, body: string) =>
  send(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
  });

let reports = 0;
/** Each test's fix is newer than those before it, so that it shows as the position. */
const nextTime = () => NOW_MS - 1_000_000 + ++reports * 1000;

const readPosition = async () => {
  const vehicle = await test.store.vehicles.readByVin(VIN);
  return test.store.positions.read(vehicle!.id);
};

const feature = (fixAtMs: number, coordinates: number[], deviceId = 'truck-7') => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: { timestamp: new Date(fixAtMs).toISOString(), speed: 25, course: 90, device_id: deviceId },
});

const traccarReport = (fixAtMs: number, latitude: number, deviceId = 'truck-7') => ({
  device_id: deviceId,
  location: { timestamp: new Date(fixAtMs).toISOString(), coords: { latitude, longitude: -101, speed: 25 } },
});

const owntracksReport = (fixAtMs: number, lat: number, extra = {}) => ({
  _type: 'location',
  lat,
  lon: -101,
  tst: fixAtMs / 1000,
  tid: 'truck-7',
  ...extra,
});

/** The newest position must be what it was before: that is what "nothing stored" means. */
const expectNothingStored = async (act: () => Promise<Response>): Promise<Response> => {
  const before = await readPosition();
  const response = await act();
  expect(await readPosition()).toEqual(before);
  return response;
};

const expectProblem = async (response: Response, status: number, code: string): Promise<string> => {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await response.json()) as { status: number; code: string; detail: string };
  expect(problem).toMatchObject({ status, code });
  return problem.detail;
};

describe('OsmAnd', () => {
  it('GET /ingest/osmand stores a fix and answers with an empty body', async () => {
    const fixAtMs = nextTime();
    const response = await send(`/osmand?id=truck-7&lat=35.1&lon=-101.8&timestamp=${fixAtMs}&speed=54`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.1, lng: -101.8 });
  });

  it('POST /ingest/osmand reads a form body, and parameters from both places', async () => {
    const fixAtMs = nextTime();
    const response = await send(`/osmand?id=truck-7`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `lat=35.2&lon=-101.9&timestamp=${fixAtMs}`,
    });
    expect(response.status).toBe(200);
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.2, lng: -101.9 });
  });

  it('POST /ingest/osmand reads the JSON of Traccar Client 9', async () => {
    const fixAtMs = nextTime();
    const response = await post('/osmand', traccarReport(fixAtMs, 35.3));
    expect(response.status).toBe(200);
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.3 });
  });

  it('GET /ingest/osmand acknowledges valid=0 and stores nothing', async () => {
    const response = await expectNothingStored(() =>
      send(`/osmand?id=truck-7&lat=1&lon=1&valid=0&timestamp=${nextTime()}`),
    );
    expect(response.status).toBe(200);
  });

  it('GET /ingest/osmand acknowledges 0,0 and stores nothing', async () => {
    const response = await expectNothingStored(() =>
      send(`/osmand?id=truck-7&lat=0&lon=0&timestamp=${nextTime()}`),
    );
    expect(response.status).toBe(200);
  });

  it('GET /ingest/osmand refuses an unknown device that has no position', async () => {
    await expectProblem(await send('/osmand?id=unlisted&lat=0&lon=0'), 404, 'unknown_device');
  });

  it('GET /ingest/osmand names the parameter that it cannot read', async () => {
    const response = await expectNothingStored(() => send('/osmand?id=truck-7&lat=abc&lon=0'));
    expect(await expectProblem(response, 400, 'invalid_input')).toBe(
      'lat: expected a latitude from -90 to 90 degrees, got "abc"',
    );
  });

  it('GET /ingest/osmand refuses an unknown device by name', async () => {
    const response = await send('/osmand?id=unlisted&lat=35&lon=-101');
    expect(await expectProblem(response, 404, 'unknown_device')).toContain('"unlisted"');
  });

  it('GET /ingest/osmand keeps an older fix from replacing a newer one', async () => {
    const newestAtMs = nextTime();
    await send(`/osmand?id=truck-7&lat=36&lon=-101&timestamp=${newestAtMs}`);
    const late = await send(`/osmand?id=truck-7&lat=37&lon=-101&timestamp=${newestAtMs - 500_000}`);
    expect(late.status).toBe(200);
    expect(await readPosition()).toMatchObject({ fixAtMs: newestAtMs, lat: 36 });
  });

  it.each(['', '/'])('HEAD /ingest/osmand%s stores nothing', async (slash) => {
    const path = `/osmand${slash}?id=truck-7&lat=35.1&lon=-101.8&timestamp=${nextTime()}`;
    const response = await expectNothingStored(() => send(path, { method: 'HEAD' }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it.each([
    ['0', 'a clock that is set, got "1970-01-01T00:00:00.000Z"'],
    ['100', 'a clock that is set, got "1970-01-01T00:01:40.000Z"'],
    [String((NOW_MS - 1024 * 7 * 86_400_000) / 1000), 'a time less than 1024 weeks ago'],
  ])('GET /ingest/osmand refuses the timestamp %s with the reason', async (timestamp, reason) => {
    const path = `/osmand?id=truck-7&lat=35.1&lon=-101.8&timestamp=${timestamp}`;
    const response = await expectNothingStored(() => send(path));
    expect(await expectProblem(response, 400, 'clock_fault')).toContain(reason);
  });

  it('PUT /ingest/osmand is refused with the methods that work', async () => {
    const response = await send('/osmand', { method: 'PUT' });
    await expectProblem(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('GET, POST');
  });
});

describe('Traccar Client', () => {
  it('POST /ingest/traccar stores a fix and answers with JSON', async () => {
    const fixAtMs = nextTime();
    const response = await post('/traccar', traccarReport(fixAtMs, 35.4));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({});
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.4 });
  });

  it('POST /ingest/traccar stores the form of Traccar Client 10', async () => {
    const fixAtMs = nextTime();
    const response = await postForm('/traccar', `id=truck-7&lat=35.41&lon=-101&timestamp=${fixAtMs / 1000}`);
    expect(await response.json()).toEqual({});
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.41 });
  });

  it.each(['timestamp=1767323045&batt=87&charge=false', 'notificationToken=d%3AAPA91b', 'timestamp=0'])(
    'POST /ingest/traccar acknowledges the form %s and stores nothing',
    async (form) => {
      const response = await expectNothingStored(() => postForm('/traccar', `id=truck-7&${form}`));
      expect(response.status).toBe(200);
    },
  );

  it('POST /ingest/traccar stores a position that a Traccar server forwards', async () => {
    const fixTime = new Date(nextTime()).toISOString().replace('Z', '+00:00');
    const position = { fixTime, valid: true, latitude: 35.42, longitude: -101, attributes: {} };
    const response = await post('/traccar', { position, device: { uniqueId: 'truck-7' } });
    expect(response.status).toBe(200);
    expect(await readPosition()).toMatchObject({ lat: 35.42 });
  });

  it('POST /ingest/traccar refuses what is not JSON', async () => {
    const response = await expectNothingStored(() => post('/traccar', '{"location":'));
    expect(await expectProblem(response, 400, 'invalid_input')).toContain('body: expected JSON');
  });

  it('POST /ingest/traccar refuses an unknown device', async () => {
    await expectProblem(
      await post('/traccar', traccarReport(nextTime(), 35, 'unlisted')),
      404,
      'unknown_device',
    );
  });

  it('GET /ingest/traccar is refused', async () => {
    await expectProblem(await send('/traccar'), 405, 'method_not_allowed');
  });
});

describe('OwnTracks', () => {
  it('POST /ingest/owntracks stores a location and answers with an empty array', async () => {
    const fixAtMs = nextTime();
    const response = await post('/owntracks', owntracksReport(fixAtMs, 35.5));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.5 });
  });

  it('POST /ingest/owntracks reads the device from X-Limit-D, from the address and from Basic', async () => {
    const report = (lat: number) => owntracksReport(nextTime(), lat, { tid: 'xx' });
    const basic = Buffer.from(`truck-7:${token}`).toString('base64');
    const responses = [
      await post('/owntracks', report(35.61), { 'x-limit-d': 'truck-7' }),
      await post('/owntracks?u=anna&d=truck-7', report(35.62)),
      await post('/owntracks', report(35.63), { authorization: `Basic ${basic}` }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readPosition()).toMatchObject({ lat: 35.63 });
  });

  it('POST /ingest/owntracks finds a vehicle by the whole topic', async () => {
    const { vehicles } = test.store;
    const topic = 'owntracks/anna/phone-9';
    await vehicles.upsertMany([{ usdot: USDOT, vin: '1XKYD49X6KJ200002', deviceId: topic }]);
    const response = await post('/owntracks', owntracksReport(nextTime(), 35.64, { topic }));
    expect(response.status).toBe(200);
    const vehicle = await vehicles.readByVin('1XKYD49X6KJ200002');
    expect(await test.store.positions.read(vehicle!.id)).toMatchObject({ lat: 35.64 });
  });

  it.each(['lwt', 'transition', 'waypoint', 'card'])(
    'POST /ingest/owntracks acknowledges a message of type %s and stores nothing',
    async (type) => {
      const response = await expectNothingStored(() =>
        post('/owntracks', { ...owntracksReport(nextTime(), 1), _type: type }),
      );
      expect(await response.json()).toEqual([]);
    },
  );

  it('POST /ingest/owntracks acknowledges an empty body', async () => {
    expect(await (await post('/owntracks', '')).json()).toEqual([]);
  });

  it('POST /ingest/owntracks refuses an encrypted message', async () => {
    const response = await post('/owntracks', { _type: 'encrypted', data: 'x' });
    await expectProblem(response, 400, 'encrypted_payload');
  });

  it('POST /ingest/owntracks refuses an unknown device', async () => {
    const response = await post('/owntracks', owntracksReport(nextTime(), 35, { tid: 'no' }));
    await expectProblem(response, 404, 'unknown_device');
  });
});

describe('Overland', () => {
  it('POST /ingest/overland stores a batch and answers {"result":"ok"}', async () => {
    const first = nextTime();
    const last = nextTime();
    const locations = [feature(last, [-101.2, 35.72]), feature(first, [-101.1, 35.71])];
    const response = await post('/overland', { locations });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ result: 'ok' });
    expect(await readPosition()).toMatchObject({ fixAtMs: last, lat: 35.72, lng: -101.2 });
  });

  it('POST /ingest/overland stores a message of its OwnTracks mode, with the token as that mode sends it', async () => {
    const fixAtMs = nextTime();
    const body = owntracksReport(fixAtMs - Date.UTC(2001, 0, 1), 35.73, { topic: 'owntracks/truck-7' });
    const response = await post('/overland', body, { authorization: `Basic ${token}:` });
    expect(await response.json()).toEqual({ result: 'ok' });
    expect(await readPosition()).toMatchObject({ fixAtMs, lat: 35.73 });
  });

  it('POST /ingest/overland refuses a batch with one bad fix and stores nothing', async () => {
    const locations = [feature(nextTime(), [-101, 35]), feature(nextTime(), [-101, 95])];
    const response = await expectNothingStored(() => post('/overland', { locations }));
    expect(await expectProblem(response, 400, 'invalid_input')).toContain(
      'locations[1].geometry.coordinates[1]',
    );
  });

  it('POST /ingest/overland refuses a batch with one unknown device and stores nothing', async () => {
    const locations = [feature(nextTime(), [-101, 35]), feature(nextTime(), [-101, 35], 'unlisted')];
    const response = await expectNothingStored(() => post('/overland', { locations }));
    expect(await expectProblem(response, 404, 'unknown_device')).toContain('"unlisted"');
  });

  it('POST /ingest/overland refuses a batch of too many locations', async () => {
    const locations = new Array(2001).fill(0);
    await expectProblem(await post('/overland', { locations }), 413, 'batch_too_large');
  });

  it('POST /ingest/overland refuses a body that is too large, also one that comes in pieces', async () => {
    await expectProblem(await post('/overland', 'x'.repeat(MAX_BODY_BYTES + 1)), 413, 'body_too_large');
    // As a web server hands it on: by its announced length, whatever comes of it.
    const announced = { 'content-length': String(MAX_BODY_BYTES + 1) };
    await expectProblem(await post('/overland', '{}', announced), 413, 'body_too_large');
    const piece = new Uint8Array(MAX_BODY_BYTES / 2 + 1);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(piece);
        controller.enqueue(piece);
        controller.close();
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    await expectProblem(await send('/overland', init), 413, 'body_too_large');
  });

  it('POST /ingest/overland refuses a body that breaks off, which is not listed', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('aborted')) });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    await expectProblem(await send('/overland', init), 400, 'incomplete_body');
    const codes = (await test.store.refusals.list(USDOT)).map(({ code }) => code);
    expect(codes).toContain('body_too_large');
    expect(codes).not.toContain('incomplete_body');
  });
});

describe('every protocol', () => {
  it.each([
    ['/osmand/', () => traccarReport(nextTime(), 35.81), 35.81],
    ['/traccar/', () => traccarReport(nextTime(), 35.82), 35.82],
    ['/owntracks/', () => owntracksReport(nextTime(), 35.83), 35.83],
    ['/overland/', () => ({ locations: [feature(nextTime(), [-101, 35.84])] }), 35.84],
  ])('POST /ingest%s stores a report', async (path, toReport, lat) => {
    expect((await post(path, toReport())).status).toBe(200);
    expect(await readPosition()).toMatchObject({ lat });
    expect((await post(`/${token}${path}`, toReport())).status).toBe(200);
  });

  it.each(['/osmand', '/traccar', '/owntracks', '/overland'])(
    'POST /ingest%s refuses a compressed body',
    async (path) => {
      const response = await post(path, gzipSync('{}').toString('latin1'), { 'content-encoding': 'gzip' });
      await expectProblem(response, 415, 'compressed_body');
      expect(response.headers.get('accept-encoding')).toBe('identity');
    },
  );
});

describe('numbers and texts that PostgreSQL cannot hold', () => {
  const traccarWith = (extra: string) =>
    `{"device_id":"truck-7","location":{"timestamp":${nextTime()},"coords":{"latitude":36,"longitude":-101${extra}}}}`;

  it('keeps the position of a report whose measurements are impossible', async () => {
    const responses = [
      await send(`/osmand?id=truck-7&lat=36&lon=-101&timestamp=${nextTime()}&speed=1e39&accuracy=1e39`),
      await send(`/osmand?id=truck-7&lat=36&lon=-101&timestamp=${nextTime()}&bearing=1e-200&altitude=-1e308`),
      await post('/traccar', traccarWith(',"altitude":1e308,"speed":1e999,"heading":-1e-320')),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readPosition()).toMatchObject({ lat: 36, fixAtMs: NOW_MS - 1_000_000 + reports * 1000 });
  });

  it.each([
    ['JSON that is nested 20,000 deep', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['a device id with the character NUL', '{"device_id":"truck\\u00007","location":{}}'],
    ['a device id with half a character', '{"device_id":"truck\\ud83d","location":{}}'],
    [
      'a latitude beyond all numbers',
      '{"device_id":"7","location":{"timestamp":1,"coords":{"latitude":1e999}}}',
    ],
  ])('refuses %s as invalid input', async (_, body) => {
    await expectProblem(await post('/traccar', body), 400, 'invalid_input');
  });

  it('answers 400 for a report that only the database refuses', async () => {
    const record = () =>
      Promise.reject(new InvalidRecordError('fixes', [{ row: 0, field: 'value', message: 'out of range' }]));
    const store = { ...test.store, fixes: { ...test.store.fixes, record } };
    const service = createService({ store, now: test.now });
    const path = `/ingest/${token}/osmand?id=truck-7&lat=36&lon=-101`;
    await expectProblem(await service.fetch(new Request(`http://service${path}`)), 400, 'invalid_input');
  });
});

describe('the ingest token', () => {
  const addresses = ['/osmand', '/traccar', '/owntracks', '/overland'];

  it.each(addresses)('POST /ingest%s refuses a report without a token', async (address) => {
    const response = await send(address, { method: 'POST', body: '{}' }, null);
    await expectProblem(response, 401, 'missing_token');
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
  });

  it.each(addresses)('POST /ingest%s refuses a report with a wrong token', async (address) => {
    const response = await send(address, { method: 'POST', body: '{}' }, 'lh_ingest_wrong');
    const detail = await expectProblem(response, 401, 'wrong_token');
    expect(detail).not.toContain('lh_ingest_wrong');
  });

  it('GET /ingest/osmand takes the token from the address, the query and Basic', async () => {
    const report = () => `id=truck-7&lat=35.8&lon=-101&timestamp=${nextTime()}`;
    const basic = Buffer.from(`:${token}`).toString('base64');
    const responses = [
      await send(`/${token}/osmand?${report()}`, {}, null),
      await send(`/osmand?token=${token}&${report()}`, {}, null),
      await send(`/osmand?${report()}`, { headers: { authorization: `Basic ${basic}` } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('GET /ingest/osmand refuses a revoked token', async () => {
    const { id, token: revoked } = await test.store.ingestTokens.create({ usdot: USDOT, name: 'lost phone' });
    await test.store.ingestTokens.revoke(id);
    await expectProblem(await send('/osmand?id=truck-7&lat=1&lon=1', {}, revoked), 401, 'wrong_token');
  });

  it("GET /ingest/osmand does not reach another carrier's device", async () => {
    await test.store.carriers.upsert({ usdot: '9000202', companyName: 'Other', companyId: 'O-1' });
    const other = await test.store.ingestTokens.create({ usdot: '9000202', name: 'phones' });
    const response = await expectNothingStored(() =>
      send(`/osmand?id=truck-7&lat=1&lon=1&timestamp=${nextTime()}`, {}, other.token),
    );
    await expectProblem(response, 404, 'unknown_device');
  });

  it('writes no token to the log when it refuses', async () => {
    logged.length = 0;
    await send(`/${token}/osmand?id=unlisted&lat=1&lon=1&token=${token}`);
    await send(`/${token}/osmand?id=truck-7&lat=north&lon=1`);
    expect(logged).toHaveLength(2);
    expect(logged.join()).not.toContain(token);
  });
});

describe('the OpenAPI document', () => {
  it('documents every address and method', () => {
    const app = ingestRoutes({ store: test.store, now: test.now, log: silentLog });
    const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Ingest', version: '1' } });
    const doors = Object.entries(document.paths ?? {}).map(
      ([path, item]) => `${path} ${Object.keys(item).sort().join(' ')}`,
    );
    expect(doors.sort()).toEqual([
      '/homeassistant post',
      '/osmand get post',
      '/overland post',
      '/owntracks post',
      '/traccar post',
    ]);
  });

  it('gives every operation an id of its own, and the responses of a failing service', () => {
    const app = ingestRoutes({ store: test.store, now: test.now, log: silentLog });
    const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Ingest', version: '1' } });
    const operations = Object.values(document.paths ?? {}).flatMap(
      (item) => Object.values(item) as { operationId: string; responses: Record<string, unknown> }[],
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(6);
    for (const { responses } of operations)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '405', '500', '503', '507']));
  });
});

describe('Home Assistant', () => {
  it('POST /ingest/homeassistant stores a location of the device that the address names', async () => {
    const message = { type: 'update_location', data: { gps: [35.91, -101], gps_accuracy: 5 } };
    const response = await post('/homeassistant?id=truck-7', message);
    expect(await response.json()).toEqual({});
    expect(await readPosition()).toMatchObject({ fixAtMs: NOW_MS, lat: 35.91 });
  });
});
