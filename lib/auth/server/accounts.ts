import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { ZodType } from 'zod';
import type { Executor, StorageLog } from '@/lib/postgres/database';
import { deleteSession, deleteSessionsOf, listSessions } from './session-repository';
import type { SessionRecord } from './session-repository';
import { hasUsers, insertUser, listUsers, readUser, updateUser } from '@/lib/users/server/user-repository';
import type { NewUser, UserChange, UserRecord } from '@/lib/users/server/user-repository';
import type { SetUp } from '@/lib/auth/schema';
import type { Viewer } from '@/lib/auth/viewer';
import type { Asker } from './asker';
import { createAttemptLimit } from './attempt-limit';
import { createAudit } from '@/lib/audit/server/audit';
import type { Audit } from '@/lib/audit/server/audit';
import { createAuditReader } from '@/lib/audit/server/audit-reader';
import type { AuditReader } from '@/lib/audit/server/audit-reader';
import { createAuthRoutes } from './auth-routes';
import { createAuths } from './auths';
import { DEMO_VIEWER, createDemoGate } from './demo';
import { createHandOn } from './forward';
import { toOidcPart } from './oidc';
import type { OidcSettings } from './oidc';
import { createOidcSignIn } from './oidc-sign-in';
import { createHideName } from '@/lib/users/server/hidden-names';
import type { HideName } from '@/lib/users/server/hidden-names';
import { createLinkBearers } from '@/lib/users/server/link-tokens';
import type { LinkBearers } from '@/lib/users/server/link-tokens';
import { createLinkMaker } from '@/lib/users/server/link-maker';
import { createMadeItems } from '@/lib/users/server/made-items';
import type { CredentialLedger } from '@/lib/users/server/made-items';
import type { SendMail } from '@/lib/users/server/mailer';
import { createAccountsDatabase } from './open-accounts';
import { createOwnAccount } from '@/lib/profile/server/profile';
import type { OwnAccount } from '@/lib/profile/server/profile';
import { createServerSettings, isSecondFactorSet } from '@/lib/settings/server/server-settings';
import type { ServerSettings, SetFlags } from '@/lib/settings/server/server-settings';
import { createSessions } from './sessions';
import { createFirstRun } from './set-up';
import { createVerifyTotp } from './totp';
import { createWallScreens } from '@/lib/wall-screens/server/wall-screens';
import type { WallScreens } from '@/lib/wall-screens/server/wall-screens';
import { createUserAdmin } from '@/lib/users/server/user-admin';
import type { UserAdmin } from '@/lib/users/server/user-admin';
import { asManager, requireReach } from '@/lib/users/server/user-scope';

/** `demo`: requests of this very machine open signed in; `required`: everybody signs in. */
export type AccountsMode = 'demo' | 'required';

/** Whose request it is. */
export interface Authenticated {
  viewer: Viewer;
  /** Null where no session is behind it. */
  sessionId: string | null;
  /** The viewer may do nothing but set up a second factor. */
  needsSecondFactor: boolean;
}

/** Who may see what, and who did what. */
export interface Accounts {
  /** `demo` while nothing but the demo is in the database, where that was asked for. */
  readonly mode: AccountsMode;
  audit: Audit;
  /** Opens the database and, where nobody has an account yet, prints the code of the set-up. Resolves also where that fails. */
  start: () => Promise<void>;
  /** Whether its database answers. @throws where it does not */
  askDatabase: () => Promise<void>;
  /** Who asks; null for nobody. @throws AppError 'accounts-unavailable' where that cannot be known now */
  authenticate: (asker: Asker) => Promise<Authenticated | null>;
  /** `Set-Cookie` lines that the answer to this request has to bear. */
  takeCookies: (asker: Asker) => string[];
  /** What is typed may be read on its way, and the session's cookie taken: neither TLS nor this very machine. */
  isInTheClear: (asker: Asker) => boolean;
  /** better-auth's routes, as far as they are ours. @throws AppError 'unknown-address', 'sign-in-refused', 'too-many-attempts', 'accounts-unavailable' */
  serve: (request: Request, asker: Asker) => Promise<Response>;
  /** Whether the first manager is still to be made. @throws AppError 'accounts-unavailable' */
  isSetUpOpen: () => Promise<boolean>;
  /** Makes the first manager. @throws AppError 'set-up-closed', 'set-up-code', 'too-many-attempts', 'accounts-unavailable' */
  setUp: (input: SetUp, asker: Asker) => Promise<void>;
  users: {
    list: () => Promise<UserRecord[]>;
    read: (id: string) => Promise<UserRecord | null>;
    /** @throws AppError 'email-taken' */
    create: (user: Omit<NewUser, 'id' | 'passwordHash'> & { password: string | null }) => Promise<UserRecord>;
    /** Holds from the next request of the user on; one that is disabled has no session any more. */
    change: (id: string, change: UserChange) => Promise<UserRecord | null>;
  };
  /** What somebody does with their own account. */
  own: OwnAccount;
  screens: Pick<WallScreens, 'list' | 'create' | 'revoke' | 'open'>;
  /**
   * Runs what a manager makes or changes for these fleets in one transaction with its audit records; `manager` has the
   * rights of now, which cannot change meanwhile.
   * @throws AppError 'sign-in-needed', 'managers-only', 'beyond-reach', 'accounts-unavailable', and what `work` does
   */
  asManager: <T>(
    viewer: Viewer,
    usdots: readonly string[],
    work: (tx: Executor, manager: Viewer) => Promise<T>,
  ) => Promise<T>;
  /** How a viewer reads the names of users: those beyond their scope are hidden. @throws AppError 'accounts-unavailable' */
  hideNames: (viewer: Viewer) => Promise<HideName>;
  sessions: {
    list: (userId: string) => Promise<SessionRecord[]>;
    /** Ends one session at once; false where the user has none of that id. */
    end: (userId: string, sessionId: string) => Promise<boolean>;
    endAll: (userId: string) => Promise<void>;
  };
  /** What managers do about users. */
  userAdmin: UserAdmin;
  /** What managers set for the whole server. */
  settings: ServerSettings;
  /** What whoever bears a link may do without signing in. */
  linkBearers: LinkBearers;
  /** What was done, as a manager may read it. */
  auditLog: AuditReader;
  /** Whether links are sent by mail. */
  canMail: boolean;
  close: () => Promise<void>;
}

export interface AccountsOptions {
  mode: AccountsMode;
  /** In mode `demo`: whether the service holds no fleet but the demo's. @throws where that cannot be read */
  holdsOnlyDemoFleet: () => Promise<boolean>;
  databaseUrl: string | null;
  /** Signs sessions. */
  secret: string;
  /** Scheme, host and port that browsers know this server by; null: whatever they ask. */
  publicUrl: string | null;
  /** Managers who sign in by password need a second factor, whatever managers set. */
  isSecondFactorRequired: boolean;
  /** Told of the thresholds of flags that managers set: when the database is opened, and of each change. */
  onFlagsSet: (flags: SetFlags) => void;
  /** A provider of identities; null: none. It needs `publicUrl`, where it sends people back to. */
  oidc: OidcSettings | null;
  now: () => number;
  /** Milliseconds that went by, on a clock that nobody sets. */
  elapsed: () => number;
  /** API keys and ingest tokens; null where no tracking service is embedded. @throws where its database cannot be opened */
  openCredentials: () => Promise<CredentialLedger | null>;
  /** Null where no mail server is configured. */
  sendMail: SendMail | null;
  log: StorageLog & { error: (fields: object, words: string) => void };
  /** Tells whoever runs the server, whatever the log's level. */
  announce: (words: string) => void;
  /** The checked body of a request. @throws where it is none */
  readInput: <T>(request: Request, schema: ZodType<T>) => Promise<T>;
}

export const createAccounts = (options: AccountsOptions): Accounts => {
  const { secret, publicUrl, now, elapsed, log, announce, readInput } = options;
  const attempts = createAttemptLimit({ elapsed });
  const database = createAccountsDatabase({
    databaseUrl: options.databaseUrl,
    elapsed,
    log,
    onOpened: async (opened) => {
      await settings.load(opened);
      await firstRun.announce(opened);
    },
    onFailed: (error) => log.error({ err: error }, 'Accounts cannot be read: the database cannot be opened.'),
  });
  const { open } = database;
  const audit = createAudit({ open, now });
  const auths = createAuths({
    open,
    secret,
    publicUrl,
    audit,
    onSessionEnded: (id) => sessions.forget(({ sessionId }) => sessionId === id),
    onError: (words) => log.error({ words }, 'Signing in went wrong.'),
  });
  const onFailed = (error: unknown) => log.warn({ reason: String(error) }, 'Sessions are taken from memory.');
  const isSecondFactorRequired = async (): Promise<boolean> =>
    options.isSecondFactorRequired || isSecondFactorSet(await open());
  const sessions = createSessions({ auths, isSecondFactorRequired, open, now, elapsed, onFailed });
  const screens = createWallScreens({ database: open, isTls: auths.isTls, audit, now, elapsed, onFailed });
  const demo = createDemoGate({
    isWanted: options.mode === 'demo',
    holdsOnlyDemo: async () => (await options.holdsOnlyDemoFleet()) && !(await hasUsers((await open()).orm)),
    onClosed: async () => {
      announce('The database holds more than the demo: everybody signs in.');
      await firstRun.announce(await open());
    },
    elapsed,
  });
  const firstRun = createFirstRun({
    isWanted: () => !demo.isOpen(),
    open,
    hash: auths.hash,
    attempts,
    audit,
    now,
    tell: announce,
  });
  const settings = createServerSettings({
    open,
    audit,
    now,
    forgetSessions: () => sessions.forget(() => true),
    onFlagsSet: options.onFlagsSet,
  });
  const forgetUser = (id: string): void => sessions.forget(({ viewer }) => viewer.id === id);

  const authenticate = async (asker: Asker): Promise<Authenticated | null> => {
    if (asker.isLocal && (await demo.check()))
      return { viewer: DEMO_VIEWER, sessionId: null, needsSecondFactor: false };
    return (await sessions.read(asker)) ?? (await screens.read(asker));
  };

  const handOn = createHandOn(auths.toOrigin);
  const verifyTotp = createVerifyTotp({ open, handOn });
  const oidcPart = options.oidc === null || publicUrl === null ? null : toOidcPart(options.oidc, publicUrl);

  const serveAuth = createAuthRoutes({
    attempts,
    audit,
    readInput,
    handOn,
    verifyTotp,
    open,
    oidc:
      oidcPart === null
        ? null
        : createOidcSignIn({
            open,
            create: (opened) => auths.createWith(opened, oidcPart),
            attempts,
            audit,
            readInput,
            handOn,
            elapsed,
          }),
    onSignOut: async (asker) => {
      const signedIn = await authenticate(asker);
      if (signedIn === null) return;
      if (signedIn.viewer.kind === 'screen') throw new AppError('not-for-screens');
      await audit.note({ by: signedIn.viewer, action: 'sign-out', address: asker.address });
      sessions.forget(({ sessionId }) => sessionId === signedIn.sessionId);
    },
  });

  const links = createLinkMaker({
    publicUrl,
    sendMail: options.sendMail,
    onMailFailed: (error) => log.warn({ reason: String(error) }, 'A mail could not be sent.'),
  });

  return {
    get mode() {
      return demo.isOpen() ? 'demo' : 'required';
    },
    audit,
    auditLog: createAuditReader(open),
    canMail: links.canMail,
    userAdmin: createUserAdmin({
      open,
      audit,
      links,
      now,
      forgetUser,
      openMade: async () => createMadeItems({ credentials: await options.openCredentials(), audit, now }),
      forgetScreens: screens.forget,
    }),
    settings: { read: settings.read, change: settings.change },
    linkBearers: createLinkBearers({
      open,
      audit,
      links,
      hash: auths.hash,
      now,
      elapsed,
      forgetUser,
      onFailed: (error) => log.warn({ reason: String(error) }, 'A link to a new password could not be made.'),
    }),
    start: async () => {
      await open().catch(() => undefined);
      await demo.check();
    },
    askDatabase: async () => void (await (await open()).pool.query('select 1')),
    authenticate,
    takeCookies: (asker) => [...sessions.takeCookies(asker), ...screens.takeCookies(asker)],
    isInTheClear: auths.isInTheClear,
    serve: async (request, asker) => serveAuth({ request, asker, auth: await auths.for(asker) }),
    isSetUpOpen: firstRun.isOpen,
    setUp: firstRun.setUp,
    users: {
      list: async () => listUsers(await open()),
      read: async (id) => readUser(await open(), id),
      create: async ({ password, ...user }) => {
        const { orm } = await open();
        const id = crypto.randomUUID();
        const passwordHash = password === null ? null : await auths.hash(password);
        const nowMs = now();
        await insertUser(orm, { ...user, id, passwordHash }, nowMs);
        return { ...user, id, createdAtMs: nowMs, disabledAtMs: null, hasSecondFactor: false };
      },
      change: async (id, change) => {
        const changed = await updateUser(await open(), id, change, now());
        forgetUser(id);
        return changed;
      },
    },
    own: createOwnAccount({
      auths,
      sessions,
      isSecondFactorRequired,
      open,
      attempts,
      audit,
      handOn,
      verifyTotp,
      now,
    }),
    screens,
    hideNames: (viewer) => createHideName(open, viewer),
    asManager: async (viewer, usdots, work) =>
      asManager(await open(), viewer, (tx, manager) => {
        requireReach(manager, usdots);
        return work(tx, manager);
      }),
    sessions: {
      list: async (userId) => listSessions(await open(), userId, now()),
      end: async (userId, sessionId) => {
        const isEnded = await deleteSession(await open(), userId, sessionId);
        sessions.forget((session) => session.sessionId === sessionId);
        return isEnded;
      },
      endAll: async (userId) => {
        await deleteSessionsOf(await open(), userId);
        forgetUser(userId);
      },
    },
    close: database.close,
  };
};
