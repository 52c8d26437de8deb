import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '@/lib/database/database';
import { readUser, toViewer } from './user-repository';
import type { Client } from '@/lib/base/viewer';
import type { Audit } from '@/lib/audit/audit';
import { createAuth, refuseSignIn, type Auth } from './auth';
import { isLoopbackHost, toHostname } from '@/lib/base/http/same-origin';
import type { OidcPart } from './sign-in/oidc';
import { getOrMake } from '@/lib/base/maps';

interface AuthsOptions {
  open: () => Promise<Database>;
  secret: string;
  /** Scheme, host and port of this server in browsers; null: those of each request. */
  publicUrl: string | null;
  audit: Audit;
  onSessionEnded: (sessionId: string) => void;
  /** Internal errors, without secrets. */
  onError: (message: string) => void;
}

/** Two better-auth instances over one database, for requests over TLS and for others; only their cookies differ. */
export const createAuths = (options: AuthsOptions) => {
  const { open, secret, publicUrl, audit, onSessionEnded, onError } = options;
  const lookUps = new AsyncLocalStorage<true>();
  const opened = new WeakMap<Database, Record<'tls' | 'plain', Auth>>();

  const create = (database: Database, isTls: boolean, oidc: OidcPart | null): Auth =>
    createAuth({
      database,
      secret,
      isTls,
      oidc,
      onError: (message) => {
        // better-auth does not say whether it signs in or looks a session up.
        if (lookUps.getStore() === undefined) onError(message);
      },
      onSessionEnded,
      onSession: async (userId) => {
        const user = await readUser(database.orm, userId);
        if (user === null || user.disabledAtMs !== null) throw refuseSignIn();
      },
      onSignedIn: async ({ userId, by, address }) => {
        const user = await readUser(database.orm, userId);
        // better-auth ends this session and waits for the second factor.
        const isPending = by === 'password' && user?.hasSecondFactor === true;
        await audit.record({
          by: user === null ? null : toViewer(user),
          action: isPending ? 'sign-in.password' : 'sign-in',
          subject: user?.email,
          address,
          details: isPending ? null : { by },
        });
      },
    });

  const readBoth = async () => {
    const database = await open();
    return getOrMake(opened, database, () => ({
      tls: create(database, true, null),
      plain: create(database, false, null),
    }));
  };

  const isTls = (client: Client): boolean => publicUrl?.startsWith('https:') ?? client.isTls;

  return {
    /** The better-auth instance for this request. @throws AppError 'accounts-unavailable' */
    for: async (client: Client): Promise<Auth> => (await readBoth())[isTls(client) ? 'tls' : 'plain'],
    isTls,
    /** Cookies of this request cannot be Secure, and it may have come over a network that others can intercept. */
    isInTheClear: (client: Client): boolean =>
      !isTls(client) && !isLoopbackHost(toHostname(client.headers.get('host') ?? '')),
    /** Scheme, host and port of this server in this request. */
    toOrigin: (client: Client): string =>
      publicUrl ?? `${client.isTls ? 'https' : 'http'}://${client.headers.get('host') ?? 'localhost'}`,
    /** Runs a look-up of a session, whose caller reports its errors. */
    lookUp: <T>(run: () => Promise<T>): Promise<T> => lookUps.run(true, run),
    createWith: (database: Database, oidc: OidcPart): Auth =>
      create(database, oidc.origin.startsWith('https:'), oidc),
    hash: async (password: string): Promise<string> =>
      (await (await readBoth()).plain.$context).password.hash(password),
  };
};

export type Auths = ReturnType<typeof createAuths>;
