import type * as pinoModule from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PASSWORD, signIn, toClient } from '@/testing/auth/sign-in';
import { toAppCode } from '@/testing/auth/totp';
import { createLoadKey } from '@/lib/api-keys/server/load-keys';
import { GET as readLoad } from '../api/v1/loads/[reference]/route';
import { readRuntime } from '@/server/runtime';
import type { Store } from '@/service/store/store';
import type { Viewer } from '@/lib/base/viewer';
import { dumpDatabase } from '@/testing/dump';
import { answerTracking as serveTracking } from '@/server/application';
import { readRoutes, type Handler } from '@/testing/attacks/routes';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

const USDOT = '9000001';
/** Secrets that the operator configures. */
const SETTINGS = {
  AUTH_SECRET: 'planted-auth-secret-of-40-characters-55b1',
  OIDC_CLIENT_SECRET: 'planted-client-secret-90c2',
  METRICS_TOKEN: 'planted-metrics-token-77d3',
};
const SMTP_PASSWORD = 'planted-smtp-password-13e4';

const logged = vi.hoisted((): string[] => []);
vi.mock('pino', async (original) => {
  const { pino, ...rest } = await original<typeof pinoModule>();
  const kept = { write: (line: string) => void logged.push(line) };
  return {
    ...rest,
    pino: Object.assign((...args: Parameters<typeof pino>) => pino(...args), pino, {
      destination: () => kept,
    }),
  };
});

let server: AttackedServer;
let cookie: string;
/** Secrets by kind. */
const secrets = new Map<string, string>([...Object.entries(SETTINGS), ['SMTP_URL', SMTP_PASSWORD]]);
/** Answers of the server to clients other than the one that a secret was issued to. */
const said: string[] = [];

const ask = async (handler: Handler, path: string, method = 'GET', body?: unknown, params = {}) => {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return server.ask(handler, path, { init, params, cookie });
};

const makeEveryKindOfSecret = async (): Promise<void> => {
  const app = readRuntime();
  const { openServiceAdmin } = app;
  const { id, cookie: session } = await server.signInAs('ann', 'manager', null);
  cookie = session;
  const viewer = (await app.auth.authenticate(toClient(session)))!.viewer as Viewer;
  const by = { viewer, client: { address: '203.0.113.9' } };
  const other = await server.signInAs('ben', 'dispatcher', null);
  const tokenOf = (link: string) => new URL(link, 'http://x').hash.slice(1);
  const invited = await app.users.invite(
    { email: 'new@carrier.test', role: 'dispatcher', usdots: null, tags: null, days: 7 },
    by,
  );
  const reset = await app.users.makeReset(other.id, by);
  const { token } = await app.screens.create(
    { name: 'Yard', usdots: null },
    { viewer: viewer, client: toClient() },
  );
  const screenCookie = await app.screens.open(token, toClient());
  const factor = await app.profile.startSecondFactor({ password: PASSWORD }, toClient(other.cookie));
  const { uri, recoveryCodes } = (await factor.json()) as { uri: string; recoveryCodes: string[] };
  await app.profile.confirmSecondFactor({ code: toAppCode(uri, Date.now()) }, toClient(other.cookie));
  const { keys, ingestTokens } = (await openServiceAdmin()) as unknown as Store;
  const key = await keys.create({ usdot: USDOT, name: 'dispatch' });
  const rotated = (await keys.rotate(key.id, 60_000))!;
  const ingest = await ingestTokens.create({ usdot: USDOT, name: 'phones' });
  const acting = { ...app, viewer, client: toClient() };
  const loadKey = await createLoadKey(acting, { usdot: USDOT, name: 'TMS', expiresAtMs: null });
  expect(id).not.toBe('');
  for (const [name, secret] of Object.entries({
    password: PASSWORD,
    session: decodeURIComponent(session.split('=').slice(1).join('=')),
    'second session': await signIn(app, 'ann@carrier.test'),
    invitation: tokenOf(invited.link),
    reset: tokenOf(reset.link),
    screen: token,
    'screen cookie': screenCookie.split(';', 1)[0]!,
    'second factor': new URL(uri).searchParams.get('secret')!,
    'recovery code': recoveryCodes[0]!,
    'API key': key.apiKey,
    'provider token': key.providerToken,
    'rotated API key': rotated.apiKey,
    'rotated provider token': rotated.providerToken,
    'ingest token': ingest.token,
    'key for loads': loadKey.key,
  }))
    secrets.set(name, secret);
};

/** Uses each secret, rightly and wrongly, and requests every route. */
const useEverything = async (): Promise<void> => {
  const bearing = (headers: Record<string, string>) =>
    server.ask(serveTracking as Handler, `/tracking/api/carrier`, { init: { headers } });
  const apiKey = secrets.get('API key')!;
  const providerToken = secrets.get('provider token')!;
  expect((await bearing({ 'x-api-key': apiKey, 'provider-token': providerToken })).status).toBe(200);
  said.push((await bearing({ 'x-api-key': apiKey, 'provider-token': `${providerToken}x` })).text);
  for (const key of [secrets.get('key for loads')!, `${secrets.get('key for loads')!}x`]) {
    const init = { headers: { authorization: `Bearer ${key}` } };
    const asked = await server.ask(readLoad as Handler, '/api/v1/loads/x', {
      init,
      params: { reference: 'x' },
    });
    said.push(asked.text, JSON.stringify([...asked.headers]));
  }
  const report = await server.ask(
    serveTracking as Handler,
    `/tracking/ingest/${secrets.get('ingest token')}/traccar?id=unknown&lat=1&lon=1&timestamp=1`,
  );
  said.push(report.text);
  const values: Record<string, string> = {
    usdot: USDOT,
    vin: '1M8GDM9AXKP042788',
    key: 'x',
    id: 'x',
    ...{ path: 'x', reference: 'x', token: 'x' },
  };
  const all = [...secrets.values()].join(' ');
  // This route would end the session that the other requests use.
  const routes = (await readRoutes()).filter(({ name }) => name !== 'DELETE api/account/sessions');
  for (const { method, handler, params } of routes) {
    const given = Object.fromEntries(params.map((name) => [name, values[name]!]));
    const body =
      method === 'GET' ? undefined : { ...Object.fromEntries(secrets), name: all, token: all, file: all };
    const { text, headers } = await ask(handler, '/api/x', method, body, given);
    said.push(text, JSON.stringify([...headers]));
  }
};

/** A secret as it is, and in the encodings that bytes and addresses use. */
const toForms = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
  ];
};

const findSecrets = (texts: string[]): string[] => {
  const all = texts.join('\n');
  return [...secrets].flatMap(([name, secret]) =>
    toForms(secret).some((form) => all.includes(form)) ? [name] : [],
  );
};

beforeAll(async () => {
  server = await startAttackedServer({
    isEmbedded: true,
    variables: {
      ...SETTINGS,
      PUBLIC_URL: 'http://fleet.test:3000',
      // No program listens on this port.
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'linehaul',
      OIDC_EMAIL_DOMAINS: 'carrier.test',
      SMTP_URL: `smtp://linehaul:${SMTP_PASSWORD}@127.0.0.1:9`,
      MAIL_FROM: 'fleet@carrier.test',
      LOG_LEVEL: 'debug',
    },
  });
  await makeEveryKindOfSecret();
  await useEverything();
}, 60_000);
afterAll(() => server?.close());

it('no table of either schema holds a secret of any kind', async () => {
  const tables = await dumpDatabase(server.databaseUrl);
  expect(Object.keys(tables)).toEqual(
    expect.arrayContaining(['linehaul.sessions', 'linehaul.second_factors', 'tracking.api_key_secrets']),
  );
  // Each kind of row must exist, so that an empty table cannot hide a leak.
  for (const name of [
    'linehaul.invitations',
    'linehaul.password_resets',
    'linehaul.wall_screens',
    'linehaul.load_keys',
    'linehaul.second_factors',
    'linehaul.sessions',
    'linehaul.audit_log',
    'tracking.api_key_secrets',
    'tracking.ingest_tokens',
  ])
    expect(tables[name]?.length, name).toBeGreaterThan(0);
  expect(findSecrets(Object.values(tables).flat())).toEqual([]);
});

it('no line of the log holds a secret, whatever is requested and refused', () => {
  // A mail that cannot be sent, and an identity provider that is away.
  expect(logged.length).toBeGreaterThan(0);
  expect(findSecrets(logged)).toEqual([]);
});

it('no answer of any route holds a secret except the first', () => {
  expect(said.length).toBeGreaterThan(60);
  expect(said.join()).toContain('new@carrier.test');
  expect(findSecrets(said)).toEqual([]);
});
