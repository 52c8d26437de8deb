import { PASSWORD, ask, toClient, toCookie, toCookies, usersOf } from '@/testing/auth/sign-in';
import { toAppCode } from '@/testing/auth/totp';
import { readRuntime, type Runtime } from '@/server/runtime';
import { CalendarFeeds } from '@/lib/shares/server/calendar-feed';
import { findShare, standingOf } from '@/lib/shares/server/share-rows';
import { hashToken } from '@/lib/shares/server/token';
import type { Role, Viewer } from '@/lib/base/viewer';
import type { Store } from '@/service/store/store';
import { CARRIER, OTHER_CARRIER } from '@/testing/service/vehicles';
import { startAttackedServer, type AttackedServer } from '../attacks/server';

export const X = CARRIER.usdot;
export const Y = OTHER_CARRIER.usdot;

export interface LifetimeServer extends AttackedServer {
  runtime: Runtime;
  app: Runtime;
  store: Store;
  /** A manager of all fleets. */
  ann: Viewer;
  /** The id of a new site of a fleet. */
  makeSite: (usdot: string) => Promise<number>;
  makeUser: (role: Role, usdots: string[] | null, password?: string | null) => Promise<Viewer>;
}

let count = 0;

/** The application over the embedded service with two carriers, with sign-in required. */
export const createLifetimeServer = async (): Promise<LifetimeServer> => {
  const server = await startAttackedServer({ isEmbedded: true });
  const runtime = readRuntime();
  const app = runtime;
  // The interface is backed by the embedded service's whole store.
  const store = (await runtime.openServiceAdmin()) as unknown as Store;
  await store.carriers.upsert(CARRIER);
  await store.carriers.upsert(OTHER_CARRIER);
  const makeUser: LifetimeServer['makeUser'] = async (role, usdots, password = PASSWORD) => {
    const about = { name: 'User', email: `user-${++count}@carrier.test`, role, usdots, tags: null };
    const { id } = await usersOf(app).create({ ...about, password });
    return { kind: 'user', id, ...about };
  };
  const makeSite = async (usdot: string): Promise<number> => {
    const { rows } = await (
      await app.database.open()
    ).pool.query<{ id: number }>(
      `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
       VALUES ($1, $2, 'yard', '#2f7de1', 75, '{"type":"circle","lat":33,"lng":-97,"radiusM":200}', 'ann', now(), now())
       RETURNING id`,
      [usdot, `Dock ${++count}`],
    );
    return rows[0]!.id;
  };
  return { ...server, runtime, app, store, makeSite, makeUser, ann: await makeUser('manager', null) };
};

/** A network address that no other test uses, because attempts are counted by address. */
export const nextAddress = (): string => `198.51.100.${++count % 250}`;

export const stays = (isLive: boolean): 'stays' | 'ends' => (isLive ? 'stays' : 'ends');

/** Whether a promise is fulfilled. */
export const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

export const isKeyLive = async (
  { keys }: Store,
  { apiKey, providerToken }: { apiKey: string; providerToken: string },
): Promise<boolean> => {
  const key = await keys.verify(apiKey, providerToken);
  return key !== null && (key.endsAtMs === null || key.endsAtMs > Date.now());
};

/** Whether a link shows something to a server that has not looked it up yet. */
export const isShareOpen = async (
  { database, clock }: Runtime,
  { link }: { link: string },
): Promise<boolean> => {
  const share = await findShare((await database.open()).pool, hashToken(link.slice('/t/'.length)));
  return share !== null && standingOf(share, clock.nowMs()).state === 'open';
};

/** Whether a calendar shows something to a server that has not looked it up yet. */
export const isCalendarOpen = async (
  { database, clock }: Runtime,
  { link }: { link: string },
): Promise<boolean> => {
  const feeds = new CalendarFeeds({ open: async () => (await database.open()).pool, clock });
  return (await feeds.read(link.split('/').at(-2)!)) !== null;
};

const postAuth = (app: Runtime, path: string, body: object, cookie = '') =>
  ask(app, `/api/auth/sign-in/${path}`, body, toClient(cookie, { address: nextAddress() }));

/** Gives a user a second factor: the session that it was set up in, and the recovery codes. */
export const setUpSecondFactor = async (app: Runtime, email: string) => {
  const cookie = toCookie(await postAuth(app, 'email', { email, password: PASSWORD }));
  const start = await app.profile.startSecondFactor({ password: PASSWORD }, toClient(cookie));
  const { uri, recoveryCodes } = (await start.json()) as { uri: string; recoveryCodes: string[] };
  const code = toAppCode(uri, Date.now());
  const done = await app.profile.confirmSecondFactor({ code }, toClient(cookie));
  return { cookie: toCookie(done), recoveryCodes };
};

/** The first step of a sign-in; `finish` returns the session of the second step, or rejects. */
export const startSignIn = async (app: Runtime, email: string) => {
  const cookies = toCookies(await postAuth(app, 'email', { email, password: PASSWORD }));
  return {
    finish: async (code: string): Promise<string> =>
      toCookie(await postAuth(app, 'second-factor', { code }, cookies)),
  };
};
