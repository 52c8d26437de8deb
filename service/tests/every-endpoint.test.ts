import { describe, expect, it } from 'vitest';
import { createTestFleet, readProblem } from '../../testing/service/fleet';
import { toHeaders } from '../../testing/service/service';
import { CARRIER, toVin } from '../../testing/service/vehicles';

const test = createTestFleet();
const { usdot } = CARRIER;

const ENDPOINTS = [
  ['GET /api/units/:usdot/:vin', `/api/units/${usdot}/${toVin(1)}`],
  ['GET /api/units/:usdot', `/api/units/${usdot}`],
  ['GET /api/vin-numbers/:usdot', `/api/vin-numbers/${usdot}`],
  ['GET /api/carrier', '/api/carrier'],
  ['GET /api/carrier/:vin', `/api/carrier/${toVin(1)}`],
] as const;

describe.each(ENDPOINTS)('%s', (line, path) => {
  const refusals: [string, () => Record<string, string>][] = [
    ['a request without either header', () => ({})],
    ['a missing x-api-key', () => ({ 'provider-token': test.own.providerToken })],
    ['a missing provider-token', () => ({ 'x-api-key': test.own.apiKey })],
    ['an empty x-api-key', () => ({ ...toHeaders(test.own), 'x-api-key': '' })],
    ['a wrong x-api-key', () => ({ ...toHeaders(test.own), 'x-api-key': `${test.own.apiKey}x` })],
    ['a wrong provider-token', () => ({ ...toHeaders(test.own), 'provider-token': 'lh_provider_wrong' })],
    [
      "another carrier's provider-token",
      () => ({ ...toHeaders(test.own), 'provider-token': test.other.providerToken }),
    ],
    ["another carrier's x-api-key", () => ({ ...toHeaders(test.own), 'x-api-key': test.other.apiKey })],
    ['swapped headers', () => ({ 'x-api-key': test.own.providerToken, 'provider-token': test.own.apiKey })],
  ];

  it.each(refusals)(`${line} refuses %s`, async (_, headers) => {
    const response = await test.ask(path, headers());
    expect(response.status).toBe(401);
    expect((await readProblem(response)).code).toBe('invalid_credentials');
    expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="tracking"');
  });

  it(`${line} says the same whatever is wrong with the credentials`, async () => {
    const bodies = await Promise.all(
      refusals.map(async ([, headers]) => {
        const { requestId: _, ...problem } = await readProblem(await test.ask(path, headers()));
        return JSON.stringify(problem);
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it(`${line} refuses a key once it is revoked`, async () => {
    const key = await test.stored.store.keys.create({ usdot, name: 'short-lived' });
    expect((await test.ask(path, toHeaders(key))).status).toBe(200);
    await test.stored.store.keys.revoke(key.id);
    expect((await test.ask(path, toHeaders(key))).status).toBe(401);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(`${line} refuses the method %s`, async (method) => {
    const response = await test.ask(path, undefined, method);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect((await readProblem(response)).code).toBe('method_not_allowed');
  });

  it(`${line} answers HEAD with the headers of GET and no body`, async () => {
    const [head, get] = [await test.ask(path, undefined, 'HEAD'), await test.ask(path)];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  it(`${line} takes no notice of a query string`, async () => {
    expect(await (await test.ask(`${path}?usdot=1&debug=true`)).text()).toBe(
      await (await test.ask(path)).text(),
    );
  });

  it(`${line} keeps its answer out of shared caches`, async () => {
    const response = await test.ask(path);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('accept-encoding, x-api-key, provider-token');
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it(`${line} answers 304 to who holds its ETag`, async () => {
    const first = await test.ask(path);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, `W/"x",W/${etag}`, '*']) {
      const again = await test.ask(path, { ...toHeaders(test.own), 'if-none-match': held });
      expect([held, again.status]).toEqual([held, 304]);
      expect(again.headers.get('etag')).toBe(etag);
      expect(await again.text()).toBe('');
    }
    for (const held of ['"x"', etag.slice(1, -1)])
      expect((await test.ask(path, { ...toHeaders(test.own), 'if-none-match': held })).status).toBe(200);
  });

  it(`${line} checks the credentials before the ETag`, async () => {
    expect((await test.ask(path, { 'if-none-match': '*' })).status).toBe(401);
  });
});
