import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import { createHash, randomBytes } from 'node:crypto';
import { SEEN_WITHIN_MS } from '@/lib/auth/server/sessions/session-repository';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { wallScreens } from './tables';
import type { Viewer, Client } from '@/lib/base/viewer';
import type { NewWallScreen } from '@/lib/wall-screens/schema';
import type { ScreenDisplay } from '@/lib/wall-screens/distance';
import { createKeyLimit } from '@/lib/base/rate-limits';
import type { ActionContext, Requester } from '@/lib/audit/audit';
import { readCookie, toCookiePrefix } from '@/lib/auth/server/sessions/cookies';
import { orUnavailable } from '@/lib/database/open-accounts';
import { createHideName, coversScope, changeAsManager } from '@/lib/users/server/user-scope';
import { SessionCache, type VerifiedSession } from '@/lib/auth/server/sessions/session-cache';

const toRecord = ({
  tokenHash: _,
  createdAt,
  seenAt,
  revokedAt,
  ...screen
}: typeof wallScreens.$inferSelect) => ({
  ...screen,
  createdAtMs: createdAt.getTime(),
  /** Approximate time of the last request; null: none yet. */
  seenAtMs: seenAt?.getTime() ?? null,
  /** The time of revocation; null: its link is valid. */
  revokedAtMs: revokedAt?.getTime() ?? null,
});

/** A wall screen, without the token that would grant its access. */
export type WallScreenRecord = ReturnType<typeof toRecord>;

/** All wall screens, newest first. */
export const listWallScreens = async (orm: Executor): Promise<WallScreenRecord[]> =>
  (await orm.select().from(wallScreens).orderBy(desc(wallScreens.createdAt))).map(toRecord);

/** Revokes a screen. Returns the screen; null if it is unknown or already revoked. */
export const revokeWallScreen = async (
  tx: Executor,
  id: string,
  nowMs: number,
): Promise<WallScreenRecord | null> => {
  const [row] = await tx
    .update(wallScreens)
    .set({ revokedAt: new Date(nowMs) })
    .where(and(eq(wallScreens.id, id), isNull(wallScreens.revokedAt)))
    .returning();
  return row === undefined ? null : toRecord(row);
};

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
  tags: null,
});

interface WallScreensOptions extends Pick<ActionContext, 'database' | 'audit'> {
  isTls: (client: Client) => boolean;
  clock: Clock;
  /** Called with the screens whose access a change here has ended. */
  onForgotten?: (ids: string[]) => void;
  onFailed: (error: unknown) => void;
}

/** Wall screens. A screen's link has a token that is valid until revoked and grants read access to maps only. */
export class WallScreens {
  readonly #options: WallScreensOptions;
  readonly #recordedOpenings = createKeyLimit(RECORDED_OPENINGS);
  readonly #cache: SessionCache<Client>;

  constructor(options: WallScreensOptions) {
    this.#options = options;
    this.#cache = new SessionCache({
      ...options,
      verify: (token, client) =>
        orUnavailable('A wall screen cannot be looked up.', () => this.#verify(token, client)),
    });
  }

  /** The screens that show only fleets in the viewer's scope. */
  async list(viewer: Viewer): Promise<WallScreenRecord[]> {
    const { database } = this.#options;
    const hideName = await createHideName(database, viewer);
    return (await listWallScreens((await database.open()).orm))
      .filter((screen) => coversScope(viewer.usdots, screen.usdots))
      .map((screen) => ({ ...screen, madeBy: hideName(screen.madeBy) }));
  }

  /** How a screen shows its fleet; null for a viewer that is no screen. */
  async readDisplay({ kind, id }: Viewer): Promise<ScreenDisplay | null> {
    if (kind !== 'screen' || id === null) return null;
    const { orm } = await this.#options.database.open();
    const [row] = await orm
      .select({ distance: wallScreens.distance, isRotating: wallScreens.isRotating })
      .from(wallScreens)
      .where(eq(wallScreens.id, id));
    return row ?? null;
  }

  /** Creates a screen; its `token` is returned only once. @throws AppError 'beyond-scope' */
  async create(
    { name, usdots, distance, isRotating }: NewWallScreen,
    { viewer, client }: Requester,
  ): Promise<{ screen: WallScreenRecord; token: string }> {
    const { database, audit, clock } = this.#options;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const id = crypto.randomUUID();
    const context = { viewer, client, database, audit };
    const screen = await changeAsManager(
      context,
      'wall-screen.create',
      usdots,
      async (tx, record, manager) => {
        const madeBy = { madeBy: manager.email ?? manager.name, madeById: manager.id };
        await record(name, { usdots });
        const about = { id, name, usdots, distance, isRotating };
        const [row] = await tx
          .insert(wallScreens)
          .values({ ...about, ...madeBy, tokenHash: toHash(token), createdAt: new Date(clock.nowMs()) })
          .returning();
        return toRecord(row!);
      },
    );
    return { screen, token };
  }

  /** From the next request on, the screen has no access. @throws AppError 'unknown-screen' */
  async revoke(id: string, { viewer, client }: Requester): Promise<void> {
    const { database, audit, clock } = this.#options;
    const context = { viewer, client, database, audit };
    await changeAsManager(context, 'wall-screen.revoke', [], async (tx, record, manager) => {
      const known = (await listWallScreens(tx)).find((screen) => screen.id === id);
      const isInScope = known !== undefined && coversScope(manager.usdots, known.usdots);
      const screen = isInScope ? await revokeWallScreen(tx, id, clock.nowMs()) : null;
      if (screen === null) throw new AppError('unknown-screen');
      await record(screen.name, { usdots: screen.usdots });
    });
    this.forget([id]);
  }

  /** The next request of each of these screens reads the database, on every server. */
  forget(ids: string[]): void {
    this.forgetHere(ids);
    if (ids.length > 0) this.#options.onForgotten?.(ids);
  }

  /** The same on this server alone; null: of all screens. */
  forgetHere(ids: readonly string[] | null): void {
    this.#cache.forget(({ sessionId }) => ids === null || ids.includes(sessionId));
  }

  /** The `Set-Cookie` line that turns a browser into the screen of this token. @throws AppError 'unknown-screen' */
  async open(token: string, client: Client): Promise<string> {
    const session = await this.#cache.read(token, client);
    if (session === null) throw new AppError('unknown-screen');
    await this.#recordOpening(session.viewer, client);
    return this.#toSetCookie(client, token);
  }

  /** The screen of a token, and how it shows its fleet; null for none. */
  async find(token: string, client: Client): Promise<{ viewer: Viewer; display: ScreenDisplay } | null> {
    const viewer = (await this.#cache.read(token, client))?.viewer;
    const display = viewer && (await this.readDisplay(viewer));
    return viewer && display ? { viewer, display } : null;
  }

  /** The screen of a request; null for none. @throws AppError 'accounts-unavailable' if that cannot be determined */
  async read(client: Client): Promise<VerifiedSession | null> {
    const token = this.#readToken(client);
    return token === null ? null : this.#cache.read(token, client);
  }

  /** The `Set-Cookie` lines for the response to this request; each is returned once. */
  takeCookies(client: Client): string[] {
    const token = this.#readToken(client);
    return token === null ? [] : this.#cache.takeCookies(token);
  }

  async #recordOpening(viewer: Viewer, { address }: Client): Promise<void> {
    const key = `${viewer.id} ${address}`;
    if ((await this.#recordedOpenings.take(key)) > 0) return;
    const event = { by: viewer, action: 'wall-screen.open', subject: viewer.name, address } as const;
    try {
      await this.#options.audit.record(event);
    } catch (error) {
      await this.#recordedOpenings.forget(key);
      throw error;
    }
  }

  #toName(client: Client): string {
    return `${toCookiePrefix(this.#options.isTls(client))}.screen`;
  }

  #toSetCookie(client: Client, token: string): string {
    const secure = this.#options.isTls(client) ? '; Secure' : '';
    return `${this.#toName(client)}=${token}; Max-Age=${COOKIE_S}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  }

  #readToken(client: Client): string | null {
    const cookies = client.headers.get('cookie');
    // A wall screen must not go blank after an upgrade: the cookie's earlier name is accepted until the new one has
    // been set.
    const earlier = this.#options.isTls(client) ? readCookie(cookies, EARLIER_TLS_NAME) : null;
    return (readCookie(cookies, this.#toName(client)) ?? earlier) || null;
  }

  async #verify(token: string, client: Client): Promise<VerifiedSession | null> {
    const { clock } = this.#options;
    const { orm } = await this.#options.database.open();
    const [row] = await orm
      .select()
      .from(wallScreens)
      .where(and(eq(wallScreens.tokenHash, toHash(token)), isNull(wallScreens.revokedAt)));
    if (row === undefined) return null;
    const screen = toRecord(row);
    const isUseDue = clock.nowMs() - (screen.seenAtMs ?? 0) > SEEN_WITHIN_MS;
    const used = { seenAt: new Date(clock.nowMs()), seenAddress: client.address };
    if (isUseDue) await orm.update(wallScreens).set(used).where(eq(wallScreens.id, screen.id));
    return {
      sessionId: screen.id,
      viewer: toViewer(screen),
      needsSecondFactor: false,
      expiresAtMs: clock.nowMs() + COOKIE_S * 1000,
      setCookies: isUseDue ? [this.#toSetCookie(client, token)] : [],
    };
  }
}
