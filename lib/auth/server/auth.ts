import 'server-only';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';
import type { Database } from '@/lib/database/database';
import { identities, secondFactors, sessions, verifications } from './tables';
import { users } from '@/lib/database/tables';
import { toCookiePrefix } from './sessions/cookies';
import type { OidcPart } from './sign-in/oidc';

/** The path of better-auth's routes, which `auth-routes.ts` exposes one by one. */
export const AUTH_PATH = '/api/auth';
/** The header that passes the client address to better-auth; a client's own value is overwritten. */
export const CLIENT_HEADER = 'x-linehaul-client';

const DAY_S = 24 * 60 * 60;
/** Session lifetime after the last use, and the minimum interval between renewals. */
const SESSION_S = 14 * DAY_S;
const RENEW_AFTER_S = DAY_S;

/** Events of better-auth. A function that throws rejects the operation. */
export interface AuthEvents {
  /** Runs before a session of the user begins. @throws if the user may not have one */
  onSession: (userId: string) => Promise<void>;
  /** Runs after a sign-in, with its method and client address. */
  onSignedIn: (session: { userId: string; by: SignInMethod; address: string | null }) => Promise<void>;
  onSessionEnded: (sessionId: string) => void;
}

export interface AuthOptions extends AuthEvents {
  database: Database;
  /** The secret that signs cookies; at least 32 characters. */
  secret: string;
  isTls: boolean;
  /** Sign-in at an identity provider; null: not in this instance. */
  oidc: OidcPart | null;
  /** Internal errors, without secrets. */
  onError: (message: string) => void;
}

export type SignInMethod = 'password' | 'authenticator app' | 'recovery code' | 'identity provider';

/** The better-auth paths that turn a signed-out client into a session. */
const SIGN_IN_METHODS: Readonly<Record<string, SignInMethod>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'authenticator app',
  '/two-factor/verify-backup-code': 'recovery code',
  '/callback/:id': 'identity provider',
};

/** A pending second step expires after the time it takes to find a phone. */
const SECOND_STEP_WITHIN_S = 10 * 60;

/** The same answer as for a wrong password, so that a client cannot learn whether the account exists. */
export const refuseSignIn = (): APIError =>
  new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Refused.' });

const readHeader = (context: { headers?: Headers; request?: Request } | null, name: string): string | null =>
  (context?.headers ?? context?.request?.headers)?.get(name) ?? null;

const toDatabaseHooks = (events: AuthEvents): BetterAuthOptions['databaseHooks'] => ({
  account: {
    create: {
      // The identity is already established, so the provider's tokens are not stored.
      before: async (identity) => ({
        data: { ...identity, accessToken: null, refreshToken: null, idToken: null },
      }),
    },
  },
  session: {
    create: {
      before: async (session, context) => {
        await events.onSession(session.userId);
        return { data: { ...session, ipAddress: readHeader(context, CLIENT_HEADER) } };
      },
      after: async (session, context) => {
        const by = SIGN_IN_METHODS[context?.path ?? ''];
        // A client that already has a session gets a new one when the second factor is set up.
        if (by !== undefined && !context?.context.session)
          await events.onSignedIn({ userId: session.userId, by, address: session.ipAddress ?? null });
      },
    },
    delete: { after: async (session) => events.onSessionEnded(session.id) },
  },
});

/** better-auth as this application uses it; the gateway and `auth-routes.ts` check client, origin and rate first. */
export const createAuth = ({ database, secret, isTls, oidc, onError, ...events }: AuthOptions) =>
  betterAuth({
    appName: 'Linehaul',
    basePath: AUTH_PATH,
    secret,
    database: drizzleAdapter(database.orm, {
      provider: 'pg',
      schema: {
        user: users,
        session: sessions,
        account: identities,
        verification: verifications,
        twoFactor: secondFactors,
      },
      transaction: true,
    }),
    emailAndPassword: {
      enabled: true,
      // Managers create accounts.
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARACTERS,
      maxPasswordLength: MAX_PASSWORD_CHARACTERS,
    },
    session: { expiresIn: SESSION_S, updateAge: RENEW_AFTER_S },
    account: {
      updateAccountOnSignIn: false,
      // Managers create accounts and vouch for the address; oidc.ts checks the identity provider's `email_verified`.
      accountLinking: { requireLocalEmailVerified: false },
    },
    ...(oidc === null ? {} : { baseURL: oidc.origin, user: { validateUserInfo: oidc.validate } }),
    plugins: [
      twoFactor({ twoFactorCookieMaxAge: SECOND_STEP_WITHIN_S }),
      ...(oidc === null ? [] : [oidc.plugin]),
    ],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: toCookiePrefix(isTls),
      // better-auth's TLS prefix is `__Secure-`, which a sibling domain can set.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isTls },
      disableCSRFCheck: true,
      // better-auth's address detection does not know the configured proxies.
      ipAddress: { disableIpTracking: true },
    },
    // better-auth's router prints unknown errors together with the full query.
    onAPIError: { throw: true },
    logger: { level: 'error', disableColors: true, log: (_level, message) => onError(message) },
    databaseHooks: toDatabaseHooks(events),
  });

export type Auth = ReturnType<typeof createAuth>;
