import { PASSWORD, ask, toClient, toCookie, usersOf } from '@/testing/auth/sign-in';
import { createApiKey, rotateApiKey } from '@/lib/api-keys/server/api-keys';
import { LoadKeyCheck, createLoadKey } from '@/lib/api-keys/server/load-keys';
import { createIngestToken } from '@/lib/devices/server/devices';
import { addRule } from '@/lib/alerts/server/rules';
import { addWebhook } from '@/lib/alerts/server/webhooks';
import type { AlertRuleInput } from '@/lib/rules/alert-rule';
import { DAY_MS } from '@/lib/base/time';
import { shareInputSchema } from '@/lib/shares/schema';
import { addCalendar } from '@/lib/shares/server/calendars';
import { addShare } from '@/lib/shares/server/shares';
import type { Invite, UserChangeInput } from '@/lib/users/schema';
import { toVehicle, toVin } from '@/testing/service/vehicles';
import { GET as readLive } from '@/app/api/fleets/[usdot]/live/route';
import { GET as readViewer } from '@/app/api/viewer/route';
import {
  X,
  Y,
  isKeyLive,
  isCalendarOpen,
  isShareOpen,
  nextAddress,
  setUpSecondFactor,
  startSignIn,
  stays,
  succeeds,
  type LifetimeServer,
} from './lifetimes';

const ACCESS = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
const WEBHOOK = { url: 'https://hooks.example.com/', minSeverity: 'info', isEnabled: true } as const;
const RULE: Omit<AlertRuleInput, 'isOwn'> = {
  name: 'Silent',
  condition: { kind: 'silent', forMin: 30 },
  units: { type: 'all' },
  schedule: null,
  severity: 'info',
  coolDownMin: 0,
  isEnabled: true,
};
const VEHICLE = 900;
const SHARE = shareInputSchema.parse({
  ...{
    recipient: 'Kroger',
    precision: 'exact',
    fields: [],
    delayMin: 0,
    endsMs: Date.now() + DAY_MS,
    endsOn: null,
  },
  items: [{ loadId: null, unit: toVin(VEHICLE) }],
  ...{ endsAtStop: null, endsAtSite: null, showsEnd: false, frameOrigins: [] },
});
const NEW_PASSWORD = 'another long enough password';

const toToken = (link: string): string => new URL(link, 'http://x').hash.slice(1);
const newEmail = (): string => `new-${crypto.randomUUID()}@carrier.test`;

/** What a manager makes for fleet X. */
const makeItems = async (server: LifetimeServer, by: Parameters<typeof toDoer>[1]) => {
  const { app, ann } = server;
  const bob = toDoer(server, by);
  const messages = { isPrivateAllowed: false, sealSecret: (text: string) => text } as never;
  const sender = { ...bob, messages };
  const key = { usdot: X, name: 'key', access: ACCESS };
  const ofAnn = await createApiKey(toDoer(server, ann), key);
  const acting = { viewer: by, client: { address: nextAddress() } };
  const invite: Invite = { email: newEmail(), role: 'dispatcher', usdots: [X], tags: null, days: 7 };
  const colleague = await server.makeUser('dispatcher', [X], null);
  return {
    screen: await app.screens.create({ name: 'screen', usdots: [X] }, { viewer: by, client: toClient() }),
    key: await createApiKey(bob, key),
    rotated: await rotateApiKey(bob, ofAnn.id, 0),
    loadKey: await createLoadKey(bob, { usdot: X, name: 'TMS', expiresAtMs: null }),
    token: await createIngestToken(bob, { usdot: X, name: 'token' }),
    share: await addShare(bob, X, SHARE),
    calendar: await addCalendar(bob, X, {
      ...{ recipient: 'Dock', language: 'en', showsTruck: false, endsMs: null },
      siteId: await server.makeSite(X),
    }),
    webhook: (await addWebhook(sender, X, { ...WEBHOOK, name: `hook of ${by.email}` })).webhook.id,
    fleetRule: (await addRule(bob, X, { ...RULE, isOwn: false })).id,
    ownRule: (await addRule(bob, X, { ...RULE, isOwn: true })).id,
    invitation: toToken((await app.users.invite(invite, acting)).link),
    resetOfColleague: toToken((await app.users.makeReset(colleague.id!, acting)).link),
  };
};

const toDoer = ({ runtime }: LifetimeServer, viewer: LifetimeServer['ann']) => ({
  ...runtime,
  viewer,
  client: toClient('', { address: nextAddress() }),
});

const recordFix = async ({ store }: LifetimeServer): Promise<void> => {
  await store.vehicles.upsertMany([toVehicle(VEHICLE, { usdot: X })]);
  const fix = { fixAtMs: Date.now(), lat: 35, lng: -101, deviceId: `device-${VEHICLE}` };
  const unknown = {
    speedKph: null,
    headingDeg: null,
    altitudeM: null,
    accuracyM: null,
    batteryPercent: null,
  };
  await store.fixes.record(X, [{ ...fix, ...unknown }]);
};

/** A manager of X and Y with everything that might outlive them, and which of it remains. */
export const createManagerFixture = async (server: LifetimeServer) => {
  const { app, runtime, store, ann } = server;
  const bob = await server.makeUser('manager', [X, Y]);
  const id = bob.id!;
  const email = bob.email!;
  const { cookie, recoveryCodes } = await setUpSecondFactor(app, email);
  const [forOther, forPending] = recoveryCodes as [string, string];
  const other = await (await startSignIn(app, email)).finish(forOther);
  const pending = await startSignIn(app, email);
  const items = await makeItems(server, bob);
  const makeReset = async () => {
    const made = await app.users.makeReset(id, { viewer: ann, client: { address: nextAddress() } });
    return toToken(made.link);
  };
  const ownReset = await makeReset();
  await recordFix(server);
  const browser = { cookie };
  const loadKeys = new LoadKeyCheck(runtime, null);
  const bearing = (key: string) => new Headers({ authorization: `Bearer ${key}` });
  const bearer = () => toClient('', { address: nextAddress() });

  await server.query(
    `insert into linehaul.push_subscriptions (id, user_id, endpoint, keys, user_agent, created_at)
     values ('phone of ${id}', '${id}', 'https://push.test/${id}', '{}', '', now())`,
    [],
  );
  await server.query(
    `insert into linehaul.handover_mails (user_id, usdot, at_min, time_zone, weekdays, hours)
     values ('${id}', '${X}', 360, 'America/Chicago', '{1}', 24)`,
    [],
  );
  const has = async (table: string, value: string | number, column = 'id'): Promise<string> =>
    stays(
      (await server.query(`select from linehaul.${table} where ${column} = $1`, [String(value)])).length > 0,
    );

  const read = async ({ isDryRun = false } = {}): Promise<Record<string, string>> => {
    const live = await server.ask(readLive as never, `/api/fleets/${X}/live`, {
      params: { usdot: X },
      cookie: browser.cookie,
    });
    const session = await server.ask(readViewer, '/api/viewer', { cookie: other });
    const vehicle = await store.vehicles.readByVin(toVin(VEHICLE));
    const screen = toClient(`linehaul.screen=${items.screen.token}`);
    return {
      'their browser, fleet open': stays(live.status < 400),
      'their other sessions': stays(session.status === 200),
      // The attempt uses it up.
      'their sign-in that waits for a code': stays(isDryRun || (await succeeds(pending.finish(forPending)))),
      'link to their own password': stays(await succeeds(app.linkTokens.readReset(ownReset, bearer()))),
      'wall screen': stays((await app.auth.authenticate(screen)) !== null),
      'API key': stays(await isKeyLive(store, items.key)),
      'API key they rotated': stays(await isKeyLive(store, items.rotated)),
      'key for loads': stays(await succeeds(loadKeys.require({ headers: bearing(items.loadKey.key) }))),
      'ingest token': stays((await store.ingestTokens.verify(items.token.token)) !== null),
      'share link': stays(await isShareOpen(app, items.share)),
      'calendar of a site': stays(await isCalendarOpen(app, items.calendar)),
      webhook: await has('webhooks', items.webhook),
      'alert rule of the fleet': await has('alert_rules', items.fleetRule),
      'alert rule of their own': await has('alert_rules', items.ownRule),
      'push messages to their phone': await has('push_subscriptions', `phone of ${id}`),
      'handover by mail': await has('handover_mails', id, 'user_id'),
      invitation: stays(await succeeds(app.linkTokens.readInvitation(items.invitation, bearer()))),
      "link to a colleague's password": stays(
        await succeeds(app.linkTokens.readReset(items.resetOfColleague, bearer())),
      ),
      'feed of the fleet': stays(
        runtime.listFeeds().some(({ usdot, isWatched }) => usdot === X && isWatched),
      ),
      'recorded fixes': stays((await store.positions.read(vehicle!.id)) !== null),
    };
  };
  const change = (input: UserChangeInput) =>
    app.users.change(id, input, { viewer: ann, client: { address: nextAddress() } });
  return { server, id, browser, other, makeReset, change, read };
};

type Fixture = Awaited<ReturnType<typeof createManagerFixture>>;

const findSession = async ({ server: { app } }: Fixture, cookie: string): Promise<string> =>
  (await app.auth.authenticate(toClient(cookie)))!.sessionId!;

/** Each event of the page's first table, by its text there. */
export const MANAGER_EVENTS: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>> = {
  'is renamed': ({ change }) => change({ name: 'Robert' }),
  'signs out': ({ server: { app }, browser }) => ask(app, '/api/auth/sign-out', {}, toClient(browser.cookie)),
  'signs out another session': async (fixture) =>
    fixture.server.app.profile.endSession(
      await findSession(fixture, fixture.other),
      toClient(fixture.browser.cookie),
    ),
  'signs out everywhere': ({ server: { app }, browser }) =>
    app.profile.endAllSessions(toClient(browser.cookie)),
  '90 days pass since that sign-in': async (fixture) => {
    const { server, browser, id } = fixture;
    await server.query(
      `update linehaul.sessions set created_at = now() - interval '91 days', expires_at = now() + interval '14 days'
       where id = $1`,
      [await findSession(fixture, browser.cookie)],
    );
    // Makes the next request look the session up again.
    await usersOf(server.app).change(id, {});
  },
  'changes the password': async ({ server: { app }, browser }) => {
    const input = { password: PASSWORD, newPassword: NEW_PASSWORD };
    browser.cookie = toCookie(await app.profile.changePassword(input, toClient(browser.cookie)));
  },
  'sets a new password by a link': async ({ server: { app }, makeReset }) =>
    app.linkTokens.reset(
      { token: await makeReset(), password: NEW_PASSWORD },
      toClient('', { address: nextAddress() }),
    ),
  'has the second factor removed': ({ server: { app, ann }, id }) =>
    app.users.removeSecondFactor(id, { viewer: ann, client: { address: nextAddress() } }),
  'gets more fleets': ({ change }) => change({ usdots: null }),
  'loses the other fleet': ({ change }) => change({ usdots: [X] }),
  'loses this fleet': ({ change }) => change({ usdots: [Y] }),
  'becomes a dispatcher': ({ change }) => change({ role: 'dispatcher' }),
  'is disabled': ({ change }) => change({ isDisabled: true }),
  'is disabled and enabled again': async ({ change }) => {
    await change({ isDisabled: true });
    await change({ isDisabled: false });
  },
};
