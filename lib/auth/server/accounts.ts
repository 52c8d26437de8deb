import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Database, Executor, StorageLog } from '@/lib/postgres/database';
import { hasUsers } from '@/lib/users/server/user-repository';
import type { SetUp } from '@/lib/auth/schema';
import type { Viewer } from '@/lib/auth/viewer';
import type { Client } from './client';
import { createAttemptLimit } from './attempt-limit';
import { createAudit } from '@/lib/audit/server/audit';
import type { Audit } from '@/lib/audit/server/audit';
import { createAuditReader } from '@/lib/audit/server/audit-reader';
import type { AuditReader } from '@/lib/audit/server/audit-reader';
import { createAuthRoutes } from './sign-in/auth-routes';
import { createAuths } from './auths';
import { DEMO_VIEWER, createDemoGate } from './demo';
import { createHandOn } from './sign-in/forward';
import { toOidcPart } from './sign-in/oidc';
import type { OidcSettings } from './sign-in/oidc';
import { createOidcSignIn } from './sign-in/oidc-sign-in';
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
import { createSessions } from './sessions/sessions';
import type { Sessions } from './sessions/sessions';
import { createFirstRun } from './sign-in/set-up';
import { createVerifyTotp } from './sign-in/totp';
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
  /** The database of accounts. @throws AppError 'accounts-unavailable' */
  open: () => Promise<Database>;
  /** A password as it is stored. */
  hash: (password: string) => Promise<string>;
  /** From their next request on, these sessions are looked up again. */
  forgetSessions: Sessions['forget'];
  /** Opens the database and, where nobody has an account yet, prints the code of the set-up. Resolves also where that fails. */
  start: () => Promise<void>;
  /** Whether its database answers. @throws where it does not */
  askDatabase: () => Promise<void>;
  /** Who asks; null for nobody. @throws AppError 'accounts-unavailable' where that cannot be known now */
  authenticate: (client: Client) => Promise<Authenticated | null>;
  /** `Set-Cookie` lines that the answer to this request has to bear. */
  takeCookies: (client: Client) => string[];
  /** What is typed may be read on its way, and the session's cookie taken: neither TLS nor this very machine. */
  isInTheClear: (client: Client) => boolean;
  /** better-auth's routes, as far as they are ours. @throws AppError 'unknown-address', 'sign-in-refused', 'too-many-attempts', 'accounts-unavailable' */
  serve: (request: Request, client: Client) => Promise<Response>;
  /** Whether the first manager is still to be made. @throws AppError 'accounts-unavailable' */
  isSetUpOpen: () => Promise<boolean>;
  /** Makes the first manager. @throws AppError 'set-up-closed', 'set-up-code', 'too-many-attempts', 'accounts-unavailable' */
  setUp: (input: SetUp, client: Client) => Promise<void>;
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
}

/** What signing in, the viewer's own account and the users' administration share. */
const createCore = (options: AccountsOptions, onOpened: (database: Database) => Promise<void>) => {
  const { secret, publicUrl, databaseUrl, now, elapsed, log } = options;
  const database = createAccountsDatabase({
    databaseUrl,
    elapsed,
    log,
    onOpened,
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
    onError: (message) => log.error({ message }, 'Signing in failed.'),
  });
  const onFailed = (error: unknown) =>
    log.warn({ reason: String(error) }, 'Sessions are read from the cache.');
  const isSecondFactorRequired = async (): Promise<boolean> =>
    options.isSecondFactorRequired || isSecondFactorSet(await open());
  const sessions = createSessions({ auths, isSecondFactorRequired, open, now, elapsed, onFailed });
  const screens = createWallScreens({ database: open, isTls: auths.isTls, audit, now, elapsed, onFailed });
  const handOn = createHandOn(auths.toOrigin);
  return {
    database,
    open,
    audit,
    auths,
    isSecondFactorRequired,
    sessions,
    screens,
    handOn,
    verifyTotp: createVerifyTotp({ open, handOn }),
    attempts: createAttemptLimit(),
    now,
    elapsed,
  };
};
type Core = ReturnType<typeof createCore>;

/** better-auth's routes, as far as they are ours. */
const createServe = (
  core: Core,
  { oidc, publicUrl }: AccountsOptions,
  authenticate: Accounts['authenticate'],
): Accounts['serve'] => {
  const { auths, audit, sessions } = core;
  const part = oidc === null || publicUrl === null ? null : toOidcPart(oidc, publicUrl);
  const serve = createAuthRoutes({
    ...core,
    oidc:
      part === null
        ? null
        : createOidcSignIn({ ...core, create: (opened) => auths.createWith(opened, part) }),
    onSignOut: async (client) => {
      const signedIn = await authenticate(client);
      if (signedIn === null) return;
      if (signedIn.viewer.kind === 'screen') throw new AppError('not-for-screens');
      await audit.note({ by: signedIn.viewer, action: 'sign-out', address: client.address });
      sessions.forget(({ sessionId }) => sessionId === signedIn.sessionId);
    },
  });
  return async (request, client) => serve({ request, client, auth: await auths.for(client) });
};

/** What managers do about users, and what links let others do. */
const createAdministration = (core: Core, options: AccountsOptions) => {
  const { log } = options;
  const { audit, auths, screens, sessions, now } = core;
  const links = createLinkMaker({
    publicUrl: options.publicUrl,
    sendMail: options.sendMail,
    onMailFailed: (error) => log.warn({ reason: String(error) }, 'A mail could not be sent.'),
  });
  const forgetUser = (id: string): void => sessions.forget(({ viewer }) => viewer.id === id);
  return {
    canMail: links.canMail,
    userAdmin: createUserAdmin({
      ...core,
      links,
      forgetUser,
      openMade: async () => createMadeItems({ credentials: await options.openCredentials(), audit, now }),
      forgetScreens: screens.forget,
    }),
    linkBearers: createLinkBearers({
      ...core,
      links,
      hash: auths.hash,
      forgetUser,
      onFailed: (error) => log.warn({ reason: String(error) }, 'A link to a new password could not be made.'),
    }),
  };
};

export const createAccounts = (options: AccountsOptions): Accounts => {
  const { announce } = options;
  const core = createCore(options, async (opened) => {
    await settings.load(opened);
    await firstRun.announce(opened);
  });
  const { open, audit, auths, sessions, screens } = core;
  const demo = createDemoGate({
    isWanted: options.mode === 'demo',
    holdsOnlyDemo: async () => (await options.holdsOnlyDemoFleet()) && !(await hasUsers((await open()).orm)),
    onClosed: async () => {
      announce('The database holds more than the demo: signing in is required.');
      await firstRun.announce(await open());
    },
    elapsed: core.elapsed,
  });
  const firstRun = createFirstRun({ ...core, isWanted: () => !demo.isOpen(), hash: auths.hash, announce });
  const settings = createServerSettings({
    ...core,
    forgetSessions: () => sessions.forget(() => true),
    onFlagsSet: options.onFlagsSet,
  });
  const authenticate = async (client: Client): Promise<Authenticated | null> => {
    if (client.isLocal && (await demo.check()))
      return { viewer: DEMO_VIEWER, sessionId: null, needsSecondFactor: false };
    return (await sessions.read(client)) ?? (await screens.read(client));
  };

  return {
    get mode() {
      return demo.isOpen() ? 'demo' : 'required';
    },
    audit,
    auditLog: createAuditReader(open),
    open,
    hash: auths.hash,
    forgetSessions: sessions.forget,
    ...createAdministration(core, options),
    settings,
    start: async () => {
      // A failure was logged, and the next request tries again.
      await open().catch(() => undefined);
      await demo.check();
    },
    askDatabase: async () => void (await (await open()).pool.query('select 1')),
    authenticate,
    takeCookies: (client) => [...sessions.takeCookies(client), ...screens.takeCookies(client)],
    isInTheClear: auths.isInTheClear,
    serve: createServe(core, options, authenticate),
    isSetUpOpen: firstRun.isOpen,
    setUp: firstRun.setUp,
    own: createOwnAccount(core),
    screens,
    hideNames: (viewer) => createHideName(open, viewer),
    asManager: async (viewer, usdots, work) =>
      asManager(await open(), viewer, (tx, manager) => {
        requireReach(manager, usdots);
        return work(tx, manager);
      }),
    close: core.database.close,
  };
};
