import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAuditActions } from '@/lib/audit/audit-repository';
import { listAuditLog } from '@/lib/audit-log/server/audit-reader';
import type { AppError } from '@/lib/base/http/problems';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { UserChangeInput } from '@/lib/users/schema';
import type { Viewer } from '@/lib/base/viewer';
import type { SignIn } from '@/server/sign-in';
import type { Mail } from '@/lib/jobs/mailer';
import { PASSWORD, createTestSignIn, signIn, toClient, usersOf } from '@/testing/auth/sign-in';
import { HOUR_MS } from '@/lib/base/time';

const CLIENT = toClient();
const ALL = null;

let database: TestDatabase;
let app: SignIn;
let clock: { nowMs: number; elapsedMs: number };
let mails: Mail[];
const opened: SignIn[] = [];
let ann: Viewer;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  mails = [];
  ({ app, clock } = createTestSignIn(database.databaseUrl, {
    publicUrl: 'https://fleet.test',
    sendMail: async (mail) => void mails.push(mail),
  }));
  opened.push(app);
  // Each test has its own manager of all fleets as the only one.
  for (const user of await usersOf(app).list()) await usersOf(app).change(user.id, { disabledAtMs: 1 });
  ann = await make({ role: 'manager' });
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
afterAll(() => database.drop());

const make = async (rights: {
  role?: 'dispatcher' | 'manager';
  usdots?: string[] | null;
}): Promise<Viewer> => {
  const { id, name, email, role, usdots } = await usersOf(app).create({
    name: 'New User',
    email: `user-${++count}@carrier.test`,
    role: 'dispatcher',
    usdots: ALL,
    password: PASSWORD,
    ...rights,
  });
  return { kind: 'user', id, name, email, role, usdots, tags: null };
};

const by = (viewer: Viewer) => ({ viewer, client: { address: '203.0.113.9' } });
const idOf = ({ id }: Viewer): string => id!;
const tokenOf = (link: string): string => new URL(link, 'http://x').hash.slice(1);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: AppError) => error.code,
  );
const invite = (
  email: string,
  given: { role?: 'dispatcher' | 'manager'; usdots?: string[] | null; tags?: string[] } = {},
  who = ann,
) => app.users.invite({ email, role: 'dispatcher', usdots: ALL, tags: null, days: 7, ...given }, by(who));
const linesOf = async (email: string) =>
  (await listAuditLog(app, ann, { who: email }, { limit: 100 })).map(({ action, outcome, details }) => ({
    action,
    outcome,
    details,
  }));
const newEmail = (): string => `new-${++count}@carrier.test`;

describe('an invitation', () => {
  it('creates one user with the given role and fleets, and is recorded', async () => {
    const email = newEmail();
    const { link, mail } = await invite(email, { role: 'manager', usdots: ['9000001'] });
    expect(link).toMatch(/^https:\/\/fleet\.test\/join#[\w-]{43}$/);
    expect(mail).toBe('sent');
    expect(mails).toMatchObject([{ to: email, text: expect.stringContaining(link) }]);
    const token = tokenOf(link);
    expect(await app.linkTokens.readInvitation(token, CLIENT)).toEqual({ email });
    const both = await Promise.all(
      ['Bob', 'Eve'].map((name) => codeOf(app.linkTokens.join({ token, name, password: PASSWORD }, CLIENT))),
    );
    expect(both.sort()).toEqual(['dead-link', 'done']);
    const { users, invitations } = await app.users.list(ann);
    expect(users.find((user) => user.email === email)).toMatchObject({
      role: 'manager',
      usdots: ['9000001'],
    });
    expect(invitations.map((each) => each.email)).not.toContain(email);
    expect(await signIn(app, email)).not.toBe('');
    expect((await linesOf(email)).map(({ action }) => action)).toEqual([
      'sign-in',
      'user.join',
      'user.invite',
    ]);
  });

  it('is stored as a hash: neither its token nor its link is in the database', async () => {
    const token = tokenOf((await invite(newEmail())).link);
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    const tables = ['invitations', 'password_resets', 'audit_log', 'verifications'];
    const kept = await Promise.all(
      tables.map((table) => client.query(`select to_jsonb(t)::text as row from linehaul.${table} t`)),
    ).finally(() => client.end());
    expect(JSON.stringify(kept.map(({ rows }) => rows))).not.toContain(token);
    expect(await codeOf(app.linkTokens.readInvitation(`${token}x`, CLIENT))).toBe('dead-link');
  });

  it('is invalid once it has expired, was withdrawn or replaced, or its manager lost the rights', async () => {
    const read = (link: string) => codeOf(app.linkTokens.readInvitation(tokenOf(link), CLIENT));
    const expired = await invite(newEmail());
    clock.nowMs += 7 * 24 * HOUR_MS + 1;
    expect(await read(expired.link)).toBe('dead-link');

    const email = newEmail();
    const first = await invite(email);
    const second = await invite(email);
    expect(await read(first.link)).toBe('dead-link');
    expect(await read(second.link)).toBe('done');
    const { invitations } = await app.users.list(ann);
    await app.users.withdraw(invitations.find((each) => each.email === email)!.id, by(ann));
    expect(await read(second.link)).toBe('dead-link');

    const other = await make({ role: 'manager' });
    const third = await invite(newEmail(), {}, other);
    const reset = await app.users.makeReset(idOf(ann), by(other));
    await app.users.change(idOf(other), { role: 'dispatcher' }, by(ann));
    expect(await read(third.link)).toBe('dead-link');
    expect(await codeOf(app.linkTokens.readReset(tokenOf(reset.link), CLIENT))).toBe('dead-link');
  });

  it('is refused for an address with an account, and in the demo', async () => {
    expect(await codeOf(invite(ann.email!))).toBe('email-taken');
    const demo: Viewer = {
      kind: 'demo',
      id: null,
      name: 'Demo',
      email: null,
      role: 'manager',
      usdots: null,
      tags: null,
    };
    expect(await codeOf(invite(newEmail(), {}, demo))).toBe('demo-has-no-users');
  });
});

describe('rights', () => {
  it('change at once, with the old and new values in the log', async () => {
    const dan = await make({});
    let cookie = await signIn(app, dan.email!);
    const whoIs = async () => (await app.auth.authenticate(toClient(cookie)))?.viewer ?? null;
    expect(await whoIs()).toMatchObject({ role: 'dispatcher', usdots: null });
    await app.users.change(idOf(dan), { role: 'manager', usdots: ['9000001'] }, by(ann));
    // Additional rights end the sessions.
    expect(await whoIs()).toBeNull();
    cookie = await signIn(app, dan.email!);
    expect(await whoIs()).toMatchObject({ role: 'manager', usdots: ['9000001'] });
    await app.users.change(idOf(dan), { isDisabled: true }, by(ann));
    expect(await whoIs()).toBeNull();
    await app.users.change(idOf(dan), { isDisabled: false }, by(ann));
    expect(await whoIs()).toBeNull();
    expect(await linesOf(dan.email!)).toMatchObject([
      { action: 'user.enable' },
      { action: 'user.disable' },
      { action: 'sign-in' },
      {
        action: 'user.change',
        details: {
          role: { before: 'dispatcher', after: 'manager' },
          usdots: { before: null, after: ['9000001'] },
        },
      },
      { action: 'sign-in' },
    ]);
  });

  it('limit a dispatcher, but no manager, to the units with some tags', async () => {
    const dan = await make({});
    const change = (input: UserChangeInput) => codeOf(app.users.change(idOf(dan), input, by(ann)));
    expect(await change({ tags: ['flatbeds'] })).toBe('bad-input');
    expect(await codeOf(invite(newEmail(), { tags: ['flatbeds'] }))).toBe('bad-input');
    await database.query(
      `insert into linehaul.unit_tags (usdot, tag, unit) values ('7', 'flatbeds', 'A'), ('8', 'reefers', 'B')`,
    );
    expect(await change({ usdots: ['8'], tags: ['flatbeds'] })).toBe('bad-input');
    let cookie = await signIn(app, dan.email!);
    const whoIs = async () => (await app.auth.authenticate(toClient(cookie)))?.viewer ?? null;
    expect(await change({ tags: ['flatbeds', 'reefers'] })).toBe('done');
    expect(await whoIs()).toMatchObject({ tags: ['flatbeds', 'reefers'] });
    expect(await change({ tags: ['reefers'] })).toBe('done');
    expect(await whoIs()).toMatchObject({ tags: ['reefers'] });
    expect(await change({ role: 'manager' })).toBe('limited-manager');
    // More units end the sessions.
    expect(await change({ tags: null })).toBe('done');
    expect(await whoIs()).toBeNull();
    cookie = await signIn(app, dan.email!);
    expect(await whoIs()).toMatchObject({ tags: null });
    expect((await linesOf(dan.email!)).map(({ details }) => details?.tags).filter(Boolean)).toEqual([
      { before: ['reefers'], after: null },
      { before: ['flatbeds', 'reefers'], after: ['reefers'] },
      { before: null, after: ['flatbeds', 'reefers'] },
    ]);
    expect(await codeOf(invite(newEmail(), { role: 'manager', tags: ['flatbeds'] }))).toBe('limited-manager');
    const email = newEmail();
    const { link } = await invite(email, { tags: ['flatbeds'] });
    await app.linkTokens.join({ token: tokenOf(link), name: 'Eve', password: PASSWORD }, toClient());
    cookie = await signIn(app, email);
    expect(await whoIs()).toMatchObject({ role: 'dispatcher', tags: ['flatbeds'] });
  });

  it('cannot be removed from oneself, nor from the last manager of all fleets, also in concurrent requests', async () => {
    const changes: UserChangeInput[] = [{ role: 'dispatcher' }, { isDisabled: true }, { usdots: ['1'] }];
    for (const change of changes)
      expect(await codeOf(app.users.change(idOf(ann), change, by(ann)))).toBe('own-rights');
    expect(await codeOf(app.users.change(idOf(ann), { name: 'Ann' }, by(ann)))).toBe('done');
    const bob = await make({ role: 'manager' });
    const both = await Promise.all([
      codeOf(app.users.change(idOf(ann), { isDisabled: true }, by(bob))),
      codeOf(app.users.change(idOf(bob), { isDisabled: true }, by(ann))),
    ]);
    expect(both.sort()).toEqual(['done', 'sign-in-needed']);
  });

  it('of a limited manager cover its scope: users who see more are unknown, and other fleets cannot be given', async () => {
    const limited = await make({ role: 'manager', usdots: ['1', '2'] });
    const within = await make({ usdots: ['2'] });
    const { users } = await app.users.list(limited);
    expect(users.map(({ id }) => id).sort()).toEqual([limited.id, within.id].sort());
    const change = (who: Viewer, input: { usdots: string[] | null }) =>
      codeOf(app.users.change(idOf(who), input, by(limited)));
    expect(await change(within, { usdots: ['1'] })).toBe('done');
    expect(await change(within, { usdots: null })).toBe('beyond-scope');
    expect(await change(ann, { usdots: ['1'] })).toBe('unknown-user');
    expect(await codeOf(app.users.makeReset(idOf(ann), by(limited)))).toBe('unknown-user');
    expect(await codeOf(invite(newEmail(), { usdots: ['3'] }, limited))).toBe('beyond-scope');
    expect(await codeOf(invite(newEmail(), { usdots: ['2'] }, limited))).toBe('done');
    const beyond = newEmail();
    await invite(beyond);
    const shared = newEmail();
    await invite(shared, { usdots: ['1'] });
    const { invitations } = await app.users.list(limited);
    expect(invitations.find(({ email }) => email === shared)?.invitedBy).toBe('another manager');
    expect(JSON.stringify(invitations)).not.toContain(ann.email);
    const lines = await listAuditLog(app, limited, {}, { limit: 1000 });
    expect(lines.length).toBeGreaterThan(0);
    for (const { actorId, subject } of lines)
      expect([limited.id, within.id].includes(actorId) || subject === within.email).toBe(true);
  });
});

describe('a password reset link', () => {
  it('sets the password once, and ends every session', async () => {
    const dan = await make({});
    const cookie = await signIn(app, dan.email!);
    expect(await app.auth.authenticate(toClient(cookie))).not.toBeNull();
    const { link } = await app.users.makeReset(idOf(dan), by(ann));
    const token = tokenOf(link);
    expect(await app.linkTokens.readReset(token, CLIENT)).toEqual({ email: dan.email });
    const password = 'another long enough password';
    await app.linkTokens.reset({ token, password }, CLIENT);
    expect(await app.auth.authenticate(toClient(cookie))).toBeNull();
    expect(await codeOf(signIn(app, dan.email!))).toBe('sign-in-refused');
    expect(await signIn(app, dan.email!, password)).not.toBe('');
    expect(await codeOf(app.linkTokens.reset({ token, password: PASSWORD }, CLIENT))).toBe('dead-link');
  });

  it('is invalid after a day, and for a user disabled since', async () => {
    const dan = await make({});
    const read = (link: string) => codeOf(app.linkTokens.readReset(tokenOf(link), CLIENT));
    const first = await app.users.makeReset(idOf(dan), by(ann));
    clock.nowMs += 24 * HOUR_MS + 1;
    expect(await read(first.link)).toBe('dead-link');
    const second = await app.users.makeReset(idOf(dan), by(ann));
    await app.users.change(idOf(dan), { isDisabled: true }, by(ann));
    await app.users.change(idOf(dan), { isDisabled: false }, by(ann));
    expect(await read(second.link)).toBe('dead-link');
  });

  it('is mailed to a user who requests it, with the same answer for an unknown address', async () => {
    const dan = await make({});
    await app.linkTokens.requestReset('no-account@carrier.test', CLIENT);
    await app.linkTokens.requestReset(dan.email!, CLIENT);
    await expect.poll(() => mails.length).toBe(1);
    expect(mails[0]!.to).toBe(dan.email);
    const token = /\/reset#([\w-]+)/.exec(mails[0]!.text)![1]!;
    expect(await app.linkTokens.readReset(token, CLIENT)).toEqual({ email: dan.email });
    const asked = await listAuditLog(app, ann, { action: 'user.ask-for-reset' }, { limit: 10 });
    expect(asked.map(({ subject }) => subject).sort()).toEqual([dan.email, 'no-account@carrier.test'].sort());
  });

  it('is not guessable: an address with many attempts has to wait', async () => {
    const names: string[] = [];
    for (let i = 0; i < 32; i++) names.push(await codeOf(app.linkTokens.readReset(`guess-${i}`, CLIENT)));
    expect(names[0]).toBe('dead-link');
    expect(names.at(-1)).toBe('too-many-attempts');
  });
});

it('the log is filtered by part of a name, matched literally, by action, outcome and time', async () => {
  const odd = `100%_sure-${++count}@carrier.test`;
  await invite(odd);
  const find = async (filter: Parameters<typeof listAuditLog>[2]) =>
    (await listAuditLog(app, ann, filter, { limit: 1000 })).map(({ subject }) => subject);
  expect(await find({ who: '100%_SURE' })).toEqual([odd]);
  expect(await find({ who: '100__sure' })).toEqual([]);
  expect(await find({ who: odd, action: 'user.disable' })).toEqual([]);
  expect(await find({ who: odd, outcome: 'refused' })).toEqual([]);
  expect(await find({ who: odd, fromMs: clock.nowMs, untilMs: clock.nowMs + 1 })).toEqual([odd]);
  expect(await find({ who: odd, untilMs: clock.nowMs })).toEqual([]);
  expect(await listAuditActions((await app.database.open()).orm)).toContain('user.invite');
});
