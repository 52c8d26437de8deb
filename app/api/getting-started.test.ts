import { afterAll, beforeAll, expect, it } from 'vitest';
import { DELETE, GET } from '@/app/api/getting-started/route';
import type { Handler } from '@/testing/attacks/routes';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

let server: AttackedServer;
beforeAll(async () => {
  const own = { FLEET_SOURCE: 'own', CARRIER_NAME: 'Blue Mesa Hauling', CARRIER_USDOT: '2345678' };
  server = await startAttackedServer({ isEmbedded: true, variables: own });
});
afterAll(() => server?.close());

const read = async (cookie: string): Promise<unknown> =>
  JSON.parse((await server.ask(GET as Handler, '/api/getting-started', { cookie })).text);

it('shows how far a carrier has come, to managers of all fleets, until one of them dismisses it', async () => {
  const { cookie } = await server.signInAs('ann', 'manager', null);
  const limited = await server.signInAs('ben', 'manager', ['2345678']);
  expect(await read(cookie)).toEqual({
    isShown: true,
    vehicles: 0,
    hasToken: false,
    connectedAtMs: null,
    reportedAtMs: null,
    colleagues: 1,
    isEncrypted: false,
  });
  expect(await read(limited.cookie)).toMatchObject({ isShown: false });
  const dismiss = (bearing: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const init = { method: 'DELETE', headers, body: '{}' };
    return server.ask(DELETE as Handler, '/api/getting-started', { init, cookie: bearing });
  };
  expect((await dismiss(limited.cookie)).status).toBe(403);
  expect((await dismiss(cookie)).status).toBe(204);
  expect(await read(cookie)).toMatchObject({ isShown: false });
});
