import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { SignIn } from '@/server/sign-in';
import {
  ORIGIN,
  PASSWORD,
  ask,
  createTestSignIn,
  toClient,
  toCookie,
  toCookies,
  usersOf,
} from '@/testing/auth/sign-in';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProvider,
  type KnownPerson,
} from '@/testing/auth/identity-provider';

let database: TestDatabase;
let provider: IdentityProvider;
const opened: SignIn[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startIdentityProvider(`${ORIGIN}/api/auth/callback/oidc`);
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
afterAll(async () => {
  await provider.close();
  await database.drop();
});

const open = ({ createsUsers = false, issuer = provider.issuer } = {}) => {
  const { app } = createTestSignIn(database.databaseUrl, {
    publicUrl: ORIGIN,
    oidc: {
      issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      emailDomains: ['carrier.test'],
      createsUsers,
    },
  });
  opened.push(app);
  return app;
};

const toPerson = (name: string, person: Partial<KnownPerson> = {}): KnownPerson => ({
  sub: `sub-${name}`,
  email: `${name}@carrier.test`,
  email_verified: true,
  name: `The ${name}`,
  ...person,
});

const start = async (app: SignIn, next: string) => {
  const answer = await ask(app, '/api/auth/sign-in/oidc', { next }, toClient());
  const { url } = (await answer.json()) as { url: string };
  return { url, cookies: toCookies(answer) };
};
const finish = (app: SignIn, back: string, cookies: string) =>
  app.auth.serve(new Request(back), toClient(cookies));

/** Signs a person in; returns the browser's final URL and the viewer. */
const signInAs = async (app: SignIn, person: KnownPerson, next = '/') => {
  provider.person = person;
  const { url, cookies } = await start(app, next);
  const answer = await finish(app, await provider.follow(url), cookies);
  const cookie = toCookie(answer);
  return {
    to: answer.headers.get('location'),
    status: answer.status,
    viewer: cookie === '' ? null : ((await app.auth.authenticate(toClient(cookie)))?.viewer ?? null),
  };
};

const createUser = (app: SignIn, name: string, role: 'manager' | 'dispatcher' = 'manager') =>
  usersOf(app).create({
    name,
    email: `${name}@carrier.test`,
    role,
    usdots: null,
    password: PASSWORD,
  });

it('signs in a user with an account, with the account’s role, and returns to the page before sign-in', async () => {
  const app = open();
  const { id } = await createUser(app, 'ann');
  const next = "/fleets/9000001?at=41.5,-93.6,7&q=o'neil (2)";
  const first = await signInAs(app, toPerson('ann'), next);
  expect(first.viewer).toMatchObject({ id, role: 'manager', email: 'ann@carrier.test' });
  expect(first.status).toBe(303);
  const back = new URL(first.to!, ORIGIN);
  expect(back.pathname).toBe('/sign-in');
  expect(new URL(back.searchParams.get('next')!, ORIGIN).href).toBe(new URL(next, ORIGIN).href);
  await usersOf(app).change(id, { role: 'dispatcher', usdots: ['9000001'] });
  expect((await signInAs(app, toPerson('ann'))).viewer).toMatchObject({
    role: 'dispatcher',
    usdots: ['9000001'],
    name: 'ann',
  });
});

it('redirects only to this server afterwards', async () => {
  const app = open();
  await createUser(app, 'ada');
  for (const next of ['//evil.example', '/\\evil.example', 'https:evil.example', 'javascript:alert(1)']) {
    const { to, viewer } = await signInAs(app, toPerson('ada'), next);
    expect(viewer).not.toBeNull();
    expect(new URL(to!, ORIGIN).searchParams.get('next'), next).toBe('/');
  }
});

it('identifies a user by the provider’s subject, also under another address', async () => {
  const app = open();
  const { id } = await createUser(app, 'bob');
  await signInAs(app, toPerson('bob'));
  const renamed = toPerson('bob', { email: 'robert@carrier.test' });
  expect((await signInAs(app, renamed)).viewer).toMatchObject({ id, email: 'bob@carrier.test' });
});

it('refuses an unknown and a disabled user with the same answer', async () => {
  const app = open();
  const { id } = await createUser(app, 'off');
  await usersOf(app).change(id, { disabledAtMs: Date.now() });
  for (const name of ['off', 'unknown'])
    expect(await signInAs(app, toPerson(name))).toEqual({
      to: '/sign-in?refused=no-account',
      status: 303,
      viewer: null,
    });
  expect((await usersOf(app).list()).some(({ email }) => email === 'unknown@carrier.test')).toBe(false);
});

it('if configured, creates a dispatcher who sees no fleet, whatever claims the provider sends', async () => {
  const app = open({ createsUsers: true });
  const person = { ...toPerson('new'), role: 'manager', usdots: ['9000001'] };
  expect((await signInAs(app, person)).viewer).toMatchObject({ role: 'dispatcher', usdots: [] });
});

it('refuses addresses of other domains and unverified addresses at every sign-in', async () => {
  const app = open({ createsUsers: true });
  const elsewhere = toPerson('eve', { email: 'eve@carrier.test.evil.test' });
  expect((await signInAs(app, elsewhere)).to).toBe('/sign-in?refused=domain');
  const unverified = toPerson('mal', { email_verified: false });
  expect((await signInAs(app, unverified)).to).toBe('/sign-in?refused=unverified');
  expect((await signInAs(app, toPerson('dee'))).viewer).not.toBeNull();
  const moved = toPerson('dee', { email: 'dee@elsewhere.test' });
  expect((await signInAs(app, moved)).to).toBe('/sign-in?refused=domain');
});

it('accepts no callback from another browser, a second time, or without a start', async () => {
  const app = open();
  await createUser(app, 'cat');
  provider.person = toPerson('cat');
  const { url, cookies } = await start(app, '/');
  const back = await provider.follow(url);
  const refused = '/sign-in?refused=provider';
  expect((await finish(app, back, '')).headers.get('location')).toBe(refused);
  const again = await start(app, '/');
  const backAgain = await provider.follow(again.url);
  expect(toCookie(await finish(app, backAgain, again.cookies))).not.toBe('');
  expect((await finish(app, backAgain, again.cookies)).headers.get('location')).toBe(refused);
  const madeUp = `${ORIGIN}/api/auth/callback/oidc?code=x&state=y`;
  expect((await finish(app, madeUp, cookies)).headers.get('location')).toBe(refused);
});

it('a flood of forged provider callbacks adds at most ten audit records for each address', async () => {
  const app = open();
  const address = '198.51.100.40';
  const madeUp = new Request(`${ORIGIN}/api/auth/callback/oidc?code=x&state=y`);
  for (let count = 0; count < 30; count++) {
    const answer = await app.auth.serve(madeUp, toClient('', { address }));
    expect(answer.headers.get('location')).toBe('/sign-in?refused=provider');
  }
  expect(
    await database.query('select id from linehaul.audit_log where address = $1', [address]),
  ).toHaveLength(10);
});

it('stores no token of the provider, and records sign-ins and refusals', async () => {
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select access_token, refresh_token, id_token from linehaul.identities where provider_id = 'oidc'`,
  );
  const lines = await client.query(
    `select outcome, details->>'by' as by from linehaul.audit_log where action = 'sign-in'`,
  );
  await client.end();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toEqual({ access_token: null, refresh_token: null, id_token: null });
  for (const outcome of ['done', 'refused'])
    expect(lines.rows).toContainEqual({ outcome, by: 'identity provider' });
});

it('sign-in by password works while the provider is down, and discovery is retried', async () => {
  const app = open({ issuer: 'http://127.0.0.1:9' });
  await createUser(app, 'pat');
  await expect(start(app, '/')).rejects.toMatchObject({ code: 'identity-provider' });
  const body = { email: 'pat@carrier.test', password: PASSWORD };
  expect((await ask(app, '/api/auth/sign-in/email', body, toClient())).status).toBe(200);
});

it('does not exist if no provider is configured', async () => {
  const { app } = createTestSignIn(database.databaseUrl);
  opened.push(app);
  await expect(async () => start(app, '/')).rejects.toMatchObject({ code: 'unknown-address' });
});
