import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { Viewer } from '@/lib/base/viewer';
import type { SignIn } from '@/server/sign-in';
import type { ScreenDisplay } from '../distance';
import { MANAGER, ask, createTestSignIn, insertViewer, toClient } from '@/testing/auth/sign-in';

let database: TestDatabase;
let app: SignIn;
let clock: { nowMs: number; elapsedMs: number };
beforeAll(async () => {
  database = await createTestDatabase();
  ({ app, clock } = createTestSignIn(database.databaseUrl));
  await app.start();
  await insertViewer(database, MANAGER);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const toPair = (line: string): string => line.split(';', 1)[0]!;

afterEach(() => void vi.useRealTimers());

it('a link turns a browser into a dispatcher of its fleets only, until its revocation takes effect at once', async () => {
  const { screen, token } = await app.screens.create(
    { name: 'Yard', usdots: ['9000001'] },
    { viewer: MANAGER, client: toClient() },
  );
  const line = await app.screens.open(token, toClient());
  expect(line).toMatch(/; HttpOnly; SameSite=Lax$/);
  const cookie = toPair(line);
  expect((await app.auth.authenticate(toClient(cookie)))?.viewer).toEqual({
    kind: 'screen',
    id: screen.id,
    name: 'Yard',
    email: null,
    role: 'dispatcher',
    usdots: ['9000001'],
    tags: null,
  });
  const [listed] = await app.screens.list(MANAGER);
  expect(listed).toMatchObject({ name: 'Yard', madeBy: MANAGER.email, seenAddress: '203.0.113.7' });
  await app.screens.revoke(screen.id, { viewer: MANAGER, client: toClient() });
  expect(await app.auth.authenticate(toClient(cookie))).toBeNull();
  await expect(app.screens.open(token, toClient())).rejects.toMatchObject({ code: 'unknown-screen' });
  await expect(app.screens.revoke(screen.id, { viewer: MANAGER, client: toClient() })).rejects.toMatchObject({
    code: 'unknown-screen',
  });
  const actions = (await database.query('select action from linehaul.audit_log order by id')).map(
    ({ action }) => action,
  );
  expect(actions).toEqual(['wall-screen.create', 'wall-screen.open', 'wall-screen.revoke']);
});

it('repeated opening of a link adds one audit record for each address and hour', async () => {
  const { token, screen } = await app.screens.create(
    { name: 'Lobby', usdots: null },
    { viewer: MANAGER, client: toClient() },
  );
  const openFrom = (address: string) => app.screens.open(token, toClient('', { address }));
  const readAddresses = async () =>
    (
      await database.query('select address from linehaul.audit_log where actor_id = $1 order by id', [
        screen.id,
      ])
    ).map(({ address }) => address);
  await Promise.all(Array.from({ length: 20 }, () => openFrom('198.51.100.1')));
  await openFrom('198.51.100.2');
  expect(await readAddresses()).toEqual(['198.51.100.1', '198.51.100.2']);
  vi.useFakeTimers({ now: Date.now() + 3_600_001, toFake: ['Date'] });
  await openFrom('198.51.100.1');
  await openFrom('198.51.100.1');
  expect(await readAddresses()).toHaveLength(3);
});

it('a screen shows its fleet as was chosen when it was made, across a room if nothing was', async () => {
  const by = { viewer: MANAGER, client: toClient() };
  const show = async (display: Partial<ScreenDisplay>) => {
    const { token } = await app.screens.create({ name: 'TV', usdots: null, ...display }, by);
    const cookie = toPair(await app.screens.open(token, toClient()));
    const { viewer } = (await app.auth.authenticate(toClient(cookie)))!;
    return app.screens.readDisplay(viewer);
  };
  expect(await show({ distance: 'hall', isRotating: true })).toEqual({ distance: 'hall', isRotating: true });
  expect(await show({})).toEqual({ distance: 'wall', isRotating: false });
  expect(await app.screens.readDisplay(MANAGER)).toBeNull();
});

it('no table holds the token of a screen', async () => {
  const { token } = await app.screens.create(
    { name: 'Office', usdots: null },
    { viewer: MANAGER, client: toClient() },
  );
  await app.screens.open(token, toClient());
  for (const table of ['wall_screens', 'audit_log'])
    expect(JSON.stringify(await database.query(`select * from linehaul.${table}`))).not.toContain(token);
});

it('an active screen renews its cookie and its last use, without a write for each poll', async () => {
  const { screen, token } = await app.screens.create(
    { name: 'Gate', usdots: null },
    { viewer: MANAGER, client: toClient() },
  );
  const client = toClient(toPair(await app.screens.open(token, toClient())));
  const seen = async () => (await app.screens.list(MANAGER)).find(({ id }) => id === screen.id)!.seenAtMs!;
  app.auth.takeCookies(client);
  const before = await seen();
  clock.nowMs += 60_000;
  clock.elapsedMs += 121_000;
  await app.auth.authenticate(client);
  expect(await seen()).toBe(before);
  expect(app.auth.takeCookies(client)).toEqual([]);
  clock.nowMs += 600_000;
  clock.elapsedMs += 600_000;
  await app.auth.authenticate(client);
  expect(await seen()).toBe(clock.nowMs);
  expect(app.auth.takeCookies(client)).toEqual([
    expect.stringMatching(/^linehaul\.screen=.*Max-Age=34560000/),
  ]);
});

it('over TLS a screen has a host-bound cookie, also if it was opened under the earlier name', async () => {
  const tls = { isTls: true };
  const { token } = await app.screens.create(
    { name: 'Lobby', usdots: null },
    { viewer: MANAGER, client: toClient() },
  );
  const line = await app.screens.open(token, toClient('', tls));
  expect(line).toMatch(/^__Host-linehaul\.screen=.*; Path=\/; .*; Secure$/);
  expect(line).not.toMatch(/; Domain=/i);
  const before = toClient(`__Secure-linehaul.screen=${token}`, tls);
  clock.nowMs += 600_000;
  clock.elapsedMs += 600_000;
  expect((await app.auth.authenticate(before))?.viewer.name).toBe('Lobby');
  expect(app.auth.takeCookies(before)).toEqual([expect.stringMatching(/^__Host-linehaul\.screen=/)]);
  // Over plain HTTP only the name without a prefix counts.
  expect(await app.auth.authenticate(toClient(`__Secure-linehaul.screen=${token}`))).toBeNull();
});

it('a screen may not sign out: it would go blank, and its audience has no account', async () => {
  const { token } = await app.screens.create(
    { name: 'Hall', usdots: null },
    { viewer: MANAGER, client: toClient() },
  );
  const cookie = toPair(await app.screens.open(token, toClient()));
  await expect(ask(app, '/api/auth/sign-out', {}, toClient(cookie))).rejects.toMatchObject({
    code: 'not-for-screens',
  });
  expect(await app.auth.authenticate(toClient(cookie))).not.toBeNull();
  const [{ count } = {}] = await database.query(
    `select count(*) from linehaul.audit_log where action = 'sign-out'`,
  );
  expect(Number(count)).toBe(0);
});

it('a forged token opens nothing', async () => {
  await expect(app.screens.open('made-up', toClient())).rejects.toMatchObject({
    code: 'unknown-screen',
  });
  expect(await app.auth.authenticate(toClient('linehaul.screen=made-up'))).toBeNull();
});

it('a manager of some fleets creates, sees and revokes the screens of those fleets only', async () => {
  const limited: Viewer = { ...MANAGER, id: 'l', email: 'lee@carrier.test', usdots: ['9000001', '9000002'] };
  await insertViewer(database, limited);
  const make = (usdots: string[] | null, by = MANAGER) =>
    app.screens.create({ name: 'Dock', usdots }, { viewer: by, client: toClient() });
  for (const usdots of [null, ['9000003'], ['9000001', '9000003']])
    await expect(make(usdots, limited)).rejects.toMatchObject({ code: 'beyond-scope' });
  const own = await make(['9000002'], limited);
  const beyond = [await make(null), await make(['9000003'])];
  const listed = (await app.screens.list(limited)).map(({ id }) => id);
  expect(listed).toContain(own.screen.id);
  for (const { screen, token } of beyond) {
    expect(listed).not.toContain(screen.id);
    await expect(
      app.screens.revoke(screen.id, { viewer: limited, client: toClient() }),
    ).rejects.toMatchObject({
      code: 'unknown-screen',
    });
    await expect(app.screens.open(token, toClient())).resolves.toContain('linehaul.screen=');
  }
  await app.screens.revoke(own.screen.id, { viewer: limited, client: toClient() });
  // A screen in their scope that a manager of all fleets created hides that manager.
  const shared = await make(['9000001']);
  const seen = (await app.screens.list(limited)).find(({ id }) => id === shared.screen.id);
  expect(seen?.madeBy).toBe('another manager');
});
