import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRuntime } from '@/lib/runtime/runtime';
import { POST as serveAuth } from '../api/auth/[...path]/route';
import { POST as setUp } from '../api/set-up/route';
import { GET as readViewer } from '../api/viewer/route';
import { OWN, startAttackedServer } from './testing/server';
import type { AttackedServer } from './testing/server';

/** What is meant to be run by a database, a browser, a log or a spreadsheet. */
const HOSTILE = [
  `'; DROP TABLE linehaul.users; --`,
  `" OR "1"="1`,
  `' UNION SELECT token FROM linehaul.sessions --`,
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '${7*7}{{7*7}}',
  '=HYPERLINK("http://evil.test")',
  '%00%0d%0aSet-Cookie: a=b',
  'javascript:alert(1)',
];

let server: AttackedServer;
let database: pg.Client;
beforeAll(async () => {
  server = await startAttackedServer();
  database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await server?.close();
});

const post = (handler: typeof setUp, path: string, body: unknown, cookie?: string) =>
  server.ask(handler as never, path, {
    cookie,
    init: {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  });

it('a name of SQL or script is kept as it is written, and given as JSON', async () => {
  for (const [index, name] of HOSTILE.entries()) {
    const email = `user-${index}`;
    const { id, cookie } = await server.signInAs(email, 'dispatcher', [OWN]);
    await readRuntime().accounts.users.change(id, { name });
    const { text, headers } = await server.ask(readViewer, '/api/viewer', { cookie });
    expect(JSON.parse(text)).toMatchObject({ name });
    expect(headers.get('content-type')).toContain('application/json');
  }
  const { rows } = await database.query('select count(*) as users from linehaul.users');
  expect(Number(rows[0].users)).toBe(HOSTILE.length);
});

it('SQL and script in each field of a form open and break nothing, and are not repeated', async () => {
  for (const text of HOSTILE) {
    const signIn = await post(serveAuth, '/api/auth/sign-in/email', { email: text, password: text });
    expect([400, 401, 429]).toContain(signIn.status);
    const made = await post(setUp, '/api/set-up', {
      code: text,
      name: text,
      email: text,
      password: text.repeat(9),
    });
    expect([400, 403, 404, 409, 429]).toContain(made.status);
    for (const answer of [signIn, made]) {
      expect(answer.text).not.toContain(text);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  const { rows } = await database.query(`select to_regclass('linehaul.users') as users`);
  expect(rows[0].users).not.toBeNull();
});

it('nobody gives themselves a role, fleets or an id by naming them', async () => {
  const { id, cookie } = await server.signInAs('climber', 'dispatcher', [OWN]);
  const extra = {
    role: 'manager',
    usdots: null,
    id: 'x',
    isAdmin: true,
    disabledAt: null,
    __proto__: { role: 'manager' },
  };
  for (const path of [
    'sign-up/email',
    'update-user',
    'admin/set-role',
    'change-email',
    'delete-user',
    'link-social',
  ]) {
    const { status } = await post(serveAuth, `/api/auth/${path}`, { ...extra, name: 'Climber' }, cookie);
    expect(status, path).toBe(404);
  }
  const credentials = { email: 'climber@carrier.test', password: 'a long enough password' };
  expect(
    (await post(serveAuth, '/api/auth/sign-in/email', { ...credentials, role: 'manager' }, cookie)).status,
  ).toBe(400);
  const form = { code: 'x', name: 'X', email: 'x@carrier.test', password: 'a long enough password' };
  expect((await post(setUp, '/api/set-up', { ...form, usdots: null })).status).toBe(400);
  expect(await readRuntime().accounts.users.read(id)).toMatchObject({ role: 'dispatcher', usdots: [OWN] });
});
