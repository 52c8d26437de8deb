import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerTracking } from '@/server/application';
import { readRuntime } from '@/server/runtime';
import { dumpChanges } from '@/testing/dump';
import { HOSTILE } from '@/testing/attacks/hostile';
import { readRoutes, type Handler, type Route } from '@/testing/attacks/routes';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';
import { LOAD_KEY_REQUESTS_PER_MINUTE } from '@/lib/api-keys/schema';
import { GET, PUT, DELETE } from '../api/v1/loads/[reference]/route';

const USDOT = '9000001';
const OTHER_USDOT = '9000066';
const SLOW_MS = 60_000;
const HANDLERS = { GET, PUT, DELETE } as unknown as Record<string, Handler>;
const STOP = {
  ...{ kind: 'delivery', place: { name: 'Dock 4', lat: 35.9, lng: -101 }, address: '1 Main St' },
  ...{ appointment: { from: '2026-03-02T08:00', to: '2026-03-02T12:00-06:00' }, freeMinutes: 120 },
  contact: { name: 'Kim', phone: '512 555 0123' },
};
const BODY = {
  po: 'PO 17',
  customer: 'Peachtree Paper',
  truck: null,
  stops: [{ ...STOP, kind: 'pickup' }, STOP],
};

let server: AttackedServer;
let manager: string;
let routes: Map<string, Route>;
let own: { id: string; key: string };
let other: { id: string; key: string };
beforeAll(async () => {
  server = await startAttackedServer({ isEmbedded: true });
  manager = (await server.signInAs('ann', 'manager', null)).cookie;
  routes = new Map((await readRoutes()).map((route) => [route.name, route]));
  own = await makeKey(USDOT);
  other = await makeKey(OTHER_USDOT);
}, SLOW_MS);
afterAll(() => server?.close());

const asManager = (name: string, path: string, body: object, params = {}) => {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const { method, handler } = routes.get(name)!;
  return server.ask(handler, path, {
    ...{ params, cookie: manager },
    init: { method, headers, body: JSON.stringify(body) },
  });
};

const makeKey = async (usdot: string, expiresAtMs: number | null = null): Promise<typeof own> => {
  const { text } = await asManager('POST api/load-keys', '/api/load-keys', {
    usdot,
    name: `TMS ${usdot}`,
    expiresAtMs,
  });
  return JSON.parse(text) as typeof own;
};

const send = (
  method: string,
  reference: string,
  {
    key = own.key,
    body,
    headers = {},
    cookie,
  }: {
    key?: string | null;
    body?: unknown;
    headers?: Record<string, string>;
    cookie?: string;
  } = {},
) =>
  server.ask(
    HANDLERS[method]!,
    `/api/v1/loads/${encodeURIComponent(reference.replace(/\p{Cs}/u, '\ufffd'))}`,
    {
      params: { reference },
      ...(cookie !== undefined && { cookie }),
      init: {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    },
  );

it('makes a load, changes it, and removes it; the same again changes nothing', async () => {
  const made = await send('PUT', 'A 1/2', { body: BODY });
  expect([made.status, JSON.parse(made.text)]).toMatchObject([
    201,
    {
      ...{ reference: 'A 1/2', po: 'PO 17', bol: '', truck: null, state: 'noTruck', next: 0 },
      stops: [
        {
          ...{ name: 'Dock 4', zone: 'America/Chicago', arrived: null },
          appointment: { from: '2026-03-02T08:00:00-06:00', to: '2026-03-02T12:00:00-06:00' },
        },
        {},
      ],
    },
  ]);
  const before = await dumpChanges(server.databaseUrl);
  const again = await send('PUT', 'A 1/2', { body: BODY });
  expect([again.status, again.text]).toEqual([200, made.text]);
  // What is left out stays as it is.
  expect((await send('PUT', 'A 1/2', { body: { stops: BODY.stops } })).text).toBe(made.text);
  expect((await send('GET', 'A 1/2')).text).toBe(made.text);
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
  const changed = await send('PUT', 'A 1/2', { body: { ...BODY, po: 'PO 18', stops: [STOP] } });
  expect([changed.status, JSON.parse(changed.text)]).toMatchObject([200, { po: 'PO 18', stops: [{}] }]);
  const records = await server.query(
    `select actor, action from linehaul.audit_log where subject = 'A 1/2' order by id`,
    [],
  );
  expect(records).toEqual([
    { actor: `API key TMS ${USDOT}`, action: 'load.add' },
    { actor: `API key TMS ${USDOT}`, action: 'load.change' },
  ]);
  expect((await send('DELETE', 'A 1/2')).status).toBe(204);
  expect((await send('DELETE', 'A 1/2')).status).toBe(404);
});

it('makes one load of many requests at once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('PUT', 'once', { body: BODY })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
  expect(await server.query(`select id from linehaul.loads where reference = 'once'`, [])).toHaveLength(1);
  expect(await server.query(`select id from linehaul.audit_log where subject = 'once'`, [])).toHaveLength(1);
});

it('is opened only by a whole key in use in its header, and answers every other in the same bytes', async () => {
  const revoked = await makeKey(USDOT);
  expect(
    (await asManager('DELETE api/load-keys/[id]', '/api/load-keys/x', {}, { id: revoked.id })).status,
  ).toBe(204);
  const expired = await makeKey(USDOT, Date.now() + 60_000);
  await server.query(`update linehaul.load_keys set expires_at = now() - interval '1 second' where id = $1`, [
    expired.id,
  ]);
  const service = JSON.parse(
    (
      await asManager('POST api/api-keys', '/api/api-keys', {
        ...{ usdot: USDOT, name: 'service' },
        access: { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null },
      })
    ).text,
  ) as { apiKey: string; providerToken: string };
  const before = await dumpChanges(server.databaseUrl);
  const tried: Record<string, Parameters<typeof send>[2]> = {
    none: { key: null },
    unknown: { key: `lh_load_${'a'.repeat(43)}` },
    revoked: { key: revoked.key },
    expired: { key: expired.key },
    'of the tracking service': { key: service.apiKey },
    'both of the tracking service': {
      ...{ key: null, headers: { 'x-api-key': service.apiKey, 'provider-token': service.providerToken } },
    },
    'a session of a manager': { key: null, cookie: manager, headers: { 'sec-fetch-site': 'same-origin' } },
    'as the key of the tracking service': { key: null, headers: { 'x-api-key': own.key } },
    'longer by one': { key: `${own.key}x` },
    'shorter by one': { key: own.key.slice(0, -1) },
    'in capitals': { key: own.key.toUpperCase() },
    'very long': { key: own.key.repeat(200) },
    twice: { key: `${own.key}, Bearer ${own.key}` },
    'its id': { key: own.id },
    'in a cookie': { key: null, headers: { cookie: `authorization=Bearer ${own.key}` } },
    empty: { key: '' },
  };
  const first = await send('GET', 'once', { key: null });
  expect([first.status, first.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="loads"']);
  // Its scheme has no case.
  const lower = { key: null, headers: { authorization: `bearer ${own.key}` } };
  expect((await send('GET', 'once', lower)).status).not.toBe(401);
  // An address whose escapes are no UTF-8 comes with U+FFFD.
  const unread = await send('PUT', '\ufffdff', { body: BODY });
  expect([unread.status, JSON.parse(unread.text)]).toEqual([
    400,
    expect.objectContaining({ code: 'malformed-address' }),
  ]);
  for (const [name, given] of Object.entries(tried))
    for (const method of ['GET', 'PUT', 'DELETE'])
      for (const reference of ['once', 'unknown', 'x'.repeat(500)]) {
        const answer = await send(method, reference, { ...(method === 'PUT' && { body: BODY }), ...given });
        expect([answer.status, answer.text, [...answer.headers]], name).toEqual([
          401,
          first.text,
          [...first.headers],
        ]);
      }
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
});

it(
  'opens no other route, and not the tracking service',
  async () => {
    const headers = { authorization: `Bearer ${own.key}`, 'x-api-key': own.key, 'provider-token': own.key };
    const params = {
      usdot: USDOT,
      vin: '1M8GDM9AXKP042788',
      key: 'x',
      id: '1',
      path: 'x',
      token: 'x',
      number: 'x',
      z: '0',
      x: '0',
      y: '0',
    };
    const ask = (handler: Handler, init: RequestInit) =>
      server.ask(handler, `/api/fleets/${USDOT}/x`, { params, init });
    let compared = 0;
    for (const { name, handler, method } of routes.values()) {
      if (name.includes(' api/v1/') || name.includes(' tracking/') || name.includes('health')) continue;
      const body = method === 'GET' ? {} : { body: '{}' };
      const type = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      const without = await ask(handler, { method, headers: type, ...body });
      const bearing = await ask(handler, { method, headers: { ...type, ...headers }, ...body });
      expect([bearing.status, bearing.text], name).toEqual([without.status, without.text]);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(100);
    for (const path of [`/tracking/api/units/${USDOT}`, '/tracking/api/carrier'])
      expect((await server.ask(answerTracking, path, { init: { headers } })).status).toBe(401);
  },
  SLOW_MS,
);

it('keeps the loads of another fleet as if there were none', async () => {
  await send('PUT', 'shared', { body: BODY });
  const unknown = await send('GET', 'unknown', { key: other.key });
  expect(unknown.status).toBe(404);
  for (const method of ['GET', 'DELETE']) {
    const answer = await send(method, 'shared', { key: other.key });
    expect([answer.status, answer.text]).toEqual([404, unknown.text]);
  }
  const before = await send('GET', 'shared');
  const theirs = await send('PUT', 'shared', { key: other.key, body: { ...BODY, po: 'theirs' } });
  expect(theirs.status).toBe(201);
  expect((await send('GET', 'shared')).text).toBe(before.text);
  // A site is found by its name in the own fleet alone.
  const site = { kind: 'yard', color: '#2f7de1', notes: '', openingHours: null, marginM: 75 };
  const shape = { type: 'circle', lat: 35, lng: -101, radiusM: 250 };
  const added = await asManager(
    'POST api/fleets/[usdot]/sites',
    '/api/fleets/x/sites',
    { ...site, shape, name: 'Our yard' },
    { usdot: USDOT },
  );
  expect(added.status, added.text).toBe(200);
  const body = { stops: [{ kind: 'pickup', site: 'our YARD' }] };
  expect((await send('PUT', 'yard', { body })).status).toBe(201);
  const refused = await send('PUT', 'yard', { key: other.key, body });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    422,
    {
      code: 'load-not-understood',
      detail: 'The fleet has no site “our YARD”.',
      faults: [{ field: 'stops.0.site' }],
    },
  ]);
});

it('refuses what it does not name, says what is wrong with the rest, and breaks on nothing', async () => {
  const refusals: [unknown, number, string][] = [
    [{ ...BODY, usdot: OTHER_USDOT }, 400, 'usdot'],
    [{ ...BODY, reference: 'x' }, 400, 'reference'],
    [{ ...BODY, stops: [] }, 400, 'at least one stop'],
    [{ ...BODY, stops: [{ ...STOP, site: 'Yard' }] }, 422, 'a site or a place'],
    [{ ...BODY, stops: [{ kind: 'pickup' }] }, 422, 'a site or a place'],
    [{ ...BODY, stops: [{ ...STOP, siteId: 1 }] }, 400, 'siteId'],
    [{ ...BODY, stops: [{ ...STOP, appointment: { from: 'noon' } }] }, 400, '2026-03-02T08:00-06:00'],
    [
      { ...BODY, stops: [{ ...STOP, appointment: { from: '2026-03-02T08:00', to: '2026-03-02T07:00' } }] },
      422,
      'ends before it begins',
    ],
    [{ ...BODY, stops: [{ ...STOP, zone: 'Nowhere/City' }] }, 400, 'time zone'],
    [{ ...BODY, truck: 'no such truck' }, 422, 'no truck no such truck'],
    [JSON.stringify(BODY).replace('{', '{"__proto__":{"usdots":null},'), 400, '__proto__'],
    ['{', 400, 'not JSON'],
  ];
  const before = await dumpChanges(server.databaseUrl);
  for (const [body, status, says] of refusals) {
    const answer = await send('PUT', 'refused', { body });
    expect([answer.status, answer.text], JSON.stringify(body)).toEqual([
      status,
      expect.stringContaining(says),
    ]);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  }
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
  for (const number of [2 ** 31, Number.MAX_SAFE_INTEGER, 1e300, -1, 0.5])
    for (const stop of [
      { ...STOP, freeMinutes: number },
      { ...STOP, place: { ...STOP.place, lat: number } },
      { ...STOP, place: { ...STOP.place, lng: number } },
    ])
      expect((await send('PUT', 'numbers', { body: { stops: [stop] } })).status).toBeLessThan(500);
  for (const text of HOSTILE) {
    for (const body of [
      { ...BODY, po: text, customer: text, tags: [text], note: text },
      { ...BODY, truck: text },
      { stops: [{ kind: 'other', site: text }] },
      { stops: [{ ...STOP, place: { ...STOP.place, name: text }, zone: text }] },
    ])
      expect((await send('PUT', 'hostile', { body })).status, text).toBeLessThan(429);
    for (const method of ['GET', 'DELETE'])
      expect([400, 404], text).toContain((await send(method, text)).status);
    expect([201, 400, 422], text).toContain((await send('PUT', text, { body: BODY })).status);
  }
});

it('limits each key for itself', async () => {
  const { key } = await makeKey(USDOT);
  const check = readRuntime().loadKeys;
  const client = { headers: new Headers({ authorization: `Bearer ${key}` }) };
  for (let i = 0; i < LOAD_KEY_REQUESTS_PER_MINUTE; i += 1) await check.require(client);
  const refused = await send('GET', 'once', { key });
  expect([refused.status, refused.text]).toEqual([
    429,
    expect.stringContaining('This key may make 600 requests a minute.'),
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send('GET', 'once')).status).toBe(200);
});
