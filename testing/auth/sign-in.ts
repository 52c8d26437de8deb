import { systemClock } from '@/lib/base/clock';
import type { TestDatabase } from '@/testing/database';
import type { Viewer, Client } from '@/lib/base/viewer';
import { createSignIn, type SignIn, type SignInOptions } from '@/server/sign-in';
import { deleteSessionsOf, listSessions } from '@/lib/auth/server/sessions/session-repository';
import {
  insertUser,
  listUsers,
  lockUsers,
  readUser,
  writeUser,
  type NewUser,
  type UserChange,
} from '@/lib/auth/server/user-repository';

export const ORIGIN = 'http://fleet.test:3000';
export const PASSWORD = 'a long enough password';

/** A manager of all fleets; `insertViewer` writes its row, which every change by a manager requires. */
export const MANAGER: Viewer = {
  kind: 'user',
  id: 'm',
  name: 'Ann',
  email: 'ann@carrier.test',
  role: 'manager',
  usdots: null,
  tags: null,
};

/** Writes the user row of a viewer, without a password. */
export const insertViewer = (
  database: TestDatabase,
  { id, name, email, role, usdots }: Viewer,
): Promise<unknown> =>
  database.query('insert into linehaul.users (id, name, email, role, usdots) values ($1, $2, $3, $4, $5)', [
    id,
    name,
    email,
    role,
    usdots,
  ]);

const silent = () => undefined;

/** Sign-in over a test's database, with a fake clock and a record of the announcements. */
export const createTestSignIn = (databaseUrl: string | null, options: Partial<SignInOptions> = {}) => {
  const clock = { nowMs: Date.now(), elapsedMs: 0 };
  const announced: string[] = [];
  const app = createSignIn({
    mode: 'required',
    holdsOnlyDemoFleet: async () => true,
    databaseUrl,
    secret: 'a secret of a test, long enough to sign with',
    publicUrl: null,
    isSecondFactorRequired: false,
    onFlagsSet: silent,
    oidc: null,
    openServiceAdmin: () => Promise.resolve(null),
    sendMail: null,
    jobs: () => ({
      insert: async () => undefined,
      finish: async () => undefined,
      again: async () => undefined,
    }),
    clock: {
      nowMs: () => clock.nowMs,
      monotonicMs: () => clock.elapsedMs,
      setTimer: systemClock.setTimer,
    },
    log: { error: silent, warn: silent, debug: silent },
    others: null,
    announce: (words) => void announced.push(words),
    ...options,
  });
  const readCode = (): string => /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(announced.at(-1) ?? '')?.[0] ?? '';
  return { app, clock, announced, readCode };
};

/** A client on another machine, unless overridden. */
export const toClient = (cookie = '', client: Partial<Client> = {}): Client => ({
  headers: new Headers({ host: new URL(ORIGIN).host, ...(cookie && { cookie }) }),
  address: '203.0.113.7',
  isLocal: false,
  isTls: false,
  ...client,
});

export const ask = (
  { auth }: Pick<SignIn, 'auth'>,
  path: string,
  body: unknown,
  client: Client,
): Promise<Response> => {
  const headers = new Headers(client.headers);
  headers.set('content-type', 'application/json');
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return auth.serve(new Request(`${ORIGIN}${path}`, init), client);
};

/** The session cookie of a response, as a browser would send it back. */
export const toCookie = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!)
    .find((pair) => /session_token=./.test(pair)) ?? '';

/** Signs in, and returns the cookie. */
export const signIn = async (
  app: Pick<SignIn, 'auth'>,
  email: string,
  password = PASSWORD,
): Promise<string> => toCookie(await ask(app, '/api/auth/sign-in/email', { email, password }, toClient()));

/** All cookies that a response sets and does not delete, as a browser would send them back. */
export const toCookies = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!)
    .filter((pair) => !pair.endsWith('='))
    .join('; ');

type Storage = Pick<SignIn, 'database' | 'auth'>;

/** Stored users, bypassing managers. */
export const usersOf = ({ database: { open }, auth: { hash, forgetSessions } }: Storage) => ({
  list: async () => listUsers((await open()).orm),
  read: async (id: string) => readUser((await open()).orm, id),
  create: async ({
    password,
    ...user
  }: Omit<NewUser, 'id' | 'passwordHash'> & { password: string | null }) => {
    const { orm } = await open();
    const id = crypto.randomUUID();
    const passwordHash = password === null ? null : await hash(password);
    await insertUser(orm, { ...user, id, passwordHash }, Date.now());
    return { ...user, id };
  },
  change: async (id: string, change: UserChange) => {
    await (
      await open()
    ).orm.transaction(async (tx) => {
      await lockUsers(tx);
      await writeUser(tx, id, change, Date.now());
    });
    forgetSessions({ by: 'user', id });
  },
});

/** Stored sessions of users. */
export const sessionsOf = ({ database: { open }, auth: { forgetSessions } }: Storage) => ({
  list: async (userId: string) => listSessions((await open()).orm, userId, Date.now()),
  endAll: async (userId: string) => {
    await deleteSessionsOf((await open()).orm, userId);
    forgetSessions({ by: 'user', id: userId });
  },
});
