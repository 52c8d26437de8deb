import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '@/lib/base/http/problems';
import { startTcpProxy, throughProxy } from '@/testing/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { SignIn } from './sign-in';
import {
  PASSWORD,
  ask,
  createTestSignIn,
  signIn,
  toClient,
  toCookie,
  sessionsOf,
  usersOf,
} from '@/testing/auth/sign-in';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';

const MANAGER = { name: 'Ann Manager', email: 'ann@carrier.test', password: PASSWORD };

let database: TestDatabase;
const opened: SignIn[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
afterAll(() => database.drop());

const open = async (...[options]: [Parameters<typeof createTestSignIn>[1]?]) => {
  const made = createTestSignIn(database.databaseUrl, options);
  opened.push(made.app);
  await made.app.start();
  return made;
};

const whoIs = async (app: SignIn, cookie: string) =>
  (await app.auth.authenticate(toClient(cookie)))?.viewer ?? null;

const countLines = async (action: string, outcome: string) =>
  Number(
    (
      await database.query('select count(*) from linehaul.audit_log where action = $1 and outcome = $2', [
        action,
        outcome,
      ])
    )[0]!.count,
  );

const toWrongCode = (code: string): string => code.replace(/.$/, (last) => (last === '7' ? '8' : '7'));

describe('the first run', () => {
  it('takes the same code on every server, also after a restart', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    expect(two.readCode()).toBe(one.readCode());
    expect(one.readCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    expect((await open()).readCode()).toBe(one.readCode());
    // Not of another installation with the same database, nor from the database alone.
    expect((await open({ secret: 'another secret, which is long enough' })).readCode()).not.toBe(
      one.readCode(),
    );
    const [{ text }] = (await database.query(
      'select string_agg(value::text, $1) as text from linehaul.settings',
      [' '],
    )) as [{ text: string }];
    expect(text).not.toContain(one.readCode().slice(0, 4));
  });

  it('counts wrong codes for each address: ten from one leave the set-up open to another', async () => {
    const { app, readCode } = await open();
    const code = readCode();
    const attempt = (address: string) =>
      app.auth
        .setUp({ ...MANAGER, code: toWrongCode(code) }, toClient('', { address }))
        .catch((error: AppError) => error.code);
    const names: unknown[] = [];
    for (let count = 0; count < 11; count++) names.push(await attempt('198.51.100.1'));
    expect(names.at(-2)).toBe('set-up-code');
    expect(names.at(-1)).toBe('too-many-attempts');
    expect(await attempt('198.51.100.2')).toBe('set-up-code');
  });

  it('creates one manager for the printed code, and is closed afterwards', async () => {
    const { app, readCode, announced } = await open();
    expect(announced).toHaveLength(1);
    expect(await app.auth.isSetUpOpen()).toBe(true);
    const code = readCode();
    const wrong = toWrongCode(code);
    await expect(app.auth.setUp({ ...MANAGER, code: wrong }, toClient())).rejects.toMatchObject({
      code: 'set-up-code',
    });
    const both = await Promise.allSettled(
      [MANAGER.email, 'second@carrier.test'].map((email) =>
        app.auth.setUp({ ...MANAGER, email, code: code.toLowerCase().replaceAll('-', ' ') }, toClient()),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await app.auth.isSetUpOpen()).toBe(false);
    await expect(app.auth.setUp({ ...MANAGER, code }, toClient())).rejects.toMatchObject({
      code: 'set-up-closed',
    });
    const [manager, ...others] = await usersOf(app).list();
    expect(others).toEqual([]);
    expect(manager).toMatchObject({ role: 'manager', usdots: null, disabledAtMs: null });
    expect(await countLines('set-up', 'done')).toBe(1);
    // The later one of both is refused, with a line where it comes after the first is stored.
    expect([12, 13]).toContain(await countLines('set-up', 'refused'));
    // The tests below sign in as this user, whichever of the two set-ups came first.
    await database.query('update linehaul.users set email = $1', [MANAGER.email]);
  });

  it('prints no code once an account exists', async () => {
    expect((await open()).announced).toEqual([]);
  });
});

describe('signing in', () => {
  it('issues a session cookie that is HttpOnly and SameSite, and returns the user', async () => {
    const { app } = await open();
    const response = await ask(
      app,
      '/api/auth/sign-in/email',
      { email: ' ANN@Carrier.test ', password: PASSWORD },
      toClient(),
    );
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^linehaul\.session_token=[^;]+;/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\//i);
    expect(await response.text()).toBe('{"needsSecondFactor":false}');
    expect(await whoIs(app, toCookie(response))).toMatchObject({
      kind: 'user',
      email: MANAGER.email,
      role: 'manager',
    });
    expect(await countLines('sign-in', 'done')).toBe(1);
  });

  it('over TLS issues a Secure cookie and accepts no other', async () => {
    const { app } = await open();
    const client = toClient('', { isTls: true });
    const response = await ask(
      app,
      '/api/auth/sign-in/email',
      { email: MANAGER.email, password: PASSWORD },
      client,
    );
    const [cookie = ''] = response.headers.getSetCookie();
    // The prefix binds the cookie to this host: a page of a sibling domain can neither read nor set it.
    expect(cookie).toMatch(/^__Host-linehaul\.session_token=.*; Path=\/;.*; Secure/i);
    expect(cookie).not.toMatch(/; Domain=/i);
    const plain = await signIn(app, MANAGER.email);
    expect(await app.auth.authenticate(toClient(plain, { isTls: true }))).toBeNull();
    expect(await app.auth.authenticate(toClient(toCookie(response), { isTls: true }))).not.toBeNull();
  });

  it('uses Secure cookies if the browser came over TLS, per settings or proxy, and warns otherwise', async () => {
    const judge = async (publicUrl: string | null, host: string, isTls = false) => {
      const { app } = await open({ publicUrl });
      const client = toClient('', { isTls, headers: new Headers({ host }) });
      const body = { email: MANAGER.email, password: PASSWORD };
      const [cookie = ''] = (await ask(app, '/api/auth/sign-in/email', body, client)).headers.getSetCookie();
      return { isSecure: /; Secure/i.test(cookie), isInTheClear: app.auth.isInTheClear(client) };
    };
    const warned = { isSecure: false, isInTheClear: true };
    const plain = { isSecure: false, isInTheClear: false };
    const secure = { isSecure: true, isInTheClear: false };
    expect(await judge(null, 'fleet.test:3000')).toEqual(warned);
    expect(await judge('http://fleet.test:3000', 'fleet.test:3000')).toEqual(warned);
    expect(await judge(null, '192.168.1.20')).toEqual(warned);
    expect(await judge(null, 'localhost.evil.test')).toEqual(warned);
    expect(await judge(null, '127.0.0.1:3000')).toEqual(plain);
    expect(await judge(null, 'localhost')).toEqual(plain);
    expect(await judge(null, '[::1]:3000')).toEqual(plain);
    expect(await judge(null, 'fleet.test', true)).toEqual(secure);
    expect(await judge('https://fleet.test', 'fleet.test')).toEqual(secure);
  });

  it('is refused alike for a wrong password, an unknown address, a disabled user and an invalid address', async () => {
    const { app } = await open();
    const disabled = await usersOf(app).create({
      name: 'Off',
      email: 'off@carrier.test',
      role: 'dispatcher',
      usdots: null,
      password: PASSWORD,
    });
    await usersOf(app).change(disabled.id, { disabledAtMs: Date.now() });
    const tries = [
      { email: MANAGER.email, password: 'another long password' },
      { email: 'no-account@carrier.test', password: PASSWORD },
      { email: disabled.email, password: PASSWORD },
      { email: 'not an address', password: PASSWORD },
    ];
    const errors = await Promise.all(
      tries.map((body) =>
        ask(app, '/api/auth/sign-in/email', body, toClient()).catch((error: Error) => error),
      ),
    );
    for (const error of errors) expect(error).toMatchObject({ code: 'sign-in-refused' });
    expect(new Set(errors.map((error) => (error as Error).message)).size).toBe(1);
    const lines = await database.query(
      `select subject, details from linehaul.audit_log where action = 'sign-in' and outcome = 'refused'`,
    );
    expect(lines.map(({ subject }) => subject)).toEqual(expect.arrayContaining([disabled.email, null]));
    expect(JSON.stringify(lines)).not.toContain('not an address');
  });

  it('is limited by client alone for invalid addresses: one client does not use up the attempts of another', async () => {
    const { app } = await open();
    const guess = (address: string) =>
      ask(app, '/api/auth/sign-in/email', { email: 'x', password: 'y' }, toClient('', { address })).catch(
        (error: AppError) => error.code,
      );
    for (let count = 0; count < 10; count++) await guess('198.51.100.1');
    expect(await guess('198.51.100.1')).toBe('too-many-attempts');
    expect(await guess('198.51.100.2')).toBe('sign-in-refused');
  });

  it('is limited, also with the right password, which is then not verified', async () => {
    const { app } = await open();
    const guess = (password: string) =>
      ask(app, '/api/auth/sign-in/email', { email: 'no-account@carrier.test', password }, toClient()).catch(
        (error: AppError) => error.code,
      );
    const names = await Promise.all(Array.from({ length: 11 }, () => guess('a guess')));
    expect(names.filter((name) => name === 'sign-in-refused')).toHaveLength(10);
    expect(names.filter((name) => name === 'too-many-attempts')).toHaveLength(1);
    expect(await guess(PASSWORD)).toBe('too-many-attempts');
  });

  it('exposes no other route of better-auth', async () => {
    const { app } = await open();
    const cookie = await signIn(app, MANAGER.email);
    for (const path of [
      '/sign-up/email',
      '/update-user',
      '/get-session',
      '/list-sessions',
      '/ok',
      '/sign-in/email/',
      '/sign-in%2femail',
    ])
      await expect(async () => ask(app, `/api/auth${path}`, {}, toClient(cookie))).rejects.toMatchObject({
        code: 'unknown-address',
      });
  });
});

describe('a session', () => {
  it('is refused if the cookie is forged, changed or signed with another secret', async () => {
    const { app } = await open();
    const cookie = await signIn(app, MANAGER.email);
    const [name, value = ''] = cookie.split('=', 2) as [string, string];
    const token = decodeURIComponent(value).split('.')[0]!;
    for (const forged of [
      `${name}=${token}`,
      `${name}=${token}.`,
      `${cookie}x`,
      `${name}=x${value}`,
      `${name}=`,
    ])
      expect(await whoIs(app, forged), forged).toBeNull();
    const { app: other } = await open({ secret: 'another secret of a test, long enough as well' });
    expect(await whoIs(other, cookie)).toBeNull();
    expect(await whoIs(app, cookie)).not.toBeNull();
  });

  it('ends at sign-out, also for a kept copy of the cookie', async () => {
    const { app } = await open();
    const cookie = await signIn(app, MANAGER.email);
    expect(await whoIs(app, cookie)).not.toBeNull();
    const answer = await ask(app, '/api/auth/sign-out', {}, toClient(cookie));
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=;.*Max-Age=0/i);
    expect(await whoIs(app, cookie)).toBeNull();
    expect(await countLines('sign-out', 'done')).toBe(1);
  });

  it('costs no query for half a minute, and ends at once when its user is disabled', async () => {
    const { app } = await open();
    const user = await usersOf(app).create({
      name: 'Dan',
      email: 'dan@carrier.test',
      role: 'dispatcher',
      usdots: ['9000001'],
      password: PASSWORD,
    });
    const cookie = await signIn(app, user.email);
    expect(await whoIs(app, cookie)).toMatchObject({ role: 'dispatcher', usdots: ['9000001'] });
    // Changes the database directly, so that this process does not see the change.
    await database.query('update linehaul.users set name = $1 where id = $2', ['Daniel', user.id]);
    expect((await whoIs(app, cookie))?.name).toBe('Dan');
    await usersOf(app).change(user.id, { usdots: [] });
    expect((await whoIs(app, cookie))?.usdots).toEqual([]);
    await usersOf(app).change(user.id, { disabledAtMs: Date.now() });
    expect(await whoIs(app, cookie)).toBeNull();
    expect(await sessionsOf(app).list(user.id)).toEqual([]);
    await usersOf(app).change(user.id, { disabledAtMs: null });
    expect(await whoIs(app, cookie)).toBeNull();
  });

  it('is refused while its user is disabled, even if its row is still in the database', async () => {
    const { app } = await open();
    const cookie = await signIn(app, MANAGER.email);
    const { app: fresh } = await open();
    await database.query('update linehaul.users set disabled_at = now() where email = $1', [MANAGER.email]);
    expect(await whoIs(fresh, cookie)).toBeNull();
    await database.query('update linehaul.users set disabled_at = null where email = $1', [MANAGER.email]);
    expect(await whoIs(fresh, cookie)).not.toBeNull();
  });

  it('slides: used after a day it lasts 14 more days, and its cookie as long', async () => {
    const { app, clock } = await open();
    const cookie = await signIn(app, MANAGER.email);
    await database.query(`update linehaul.sessions set expires_at = now() + interval '12 days'`);
    expect(await whoIs(app, cookie)).not.toBeNull();
    const [renewed = '', ...more] = app.auth.takeCookies(toClient(cookie));
    expect(more).toEqual([]);
    expect(renewed.startsWith(`${cookie};`)).toBe(true);
    expect(renewed).toMatch(/Max-Age=1209600/i);
    expect(app.auth.takeCookies(toClient(cookie))).toEqual([]);
    const [{ expires_at: expiresAt } = { expires_at: 0 }] = await database.query(
      'select max(expires_at) as expires_at from linehaul.sessions',
    );
    expect(Number(expiresAt as Date)).toBeGreaterThan(clock.nowMs + 13.9 * DAY_MS);
  });

  it('ends 90 days after signing in, however often it is used', async () => {
    const { app, clock } = await open();
    const cookie = await signIn(app, MANAGER.email);
    const age = (days: number) =>
      database.query(
        `update linehaul.sessions set created_at = now() - make_interval(days => $1), expires_at = now() + interval '14 days'`,
        [days],
      );
    const forget = () => (clock.elapsedMs += 3_600_000);
    await age(89);
    const viewer = await whoIs(app, cookie);
    expect(viewer).not.toBeNull();
    expect(await sessionsOf(app).list(viewer!.id!)).not.toEqual([]);
    await age(91);
    forget();
    expect(await whoIs(app, cookie)).toBeNull();
    expect(await sessionsOf(app).list(viewer!.id!)).toEqual([]);
  });

  it('in the cache ends at its 90 days to the millisecond, without another query', async () => {
    const { app, clock } = await open();
    const cookie = await signIn(app, MANAGER.email);
    const createdAtMs = clock.nowMs - 90 * DAY_MS + HOUR_MS;
    await database.query(
      `update linehaul.sessions set created_at = timestamptz 'epoch' + ${createdAtMs} * interval '1 ms'`,
    );
    expect(await whoIs(app, cookie)).not.toBeNull();
    clock.nowMs += HOUR_MS - 1;
    expect(await whoIs(app, cookie)).not.toBeNull();
    clock.nowMs += 1;
    expect(await whoIs(app, cookie)).toBeNull();
  });

  it('is refused once it has expired', async () => {
    const { app, clock } = await open();
    const cookie = await signIn(app, MANAGER.email);
    expect(await whoIs(app, cookie)).not.toBeNull();
    await database.query(`update linehaul.sessions set expires_at = now() - interval '1 second'`);
    clock.nowMs += 15 * DAY_MS;
    expect(await whoIs(app, cookie)).toBeNull();
  });

  it('stays valid in the cache while the database is down; other sessions are refused', async () => {
    const proxy = await startTcpProxy(Number(new URL(database.databaseUrl).port));
    const errors: string[] = [];
    const silent = () => undefined;
    const { app, clock } = createTestSignIn(throughProxy(database.databaseUrl, proxy), {
      log: { error: (_, message) => void errors.push(message), warn: silent, debug: silent },
    });
    opened.push(app);
    const cookie = await signIn(app, MANAGER.email);
    const other = await signIn(app, MANAGER.email);
    expect(await whoIs(app, cookie)).not.toBeNull();
    await proxy.cut();
    clock.elapsedMs += 3_600_000;
    expect(await whoIs(app, cookie)).not.toBeNull();
    await expect(whoIs(app, other)).rejects.toMatchObject({ code: 'accounts-unavailable' });
    // No user has signed in.
    expect(errors).toEqual([]);
    await expect(signIn(app, MANAGER.email)).rejects.toMatchObject({ code: 'accounts-unavailable' });
    await proxy.restore();
    await expect.poll(() => whoIs(app, other)).not.toBeNull();
    await opened.pop()?.close();
    await proxy.close();
  });
});

it('opens the demo on this machine only', async () => {
  const { app } = createTestSignIn(null, { mode: 'demo' });
  expect(await app.auth.authenticate(toClient('', { isLocal: true }))).toMatchObject({
    viewer: { kind: 'demo', role: 'manager' },
  });
  expect(await app.auth.authenticate(toClient())).toBeNull();
  const { app: required } = createTestSignIn(null);
  expect(await required.auth.authenticate(toClient('', { isLocal: true }))).toBeNull();
});

describe('the demo', () => {
  const LOCAL = toClient('', { isLocal: true });
  let fresh: TestDatabase;
  beforeAll(async () => {
    fresh = await createTestDatabase();
  });
  afterAll(() => fresh.drop());

  const openDemo = async (holdsOnlyDemoFleet: () => Promise<boolean>) => {
    const made = createTestSignIn(fresh.databaseUrl, { mode: 'demo', holdsOnlyDemoFleet });
    opened.push(made.app);
    await made.app.start();
    return made;
  };
  const isOpen = async (app: SignIn) => (await app.auth.authenticate(LOCAL))?.viewer.kind === 'demo';

  it('closes once the service holds another fleet, also at run time, and the answer explains how to sign in', async () => {
    const service = { holdsOnlyDemo: true };
    const { app, clock, readCode } = await openDemo(async () => service.holdsOnlyDemo);
    expect([await isOpen(app), app.auth.mode, await app.auth.isSetUpOpen()]).toEqual([true, 'demo', false]);
    service.holdsOnlyDemo = false;
    clock.elapsedMs += 10_000;
    await expect.poll(() => isOpen(app)).toBe(false);
    expect([app.auth.mode, await app.auth.isSetUpOpen()]).toEqual(['required', true]);
    expect(readCode()).not.toBe('');
    service.holdsOnlyDemo = true;
    clock.elapsedMs += 10_000;
    expect(await isOpen(app)).toBe(false);
    const { app: later } = await openDemo(async () => false);
    expect([later.auth.mode, await isOpen(later)]).toEqual(['required', false]);
  });

  it('is closed if a user has an account', async () => {
    await fresh.query(`insert into linehaul.users (id, name, email) values ('u', 'U', 'u@carrier.test')`);
    const { app } = await openDemo(async () => true);
    expect([app.auth.mode, await isOpen(app)]).toEqual(['required', false]);
  });

  it('stays open while the database is down, and checks again once it is back', async () => {
    const service = { isAway: true };
    const { app, clock } = await openDemo(async () => {
      if (service.isAway) throw new Error('away');
      return false;
    });
    expect(await isOpen(app)).toBe(true);
    service.isAway = false;
    expect(await isOpen(app)).toBe(false);
    expect(clock.elapsedMs).toBe(0);
  });
});

it('an audit log is append-only', async () => {
  await expect(database.query(`update linehaul.audit_log set actor = 'x'`)).rejects.toThrow('only added to');
  await expect(database.query('delete from linehaul.audit_log')).rejects.toThrow('only added to');
  await expect(database.query('truncate linehaul.audit_log')).rejects.toThrow('only added to');
});

it('a user created by any other path sees no fleet', async () => {
  await database.query(`insert into linehaul.users (id, name, email) values ('x', 'X', 'x@carrier.test')`);
  const { app } = await open();
  expect(await usersOf(app).read('x')).toMatchObject({ role: 'dispatcher', usdots: [] });
});
