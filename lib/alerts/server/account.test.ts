import { beforeAll, beforeEach, expect, it } from 'vitest';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import type { Viewer } from '@/lib/base/viewer';
import { setUpAlerts } from '@/testing/alerts/alerts';
import { alertAccountAnswer } from '../answers';
import { DEFAULT_PREFERENCES } from '../preferences';
import { MAX_PUSH_SUBSCRIPTIONS } from '../schema';
import {
  readAlertAccount,
  removeSubscription,
  subscribeBrowser,
  unsubscribeBrowser,
  writePreferences,
} from './account';

const held = setUpAlerts();
const KEYS = { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) };
const SCREEN: Viewer = { ...DEMO_VIEWER, kind: 'screen', id: 's', role: 'dispatcher' };

let dan: Viewer;
let eve: Viewer;
beforeAll(async () => {
  dan = await held.addUser('dan', 'dispatcher', ['9000001']);
  eve = await held.addUser('eve', 'dispatcher', null);
});
beforeEach(() => held.clear());

const by = (
  viewer: Viewer,
  { pushKey = 'key' as string | null, isPrivateAllowed = false, canMail = true } = {},
) => ({
  ...held.by(viewer),
  client: { headers: new Headers({ 'user-agent': 'Phone' }) },
  messages: { canMail, isPrivateAllowed, readPushKey: () => pushKey },
});
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { code: unknown }) => error.code,
  );
const endpointOf = (name: string) => `https://push.example.com/${name}`;
const subscribe = (viewer: Viewer, name: string) =>
  subscribeBrowser(by(viewer), { endpoint: endpointOf(name), keys: KEYS });
const listPhones = async (viewer: Viewer) => (await readAlertAccount(by(viewer))).phones;

it('preferences are each user’s own, and have defaults', async () => {
  const preferences = { ...DEFAULT_PREFERENCES, email: 'digest' as const, sound: true };
  await writePreferences(by(dan), { ...preferences, sound: false });
  await writePreferences(by(dan), preferences);
  const account = alertAccountAnswer.parse(await readAlertAccount(by(dan)));
  expect(account).toEqual({ preferences, email: 'dan@carrier.test', pushKey: 'key', phones: [] });
  const other = await readAlertAccount(by(eve, { canMail: false, pushKey: null }));
  expect(other).toEqual({ preferences: DEFAULT_PREFERENCES, email: null, pushKey: null, phones: [] });
});

it('a wall screen and the demo have none', async () => {
  for (const [viewer, code] of [
    [SCREEN, 'not-for-screens'],
    [DEMO_VIEWER, 'demo-has-no-users'],
  ] as const) {
    expect(await codeOf(readAlertAccount(by(viewer)))).toBe(code);
    expect(await codeOf(writePreferences(by(viewer), DEFAULT_PREFERENCES))).toBe(code);
    expect(await codeOf(subscribe(viewer, 'x'))).toBe(code);
    expect(await codeOf(unsubscribeBrowser(by(viewer), 'x'))).toBe(code);
    expect(await codeOf(removeSubscription(by(viewer), 'x'))).toBe(code);
  }
});

it('a browser is subscribed once, moves to who subscribed it last, and is ended by its endpoint or its id', async () => {
  await subscribe(dan, 'phone');
  await subscribe(dan, 'phone');
  await subscribe(dan, 'tablet');
  const held = await listPhones(dan);
  expect(held.map(({ userAgent }) => userAgent)).toEqual(['Phone', 'Phone']);
  await subscribe(dan, 'tablet');
  expect((await listPhones(dan)).map(({ id }) => id).sort()).toEqual(held.map(({ id }) => id).sort());
  await subscribe(eve, 'tablet');
  const [phone] = await listPhones(dan);
  const [tablet] = await listPhones(eve);
  // A message that still waits for the one before does not reach the new user.
  expect(held.map(({ id }) => id)).not.toContain(tablet!.id);
  // Another user's stays.
  expect(await codeOf(removeSubscription(by(dan), tablet!.id))).toBe('unknown-account-part');
  await unsubscribeBrowser(by(dan), endpointOf('tablet'));
  expect(await listPhones(eve)).toHaveLength(1);
  await removeSubscription(by(eve), tablet!.id);
  await unsubscribeBrowser(by(dan), endpointOf('phone'));
  expect([phone, ...(await listPhones(dan)), ...(await listPhones(eve))]).toEqual([phone]);
});

it('of too many browsers of a user the oldest ends', async () => {
  for (let i = 0; i <= MAX_PUSH_SUBSCRIPTIONS; i++) {
    held.nowMs += 1000;
    await subscribe(dan, String(i));
  }
  const rows = await held.database.query(
    'select endpoint from linehaul.push_subscriptions order by created_at',
  );
  expect(rows.map(({ endpoint }) => endpoint)).toEqual(
    Array.from({ length: MAX_PUSH_SUBSCRIPTIONS }, (_, i) => endpointOf(String(i + 1))),
  );
});

it('an endpoint is a public address with TLS, and there is a key', async () => {
  for (const endpoint of ['http://push.example.com/', 'https://127.0.0.1/', 'https://localhost/'])
    await expect(subscribeBrowser(by(dan), { endpoint, keys: KEYS })).rejects.toMatchObject({
      code: 'bad-input',
      faults: [{ field: 'endpoint' }],
    });
  const local = { endpoint: 'http://127.0.0.1:1/', keys: KEYS };
  await subscribeBrowser(by(dan, { isPrivateAllowed: true }), local);
  expect(await codeOf(subscribeBrowser(by(dan, { pushKey: null }), local))).toBe('no-push');
});
