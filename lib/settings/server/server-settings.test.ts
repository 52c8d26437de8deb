import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { SignIn, SignInOptions } from '@/server/sign-in';
import type { SetFlags } from './settings';
import {
  MANAGER,
  PASSWORD,
  createTestSignIn,
  insertViewer,
  signIn,
  toClient,
  usersOf,
} from '@/testing/auth/sign-in';

const BY = { viewer: MANAGER, client: { address: '203.0.113.7' } };
const BAD_VIN = { enterMs: 1000, leaveMs: 2000 };

let database: TestDatabase;
const opened: SignIn[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await open().app.start();
});
beforeEach(async () => {
  await database.query('truncate linehaul.settings, linehaul.users cascade');
  await insertViewer(database, MANAGER);
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
afterAll(() => database.drop());

const open = (options: Partial<SignInOptions> = {}) => {
  const flagsSet: SetFlags[] = [];
  const { app, clock } = createTestSignIn(database.databaseUrl, {
    onFlagsSet: (flags) => flagsSet.push(flags),
    ...options,
  });
  opened.push(app);
  return { app, clock, flagsSet };
};

const createManager = async (app: SignIn, email: string): Promise<string> => {
  await usersOf(app).create({ name: 'Ben', email, role: 'manager', usdots: null, password: PASSWORD });
  return signIn(app, email);
};

it('nothing is set at first', async () => {
  const { app, flagsSet } = open();
  expect(await app.settings.read()).toEqual({
    isSecondFactorRequired: false,
    secondFactorChanged: null,
    flags: {},
    flagsChanged: null,
  });
  expect(flagsSet).toEqual([{}]);
});

it('a required second factor applies from the next request on, and so does its removal', async () => {
  const { app, clock } = open();
  const cookie = await createManager(app, 'ben@carrier.test');
  const needs = async () => (await app.auth.authenticate(toClient(cookie)))?.needsSecondFactor;
  expect(await needs()).toBe(false);
  expect(await app.profile.read(toClient(cookie))).toMatchObject({ isSecondFactorRequired: false });
  await app.settings.change({ isSecondFactorRequired: true }, BY);
  expect(await needs()).toBe(true);
  expect(await app.profile.read(toClient(cookie))).toMatchObject({ isSecondFactorRequired: true });
  expect(await app.settings.read()).toMatchObject({
    isSecondFactorRequired: true,
    secondFactorChanged: { changedBy: 'ann@carrier.test', changedAtMs: clock.nowMs },
    flagsChanged: null,
  });
  await app.settings.change({ isSecondFactorRequired: false }, BY);
  expect(await needs()).toBe(false);
});

it('what the environment requires stays required, whatever managers set', async () => {
  const { app } = open({ isSecondFactorRequired: true });
  const cookie = await createManager(app, 'ben@carrier.test');
  await app.settings.change({ isSecondFactorRequired: false }, BY);
  expect((await app.auth.authenticate(toClient(cookie)))?.needsSecondFactor).toBe(true);
});

it('flag thresholds are published at each change, and when a server starts', async () => {
  const { app, flagsSet } = open();
  await app.settings.change({ flags: { badVin: BAD_VIN } }, BY);
  await app.settings.change({ flags: { noPosition: { enterMs: 5, leaveMs: 6000 } } }, BY);
  await app.settings.change({ flags: { badVin: null } }, BY);
  const left = { noPosition: { enterMs: 5, leaveMs: 6000 } };
  expect(flagsSet).toEqual([{}, { badVin: BAD_VIN }, { badVin: BAD_VIN, ...left }, left]);
  const later = open();
  await later.app.start();
  expect(later.flagsSet).toEqual([left]);
});

it('the last change of each setting names its own manager only', async () => {
  const { app, clock } = open();
  await app.settings.change({ flags: { badVin: BAD_VIN } }, BY);
  const viewer = { ...MANAGER, id: 'ben', email: 'ben@carrier.test' };
  await insertViewer(database, viewer);
  const both = { isSecondFactorRequired: true, flags: { badVin: BAD_VIN } };
  await app.settings.change(both, { ...BY, viewer });
  const changedAtMs = clock.nowMs;
  expect(await app.settings.read()).toMatchObject({
    secondFactorChanged: { changedBy: 'ben@carrier.test', changedAtMs },
    flagsChanged: { changedBy: 'ann@carrier.test', changedAtMs },
  });
});

it('two concurrent changes both apply', async () => {
  const { app } = open();
  const flags = ['badVin', 'noPosition', 'clockFault', 'vinMismatch'] as const;
  await Promise.all(flags.map((flag) => app.settings.change({ flags: { [flag]: BAD_VIN } }, BY)));
  expect(Object.keys((await app.settings.read()).flags).sort()).toEqual([...flags].sort());
});

it('a value of another version that this one cannot parse counts as not set', async () => {
  await database.query(
    `insert into linehaul.settings values
      ('flag-thresholds', '{"badVin": {"enterMs": 1000, "leaveMs": 2000}, "noPosition": {"enterMs": -1}, "other": 7}', 'x', now()),
      ('second-factor-required', '"perhaps"', 'x', now())`,
  );
  const { app, flagsSet } = open();
  await app.start();
  expect(flagsSet).toEqual([{ badVin: BAD_VIN }]);
  expect(await app.settings.read()).toMatchObject({ isSecondFactorRequired: false });
});

it('each change is recorded with old and new value, and a change without effect is not', async () => {
  const { app } = open();
  const lines = () =>
    database.query("select actor, address, details from linehaul.audit_log where action = 'settings.change'");
  const before = (await lines()).length;
  await app.settings.change({ isSecondFactorRequired: true, flags: { badVin: BAD_VIN } }, BY);
  await app.settings.change({ isSecondFactorRequired: true, flags: { badVin: BAD_VIN } }, BY);
  expect((await lines()).slice(before)).toEqual([
    {
      actor: 'ann@carrier.test',
      address: '203.0.113.7',
      details: {
        isSecondFactorRequired: { before: false, after: true },
        badVin: { before: 'preset', after: BAD_VIN },
      },
    },
  ]);
});

it('a manager of some fleets cannot change a server-wide setting', async () => {
  const { app } = open();
  const viewer = { ...MANAGER, id: 'lee', email: 'lee@carrier.test', usdots: ['9000001'] };
  await insertViewer(database, viewer);
  await expect(
    app.settings.change({ isSecondFactorRequired: true }, { ...BY, viewer }),
  ).rejects.toMatchObject({ code: 'whole-server' });
  expect(await app.settings.read()).toMatchObject({ isSecondFactorRequired: false });
});

it('without a database the settings are unavailable', async () => {
  const { app } = createTestSignIn('postgres://127.0.0.1:1/none');
  opened.push(app);
  await expect(app.settings.read()).rejects.toMatchObject({ code: 'accounts-unavailable' });
  await expect(app.settings.change({ isSecondFactorRequired: true }, BY)).rejects.toMatchObject({
    code: 'accounts-unavailable',
  });
});
