import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { Viewer } from '@/lib/base/viewer';
import type { SignIn, SignInOptions } from '@/server/sign-in';
import {
  MANAGER,
  PASSWORD,
  ask,
  createTestSignIn,
  insertViewer,
  signIn,
  toClient,
  toCookie,
  toCookies,
  usersOf,
} from '@/testing/auth/sign-in';
import { firstStep, secondStep, setUpSecondFactor } from '@/testing/auth/second-factor';
import { toAppCode, toNextCode } from '@/testing/auth/totp';

let database: TestDatabase;
const opened: SignIn[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
afterAll(() => database.drop());

let users = 0;
const open = async (options: Partial<SignInOptions> = {}, role: 'manager' | 'dispatcher' = 'manager') => {
  const { app, clock } = createTestSignIn(database.databaseUrl, options);
  opened.push(app);
  const email = `user${++users}@carrier.test`;
  const user = await usersOf(app).create({ name: 'Ann', email, role, usdots: null, password: PASSWORD });
  return { app, clock, email, user };
};

const lines = async (email: string) =>
  (
    await database.query(
      'select action, outcome, details from linehaul.audit_log where subject = $1 order by id',
      [email],
    )
  ).map(({ action, outcome }) => `${action} ${outcome}`);

it('a second factor is required once one of its codes was confirmed, and not before', async () => {
  const { app, email } = await open();
  const cookie = await signIn(app, email);
  await app.profile.startSecondFactor({ password: PASSWORD }, toClient(cookie));
  expect((await firstStep(app, email)).cookies).toContain('session_token');
  const made = await setUpSecondFactor(app, cookie);
  expect(await app.auth.authenticate(toClient(cookie))).toBeNull();
  expect(await app.auth.authenticate(toClient(made.cookie))).not.toBeNull();

  const { answer, cookies } = await firstStep(app, email);
  expect(await answer.json()).toEqual({ needsSecondFactor: true });
  expect(cookies).not.toContain('session_token');
  expect(await app.auth.authenticate(toClient(cookies))).toBeNull();
  await expect(secondStep(app, cookies, '000000')).rejects.toMatchObject({
    code: 'second-factor-refused',
  });
  const done = await secondStep(app, cookies, toNextCode(made.uri));
  expect(await done.text()).toBe('{}');
  expect((await app.auth.authenticate(toClient(toCookie(done))))?.viewer).toMatchObject({ email });
  // The pending step is consumed: its cookie is invalid afterwards.
  await expect(secondStep(app, cookies, toNextCode(made.uri))).rejects.toMatchObject({
    code: 'sign-in-too-late',
  });
  // Of the three sign-ins that passed the password, two ended without a second factor.
  expect((await lines(email)).filter((line) => line === 'sign-in done')).toHaveLength(3);
  expect(await lines(email)).toContain('second-factor.add done');
});

it('a recovery code signs in once, in any spelling, and new codes invalidate the old ones', async () => {
  const { app, email } = await open();
  const made = await setUpSecondFactor(app, await signIn(app, email));
  const [first = '', second = ''] = made.recoveryCodes;
  const one = await firstStep(app, email);
  const typed = ` ${first.replace('-', ' ')} `;
  expect(toCookie(await secondStep(app, one.cookies, typed))).not.toBe('');
  const two = await firstStep(app, email);
  await expect(secondStep(app, two.cookies, first)).rejects.toMatchObject({
    code: 'second-factor-refused',
  });
  await app.profile.renewRecoveryCodes({ password: PASSWORD }, toClient(made.cookie));
  await expect(secondStep(app, two.cookies, second)).rejects.toMatchObject({
    code: 'second-factor-refused',
  });
});

it('both steps work over TLS with host-bound cookies, also beside one that a sibling domain set', async () => {
  const { app, email } = await open();
  const { recoveryCodes } = await setUpSecondFactor(app, await signIn(app, email));
  const tls = (cookie = '') => toClient(cookie, { isTls: true });
  const first = await ask(app, '/api/auth/sign-in/email', { email, password: PASSWORD }, tls());
  const challenge = toCookies(first);
  expect(challenge).toMatch(/^__Host-linehaul\.two_factor=/);
  const answer = await ask(
    app,
    '/api/auth/sign-in/second-factor',
    { code: recoveryCodes[0] },
    tls(`linehaul.two_factor=planted; __Secure-linehaul.two_factor=planted; ${challenge}`),
  );
  for (const line of [...first.headers.getSetCookie(), ...answer.headers.getSetCookie()])
    expect(line).toMatch(/^__Host-linehaul\..*Path=\/;.*Secure/);
  expect((await app.auth.authenticate(tls(toCookie(answer))))?.viewer).toMatchObject({ email });
});

it('the database holds neither the secret nor a recovery code in readable form', async () => {
  const { app, email, user } = await open();
  const made = await setUpSecondFactor(app, await signIn(app, email));
  const rows = JSON.stringify(
    await database.query('select * from linehaul.second_factors where user_id = $1', [user.id]),
  );
  expect(rows).toContain(user.id);
  expect(rows).not.toContain(new URL(made.uri).searchParams.get('secret')!);
  for (const code of made.recoveryCodes) expect(rows).not.toContain(code);
  expect(JSON.stringify(await database.query('select * from linehaul.audit_log'))).not.toContain(
    made.recoveryCodes[0]!,
  );
});

it('guesses of codes are limited', async () => {
  const { app, email } = await open();
  const made = await setUpSecondFactor(app, await signIn(app, email));
  const { cookies } = await firstStep(app, email);
  const wrong = toAppCode(made.uri, Date.now() - 3_600_000);
  for (let i = 0; i < 5; i++)
    await expect(secondStep(app, cookies, wrong)).rejects.toMatchObject({
      code: 'second-factor-refused',
    });
  await expect(secondStep(app, cookies, toNextCode(made.uri))).rejects.toMatchObject({
    code: 'sign-in-too-late',
  });
});

it('a change of the second factor requires the password, and another user’s session is refused', async () => {
  const { app, email } = await open();
  const made = await setUpSecondFactor(app, await signIn(app, email));
  const wrong = { password: 'not the password' };
  await expect(app.profile.removeSecondFactor(wrong, toClient(made.cookie))).rejects.toMatchObject({
    code: 'wrong-password',
  });
  expect(await lines(email)).toContain('second-factor.remove refused');
  // A code of one user's app is invalid for another user.
  const other = await open();
  const theirs = await setUpSecondFactor(other.app, await signIn(other.app, other.email));
  const { cookies } = await firstStep(app, email);
  const mixed = `${cookies}; ${theirs.cookie}`;
  await expect(secondStep(app, mixed, toNextCode(theirs.uri))).rejects.toMatchObject({
    code: 'second-factor-refused',
  });
  await app.profile.removeSecondFactor({ password: PASSWORD }, toClient(made.cookie));
  expect(await signIn(app, email)).not.toBe('');
});

it('a manager removes the lost second factor of a user in scope, but not their own', async () => {
  const { app, email, user } = await open({}, 'dispatcher');
  await setUpSecondFactor(app, await signIn(app, email));
  const limited: Viewer = { ...MANAGER, id: 'lee', email: 'lee@carrier.test', usdots: ['9000001'] };
  for (const manager of [MANAGER, limited]) await insertViewer(database, manager);
  const remove = (by: Partial<Viewer> = {}, id = user.id) =>
    app.users.removeSecondFactor(id, {
      viewer: { ...MANAGER, ...by },
      client: { address: '203.0.113.9' },
    });
  await expect(remove(limited)).rejects.toMatchObject({ code: 'unknown-user' });
  await expect(remove({ kind: 'demo', id: null })).rejects.toMatchObject({ code: 'demo-has-no-users' });
  await expect(remove({ id: user.id })).rejects.toMatchObject({ code: 'own-second-factor' });
  expect(await signIn(app, email)).toBe('');
  await remove();
  expect(await signIn(app, email)).not.toBe('');
  expect((await lines(email)).filter((line) => line.startsWith('second-factor.remove'))).toEqual([
    'second-factor.remove done',
  ]);
  await expect(remove()).rejects.toMatchObject({ code: 'unknown-account-part' });
  await expect(remove({}, 'no-such-user')).rejects.toMatchObject({ code: 'unknown-user' });
});

it('a manager without a required second factor may only set one up', async () => {
  const needs = async (app: SignIn, cookie: string) =>
    (await app.auth.authenticate(toClient(cookie)))?.needsSecondFactor;
  const { app, email } = await open({ isSecondFactorRequired: true });
  const cookie = await signIn(app, email);
  expect(await needs(app, cookie)).toBe(true);
  expect(await app.profile.read(toClient(cookie))).toMatchObject({
    isSecondFactorRequired: true,
    hasSecondFactor: false,
  });
  expect(await needs(app, (await setUpSecondFactor(app, cookie)).cookie)).toBe(false);
  const dispatcher = await open({ isSecondFactorRequired: true }, 'dispatcher');
  expect(await needs(dispatcher.app, await signIn(dispatcher.app, dispatcher.email))).toBe(false);
});

it('a new password ends every other session', async () => {
  const { app, email } = await open();
  const here = await signIn(app, email);
  const elsewhere = await signIn(app, email);
  const newPassword = 'another long enough password';
  await expect(
    app.profile.changePassword({ password: 'not it', newPassword }, toClient(here)),
  ).rejects.toMatchObject({ code: 'wrong-password' });
  expect(await app.auth.authenticate(toClient(elsewhere))).not.toBeNull();
  const changed = await app.profile.changePassword({ password: PASSWORD, newPassword }, toClient(here));
  expect(await app.auth.authenticate(toClient(elsewhere))).toBeNull();
  expect(await app.auth.authenticate(toClient(toCookie(changed)))).not.toBeNull();
  expect(await signIn(app, email, newPassword)).not.toBe('');
  expect(await lines(email)).toContain('password.change done');
});

it('own sessions are listed with device and last use, and end one by one or all together', async () => {
  const { app, clock, email } = await open();
  const here = await signIn(app, email);
  const elsewhere = await signIn(app, email);
  const { sessions } = await app.profile.read(toClient(here));
  expect(sessions).toHaveLength(2);
  expect(sessions.every(({ address }) => address === '203.0.113.7')).toBe(true);
  const other = sessions.find(({ isThis }) => !isThis)!;
  // A use one hour later updates the time of the last use.
  clock.nowMs += 3_600_000;
  clock.elapsedMs += 3_600_000;
  await app.auth.authenticate(toClient(elsewhere));
  const later = (await app.profile.read(toClient(here))).sessions.find(({ id }) => id === other.id)!;
  expect(later.seenAtMs - other.seenAtMs).toBeGreaterThan(3_500_000);

  const stranger = await open();
  const strangers = await signIn(stranger.app, stranger.email);
  await expect(app.profile.endSession(other.id, toClient(strangers))).rejects.toMatchObject({
    code: 'unknown-account-part',
  });
  await app.profile.endSession(other.id, toClient(here));
  expect(await app.auth.authenticate(toClient(elsewhere))).toBeNull();
  await app.profile.endAllSessions(toClient(here));
  expect(await app.auth.authenticate(toClient(here))).toBeNull();
  expect(await lines(email)).toEqual(expect.arrayContaining(['session.end done', 'session.end-all done']));
});
