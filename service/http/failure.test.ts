import { describe, expect, it } from 'vitest';
import { createService } from '../service';
import { openStore, type Store } from '../store/store';
import { createTestLog, createTestService, toHeaders } from '../../testing/service/service';
import { CARRIER, toFix, toVehicle, toVin } from '../../testing/service/vehicles';

const test = createTestService();

/** A service whose store fails as given when a key is checked. */
const createFailing = (error: unknown) => {
  const { log, lines } = createTestLog();
  const failing = { ...test.stored.store, keys: { verify: () => Promise.reject(error) } } as unknown as Store;
  const service = createService({ store: failing, now: test.stored.now, log });
  const ask = () =>
    service.fetch(new Request('http://service.test/api/carrier', { headers: toHeaders(test.own) }));
  return { ask, lines };
};

describe('a failure', () => {
  it('is answered without detail, and logged under the id that the client gets', async () => {
    const { ask, lines } = createFailing(
      new Error('Failed query: secret', { cause: new TypeError('at the bottom') }),
    );
    const response = await ask();
    expect(response.status).toBe(500);
    const { requestId, ...problem } = await response.json();
    expect(problem).toEqual({
      type: '/docs#internal_error',
      title: 'The service failed',
      status: 500,
      code: 'internal_error',
    });
    expect(lines[0]).toMatchObject({
      level: 'error',
      fields: { error: 'TypeError', reason: 'at the bottom', requestId },
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it.each([
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', '08001', '08004'].map(
      (code) => Object.assign(new Error(code), { code }),
    ),
    Object.assign(new Error('query_wait_timeout'), { code: '08P01', severity: 'FATAL' }),
    new Error('Failed query', { cause: Object.assign(new Error('shutting down'), { code: '57P01' }) }),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout', { cause: new Error('timeout expired') }),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('of the database connection (%s) is answered 503, with when to ask again', async (error) => {
    const { ask, lines } = createFailing(error);
    const response = await ask();
    expect(JSON.stringify(lines)).not.toContain('"stack"');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  });

  it('of a statement that does not fit the protocol is one of the service', async () => {
    const { ask } = createFailing(Object.assign(new Error('bind'), { code: '08P01', severity: 'ERROR' }));
    expect((await ask()).status).toBe(500);
  });

  it('of a store that was closed does not end the process', async () => {
    const store = await openStore({ databaseUrl: test.stored.databaseUrl, now: test.stored.now });
    const service = createService({ store, now: test.stored.now });
    await store.close();
    const response = await service.fetch(
      new Request('http://service.test/api/carrier', { headers: toHeaders(test.own) }),
    );
    expect(response.status).toBe(500);
  });
});

describe('the log', () => {
  it('logs method, route, status, time and id of a request, and no secret, VIN or query', async () => {
    const { store } = test.stored;
    await store.vehicles.upsertMany([toVehicle(1)]);
    await store.fixes.record(CARRIER.usdot, [toFix(1, test.stored.nowMs)]);
    const token = await store.ingestTokens.create({ usdot: CARRIER.usdot, name: 'phones' });
    test.lines.length = 0;
    await test.ask(`/api/units/${CARRIER.usdot}/${toVin(1)}?query=canary`);
    await test.ask(`/api/units/${CARRIER.usdot}/${toVin(1)}`, { 'x-api-key': test.own.apiKey });
    await test.ask(`/api/units/${CARRIER.usdot}/${toVin(1)}x`);
    await test.ask(`/ingest/${token.token}/osmand?id=device-1&lat=35.1&lon=-101.2&token=canary`);
    await test.ask(`/nothing/${toVin(1)}`);
    const text = JSON.stringify(test.lines);
    for (const secret of [test.own.apiKey, test.own.providerToken, token.token, 'canary', toVin(1)])
      expect(text).not.toContain(secret);
    expect(test.lines[0]).toEqual({
      level: 'debug',
      message: 'request',
      fields: {
        method: 'GET',
        route: '/api/units/:usdot/:vin',
        status: 200,
        ms: expect.any(Number),
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(test.lines.map((line) => line.level).slice(0, 3)).toEqual(['debug', 'info', 'info']);
  });

  it('logs a request under the id that it came with, unless that could break a line', async () => {
    const idOf = async (given: string) =>
      (await test.ask('/api/carrier', { 'x-request-id': given })).headers.get('x-request-id');
    test.lines.length = 0;
    expect(await idOf('trace-4711')).toBe('trace-4711');
    expect(test.lines[0]).toMatchObject({ fields: { requestId: 'trace-4711' } });
    for (const given of ['7', 'Root=1-67/a+b==;"x"', 'x'.repeat(128)]) expect(await idOf(given)).toBe(given);
    for (const given of ['x'.repeat(129), 'with a blank', 'caf\u00e9', 'a, b'])
      expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
