import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { usersOf } from '@/testing/auth/sign-in';
import { IS_LONG } from '@/testing/long';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { readRuntime } from '@/server/runtime';
import { dumpChanges, dumpDatabase } from '@/testing/dump';
import { GET as readAuditCsv } from '../api/audit/csv/route';
import { USDOT, WITHOUT_FORM, listForms, type Form } from '@/testing/attacks/forms';
import { HOSTILE, UNSTORABLE } from '@/testing/attacks/hostile';
import { readChangingRoutes, type Handler, type Route } from '@/testing/attacks/routes';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

/** Time limit for loading every route of the application and sending each some hundreds of requests. */
const SLOW_MS = 60_000;

let server: AttackedServer;
let cookie: string;
let forms: Form[];
let routes: Map<string, Route>;
beforeAll(async () => {
  server = await startAttackedServer({ isEmbedded: true });
  ({ cookie } = await server.signInAs('ann', 'manager', null));
  // A tag exists by the trucks that have it.
  await server.query(
    `insert into linehaul.unit_tags (usdot, tag, unit)
     values ('${USDOT}', 'flatbed', 'A'), ('${USDOT}', 'night shift', 'A')`,
  );
  forms = listForms((await server.signInAs('ben', 'dispatcher', null)).id);
  routes = new Map((await readChangingRoutes()).map((route) => [route.name, route]));
}, SLOW_MS);
afterAll(() => server?.close());
afterEach(() => vi.restoreAllMocks());

/** Thousands of requests from one address would reach the limit of attempts. */
const liftAttemptLimits = () =>
  vi.spyOn(RateLimiterMemory.prototype, 'consume').mockResolvedValue(new RateLimiterRes(1, 0, 0, true));

const sendText = (form: Form, body: string, bearing = cookie) => {
  const { method, handler } = routes.get(form.route)!;
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const { params = {} } = form;
  return server.ask(handler, form.path, { params, cookie: bearing, init: { method, headers, body } });
};
const send = (form: Form, body: unknown, bearing = cookie) => sendText(form, JSON.stringify(body), bearing);

/** A form with a text at one path, such as "access.allowedNetworks.0". */
const withText = (body: Record<string, unknown>, place: string, text: string): Record<string, unknown> => {
  const [first = '', ...rest] = place.split('.');
  if (rest.length === 0) return { ...body, [first]: text };
  if (rest[0] === '0') return { ...body, [first]: [text] };
  return { ...body, [first]: withText(body[first] as Record<string, unknown>, rest.join('.'), text) };
};

it('every route that changes something is listed here, with its form or as one without a form', () => {
  const known = new Set([...forms.map(({ route }) => route), ...WITHOUT_FORM]);
  const found = [...routes.keys()].filter((name) => !name.includes(' tracking/'));
  expect([...known].sort()).toEqual(found.sort());
});

it(
  'no form accepts a field that it does not name: a role, fleets, an id, a date, a prototype',
  async () => {
    const extras = {
      role: 'manager',
      usdots: null,
      id: 'x',
      userId: 'x',
      isAdmin: true,
      isDisabled: false,
      disabledAt: null,
      disabledAtMs: null,
      email: 'other@carrier.test',
      emailVerified: true,
      twoFactorEnabled: false,
      createdBy: 'other@carrier.test',
      madeBy: 'other@carrier.test',
      tokenHash: 'x',
      expiresAt: '9999-12-31T00:00:00Z',
      constructor: { prototype: { role: 'manager' } },
    };
    const before = await dumpChanges(server.databaseUrl);
    for (const form of forms) {
      // These fields of a user or an invitation may be set by a manager with the right to.
      const named =
        form.route === 'PATCH api/users/[id]' ? ['role', 'usdots', 'isDisabled'] : Object.keys(form.body);
      for (const [name, value] of Object.entries(extras).filter(([each]) => !named.includes(each))) {
        const { status, text } = await send(form, { ...form.body, [name]: value });
        expect([status, text], `${form.route} ${name}`).toEqual([400, expect.stringContaining(name)]);
      }
    }
    expect(await dumpChanges(server.databaseUrl)).toEqual(before);
  },
  SLOW_MS,
);

it('no other better-auth route lets a visitor sign up or a user raise their own rights', async () => {
  const climber = await server.signInAs('climber', 'dispatcher', [USDOT]);
  const form = listForms('')[0]!;
  for (const path of [
    'sign-up/email',
    'update-user',
    'admin/set-role',
    'change-email',
    'delete-user',
    'link-social',
  ]) {
    const asked = { ...form, path: `/api/auth/${path}` };
    const { status } = await send(asked, { name: 'Climber', role: 'manager', usdots: null }, climber.cookie);
    expect(status, path).toBe(404);
  }
  const user = await usersOf(readRuntime()).read(climber.id);
  expect(user).toMatchObject({ role: 'dispatcher', usdots: [USDOT] });
});

it('a prototype in the input changes no prototype', async () => {
  for (const form of forms) {
    const body = JSON.stringify(form.body).replace(/^\{/, '{"__proto__":{"role":"manager","usdots":null},');
    const { status } = await sendText(form, body);
    expect(status, form.route).toBe(400);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  }
});

/** The form with a number in place of each of its numbers, one at a time. */
const withNumber = (value: unknown, number: number): unknown[] => {
  if (typeof value === 'number') return [number];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    withNumber(part, number).map((changed) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
};

it('numbers beyond the types of the database break nothing', async () => {
  liftAttemptLimits();
  for (const form of forms)
    for (const number of [2 ** 31, Number.MAX_SAFE_INTEGER, 1e300])
      for (const body of withNumber(form.body, number)) {
        const { status, text } = await send(form, body);
        expect(status, `${form.route} ${JSON.stringify(body)}: ${text}`).toBeLessThan(500);
      }
});

it(
  'SQL, script and characters that no database accepts break nothing in any text of any form',
  async () => {
    liftAttemptLimits();
    // In a short run each place has a quarter of them, by turns.
    let turn = 0;
    for (const form of forms) {
      for (const place of form.texts ?? []) {
        turn += 1;
        for (const hostile of HOSTILE.filter((_, i) => IS_LONG || i % 4 === turn % 4)) {
          const { status, text, headers } = await send(form, withText(form.body, place, hostile));
          const about = `${form.route} ${place} ${JSON.stringify(hostile)}: ${text}`;
          expect(status, about).toBeLessThan(429);
          if (status !== 204)
            expect(headers.get('content-type'), about).toMatch(/^application\/(problem\+)?json/);
        }
      }
    }
    const tables = await dumpDatabase(server.databaseUrl);
    expect(tables['linehaul.users']).toHaveLength(3);
    expect(tables['tracking.vehicles']!.length).toBeGreaterThan(0);
  },
  SLOW_MS,
);

it('the audit log shows them unchanged, and a spreadsheet runs none of them', async () => {
  const csv = await server.ask(readAuditCsv as Handler, '/api/audit/csv', { cookie });
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(csv.text).toContain(`,'; DROP TABLE linehaul.users; '--,`);
  expect(csv.text).toContain(`,<script>alert(1)</script>,`);
  expect(csv.text).toContain(`,"'=HYPERLINK(""http://evil.test"")",`);
  expect(csv.text).not.toMatch(/(^|,)"?=/m);
});

it(
  'no id in an address is treated as more than an id',
  async () => {
    liftAttemptLimits();
    const before = await dumpChanges(server.databaseUrl);
    for (const { name, method, handler, params } of routes.values()) {
      if (params[0] !== 'id') continue;
      for (const id of [...HOSTILE, '..', '%2e%2e', '*', '', 'x'.repeat(3000)]) {
        const { body = {} } = forms.find(({ route }) => route === name) ?? {};
        const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
        const init = { method, headers, body: JSON.stringify(body) };
        const { status, text } = await server.ask(handler, '/api/x', { params: { id }, cookie, init });
        expect([400, 404], `${name} ${JSON.stringify(id)}: ${text}`).toContain(status);
        if (id === UNSTORABLE) expect(text).toContain('malformed-address');
      }
    }
    expect(await dumpChanges(server.databaseUrl)).toEqual(before);
  },
  SLOW_MS,
);
