import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAuditLog } from '@/lib/audit-log/server/audit-reader';
import type { AppError } from '@/lib/base/http/problems';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { IS_LONG } from '@/testing/long';
import type { Invite, UserChangeInput } from '@/lib/users/schema';
import type { Viewer } from '@/lib/base/viewer';
import type { SignIn } from '@/server/sign-in';
import { PASSWORD, createTestSignIn, signIn, toClient, usersOf } from '@/testing/auth/sign-in';

const ROUNDS = IS_LONG ? 40 : 10;
const INVITE: Omit<Invite, 'email'> = { role: 'dispatcher', usdots: ['1'], tags: null, days: 7 };

let database: TestDatabase;
let app: SignIn;
let clock: { nowMs: number; elapsedMs: number };
let full: Viewer;
let limited: Viewer;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ app, clock } = createTestSignIn(database.databaseUrl));
});
beforeEach(async () => {
  full = await make('manager', null);
  limited = await make('manager', ['1']);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const make = async (role: 'dispatcher' | 'manager', usdots: string[] | null): Promise<Viewer> => {
  const email = `user-${++count}@carrier.test`;
  // Hashing is slow, and these users need only the password that a test sets.
  const { id, name } = await usersOf(app).create({ name: 'A', email, role, usdots, password: null });
  return { kind: 'user', id, name, email, role, usdots, tags: null };
};

const giveSecondFactor = (user: Viewer) =>
  database.query(
    `insert into linehaul.second_factors (id, user_id, secret, recovery_codes) values ($1, $1, 's', 'c')
     on conflict do nothing`,
    [user.id],
  );

const by = (viewer: Viewer) => ({ viewer, client: { address: '203.0.113.9' } });
const idOf = ({ id }: Viewer): string => id!;
const newEmail = (): string => `new-${++count}@carrier.test`;
const tokenOf = ({ link }: { link: string }): string => link.split('#')[1]!;
/** A separate client for each link, because attempts are limited by address. */
const nextClient = () => toClient('', { address: `198.51.100.${++count}` });
const change = (who: Viewer, input: UserChangeInput, manager = full) =>
  app.users.change(idOf(who), input, by(manager));
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: AppError) => error.code,
  );
const orNull = <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);
const readReset = (link: { link: string }) => codeOf(app.linkTokens.readReset(tokenOf(link), nextClient()));
const readInvitation = (link: { link: string }) =>
  codeOf(app.linkTokens.readInvitation(tokenOf(link), nextClient()));
const invitationIdOf = async (email: string) =>
  (await app.users.list(full)).invitations.find((each) => each.email === email)!.id;
const actionsOf = async (email: string): Promise<unknown[]> =>
  (
    await database.query(
      `select action from linehaul.audit_log where subject = $1 and outcome = 'done' order by id`,
      [email],
    )
  ).map(({ action }) => action);

describe('concurrently', () => {
  it('a reset link of a limited manager does not outlive the widening of its user', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await make('dispatcher', ['1']);
      const [link] = await Promise.all([
        orNull(app.users.makeReset(idOf(user), by(limited))),
        change(user, { role: 'manager', usdots: null }),
      ]);
      if (link !== null) expect(await readReset(link)).toBe('dead-link');
    }
  });

  it('an invitation does not outlive the narrowing of its manager', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const manager = await make('manager', ['1']);
      const [link] = await Promise.all([
        orNull(app.users.invite({ ...INVITE, email: newEmail() }, by(manager))),
        change(manager, { usdots: ['2'] }),
      ]);
      if (link !== null) expect(await readInvitation(link)).toBe('dead-link');
    }
  });

  it('a reset link of a disabled manager does not outlive the disabling', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [manager, user] = [await make('manager', ['1']), await make('dispatcher', ['1'])];
      const [link] = await Promise.all([
        orNull(app.users.makeReset(idOf(user), by(manager))),
        change(manager, { isDisabled: true }),
      ]);
      if (link !== null) expect(await readReset(link)).toBe('dead-link');
    }
  });

  it('a second factor is removed before its user is widened, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await make('dispatcher', ['1']);
      await giveSecondFactor(user);
      const [removed] = await Promise.all([
        codeOf(app.users.removeSecondFactor(idOf(user), by(limited))),
        change(user, { usdots: null }),
      ]);
      expect(await actionsOf(user.email!)).toEqual(
        removed === 'done' ? ['second-factor.remove', 'user.change'] : ['user.change'],
      );
    }
  });

  it('a link is used before its manager is narrowed, or not at all', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) {
      const [manager, user] = [await make('manager', ['1']), await make('dispatcher', ['1'])];
      const email = newEmail();
      const [invitation, reset] = [
        await app.users.invite({ ...INVITE, email }, by(manager)),
        await app.users.makeReset(idOf(user), by(manager)),
      ];
      const password = PASSWORD;
      const [joined, changed] = await Promise.all([
        codeOf(app.linkTokens.join({ token: tokenOf(invitation), name: 'J', password }, nextClient())),
        codeOf(app.linkTokens.reset({ token: tokenOf(reset), password }, nextClient())),
        // The delay is about as long as hashing a password takes.
        new Promise((resolve) => setTimeout(resolve, Math.random() * 200)).then(() =>
          change(manager, { usdots: ['2'] }),
        ),
      ]);
      const order = (
        await database.query(
          `select action from linehaul.audit_log where subject = any($1) and action in
           ('user.join', 'user.reset-password', 'user.change') order by id`,
          [[email, user.email, manager.email]],
        )
      ).map(({ action }) => action);
      expect(order.at(-1)).toBe('user.change');
      expect(order.includes('user.join')).toBe(joined === 'done');
      expect(order.includes('user.reset-password')).toBe(changed === 'done');
    }
  });

  it('two managers invite one address: the one outside the other’s scope is never replaced', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = newEmail();
      const [outside, inside] = await Promise.all([
        app.users.invite({ ...INVITE, email, role: 'manager', usdots: null }, by(full)),
        orNull(app.users.invite({ ...INVITE, email }, by(limited))),
      ]);
      expect(await readInvitation(outside)).toBe('done');
      if (inside !== null) expect(await readInvitation(inside)).toBe('dead-link');
    }
  });
});

describe('a manager whose rights changed since the request began', () => {
  const operations: [string, (user: Viewer, stale: Viewer) => Promise<unknown>][] = [
    ['invites', (_user, stale) => app.users.invite({ ...INVITE, email: newEmail() }, by(stale))],
    ['makes a reset link', (user, stale) => app.users.makeReset(idOf(user), by(stale))],
    ['changes a user', (user, stale) => app.users.change(idOf(user), { name: 'B' }, by(stale))],
    [
      'withdraws an invitation',
      async (_user, stale) => {
        const email = newEmail();
        await app.users.invite({ ...INVITE, email }, by(full));
        return app.users.withdraw(await invitationIdOf(email), by(stale));
      },
    ],
    [
      'removes a second factor',
      async (user, stale) => {
        await giveSecondFactor(user);
        return app.users.removeSecondFactor(idOf(user), by(stale));
      },
    ],
  ];
  it.each(operations)('%s only with the current rights', async (_name, run) => {
    const user = await make('dispatcher', ['1']);
    expect(await codeOf(run(user, await make('manager', ['1'])))).toBe('done');
    const [narrowed, demoted, disabled] = [
      await make('manager', ['1']),
      await make('manager', null),
      await make('manager', null),
    ];
    await change(narrowed, { usdots: ['2'] });
    await change(demoted, { role: 'dispatcher' });
    await change(disabled, { isDisabled: true });
    const other = await make('dispatcher', ['1']);
    expect(['unknown-user', 'beyond-scope']).toContain(await codeOf(run(other, narrowed)));
    expect(await codeOf(run(other, demoted))).toBe('managers-only');
    expect(await codeOf(run(other, disabled))).toBe('sign-in-needed');
  });

  it('changes settings of the server only with the current rights', async () => {
    const manager = await make('manager', null);
    const set = () => codeOf(app.settings.change({ isSecondFactorRequired: false }, by(manager)));
    expect(await set()).toBe('done');
    await change(manager, { usdots: ['1'] });
    expect(await set()).toBe('whole-server');
    await change(manager, { role: 'dispatcher' });
    expect(await set()).toBe('managers-only');
  });

  it('leaves no valid links, in whichever order the rights change', async () => {
    const [manager, user] = [await make('manager', ['1']), await make('dispatcher', ['1'])];
    const invitation = await app.users.invite({ ...INVITE, email: newEmail() }, by(manager));
    const reset = await app.users.makeReset(idOf(user), by(manager));
    const write = (columns: string) =>
      database.query(`update linehaul.users set ${columns} where id = $1`, [manager.id]);
    const readBoth = async () => [await readInvitation(invitation), await readReset(reset)];
    expect(await readBoth()).toEqual(['done', 'done']);
    for (const [taken, given] of [
      [`usdots = '{2}'`, `usdots = '{1}'`],
      [`role = 'dispatcher'`, `role = 'manager'`],
      [`disabled_at = now()`, `disabled_at = null`],
    ] as const) {
      await write(taken);
      expect(await readBoth()).toEqual(['dead-link', 'dead-link']);
      await write(given);
      expect(await readBoth()).toEqual(['done', 'done']);
    }
    // The user of the reset link may also have outgrown its creator's scope.
    await database.query(`update linehaul.users set usdots = '{1,2}' where id = $1`, [user.id]);
    expect(await readReset(reset)).toBe('dead-link');
  });
});

describe('an invitation for an address that already has one', () => {
  it('is refused outside the manager’s scope, and replaces an expired one', async () => {
    const email = newEmail();
    const first = await app.users.invite({ ...INVITE, email, role: 'manager', usdots: null }, by(full));
    expect(await codeOf(app.users.invite({ ...INVITE, email }, by(limited)))).toBe('email-taken');
    expect(await readInvitation(first)).toBe('done');
    clock.nowMs += 8 * 24 * 3_600_000;
    expect(await codeOf(app.users.invite({ ...INVITE, email }, by(limited)))).toBe('done');
  });

  it('replaces one within the scope, and the audit log records the old one', async () => {
    const email = newEmail();
    await app.users.invite({ ...INVITE, email }, by(limited));
    await app.users.invite({ ...INVITE, email, role: 'manager', usdots: null }, by(full));
    const [line] = await listAuditLog(app, full, { who: email }, { limit: 1 });
    expect(line).toMatchObject({
      action: 'user.invite',
      details: {
        replacedInvitationBy: limited.email,
        role: { before: 'dispatcher', after: 'manager' },
        usdots: { before: ['1'], after: null },
      },
    });
  });
});

describe('sessions', () => {
  const makeSignedIn = async (usdots: string[] | null) => {
    const email = newEmail();
    const given = { name: 'S', email, role: 'dispatcher', usdots, tags: null, password: PASSWORD } as const;
    const { id } = await usersOf(app).create(given);
    const viewer: Viewer = { ...given, usdots, kind: 'user', id };
    return { viewer, cookie: await signIn(app, email) };
  };
  const isSignedIn = async (cookie: string) => (await app.auth.authenticate(toClient(cookie))) !== null;

  it.each<[string, UserChangeInput, boolean]>([
    ['end with another role that gives more', { role: 'manager' }, false],
    ['end with one more fleet', { usdots: ['1', '2', '3'] }, false],
    ['end with all fleets', { usdots: null }, false],
    ['end where one fleet is exchanged for another', { usdots: ['3'] }, false],
    ['stay with fewer fleets', { usdots: ['2'] }, true],
    ['stay with another name', { name: 'Sam' }, true],
  ])('%s', async (_name, input, stays) => {
    const { viewer, cookie } = await makeSignedIn(['1', '2']);
    expect(await isSignedIn(cookie)).toBe(true);
    await change(viewer, input);
    expect(await isSignedIn(cookie)).toBe(stays);
  });
});
