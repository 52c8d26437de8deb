import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { SessionFilter } from '@/lib/cluster/server/messages';
import type { Database } from '@/lib/database/database';
import { hasPassword } from '../sign-in/second-factor-repository';
import { MAX_SESSION_MS, SEEN_WITHIN_MS, deleteSession, touchSession } from './session-repository';
import { readUser, toViewer } from '../user-repository';
import type { Client } from '@/lib/base/viewer';
import type { Auths } from '../auths';
import { readCookie, toCookiePrefix } from './cookies';
import { orUnavailable } from '@/lib/database/open-accounts';
import { SessionCache, type VerifiedSession } from './session-cache';

export interface Sessions {
  /** The session of a request; null for none. @throws AppError 'accounts-unavailable' if that cannot be determined */
  read: (client: Client) => Promise<VerifiedSession | null>;
  /** The `Set-Cookie` lines for the response to this request; each is returned once. */
  takeCookies: (client: Client) => string[];
  /** The next request of each of these sessions reads the database. */
  forget: (filter: SessionFilter) => void;
}

const toMatch =
  (filter: SessionFilter) =>
  ({ sessionId, viewer }: VerifiedSession): boolean =>
    filter.by === 'all' || filter.id === (filter.by === 'user' ? viewer.id : sessionId);

/** Sessions by their cookies: verified by better-auth, and cached. */
export const createSessions = (options: {
  auths: Auths;
  /** A manager who signs in by password without a second factor may only set one up. */
  isSecondFactorRequired: () => Promise<boolean>;
  open: () => Promise<Database>;
  clock: Clock;
  onFailed: (error: unknown) => void;
}): Sessions => {
  const { auths, isSecondFactorRequired, open, clock, onFailed } = options;

  /** The session cookie alone, as "name=value"; null if absent. */
  const toCookie = (client: Client): string | null => {
    const name = `${toCookiePrefix(auths.isTls(client))}.session_token`;
    const value = readCookie(client.headers.get('cookie'), name);
    return value === null || value === '' ? null : `${name}=${value}`;
  };

  const verify = async (cookie: string, client: Client): Promise<VerifiedSession | null> => {
    const auth = await auths.for(client);
    const { headers, response } = await auth.api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    });
    if (response === null) return null;
    const database = await open();
    const user = await readUser(database.orm, response.user.id);
    if (user === null || user.disabledAtMs !== null) return null;
    const { id, createdAt, updatedAt, expiresAt } = response.session;
    const endsAtMs = Math.min(expiresAt.getTime(), createdAt.getTime() + MAX_SESSION_MS);
    if (endsAtMs <= clock.nowMs()) {
      await deleteSession(database.orm, user.id, id);
      return null;
    }
    if (clock.nowMs() - updatedAt.getTime() > SEEN_WITHIN_MS)
      await touchSession(database.orm, id, clock.nowMs());
    const isPasswordOnlyManager =
      user.role === 'manager' && !user.hasSecondFactor && (await hasPassword(database.orm, user.id));
    return {
      sessionId: id,
      viewer: toViewer(user),
      needsSecondFactor: isPasswordOnlyManager && (await isSecondFactorRequired()),
      expiresAtMs: endsAtMs,
      setCookies: headers.getSetCookie(),
    };
  };

  const cache = new SessionCache<Client>({
    verify: (cookie, client) =>
      orUnavailable('A session cannot be looked up.', () => auths.lookUp(() => verify(cookie, client))),
    ...{ clock, onFailed },
  });

  return {
    read: async (client) => {
      const cookie = toCookie(client);
      return cookie === null ? null : cache.read(cookie, client);
    },
    takeCookies: (client) => {
      const cookie = toCookie(client);
      return cookie === null ? [] : cache.takeCookies(cookie);
    },
    forget: (filter) => cache.forget(toMatch(filter)),
  };
};
