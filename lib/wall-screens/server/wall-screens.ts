import 'server-only';
import { AppError } from '@/lib/http/problems';
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@/lib/postgres/database';
import { SEEN_WITHIN_MS } from '@/lib/auth/server/sessions/session-repository';
import {
  findWallScreen,
  insertWallScreen,
  listWallScreens,
  revokeWallScreen,
  touchWallScreen,
} from './wall-screen-repository';
import type { WallScreenRecord } from './wall-screen-repository';
import type { Viewer } from '@/lib/auth/viewer';
import type { NewWallScreen } from '@/lib/wall-screens/schema';
import type { Client } from '@/lib/auth/server/client';
import { createKeyLimit } from '@/lib/auth/server/attempt-limit';
import type { Audit } from '@/lib/audit/server/audit';
import { readCookie, toCookiePrefix } from '@/lib/auth/server/sessions/cookies';
import { orUnavailable } from '@/lib/auth/server/open-accounts';
import { createHideName } from '@/lib/users/server/hidden-names';
import { reaches } from '@/lib/users/server/scope';
import { createSessionCache } from '@/lib/auth/server/sessions/session-cache';
import type { VerifiedSession } from '@/lib/auth/server/sessions/session-cache';
import { asManager, requireReach } from '@/lib/users/server/user-scope';

export interface WallScreens {
  /** The screens that show only fleets in the viewer's scope. */
  list: (viewer: Viewer) => Promise<WallScreenRecord[]>;
  /** Creates a screen; its `token` is returned only once. @throws AppError 'beyond-reach' */
  create: (
    screen: NewWallScreen,
    by: Viewer,
    client: Client,
  ) => Promise<{ screen: WallScreenRecord; token: string }>;
  /** From the next request on, the screen has no access. @throws AppError 'unknown-screen' */
  revoke: (id: string, by: Viewer, client: Client) => Promise<void>;
  /** The next request of each of these screens reads the database. */
  forget: (ids: string[]) => void;
  /** The `Set-Cookie` line that turns a browser into the screen of this token. @throws AppError 'unknown-screen' */
  open: (token: string, client: Client) => Promise<string>;
  /** The screen of a request; null for none. @throws AppError 'accounts-unavailable' if that cannot be determined */
  read: (client: Client) => Promise<VerifiedSession | null>;
  takeCookies: (client: Client) => string[];
}

const TOKEN_BYTES = 32;
const DAY_S = 24 * 60 * 60;
/** The maximum cookie lifetime in browsers; the cookie is renewed while the screen is active. */
const COOKIE_S = 400 * DAY_S;

/** A link can be opened any number of times, so the audit log has at most one record per screen, address and hour. */
const RECORDED_OPENINGS = { points: 1, durationS: 3600 };
/** The cookie's name over TLS before the `__Host-` prefix. */
const EARLIER_TLS_NAME = '__Secure-linehaul.screen';

const toHash = (token: string): string => createHash('sha256').update(token).digest('hex');

const toViewer = ({ id, name, usdots }: WallScreenRecord): Viewer => ({
  kind: 'screen',
  id,
  name,
  email: null,
  role: 'dispatcher',
  usdots,
});

/** Wall screens. A screen's link has a token that is valid until revoked and grants read access to maps only. */
export const createWallScreens = (options: {
  database: () => Promise<Database>;
  isTls: (client: Client) => boolean;
  audit: Audit;
  now: () => number;
  elapsed: () => number;
  onFailed: (error: unknown) => void;
}): WallScreens => {
  const { database, isTls, audit, now, elapsed, onFailed } = options;

  const recordedOpenings = createKeyLimit(RECORDED_OPENINGS);

  const noteOpened = async (viewer: Viewer, { address }: Client): Promise<void> => {
    const key = `${viewer.id} ${address}`;
    if ((await recordedOpenings.take(key)) > 0) return;
    try {
      await audit.note({ by: viewer, action: 'wall-screen.open', subject: viewer.name, address });
    } catch (error) {
      await recordedOpenings.forget(key);
      throw error;
    }
  };

  const toName = (client: Client): string => `${toCookiePrefix(isTls(client))}.screen`;
  const toSetCookie = (client: Client, token: string): string =>
    `${toName(client)}=${token}; Max-Age=${COOKIE_S}; Path=/; HttpOnly; SameSite=Lax${isTls(client) ? '; Secure' : ''}`;
  const readToken = (client: Client): string | null => {
    const cookies = client.headers.get('cookie');
    // A wall screen must not go blank after an upgrade: the cookie's earlier name is accepted until the new one has
    // been set.
    const earlier = isTls(client) ? readCookie(cookies, EARLIER_TLS_NAME) : null;
    return (readCookie(cookies, toName(client)) ?? earlier) || null;
  };

  const lookUp = async (token: string, client: Client): Promise<VerifiedSession | null> => {
    const opened = await database();
    const screen = await findWallScreen(opened, toHash(token));
    if (screen === null) return null;
    const isSeenAnew = now() - (screen.seenAtMs ?? 0) > SEEN_WITHIN_MS;
    if (isSeenAnew) await touchWallScreen(opened, screen.id, client.address, now());
    return {
      sessionId: screen.id,
      viewer: toViewer(screen),
      needsSecondFactor: false,
      expiresAtMs: now() + COOKIE_S * 1000,
      setCookies: isSeenAnew ? [toSetCookie(client, token)] : [],
    };
  };

  const cache = createSessionCache<Client>({
    verify: (token, client) =>
      orUnavailable('A wall screen cannot be looked up.', () => lookUp(token, client)),
    now,
    elapsed,
    onFailed,
  });

  const forget = (ids: string[]): void => cache.forget(({ sessionId }) => ids.includes(sessionId));

  return {
    list: async (viewer) => {
      const hideName = await createHideName(database, viewer);
      return (await listWallScreens((await database()).orm))
        .filter((screen) => reaches(viewer.usdots, screen.usdots))
        .map((screen) => ({ ...screen, madeBy: hideName(screen.madeBy) }));
    },
    create: async ({ name, usdots }, by, { address }) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const id = crypto.randomUUID();
      const screen = await asManager(await database(), by, async (tx, manager) => {
        requireReach(manager, usdots);
        const madeBy = { madeBy: manager.email ?? manager.name, madeById: manager.id };
        const about = { id, name, usdots, tokenHash: toHash(token), ...madeBy };
        const details = { usdots };
        await audit.note({ by, action: 'wall-screen.create', subject: name, address, details }, tx);
        return insertWallScreen(tx, about, now());
      });
      return { screen, token };
    },
    revoke: async (id, by, { address }) => {
      await asManager(await database(), by, async (tx, manager) => {
        const known = (await listWallScreens(tx)).find((screen) => screen.id === id);
        const isReached = known !== undefined && reaches(manager.usdots, known.usdots);
        const screen = isReached ? await revokeWallScreen(tx, id, now()) : null;
        if (screen === null) throw new AppError('unknown-screen');
        const { name: subject, usdots } = screen;
        await audit.note({ by, action: 'wall-screen.revoke', subject, address, details: { usdots } }, tx);
      });
      forget([id]);
    },
    forget,
    open: async (token, client) => {
      const session = await cache.read(token, client);
      if (session === null) throw new AppError('unknown-screen');
      await noteOpened(session.viewer, client);
      return toSetCookie(client, token);
    },
    read: async (client) => {
      const token = readToken(client);
      return token === null ? null : cache.read(token, client);
    },
    takeCookies: (client) => {
      const token = readToken(client);
      return token === null ? [] : cache.takeCookies(token);
    },
  };
};
