import { describe, expect, it, vi } from 'vitest';
import { ENDPOINTS, type Endpoint } from '../store/credentials/key-access';
import { createTestFleet, readProblem } from '../../testing/service/fleet';
import { toHeaders } from '../../testing/service/service';
import { NOW_MS } from '../../testing/service/store';
import { CARRIER, toVin } from '../../testing/service/vehicles';

let address: string | null = null;
const test = createTestFleet({ readClientAddress: () => address });
const { usdot } = CARRIER;

const toPath = (endpoint: Endpoint): string =>
  ({
    units: `/api/units/${usdot}`,
    unit: `/api/units/${usdot}/${toVin(1)}`,
    'vin-numbers': `/api/vin-numbers/${usdot}`,
    carrier: '/api/carrier',
    'carrier-by-vin': `/api/carrier/${toVin(1)}`,
  })[endpoint];

const createKey = (access: object) => test.stored.store.keys.create({ usdot, name: 'limited', access });

describe('a key that is bound to endpoints', () => {
  it.each(ENDPOINTS)('asks %s and no other one', async (endpoint) => {
    const headers = toHeaders(await createKey({ endpoints: [endpoint] }));
    for (const asked of ENDPOINTS) {
      const response = await test.ask(toPath(asked), headers);
      expect([asked, response.status]).toEqual([asked, asked === endpoint ? 200 : 403]);
      if (asked !== endpoint) expect((await readProblem(response)).code).toBe('endpoint_not_allowed');
    }
  });

  it('is refused before its parameters are read, and by HEAD too', async () => {
    const headers = toHeaders(await createKey({ endpoints: ['carrier'] }));
    expect((await readProblem(await test.ask('/api/units/nonsense', headers))).code).toBe(
      'endpoint_not_allowed',
    );
    expect((await test.ask(toPath('units'), headers, 'HEAD')).status).toBe(403);
  });

  it('is narrowed and widened at once', async () => {
    const key = await createKey({});
    const ask = async () => (await test.ask(toPath('units'), toHeaders(key))).status;
    expect(await ask()).toBe(200);
    await test.stored.store.keys.change(key.id, { access: { endpoints: ['carrier'] } });
    expect(await ask()).toBe(403);
    await test.stored.store.keys.change(key.id, { access: {} });
    expect(await ask()).toBe(200);
  });
});

describe('a key that expires', () => {
  it('is refused from then on, with the reason for a client that has both secrets', async () => {
    const key = await createKey({ expiresAtMs: NOW_MS + 1000 });
    test.stored.nowMs = NOW_MS + 999;
    expect((await test.ask('/api/carrier', toHeaders(key))).status).toBe(200);
    test.stored.nowMs = NOW_MS + 1000;
    const response = await test.ask('/api/carrier', toHeaders(key));
    expect(response.status).toBe(401);
    expect(await readProblem(response)).toMatchObject({
      code: 'expired_key',
      detail: 'It ended at 2026-03-05T15:00:01.000Z.',
    });
    const half = await test.ask('/api/carrier', {
      ...toHeaders(key),
      'provider-token': test.own.providerToken,
    });
    expect((await readProblem(half)).code).toBe('invalid_credentials');
  });
});

describe('a key that is bound to addresses', () => {
  it.each([
    ['203.0.113.9', 200],
    ['203.0.114.9', 403],
    ['2001:db8:1::5', 200],
    ['2001:db9::5', 403],
    [null, 403],
  ] as const)('from %s gets %d', async (from, status) => {
    const key = await createKey({ allowedNetworks: ['203.0.113.0/24', '2001:db8::/32'] });
    address = from;
    const response = await test.ask('/api/carrier', toHeaders(key));
    expect(response.status).toBe(status);
    if (status === 403) {
      const { code, detail } = await readProblem(response);
      expect(code).toBe('address_not_allowed');
      expect(detail).toContain(from ?? 'an unknown address');
    }
  });

  it('uses none of its allowance from an address that is not allowed', async () => {
    const key = await createKey({ allowedNetworks: ['203.0.113.9'], requestsPerMinute: 1 });
    address = '198.51.100.1';
    for (let i = 0; i < 3; i++) expect((await test.ask('/api/carrier', toHeaders(key))).status).toBe(403);
    address = '203.0.113.9';
    expect((await test.ask('/api/carrier', toHeaders(key))).status).toBe(200);
  });
});

describe('a key with an allowance', () => {
  it('has what is left of it on every answer, refusals included', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const headers = toHeaders(await createKey({ requestsPerMinute: 6 }));
    const etag = (await test.ask('/api/carrier', headers)).headers.get('etag')!;
    const answers = [
      await test.ask('/api/carrier', { ...headers, 'if-none-match': etag }),
      await test.ask('/api/units/nonsense', headers),
      await test.ask(`/api/units/${usdot}/${toVin(9)}`, headers),
      await test.ask('/api/nowhere', headers),
      await test.ask('/api/carrier', headers, 'POST'),
      await test.ask('/api/carrier', headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([304, 400, 404, 404, 405, 429]);
    expect(answers.map((answer) => answer.headers.get('ratelimit'))).toEqual(
      [4, 3, 2, 1, 0, 0].map((left) => `"key";r=${left};t=60`),
    );
    for (const answer of answers) expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=6;w=60');
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('60');
    vi.useRealTimers();
  });

  it('shares it between the two pairs of secrets while it is rotated', async () => {
    const key = await createKey({ requestsPerMinute: 1 });
    const newer = await test.stored.store.keys.rotate(key.id, 60_000);
    expect((await test.ask('/api/carrier', toHeaders(key))).status).toBe(200);
    expect((await test.ask('/api/carrier', toHeaders(newer!))).status).toBe(429);
  });

  it('sends no limit headers without a limit', async () => {
    const response = await test.ask('/api/carrier');
    expect(response.headers.has('ratelimit')).toBe(false);
    expect(response.headers.has('ratelimit-policy')).toBe(false);
  });
});

describe('a key that is rotated', () => {
  it('works by both pairs until the overlap is over, and by no mixture of them', async () => {
    const old = await createKey({});
    const newer = (await test.stored.store.keys.rotate(old.id, 60_000))!;
    expect(newer.id).toBe(old.id);
    const ask = (key: { apiKey: string; providerToken: string }) => test.ask('/api/carrier', toHeaders(key));
    expect((await ask(old)).status).toBe(200);
    expect((await ask(newer)).status).toBe(200);
    expect((await ask({ apiKey: old.apiKey, providerToken: newer.providerToken })).status).toBe(401);
    expect((await ask({ apiKey: newer.apiKey, providerToken: old.providerToken })).status).toBe(401);
    test.stored.nowMs += 60_000;
    expect((await readProblem(await ask(old))).code).toBe('expired_key');
    expect((await ask(newer)).status).toBe(200);
  });

  it('loses both pairs when it is revoked', async () => {
    const old = await createKey({});
    const newer = (await test.stored.store.keys.rotate(old.id, 60_000))!;
    await test.stored.store.keys.revoke(old.id);
    for (const key of [old, newer]) expect((await test.ask('/api/carrier', toHeaders(key))).status).toBe(401);
  });
});
