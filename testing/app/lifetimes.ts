import { PASSWORD, ask, toClient, toCookie, toCookies, usersOf } from '@/testing/auth/sign-in';
import { toAppCode } from '@/testing/auth/totp';
import { readRuntime, type Runtime } from '@/server/runtime';
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
  return { ...server, runtime, app, store, makeUser, ann: await makeUser('manager', null) };
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
