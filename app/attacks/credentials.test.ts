import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '@/service/store/store';
import { createTestLog } from '@/testing/service/service';
import { answerTracking as serveTracking } from '@/server/application';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

const USDOT = '9000001';

let server: AttackedServer;
let store: Store;
let own: { apiKey: string; providerToken: string };
let other: { apiKey: string; providerToken: string };
beforeAll(async () => {
  server = await startAttackedServer({ isEmbedded: true });
  store = await openStore({
    databaseUrl: server.databaseUrl,
    now: Date.now,
    log: createTestLog().log,
    retentionDays: 30,
  });
  await store.carriers.upsert({ usdot: '9000066', companyName: 'Other', companyId: 'other' });
  own = await store.keys.create({ usdot: USDOT, name: 'own' });
  other = await store.keys.create({ usdot: '9000066', name: 'other' });
});
afterAll(async () => {
  await store?.close();
  await server?.close();
});

const ask = (headers: [string, string][], path = `/tracking/api/vin-numbers/${USDOT}`) =>
  server.ask(serveTracking, path, { init: { headers } });

const both = (apiKey: string, providerToken: string): [string, string][] => [
  ['x-api-key', apiKey],
  ['provider-token', providerToken],
];

it('the mounted service accepts its two credentials only whole, once each, and in their headers', async () => {
  expect((await ask(both(own.apiKey, own.providerToken))).status).toBe(200);
  const smuggled: Record<string, [string, string][]> = {
    none: [],
    'one alone': [['x-api-key', own.apiKey]],
    'the other alone': [['provider-token', own.providerToken]],
    empty: both('', ''),
    blank: both(' ', '\t'),
    swapped: both(own.providerToken, own.apiKey),
    'of two carriers': both(own.apiKey, other.providerToken),
    'a key twice': [...both(own.apiKey, own.providerToken), ['x-api-key', own.apiKey]],
    'another key after it': [...both(own.apiKey, own.providerToken), ['x-api-key', other.apiKey]],
    'another key before it': [['x-api-key', other.apiKey], ...both(own.apiKey, own.providerToken)],
    'a token twice': [...both(own.apiKey, own.providerToken), ['provider-token', own.providerToken]],
    'longer by one': both(`${own.apiKey}x`, own.providerToken),
    'shorter by one': both(own.apiKey.slice(0, -1), own.providerToken),
    'very long': both('k'.repeat(15_000), own.providerToken),
    'not ASCII': both(`${own.apiKey}\u00e9`, own.providerToken),
    'in capitals': both(own.apiKey.toUpperCase(), own.providerToken),
    'under other names': [
      ['x_api_key', own.apiKey],
      ['provider_token', own.providerToken],
    ],
    'as authorization': [
      ['authorization', `Bearer ${own.apiKey}`],
      ['provider-token', own.providerToken],
    ],
    'as cookies': [['cookie', `x-api-key=${own.apiKey}; provider-token=${own.providerToken}`]],
  };
  for (const [name, headers] of Object.entries(smuggled)) {
    const { status, text } = await ask(headers);
    expect(status, name).toBe(401);
    for (const secret of [own.apiKey, own.providerToken, other.apiKey])
      expect(text, name).not.toContain(secret);
  }
});

it('credentials in the query grant no access', async () => {
  const query = new URLSearchParams({ 'x-api-key': own.apiKey, 'provider-token': own.providerToken });
  expect((await ask([], `/tracking/api/vin-numbers/${USDOT}?${query}`)).status).toBe(401);
});

it('no spelling of another carrier’s number grants a key access to it', async () => {
  for (const written of [
    USDOT,
    `000${USDOT}`,
    `9000066%2F..%2F${USDOT}`,
    `${USDOT}%00`,
    '..',
    `9000066/../${USDOT}`,
  ]) {
    const { status } = await ask(
      both(other.apiKey, other.providerToken),
      `/tracking/api/vin-numbers/${written}`,
    );
    expect([400, 403, 404], written).toContain(status);
  }
});
