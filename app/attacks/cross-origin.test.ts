import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpChanges } from '@/testing/dump';
import { PASSWORD } from '@/testing/auth/sign-in';
import { POST as serveAuth } from '../api/auth/[...path]/route';
import { POST as setUp } from '../api/set-up/route';
import { GET as readViewer } from '../api/viewer/route';
import { readChangingRoutes } from '@/testing/attacks/routes';
import { ORIGIN, startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

let server: AttackedServer;
let cookie: string;
beforeAll(async () => {
  server = await startAttackedServer();
  ({ cookie } = await server.signInAs('ann', 'manager', null));
});
afterAll(() => server.close());

/** Headers of a browser for a page of another site that has the viewer's cookies sent along. */
const ELSEWHERE: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
  { 'sec-fetch-site': 'same-site', origin: 'http://other.fleet.test:3000' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  // A browser without Sec-Fetch-Site.
  { origin: 'https://evil.test', host: 'fleet.test:3000' },
  { origin: 'null', host: 'fleet.test:3000' },
  { origin: 'http://fleet.test.evil.test:3000', host: 'fleet.test:3000' },
];
/** These routes need a token, and no cookie that a browser would send along. */
const FOR_DEVICES = /^(POST|PUT|PATCH|DELETE) (tracking|u)\//;
const BODIES: [type: string, body: string][] = [
  ['application/json', '{}'],
  ['text/plain', '{}'],
  ['application/x-www-form-urlencoded', 'a=b'],
  ['multipart/form-data; boundary=x', '--x--'],
];

it('no page of another site ends a session, starts one or creates a manager, whatever form it sends', async () => {
  for (const from of ELSEWHERE) {
    for (const [type, body] of BODIES) {
      const init = { method: 'POST', headers: { ...from, 'content-type': type }, body };
      for (const [handler, path] of [
        [serveAuth, '/api/auth/sign-out'],
        [serveAuth, '/api/auth/sign-in/email'],
        [setUp, '/api/set-up'],
      ] as const) {
        const { status, text, headers } = await server.ask(handler, path, { init, cookie });
        expect(status, `${path} ${JSON.stringify(from)} ${type}`).toBe(403);
        expect(JSON.parse(text)).toMatchObject({ code: 'cross-origin' });
        expect(headers.getSetCookie()).toEqual([]);
      }
    }
  }
  expect((await server.ask(readViewer, '/api/viewer', { cookie })).status).toBe(200);
});

it('no route that changes something accepts a page of another site', async () => {
  const routes = (await readChangingRoutes()).filter(({ name }) => !FOR_DEVICES.test(name));
  expect(routes.length).toBeGreaterThan(25);
  const before = await dumpChanges(server.databaseUrl);
  for (const { name, method, handler, params } of routes) {
    for (const from of [...ELSEWHERE, {}]) {
      const init = { method, headers: { ...from, 'content-type': 'application/json' }, body: '{}' };
      const asked = { init, cookie, params: Object.fromEntries(params.map((param) => [param, 'x'])) };
      const { status, text } = await server.ask(handler, '/api/x', asked);
      expect(
        [status, (JSON.parse(text) as { code: string }).code],
        `${name} ${JSON.stringify(from)}`,
      ).toEqual([403, 'cross-origin']);
    }
  }
  expect(await dumpChanges(server.databaseUrl)).toEqual(before);
}, 60_000);

it('a page of the same site is accepted', async () => {
  const init = {
    method: 'POST',
    headers: { origin: ORIGIN, host: new URL(ORIGIN).host, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@carrier.test', password: PASSWORD }),
  };
  const { status, headers } = await server.ask(serveAuth, '/api/auth/sign-in/email', { init });
  expect(status).toBe(200);
  expect(headers.getSetCookie().join()).toMatch(/HttpOnly.*SameSite=(Lax|Strict)/i);
});
