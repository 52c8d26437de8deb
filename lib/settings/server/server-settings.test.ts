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
  await open().accounts.start();
});
beforeEach(async () => {
  await database.query('truncate linehaul.settings, linehaul.users cascade');
  await insertViewer(database, MANAGER);
});
afterEach(async () => {
  for (const accounts of opened.splice(0)) await accounts.close();
});
afterAll(() => database.drop());

const open = (options: Partial<SignInOptions> = {}) => {
  const flagsSet: SetFlags[] = [];
  const { accounts, clock } = createTestSignIn(database.databaseUrl, {
    onFlagsSet: (flags) => flagsSet.push(flags),
    ...options,
  });
  opened.push(accounts);
  return { accounts, clock, flagsSet };
};

const createManager = async (accounts: SignIn, email: string): Promise<string> => {
  await usersOf(accounts).create({ name: 'Ben', email, role: 'manager', usdots: null, password: PASSWORD });
  return signIn(accounts, email);
};

it('nothing is set at first', async () => {
  const { accounts, flagsSet } = open();
  expect(await accounts.settings.read()).toEqual({
    isSecondFactorRequired: false,
    secondFactorChanged: null,
    flags: {},
    flagsChanged: null,
  });
  expect(flagsSet).toEqual([{}]);
});

it('a required second factor applies from the next request on, and so does its removal', async () => {
  const { accounts, clock } = open();
  const cookie = await createManager(accounts, 'ben@carrier.test');
  const needs = async () => (await accounts.auth.authenticate(toClient(cookie)))?.needsSecondFactor;
  expect(await needs()).toBe(false);
  expect(await accounts.profile.read(toClient(cookie))).toMatchObject({ isSecondFactorRequired: false });
  await accounts.settings.change({ isSecondFactorRequired: true }, BY);
  expect(await needs()).toBe(true);
  expect(await accounts.profile.read(toClient(cookie))).toMatchObject({ isSecondFactorRequired: true });
  expect(await accounts.settings.read()).toMatchObject({
    isSecondFactorRequired: true,
    secondFactorChanged: { changedBy: 'ann@carrier.test', changedAtMs: clock.nowMs },
    flagsChanged: null,
  });
  await accounts.settings.change({ isSecondFactorRequired: false }, BY);
  expect(await needs()).toBe(false);
});

it('what the environment requires stays required, whatever managers set', async () => {
  const { accounts } = open({ isSecondFactorRequired: true });
  const cookie = await createManager(accounts, 'ben@carrier.test');
  await accounts.settings.change({ isSecondFactorRequired: false }, BY);
  expect((await accounts.auth.authenticate(toClient(cookie)))?.needsSecondFactor).toBe(true);
});

it('flag thresholds are published at each change, and when a server starts', async () => {
  const { accounts, flagsSet } = open();
  await accounts.settings.change({ flags: { badVin: BAD_VIN } }, BY);
  await accounts.settings.change({ flags: { noPosition: { enterMs: 5, leaveMs: 6000 } } }, BY);
  await accounts.settings.change({ flags: { badVin: null } }, BY);
  const left = { noPosition: { enterMs: 5, leaveMs: 6000 } };
  expect(flagsSet).toEqual([{}, { badVin: BAD_VIN }, { badVin: BAD_VIN, ...left }, left]);
  const later = open();
  await later.accounts.start();
  expect(later.flagsSet).toEqual([left]);
});

it('the last change of each setting names its own manager only', async () => {
  const { accounts, clock } = open();
  await accounts.settings.change({ flags: { badVin: BAD_VIN } }, BY);
  const viewer = { ...MANAGER, id: 'ben', email: 'ben@carrier.test' };
  await insertViewer(database, viewer);
  const both = { isSecondFactorRequired: true, flags: { badVin: BAD_VIN } };
  await accounts.settings.change(both, { ...BY, viewer });
  const changedAtMs = clock.nowMs;
  expect(await accounts.settings.read()).toMatchObject({
    secondFactorChanged: { changedBy: 'ben@carrier.test', changedAtMs },
    flagsChanged: { changedBy: 'ann@carrier.test', changedAtMs },
  });
});

it('two concurrent changes both apply', async () => {
  const { accounts } = open();
  const flags = ['badVin', 'noPosition', 'clockFault', 'vinMismatch'] as const;
  await Promise.all(flags.map((flag) => accounts.settings.change({ flags: { [flag]: BAD_VIN } }, BY)));
  expect(Object.keys((await accounts.settings.read()).flags).sort()).toEqual([...flags].sort());
});

it('a value of another version that this one cannot parse counts as not set', async () => {
  await database.query(
    `insert into linehaul.settings values
      ('flag-thresholds', '{"badVin": {"enterMs": 1000, "leaveMs": 2000}, "noPosition": {"enterMs": -1}, "other": 7}', 'x', now()),
      ('second-factor-required', '"perhaps"', 'x', now())`,
  );
  const { accounts, flagsSet } = open();
  await accounts.start();
  expect(flagsSet).toEqual([{ badVin: BAD_VIN }]);
  expect(await accounts.settings.read()).toMatchObject({ isSecondFactorRequired: false });
});

it('each change is recorded with old and new value, and a change without effect is not', async () => {
  const { accounts } = open();
  const lines = () =>
    database.query("select actor, address, details from linehaul.audit_log where action = 'settings.change'");
  const before = (await lines()).length;
  await accounts.settings.change({ isSecondFactorRequired: true, flags: { badVin: BAD_VIN } }, BY);
  await accounts.settings.change({ isSecondFactorRequired: true, flags: { badVin: BAD_VIN } }, BY);
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
  const { accounts } = open();
  const viewer = { ...MANAGER, id: 'lee', email: 'lee@carrier.test', usdots: ['9000001'] };
  await insertViewer(database, viewer);
  await expect(
    accounts.settings.change({ isSecondFactorRequired: true }, { ...BY, viewer }),
  ).rejects.toMatchObject({ code: 'whole-server' });
  expect(await accounts.settings.read()).toMatchObject({ isSecondFactorRequired: false });
});

it('without a database the settings are unavailable', async () => {
  const { accounts } = createTestSignIn('postgres://127.0.0.1:1/none');
  opened.push(accounts);
  await expect(accounts.settings.read()).rejects.toMatchObject({ code: 'accounts-unavailable' });
  await expect(accounts.settings.change({ isSecondFactorRequired: true }, BY)).rejects.toMatchObject({
    code: 'accounts-unavailable',
  });
});
