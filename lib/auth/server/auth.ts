import 'server-only';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';
import type { Database } from '@/lib/postgres/database';
import { identities, secondFactors, sessions, users, verifications } from '@/lib/postgres/schema';
import { toCookiePrefix } from './sessions/cookies';
import type { OidcPart } from './sign-in/oidc';

/** Where better-auth's routes are, which `auth-routes.ts` lets through one by one. */
export const AUTH_PATH = '/api/auth';
/** Under which better-auth is told who asks; whatever a client sends under it is written over. */
export const CLIENT_HEADER = 'x-linehaul-client';

const DAY_S = 24 * 60 * 60;
/** A session lasts this long after it was last used, and is made to last longer at most once in… */
const SESSION_S = 14 * DAY_S;
const RENEW_AFTER_S = DAY_S;

/** What better-auth tells of, as it happens. A function that throws refuses what was to be done. */
export interface AuthEvents {
  /** Before a session of the user begins. @throws where the user may not have one */
  onSession: (userId: string) => Promise<void>;
  /** Somebody has signed in: in which way, and from where. */
  onSignedIn: (session: { userId: string; by: WayIn; address: string | null }) => Promise<void>;
  onSessionEnded: (sessionId: string) => void;
}

export interface AuthOptions extends AuthEvents {
  database: Database;
  /** Signs cookies; at least 32 characters. */
  secret: string;
  /** Whether its cookies are for TLS alone. */
  isTls: boolean;
  /** Signing in at a provider of identities; null: not in this one. */
  oidc: OidcPart | null;
  /** What goes wrong within, without secrets. */
  onError: (words: string) => void;
}

export type WayIn = 'password' | 'authenticator app' | 'recovery code' | 'identity provider';

/** better-auth's paths that somebody who was not signed in leaves with a session. */
const WAYS_IN: Readonly<Record<string, WayIn>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'authenticator app',
  '/two-factor/verify-backup-code': 'recovery code',
  '/callback/:id': 'identity provider',
};

/** An abandoned sign-in is forgotten after as long as it takes to find one's phone. */
const SECOND_STEP_WITHIN_S = 10 * 60;

/** Refused as a wrong password is, so that nobody learns that the account exists. */
export const refuseSignIn = (): APIError =>
  new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Refused.' });

const readHeader = (context: { headers?: Headers; request?: Request } | null, name: string): string | null =>
  (context?.headers ?? context?.request?.headers)?.get(name) ?? null;

/**
 * better-auth as this application uses it. Who asks, from which site and how often is judged before, at the door and in
 * `auth-routes.ts`; what a user may do it does not know, see `lib/postgres/schema.ts`.
 */
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
      // Accounts are made by managers.
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARACTERS,
      maxPasswordLength: MAX_PASSWORD_CHARACTERS,
    },
    session: { expiresIn: SESSION_S, updateAge: RENEW_AFTER_S },
    account: {
      updateAccountOnSignIn: false,
      // Accounts are made by managers, who vouch for the address; the provider's word for it is checked in oidc.ts.
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
      // Its own prefix for TLS would be `__Secure-`, which a sibling domain can plant.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isTls },
      disableCSRFCheck: true,
      // Its own reading of addresses knows nothing of our proxies.
      ipAddress: { disableIpTracking: true },
    },
    // Its router would print what it does not know, with all that a query was given.
    onAPIError: { throw: true },
    logger: { level: 'error', disableColors: true, log: (_level, words) => onError(words) },
    databaseHooks: {
      account: {
        create: {
          // Who somebody is has been told; what else the provider's tokens open is not ours to keep.
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
            const by = WAYS_IN[context?.path ?? ''];
            // Who had a session gets another one as the second factor is set up.
            if (by !== undefined && !context?.context.session)
              await events.onSignedIn({ userId: session.userId, by, address: session.ipAddress ?? null });
          },
        },
        delete: {
          after: async (session) => events.onSessionEnded(session.id),
        },
      },
    },
  });

export type Auth = ReturnType<typeof createAuth>;
