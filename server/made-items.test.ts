import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignIn } from '@/server/sign-in';
import { systemClock } from '@/lib/base/clock';
import { PASSWORD, createTestSignIn, signIn, toClient, sessionsOf, usersOf } from '@/testing/auth/sign-in';
import type { UserChangeInput } from '@/lib/users/schema';
import type { Viewer } from '@/lib/base/viewer';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { openStore, type Store } from '@/service/store/store';
import { CARRIER, OTHER_CARRIER, toImport, toVin } from '@/testing/service/vehicles';
import { createApiKey, listApiKeys, rotateApiKey } from '@/lib/api-keys/server/api-keys';
import { createServiceAdmin } from '@/server/service/upstream';
import { addVehicle, changeVehicle, createIngestToken, importVehicles } from '@/lib/devices/server/devices';

const OWN = CARRIER.usdot;
const OTHER = OTHER_CARRIER.usdot;
const ACCESS = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
const ADDRESS = '203.0.113.9';

let database: TestDatabase;
let app: SignIn;
let store: Store;
let ann: Viewer;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openStore({ databaseUrl: database.databaseUrl, now: Date.now });
  ({ app } = createTestSignIn(database.databaseUrl, {
    openServiceAdmin: () => Promise.resolve(createServiceAdmin(store)),
  }));
  await store.carriers.upsert(CARRIER);
  await store.carriers.upsert(OTHER_CARRIER);
  ann = await makeManager();
});
afterAll(async () => {
  await app.close();
  await store.close();
  await database.drop();
});

const makeManager = async (usdots: string[] | null = null): Promise<Viewer> => {
  const email = `manager-${++count}@carrier.test`;
  const about = { name: 'Bob', email, role: 'manager', usdots, tags: null } as const;
  const { id } = await usersOf(app).create({ ...about, password: null });
  return { kind: 'user', id, ...about };
};

const toActor = (viewer: Viewer) => ({
  ...app,
  openServiceAdmin: () => Promise.resolve(createServiceAdmin(store)),
  clock: systemClock,
  env: { homeUsdot: null },
  viewer,
  client: toClient('', { address: ADDRESS }),
});

const makeKey = (viewer: Viewer, usdot: string, name = `key of ${usdot}`) =>
  createApiKey(toActor(viewer), { usdot, name, access: ACCESS });

const isLive = async ({ apiKey, providerToken }: { apiKey: string; providerToken: string }) => {
  const key = await store.keys.verify(apiKey, providerToken);
  return key !== null && (key.endsAtMs === null || key.endsAtMs > Date.now());
};

/** One item of each kind for two carriers, and the number of each that is in use. */
const makeAll = async (viewer: Viewer) => {
  const keys = { own: await makeKey(viewer, OWN), other: await makeKey(viewer, OTHER) };
  const makeToken = (usdot: string) =>
    createIngestToken(toActor(viewer), { usdot, name: `token of ${usdot}` });
  const tokens = { own: await makeToken(OWN), other: await makeToken(OTHER) };
  const makeScreen = (usdots: string[] | null) =>
    app.screens.create({ name: `screen of ${usdots}`, usdots }, { viewer, client: toClient() });
  const screens = {
    own: await makeScreen([OWN]),
    other: await makeScreen([OWN, OTHER]),
    all: await makeScreen(null),
  };
  const opens = async (token: string) =>
    (await app.auth.authenticate(toClient(`linehaul.screen=${token}`))) !== null;
  // Fills the server's cache with each screen.
  for (const { token } of Object.values(screens)) expect(await opens(token)).toBe(true);
  return async () => ({
    keys: [await isLive(keys.own), await isLive(keys.other)],
    tokens: [
      (await store.ingestTokens.verify(tokens.own.token)) !== null,
      (await store.ingestTokens.verify(tokens.other.token)) !== null,
    ],
    screens: [
      await opens(screens.own.token),
      await opens(screens.other.token),
      await opens(screens.all.token),
    ],
  });
};

const change = (user: Viewer, input: UserChangeInput, by = ann) =>
  app.users.change(user.id!, input, { viewer: by, client: { address: ADDRESS } });

const readLines = (email: string) =>
  database.query(
    `select action, actor, subject, address from linehaul.audit_log where details->>'madeBy' = $1 order by id`,
    [email],
  );

/** Makes the audit record of an action fail while `run` runs. */
const withoutAudit = async (action: string, run: () => Promise<void>): Promise<void> => {
  await database.query(`
    create function refuse_record() returns trigger language plpgsql as $$
      begin raise exception 'no room for this record'; end $$`);
  await database.query(
    `create trigger refuse_record before insert on linehaul.audit_log for each row when (new.action = '${action}')
     execute function refuse_record()`,
  );
  await run().finally(() => database.query('drop function refuse_record cascade'));
};

/** A webhook, a rule of the fleet, a rule of their own, a subscribed browser and a handover by mail, of the own carrier. */
const makeSenders = async ({ id, email }: Viewer) => {
  const insert = (table: string, columns: string, values: string) =>
    database.query(`insert into linehaul.${table} (${columns}) values (${values})`);
  const rule = `'{"kind":"silent","forMin":30}', '{"type":"all"}', 'info', 0, true, 'Bob', '${id}', now(), now()`;
  const ruleColumns =
    'usdot, owner_id, name, condition, units, severity, cool_down_min, is_enabled, made_by, made_by_id, created_at, updated_at';
  await insert(
    'webhooks',
    'id, usdot, name, url, sealed_secret, min_severity, is_enabled, made_by, made_by_id, created_at',
    `'hook ${id}', '${OWN}', 'hook', 'https://hooks.test/', '', 'info', true, 'Bob', '${id}', now()`,
  );
  await insert('alert_rules', ruleColumns, `'${OWN}', null, 'fleet rule ${id}', ${rule}`);
  await insert('alert_rules', ruleColumns, `'${OWN}', '${id}', 'own rule ${id}', ${rule}`);
  await insert(
    'push_subscriptions',
    'id, user_id, endpoint, keys, user_agent, created_at',
    `'phone ${id}', '${id}', 'https://push.test/${id}', '{}', 'Firefox/140', now()`,
  );
  await insert(
    'handover_mails',
    'user_id, usdot, at_min, time_zone, weekdays, hours',
    `'${id}', '${OWN}', 360, 'America/Chicago', '{1}', 12`,
  );
  const { made } = await app.users.readMade(id!, { viewer: ann });
  expect(made.map(({ kind }) => kind).toSorted()).toEqual(
    ['webhook', 'fleet-rule', 'own-rule', 'push-subscription', 'handover-mail'].toSorted(),
  );
  return async () => ({
    kept: (await app.users.readMade(id!, { viewer: ann })).made.map(({ kind }) => kind).toSorted(),
    lines: (await readLines(email!)).map(({ action }) => action).toSorted(),
  });
};

describe('what sends to others without a sign-in', () => {
  it.each<[string, UserChangeInput, string[], string[]]>([
    [
      'disabled',
      { isDisabled: true },
      ['fleet-rule'],
      ['alert-rule.remove', 'handover-mail.remove', 'push-subscription.remove', 'webhook.remove'],
    ],
    [
      'made a dispatcher',
      { role: 'dispatcher' },
      ['fleet-rule', 'handover-mail', 'own-rule', 'push-subscription'],
      ['webhook.remove'],
    ],
    [
      'limited to another fleet',
      { usdots: [OTHER] },
      ['fleet-rule', 'push-subscription'],
      ['alert-rule.remove', 'handover-mail.remove', 'webhook.remove'],
    ],
  ])(
    'ends with its right when the manager is %s; a rule of the fleet stays',
    async (_, input, kept, lines) => {
      const bob = await makeManager([OWN, OTHER]);
      const read = await makeSenders(bob);
      await change(bob, input);
      expect(await read()).toEqual({ kept, lines });
    },
  );
});

describe('an item that a manager created', () => {
  it.each<[string, UserChangeInput]>([
    ['disabled', { isDisabled: true }],
    ['made a dispatcher', { role: 'dispatcher' }],
  ])('ends when the manager is %s, each with a record that names both', async (_, input) => {
    const bob = await makeManager();
    const read = await makeAll(bob);
    await change(bob, input);
    expect(await read()).toEqual({
      keys: [false, false],
      tokens: [false, false],
      screens: [false, false, false],
    });
    const lines = await readLines(bob.email!);
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line).toMatchObject({ actor: ann.email, address: ADDRESS });
    expect(new Set(lines.map(({ action }) => action))).toEqual(
      new Set(['api-key.revoke', 'ingest-token.revoke', 'wall-screen.revoke']),
    );
  });

  it('ends outside of the fleets that a narrowed manager keeps, and stays within them', async () => {
    const bob = await makeManager();
    const read = await makeAll(bob);
    await change(bob, { name: 'Robert' });
    expect((await read()).screens).toEqual([true, true, true]);
    await change(bob, { usdots: [OWN] });
    expect(await read()).toEqual({
      keys: [true, false],
      tokens: [true, false],
      screens: [true, false, false],
    });
  });

  it('is listed with items without a creator, within the scope of the viewing manager', async () => {
    const bob = await makeManager();
    await makeAll(bob);
    await store.keys.create({ usdot: OWN, name: 'by hand', createdBy: 'command line' });
    const shown = await app.users.readMade(bob.id!, { viewer: ann });
    expect(shown.made.map(({ kind, usdots }) => [kind, usdots]).sort()).toEqual(
      [
        ['api-key', [OWN]],
        ['api-key', [OTHER]],
        ['ingest-token', [OWN]],
        ['ingest-token', [OTHER]],
        ['wall-screen', null],
        ['wall-screen', [OWN, OTHER]],
        ['wall-screen', [OWN]],
      ].sort(),
    );
    expect(shown.withoutMaker).toMatchObject([{ kind: 'api-key', name: 'by hand', usdots: [OWN] }]);
    await change(bob, { usdots: [OTHER] });
    const limited = await makeManager([OTHER]);
    const less = await app.users.readMade(bob.id!, { viewer: limited });
    expect(less).toMatchObject({ made: [{ usdots: [OTHER] }, { usdots: [OTHER] }], withoutMaker: [] });
    await change(bob, { isDisabled: true });
    const held = await store.keys.list(OWN);
    expect(held.find(({ name }) => name === 'by hand')).toMatchObject({ revokedAtMs: null });
  });

  it('is a pair of secrets of a key, and belongs to the user who created or rotated it', async () => {
    const [bob, eve] = [await makeManager(), await makeManager()];
    const ofBob = await makeKey(bob, OWN);
    const newer = await rotateApiKey(toActor(eve), ofBob.id, 60_000);
    const ofEve = await makeKey(eve, OWN);
    const rotated = await rotateApiKey(toActor(bob), ofEve.id, 60_000);
    await change(bob, { isDisabled: true });
    // The replaced pair ends with its creator, and the key stays valid.
    expect([await isLive(ofBob), await isLive(newer)]).toEqual([false, true]);
    // The newest pair ends with its creator, and the key ends with it.
    expect([await isLive(ofEve), await isLive(rotated)]).toEqual([false, false]);
    expect((await listApiKeys(toActor(ann))).keys.find(({ id }) => id === ofBob.id)).toMatchObject({
      revokedAtMs: null,
      replaced: null,
    });
  });
});

describe('a change and its audit record are one transaction', () => {
  it('a key, a token or a screen whose record cannot be written is not created', async () => {
    const bob = await makeManager();
    const makes: [string, () => Promise<unknown>][] = [
      ['api-key.create', () => makeKey(bob, OWN, 'unrecorded')],
      ['ingest-token.create', () => createIngestToken(toActor(bob), { usdot: OWN, name: 'unrecorded' })],
      [
        'wall-screen.create',
        () => app.screens.create({ name: 'unrecorded', usdots: null }, { viewer: bob, client: toClient() }),
      ],
    ];
    for (const [action, make] of makes)
      await withoutAudit(action, async () => void (await expect(make(), action).rejects.toThrow()));
    const named = (each: { name: string }) => each.name === 'unrecorded';
    expect((await store.keys.list()).filter(named)).toEqual([]);
    expect((await store.ingestTokens.list()).filter(named)).toEqual([]);
    expect((await app.screens.list(ann)).filter(named)).toEqual([]);
  });

  it('a vehicle whose record cannot be written is not added, imported or changed', async () => {
    const doer = toActor(ann);
    const vehicle = { usdot: OWN, vin: toVin(71), truckNumber: '71', deviceId: null };
    await withoutAudit('vehicle.add', async () => {
      await expect(addVehicle(doer, vehicle)).rejects.toThrow();
    });
    expect(await store.vehicles.readByVin(vehicle.vin)).toBeNull();
    const lines = ['vin', vehicle.vin];
    const { id } = await importVehicles(doer, toImport(OWN, lines));
    await withoutAudit('vehicle.import', async () => {
      await expect(importVehicles(doer, toImport(OWN, lines, id))).rejects.toThrow();
    });
    expect(await store.vehicles.readByVin(vehicle.vin)).toBeNull();
    await addVehicle(doer, vehicle);
    await withoutAudit('vehicle.change', async () => {
      await expect(changeVehicle(doer, { ...vehicle, truckNumber: '72' })).rejects.toThrow();
    });
    expect(await store.vehicles.readByVin(vehicle.vin)).toMatchObject({ truckNumber: '71' });
  });

  it('a session whose end cannot be recorded stays active', async () => {
    const { email } = await usersOf(app).create({
      name: 'Eve',
      email: 'eve@carrier.test',
      role: 'dispatcher',
      usdots: null,
      password: PASSWORD,
    });
    const [cookie, other] = [await signIn(app, email), await signIn(app, email)];
    const { sessionId } = (await app.auth.authenticate(toClient(other)))!;
    await withoutAudit('session.end', async () => {
      await expect(app.profile.endSession(sessionId!, toClient(cookie))).rejects.toThrow();
    });
    await withoutAudit('session.end-all', async () => {
      await expect(app.profile.endAllSessions(toClient(cookie))).rejects.toThrow();
    });
    expect(
      await sessionsOf(app).list((await app.auth.authenticate(toClient(cookie)))!.viewer.id!),
    ).toHaveLength(2);
    await app.profile.endSession(sessionId!, toClient(cookie));
    expect(await app.auth.authenticate(toClient(other))).toBeNull();
  });

  it.each(['ingest-token.revoke', 'wall-screen.revoke', 'user.disable'])(
    'nothing ends and the manager stays where the record of %s cannot be written',
    async (action) => {
      const bob = await makeManager();
      const read = await makeAll(bob);
      const before = await read();
      await withoutAudit(action, async () => {
        await expect(change(bob, { isDisabled: true })).rejects.toThrow();
      });
      expect(await read()).toEqual(before);
      expect(await usersOf(app).read(bob.id!)).toMatchObject({ disabledAtMs: null });
      expect(await readLines(bob.email!)).toEqual([]);
    },
  );

  it('nothing that a manager makes at the moment of losing the rights outlives them', async () => {
    for (let round = 0; round < 25; round++) {
      const bob = await makeManager();
      const made = await Promise.allSettled([
        makeKey(bob, OWN),
        app.screens.create({ name: 'late', usdots: [OWN] }, { viewer: bob, client: toClient() }),
        change(bob, round % 2 === 0 ? { isDisabled: true } : { usdots: [OTHER] }),
        createIngestToken(toActor(bob), { usdot: OWN, name: 'late' }),
      ]);
      expect(made[2].status).toBe('fulfilled');
      const { made: left } = await app.users.readMade(bob.id!, { viewer: ann });
      expect(left, `round ${round}: ${made.map(({ status }) => status).join()}`).toEqual([]);
    }
  });
});
