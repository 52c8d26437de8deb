import 'server-only';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '@/lib/wire/sign-in';
import type { Database } from '@/lib/storage/database';
import { identities, sessions, users, verifications } from '@/lib/storage/schema';

/** Where better-auth's routes are, which `auth-routes.ts` lets through one by one. */
export const AUTH_PATH = '/api/auth';
/** Under which better-auth is told who asks; whatever a client sends under it is written over. */
export const CLIENT_HEADER = 'x-linehaul-client';

const DAY_S = 24 * 60 * 60;
/** A session lasts this long after it was last used, and is made to last longer at most once in… */
export const SESSION_S = 14 * DAY_S;
const RENEW_AFTER_S = DAY_S;

/** What better-auth tells of, as it happens. A function that throws refuses what was to be done. */
export interface AuthEvents {
  /** Before a session of the user begins. @throws where the user may not have one */
  onSession: (userId: string) => Promise<void>;
  /** A session has begun: the way in which, as a path of better-auth's, and from where. */
  onSignedIn: (session: { userId: string; by: string; address: string | null }) => Promise<void>;
  onSessionEnded: (sessionId: string) => void;
}

export interface AuthOptions extends AuthEvents {
  database: Database;
  /** Signs cookies; at least 32 characters. */
  secret: string;
  /** Whether its cookies are for TLS alone. */
  isTls: boolean;
  /** What goes wrong within, without secrets. */
  onError: (words: string) => void;
}

/** Refused as a wrong password is, so that nobody learns that the account exists. */
export const refuseSignIn = (): APIError =>
  new APIError('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Refused.' });

const readHeader = (context: { headers?: Headers; request?: Request } | null, name: string): string | null =>
  (context?.headers ?? context?.request?.headers)?.get(name) ?? null;

/**
 * better-auth as this application uses it. Who asks, from which site and how often is judged before, at the door and in
 * `auth-routes.ts`; what a user may do it does not know, see `lib/storage/schema.ts`.
 */
export const createAuth = ({ database, secret, isTls, onError, ...events }: AuthOptions) =>
  betterAuth({
    appName: 'Linehaul',
    basePath: AUTH_PATH,
    secret,
    database: drizzleAdapter(database.orm, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: identities, verification: verifications },
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
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'linehaul',
      useSecureCookies: isTls,
      disableCSRFCheck: true,
      // Its own reading of addresses knows nothing of our proxies.
      ipAddress: { disableIpTracking: true },
    },
    // Its router would print what it does not know, with all that a query was given.
    onAPIError: { throw: true },
    logger: { level: 'error', disableColors: true, log: (_level, words) => onError(words) },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            await events.onSession(session.userId);
            return { data: { ...session, ipAddress: readHeader(context, CLIENT_HEADER) } };
          },
          after: async (session, context) =>
            events.onSignedIn({
              userId: session.userId,
              by: context?.path ?? '',
              address: session.ipAddress ?? null,
            }),
        },
        delete: {
          after: async (session) => events.onSessionEnded(session.id),
        },
      },
    },
  });

export type Auth = ReturnType<typeof createAuth>;
