import 'server-only';
import type { ZodType } from 'zod';
import type { Database, StorageLog } from '@/lib/storage/database';
import { deleteSession, deleteSessionsOf, listSessions } from '@/lib/storage/sessions';
import type { SessionRecord } from '@/lib/storage/sessions';
import { hasUsers, insertFirstUser, insertUser, listUsers, readUser, updateUser } from '@/lib/storage/users';
import type { NewUser, UserChange, UserRecord } from '@/lib/storage/users';
import type { SetUp } from '@/lib/wire/sign-in';
import type { Viewer } from '@/lib/wire/viewer';
import type { Asker } from './asker';
import { createAttemptLimit } from './attempt-limit';
import { createAudit } from './audit';
import type { Audit } from './audit';
import { createAuth, refuseSignIn } from './auth';
import type { Auth } from './auth';
import { createAuthRoutes } from './auth-routes';
import { readCookie } from './cookies';
import { DEMO_VIEWER } from './demo';
import { AccountsUnavailableError, SetUpClosedError, SetUpCodeError, TooManyAttemptsError } from './errors';
import { createAccountsDatabase } from './open-accounts';
import { createSessionMemory } from './session-memory';
import type { SessionMemory, VerifiedSession } from './session-memory';
import { createSetUpCode, isSetUpCode } from './set-up-code';

/** `demo`: requests of this very machine open signed in; `required`: everybody signs in. */
export type AccountsMode = 'demo' | 'required';

/** Whose request it is. */
export interface Authenticated {
  viewer: Viewer;
  /** Null where no session is behind it. */
  sessionId: string | null;
}

/** Who may see what, and who did what. */
export interface Accounts {
  mode: AccountsMode;
  audit: Audit;
  /** Opens the database and, where nobody has an account yet, prints the code of the set-up. Resolves also where that fails. */
  start: () => Promise<void>;
  /** Who asks; null for nobody. @throws AccountsUnavailableError where that cannot be known now */
  authenticate: (asker: Asker) => Promise<Authenticated | null>;
  /** `Set-Cookie` lines that the answer to this request has to bear. */
  takeCookies: (asker: Asker) => string[];
  /** better-auth's routes, as far as they are ours. @throws NoSuchAuthRouteError, SignInRefusedError, TooManyAttemptsError, AccountsUnavailableError */
  serve: (request: Request, asker: Asker) => Promise<Response>;
  /** Whether the first manager is still to be made. @throws AccountsUnavailableError */
  isSetUpOpen: () => Promise<boolean>;
  /** Makes the first manager. @throws SetUpClosedError, SetUpCodeError, TooManyAttemptsError, AccountsUnavailableError */
  setUp: (input: SetUp, asker: Asker) => Promise<void>;
  users: {
    list: () => Promise<UserRecord[]>;
    read: (id: string) => Promise<UserRecord | null>;
    /** @throws EmailTakenError */
    create: (user: Omit<NewUser, 'id' | 'passwordHash'> & { password: string | null }) => Promise<UserRecord>;
    /** Holds from the next request of the user on; one that is disabled has no session any more. */
    change: (id: string, change: UserChange) => Promise<UserRecord | null>;
  };
  sessions: {
    list: (userId: string) => Promise<SessionRecord[]>;
    /** Ends one session at once; false where the user has none of that id. */
    end: (userId: string, sessionId: string) => Promise<boolean>;
    endAll: (userId: string) => Promise<void>;
  };
  close: () => Promise<void>;
}

export interface AccountsOptions {
  mode: AccountsMode;
  databaseUrl: string | null;
  /** Signs sessions. */
  secret: string;
  /** Scheme, host and port that browsers know this server by; null: whatever they ask. */
  publicUrl: string | null;
  now: () => number;
  /** Milliseconds that went by, on a clock that nobody sets. */
  elapsed: () => number;
  log: StorageLog & { error: (fields: object, words: string) => void };
  /** Tells whoever runs the server, whatever the log's level. */
  announce: (words: string) => void;
  /** The checked body of a request. @throws where it is none */
  readInput: <T>(request: Request, schema: ZodType<T>) => Promise<T>;
}

const toViewer = ({ id, name, email, role, usdots }: UserRecord): Viewer => ({
  kind: 'user',
  id,
  name,
  email,
  role,
  usdots,
});

/** All attempts at the set-up are attempts at this. */
const SET_UP_ACCOUNT = 'set-up';

export const createAccounts = (options: AccountsOptions): Accounts => {
  const { mode, secret, publicUrl, now, elapsed, log, announce, readInput } = options;
  const setUpCode = createSetUpCode();
  const attempts = createAttemptLimit({ elapsed });
  const auths = new WeakMap<Database, { tls: Auth; plain: Auth }>();

  const database = createAccountsDatabase({
    databaseUrl: options.databaseUrl,
    elapsed,
    log,
    onOpened: async (opened) => {
      if (mode === 'required' && !(await hasUsers(opened.orm))) {
        announce(`Nobody has an account yet. Make the first manager at /set-up with the code ${setUpCode}`);
      }
    },
    onFailed: (error) => log.error({ err: error }, 'Accounts cannot be read: the database cannot be opened.'),
  });
  const audit = createAudit({ open: database.open, now });

  const openAuth = async (): Promise<{ tls: Auth; plain: Auth }> => {
    const opened = await database.open();
    const make = (isTls: boolean) =>
      createAuth({
        database: opened,
        secret,
        isTls,
        onError: (words) => log.error({ words }, 'Signing in went wrong.'),
        onSession: async (userId) => {
          const user = await readUser(opened, userId);
          if (user === null || user.disabledAtMs !== null) throw refuseSignIn();
        },
        onSignedIn: async ({ userId, by, address }) => {
          const user = await readUser(opened, userId);
          await audit.note({
            by: user === null ? null : toViewer(user),
            action: 'sign-in',
            subject: user?.email,
            address,
            details: { by },
          });
        },
        onSessionEnded: (id) => memory.forget(({ sessionId }) => sessionId === id),
      });
    const held = auths.get(opened) ?? { tls: make(true), plain: make(false) };
    auths.set(opened, held);
    return held;
  };

  const isTls = (asker: Asker): boolean => publicUrl?.startsWith('https:') ?? asker.isTls;
  const authFor = async (asker: Asker): Promise<Auth> => (await openAuth())[isTls(asker) ? 'tls' : 'plain'];
  const toOrigin = (asker: Asker): string =>
    publicUrl ?? `${asker.isTls ? 'https' : 'http'}://${asker.headers.get('host') ?? 'localhost'}`;

  /** The session cookie alone, as "name=value"; null where there is none. */
  const readSessionCookie = (asker: Asker): string | null => {
    const name = `${isTls(asker) ? '__Secure-' : ''}linehaul.session_token`;
    const value = readCookie(asker.headers.get('cookie'), name);
    return value === null || value === '' ? null : `${name}=${value}`;
  };

  const verify = async (cookie: string): Promise<VerifiedSession | null> => {
    const opened = await openAuth();
    const auth = cookie.startsWith('__Secure-') ? opened.tls : opened.plain;
    const { headers, response } = await auth.api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    });
    if (response === null) return null;
    const user = await readUser(await database.open(), response.user.id);
    if (user === null || user.disabledAtMs !== null) return null;
    return {
      sessionId: response.session.id,
      viewer: toViewer(user),
      expiresAtMs: response.session.expiresAt.getTime(),
      setCookies: headers.getSetCookie(),
    };
  };

  const memory: SessionMemory = createSessionMemory({
    verify: async (cookie) => {
      try {
        return await verify(cookie);
      } catch (cause) {
        throw cause instanceof AccountsUnavailableError
          ? cause
          : new AccountsUnavailableError('A session cannot be looked up.', { cause });
      }
    },
    now,
    elapsed,
    onFailed: (error) => log.warn({ reason: String(error) }, 'Sessions are taken from memory.'),
  });
  const forgetUser = (id: string): void => memory.forget(({ viewer }) => viewer.id === id);

  const authenticate = async (asker: Asker): Promise<Authenticated | null> => {
    if (mode === 'demo' && asker.isLocal) return { viewer: DEMO_VIEWER, sessionId: null };
    const cookie = readSessionCookie(asker);
    const session = cookie === null ? null : await memory.read(cookie);
    return session === null ? null : { viewer: session.viewer, sessionId: session.sessionId };
  };

  const serveAuth = createAuthRoutes({
    attempts,
    audit,
    readInput,
    toOrigin,
    onSignOut: async (asker) => {
      const signedIn = await authenticate(asker);
      if (signedIn === null) return;
      await audit.note({ by: signedIn.viewer, action: 'sign-out', address: asker.address });
      memory.forget(({ sessionId }) => sessionId === signedIn.sessionId);
    },
  });

  const hash = async (password: string): Promise<string> => {
    const { plain } = await openAuth();
    return (await plain.$context).password.hash(password);
  };

  const setUp = async (input: SetUp, asker: Asker): Promise<void> => {
    if (mode !== 'required') throw new SetUpClosedError('This server shows its demo.');
    const attempt = { address: asker.address, account: SET_UP_ACCOUNT };
    const waitS = attempts.take(attempt);
    if (waitS > 0) throw new TooManyAttemptsError(waitS);
    const opened = await database.open();
    if (await hasUsers(opened.orm)) throw new SetUpClosedError('Somebody has an account already.');
    const { code, name, email, password } = input;
    if (!isSetUpCode(code, setUpCode)) {
      await audit.note({ by: null, action: 'set-up', address: asker.address, outcome: 'refused' });
      throw new SetUpCodeError('That is not the code that the server printed.');
    }
    attempts.succeed(attempt);
    const manager = { id: crypto.randomUUID(), name, email, role: 'manager', usdots: null } as const;
    const user = { ...manager, passwordHash: await hash(password) };
    if (!(await insertFirstUser(opened, user, now())))
      throw new SetUpClosedError('Somebody was quicker, and has an account now.');
    await audit.note({
      by: { kind: 'user', ...manager },
      action: 'set-up',
      subject: email,
      address: asker.address,
    });
  };

  return {
    mode,
    audit,
    start: async () => void (await database.open().catch(() => undefined)),
    authenticate,
    takeCookies: (asker) => {
      const cookie = readSessionCookie(asker);
      return cookie === null ? [] : memory.takeCookies(cookie);
    },
    serve: async (request, asker) => serveAuth({ request, asker, auth: await authFor(asker) }),
    isSetUpOpen: async () => mode === 'required' && !(await hasUsers((await database.open()).orm)),
    setUp,
    users: {
      list: async () => listUsers(await database.open()),
      read: async (id) => readUser(await database.open(), id),
      create: async ({ password, ...user }) => {
        const opened = await database.open();
        const id = crypto.randomUUID();
        const passwordHash = password === null ? null : await hash(password);
        await insertUser(opened.orm, { ...user, id, passwordHash }, now());
        return (await readUser(opened, id))!;
      },
      change: async (id, change) => {
        const changed = await updateUser(await database.open(), id, change, now());
        forgetUser(id);
        return changed;
      },
    },
    sessions: {
      list: async (userId) => listSessions(await database.open(), userId, now()),
      end: async (userId, sessionId) => {
        const isEnded = await deleteSession(await database.open(), userId, sessionId);
        memory.forget((session) => session.sessionId === sessionId);
        return isEnded;
      },
      endAll: async (userId) => {
        await deleteSessionsOf(await database.open(), userId);
        forgetUser(userId);
      },
    },
    close: database.close,
  };
};
