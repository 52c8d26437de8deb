import { NO_ACTOR } from '@/lib/audit/audit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '@/lib/base/http/problems';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { SignIn } from '@/server/sign-in';
import { PASSWORD, createTestSignIn, signIn, toClient, usersOf } from '@/testing/auth/sign-in';
import { firstStep, secondStep, setUpSecondFactor } from '@/testing/auth/second-factor';
import { toAppCode, toNextCode } from '@/testing/auth/totp';
import { toTotpCode } from './totp';

const ROUNDS = 10;

let database: TestDatabase;
let app: SignIn;
let email: string;
let made: Awaited<ReturnType<typeof setUpSecondFactor>>;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ app } = createTestSignIn(database.databaseUrl));
});
beforeEach(async () => {
  email = `user-${++count}@carrier.test`;
  await usersOf(app).create({ name: 'Ann', email, role: 'manager', usdots: null, password: PASSWORD });
  made = await setUpSecondFactor(app, await signIn(app, email));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: AppError) => error.code,
  );
/** The second step of a sign-in from a unique address, because attempts are limited by address. */
const giveCode = (cookies: string, code: string) =>
  codeOf(secondStep(app, cookies, code, { address: `198.51.100.${++count}` }));
const forgetSteps = () => database.query('update linehaul.second_factors set last_used_step = null');

it('codes match RFC 4226', () => {
  const codes = Array.from({ length: 10 }, (_, step) => toTotpCode('12345678901234567890', step));
  expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489');
});

describe('a code of an authenticator app', () => {
  it('does not sign in if it confirmed the second factor', async () => {
    const { cookies } = await firstStep(app, email);
    expect(await giveCode(cookies, made.code)).toBe('second-factor-refused');
    expect(await giveCode(cookies, toNextCode(made.uri))).toBe('done');
  });

  it('signs in once, and older codes are refused afterwards', async () => {
    const [one, two] = [await firstStep(app, email), await firstStep(app, email)];
    const code = toNextCode(made.uri);
    expect(await giveCode(one.cookies, code)).toBe('done');
    expect(await giveCode(two.cookies, code)).toBe('second-factor-refused');
    await forgetSteps();
    const three = await firstStep(app, email);
    expect(await giveCode(two.cookies, code)).toBe('done');
    expect(await giveCode(three.cookies, toAppCode(made.uri, Date.now()))).toBe('second-factor-refused');
  });

  it('signs in one of two sign-ins that give it at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await firstStep(app, email), await firstStep(app, email)];
      await forgetSteps();
      const code = toNextCode(made.uri);
      const outcomes = await Promise.all([giveCode(one.cookies, code), giveCode(two.cookies, code)]);
      expect(outcomes.sort()).toEqual(['done', 'second-factor-refused']);
    }
  });

  it('signs in once if one sign-in sends it twice at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { cookies } = await firstStep(app, email);
      await forgetSteps();
      const code = toNextCode(made.uri);
      const outcomes = await Promise.all([giveCode(cookies, code), giveCode(cookies, code)]);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    }
  });

  it('cannot confirm the second factor after a sign-in, nor confirm twice', async () => {
    const confirm = (code: string) =>
      codeOf(app.profile.confirmSecondFactor({ code }, toClient(made.cookie)));
    const code = toNextCode(made.uri);
    const { cookies } = await firstStep(app, email);
    expect(await giveCode(cookies, code)).toBe('done');
    expect(await confirm(code)).toBe('second-factor-refused');
    await forgetSteps();
    expect((await Promise.all([confirm(code), confirm(code)])).sort()).toEqual([
      'done',
      'second-factor-refused',
    ]);
  });
});

it('the audit log names the user from the accepted password on, also where the second factor is refused', async () => {
  const since = (await database.query('select max(id) as id from linehaul.audit_log'))[0]!.id;
  const { cookies } = await firstStep(app, email);
  const wrong = toAppCode(made.uri, Date.now() - 3_600_000);
  expect(await giveCode(cookies, wrong)).toBe('second-factor-refused');
  expect(await giveCode(cookies, made.code)).toBe('second-factor-refused');
  expect(await giveCode(cookies, 'abcde-fghij')).toBe('second-factor-refused');
  expect(await giveCode(cookies, toNextCode(made.uri))).toBe('done');
  expect(await giveCode(cookies, wrong)).toBe('sign-in-too-late');
  expect(await giveCode('linehaul.two_factor=made-up.x', wrong)).toBe('sign-in-too-late');
  const { id } = (await usersOf(app).list()).find((user) => user.email === email)!;
  const lines = await database.query(
    'select action, outcome, actor_id, actor, subject from linehaul.audit_log where id > $1 order by id',
    [since],
  );
  const own = { actor_id: id, actor: email, subject: email };
  const refused = { action: 'sign-in.second-factor', outcome: 'refused' };
  expect(lines).toEqual([
    { action: 'sign-in.password', outcome: 'done', ...own },
    { ...refused, ...own },
    { ...refused, ...own },
    { ...refused, ...own },
    { action: 'sign-in', outcome: 'done', ...own },
    // The user of these two records is no longer known, or never was.
    { ...refused, actor_id: null, actor: NO_ACTOR, subject: null },
    { ...refused, actor_id: null, actor: NO_ACTOR, subject: null },
  ]);
});
