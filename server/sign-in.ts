import 'server-only';
import type { AccountsMode } from '@/lib/config/env';
import type { Clock } from '@/lib/base/clock';
import type { SharedChange } from '@/lib/cluster/server/messages';
import { AppError } from '@/lib/base/http/problems';
import type { Database, StorageLog } from '@/lib/database/database';
import { hasUsers } from '@/lib/auth/server/user-repository';
import type { SetUp } from '@/lib/auth/schema';
import type { Client } from '@/lib/base/viewer';
import { type LimitStore, createAttemptLimit } from '@/lib/base/rate-limits';
import type { Authenticated } from '@/lib/access/access';
import { probeAccessRevision } from '@/lib/auth/server/access-revision';
import { createAudit, type Audit } from '@/lib/audit/audit';
import { createAuthRoutes } from '@/lib/auth/server/sign-in/auth-routes';
import { createAuths } from '@/lib/auth/server/auths';
import { DEMO_VIEWER, createDemoGate } from '@/lib/auth/server/demo';
import { createForward } from '@/lib/auth/server/sign-in/forward';
import { toOidcPart } from '@/lib/auth/server/sign-in/oidc';
import type { OidcSettings } from '@/lib/config/oidc';
import { createOidcSignIn } from '@/lib/auth/server/sign-in/oidc-sign-in';
import { LinkTokens } from '@/lib/users/server/link-tokens';
import { LinkMails, type LinkMailsOptions, createLinkMaker } from '@/lib/users/server/link-mails';
import { createMadeItems } from './made-items';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';
import type { JobSet } from '@/lib/jobs/jobs';
import type { SendMail } from '@/lib/jobs/mailer';
import { createApplicationDatabase, type ApplicationDatabase } from '@/lib/database/open-accounts';
import { Profile } from '@/lib/profile/server/profile';
import {
  createServerSettings,
  isSecondFactorSet,
  type ServerSettings,
  type SetFlags,
} from '@/lib/settings/server/settings';
import { createSessions, type Sessions } from '@/lib/auth/server/sessions/sessions';
import { createFirstRun } from '@/lib/auth/server/sign-in/set-up';
import { createVerifyTotp } from '@/lib/auth/server/sign-in/totp';
import { LoadKeyCheck } from '@/lib/api-keys/server/load-keys';
import { WallScreens } from '@/lib/wall-screens/server/wall-screens';
import { UserAdmin } from '@/lib/users/server/user-admin';

/** Who makes a request, by its session, its screen's cookie or the machine that it comes from. */
export interface Authentication {
  /** `demo` if that mode is configured and the database holds nothing but the demo. */
  readonly mode: AccountsMode;
  hash: (password: string) => Promise<string>;
  /** The next request of each of these sessions reads the database. */
  forgetSessions: Sessions['forget'];
  /** The authenticated viewer; null if not signed in. @throws AppError 'accounts-unavailable' */
  authenticate: (client: Client) => Promise<Authenticated | null>;
  /** The `Set-Cookie` lines for the response to this request. */
  takeCookies: (client: Client) => string[];
  /** Input and the session cookie can be intercepted: the connection is neither TLS nor local. */
  isInTheClear: (client: Client) => boolean;
  /**
   * The exposed routes of better-auth.
   * @throws AppError 'unknown-address', 'sign-in-refused', 'too-many-attempts', 'accounts-unavailable'
   */
  serve: (request: Request, client: Client) => Promise<Response>;
  /** Whether the first manager does not exist yet. @throws AppError 'accounts-unavailable' */
  isSetUpOpen: () => Promise<boolean>;
  /** Creates the first manager. @throws AppError 'set-up-closed', 'set-up-code', 'too-many-attempts', 'accounts-unavailable' */
  setUp: (input: SetUp, client: Client) => Promise<void>;
}

/** Users and all that is stored of them, with their operations; each value belongs to its own feature. */
export interface SignIn {
  database: Pick<ApplicationDatabase, 'open'>;
  audit: Audit;
  auth: Authentication;
  users: UserAdmin;
  /** Operations of a link token, without a session. */
  linkTokens: LinkTokens;
  profile: Profile;
  screens: WallScreens;
  /** The programs with keys for loads. */
  loadKeys: LoadKeyCheck;
  settings: ServerSettings;
  /** The jobs that send the mails with links; null if no mail server is configured. */
  linkMails: JobSet | null;
  /** Applies a change by another server to what this one holds in memory; null: any may be among them. */
  applyChange: (change: SharedChange | null) => void;
  /** Opens the database and prints the set-up code if no user exists. Resolves even if that fails. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}

export interface SignInOptions {
  mode: AccountsMode;
  /** In mode `demo`: whether the service holds no fleet but the demo's. @throws if that cannot be read */
  holdsOnlyDemoFleet: () => Promise<boolean>;
  databaseUrl: string | null;
  /** The secret that signs sessions. */
  secret: string;
  /** Scheme, host and port of this server in browsers; null: those of each request. */
  publicUrl: string | null;
  /** Managers who sign in by password need a second factor, whatever the server settings are. */
  isSecondFactorRequired: boolean;
  /** Called with the flag thresholds when the database opens and after each change. */
  onFlagsSet: (flags: SetFlags) => void;
  /** Has the feeds of fleets read their alert rules again; absent: nothing evaluates rules. */
  onRulesEnded?: (usdots: string[]) => void;
  /** The identity provider; null: none. It requires `publicUrl` for its redirect URI. */
  oidc: OidcSettings | null;
  clock: Clock;
  /** The embedded tracking service; null without one. @throws if its database cannot be opened */
  openServiceAdmin: () => Promise<ServiceAdmin | null>;
  /** Null if no mail server is configured. */
  sendMail: SendMail | null;
  /** The jobs that run `linkMails`; called after all is composed. */
  jobs: () => LinkMailsOptions['jobs'];
  log: StorageLog & { error: (fields: object, message: string) => void };
  /** The other servers that share the database; null: there is none. */
  others: {
    /** Tells them of a change. */
    announce: (change: SharedChange) => void;
    /** Where attempts are counted together. */
    limits: LimitStore;
  } | null;
  /** Writes to the operator, at any log level. */
  announce: (message: string) => void;
}

const createCore = (options: SignInOptions, onOpened: (database: Database) => Promise<void>) => {
  const { secret, publicUrl, databaseUrl, clock, log, others } = options;
  const database = createApplicationDatabase({
    databaseUrl,
    clock,
    log,
    onOpened,
    onFailed: (error) => log.error({ err: error }, 'Accounts cannot be read: the database cannot be opened.'),
  });
  const { open } = database;
  const audit = createAudit({ open, clock });
  const auths = createAuths({
    open,
    secret,
    publicUrl,
    audit,
    onSessionEnded: (id) => sessions.forget({ by: 'session', id }),
    onError: (message) => log.error({ message }, 'Signing in failed.'),
  });
  const onFailed = (error: unknown) =>
    log.warn({ reason: String(error) }, 'Sessions are read from the cache.');
  const isSecondFactorRequired = async (): Promise<boolean> =>
    options.isSecondFactorRequired || isSecondFactorSet((await open()).orm);
  const own = createSessions({ auths, isSecondFactorRequired, open, clock, onFailed });
  const sessions: Sessions = {
    ...own,
    forget: (filter) => {
      own.forget(filter);
      others?.announce({ kind: 'sessions', filter });
    },
  };
  const onForgotten = (ids: string[]) => others?.announce({ kind: 'screens', ids });
  const screens = new WallScreens({
    ...{ database, isTls: auths.isTls, audit, clock, onForgotten, onFailed },
  });
  const forward = createForward(auths.toOrigin);
  return {
    database,
    open,
    audit,
    auths,
    isSecondFactorRequired,
    sessions,
    forgetSessionsHere: own.forget,
    screens,
    forward,
    verifyTotp: createVerifyTotp({ open, forward }),
    attempts: createAttemptLimit('sign-in', others?.limits),
    limits: others?.limits ?? null,
    clock,
    log,
  };
};
type Core = ReturnType<typeof createCore>;

const createServe = (
  core: Core,
  { oidc, publicUrl }: SignInOptions,
  authenticate: Authentication['authenticate'],
): Authentication['serve'] => {
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
      await audit.record({ by: signedIn.viewer, action: 'sign-out', address: client.address });
      if (signedIn.sessionId !== null) sessions.forget({ by: 'session', id: signedIn.sessionId });
    },
  });
  return async (request, client) => serve({ request, client, auth: await auths.for(client) });
};

const createAdministration = (core: Core, options: SignInOptions) => {
  const { log, publicUrl, secret, sendMail } = options;
  const { auths, screens, sessions, clock } = core;
  const jobs: LinkMailsOptions['jobs'] = {
    insert: (...args) => options.jobs().insert(...args),
    finish: (...args) => options.jobs().finish(...args),
    again: (...args) => options.jobs().again(...args),
  };
  const linkMails = sendMail && new LinkMails({ ...core, jobs, secret, sendMail });
  const links = createLinkMaker({ publicUrl, mails: linkMails });
  const forgetUser = (id: string): void => sessions.forget({ by: 'user', id });
  return {
    linkMails,
    users: new UserAdmin({
      ...core,
      links,
      forgetUser,
      openMade: async () => createMadeItems({ service: await options.openServiceAdmin(), clock }),
      forgetScreens: (ids) => screens.forget(ids),
      onRulesEnded: options.onRulesEnded ?? (() => undefined),
    }),
    linkTokens: new LinkTokens({
      ...core,
      links,
      hash: auths.hash,
      forgetUser,
      onFailed: (error) => log.warn({ reason: String(error) }, 'A link to a new password could not be made.'),
    }),
  };
};

/** Settings whose change also reaches the other servers. */
const createSettings = (core: Core, { others, onFlagsSet }: SignInOptions) =>
  createServerSettings({
    ...core,
    forgetSessions: () => {
      core.sessions.forget({ by: 'all' });
      others?.announce({ kind: 'settings' });
    },
    onFlagsSet,
  });

const createApplyChange =
  (
    { open, forgetSessionsHere, screens, log }: Core,
    loadSettings: (database: Database) => Promise<void>,
  ): SignIn['applyChange'] =>
  (change) => {
    if (change === null || change.kind === 'sessions') forgetSessionsHere(change?.filter ?? { by: 'all' });
    if (change === null || change.kind === 'screens') screens.forgetHere(change?.ids ?? null);
    if (change === null || change.kind === 'settings')
      open()
        .then(loadSettings)
        .catch((error: unknown) =>
          log.warn({ reason: String(error) }, 'The settings of the server cannot be read.'),
        );
  };

/** Opens the database, follows the changes by other servers that no message brings, and ends both. */
const createLifetime = (
  core: Core,
  { others }: SignInOptions,
  onChanged: () => void,
): Pick<SignIn, 'start' | 'close'> => {
  let stop = (): void => undefined;
  return {
    start: async () => {
      // The failure is already logged, and the next request tries again.
      await core.open().catch(() => undefined);
      if (others !== null) stop = probeAccessRevision({ ...core, onChanged });
    },
    close: () => {
      stop();
      return core.database.close();
    },
  };
};

export const createSignIn = (options: SignInOptions): SignIn => {
  const { announce } = options;
  const core = createCore(options, async (opened) => {
    await settings.load(opened);
    await firstRun.announce(opened);
  });
  const { database, open, audit, auths, sessions, screens } = core;
  const demo = createDemoGate({
    isEnabled: options.mode === 'demo',
    holdsOnlyDemo: async () => (await options.holdsOnlyDemoFleet()) && !(await hasUsers((await open()).orm)),
    onClosed: async () => {
      announce('The database holds more than the demo: signing in is required.');
      await firstRun.announce(await open());
    },
    clock: core.clock,
  });
  const firstRun = createFirstRun({ ...options, ...core, isEnabled: () => !demo.isOpen(), hash: auths.hash });
  const settings = createSettings(core, options);
  const applyChange = createApplyChange(core, settings.load);
  const lifetime = createLifetime(core, options, () => applyChange(null));
  const authenticate = async (client: Client): Promise<Authenticated | null> => {
    if (client.isLocal && (await demo.check()))
      return { viewer: DEMO_VIEWER, sessionId: null, needsSecondFactor: false };
    return (await sessions.read(client)) ?? (await screens.read(client));
  };

  return {
    database,
    audit,
    auth: {
      get mode() {
        return demo.isOpen() ? 'demo' : 'required';
      },
      hash: auths.hash,
      forgetSessions: sessions.forget,
      authenticate,
      takeCookies: (client) => [...sessions.takeCookies(client), ...screens.takeCookies(client)],
      isInTheClear: auths.isInTheClear,
      serve: createServe(core, options, authenticate),
      isSetUpOpen: firstRun.isOpen,
      setUp: firstRun.setUp,
    },
    ...createAdministration(core, options),
    profile: new Profile(core),
    screens,
    loadKeys: new LoadKeyCheck(core, core.limits),
    settings,
    applyChange,
    start: async () => {
      await lifetime.start();
      await demo.check();
    },
    close: lifetime.close,
  };
};
