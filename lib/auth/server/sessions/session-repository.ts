import 'server-only';
import { and, desc, eq, gt, like, lt } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/postgres/database';
import { sessions, verifications } from '@/lib/postgres/schema';

/** A session, without what would let somebody else have it. */
export interface SessionRecord {
  id: string;
  userId: string;
  createdAtMs: number;
  /** About when it was last used. */
  seenAtMs: number;
  expiresAtMs: number;
  address: string | null;
  userAgent: string | null;
}

/** A session ends so long after signing in, however often it is used. */
export const MAX_SESSION_MS = 90 * 24 * 3_600_000;

/** The sessions of a user that have not ended, the one used last first. */
export const listSessions = async (
  { orm }: Database,
  userId: string,
  nowMs: number,
): Promise<SessionRecord[]> => {
  const rows = await orm
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, new Date(nowMs)),
        gt(sessions.createdAt, new Date(nowMs - MAX_SESSION_MS)),
      ),
    )
    .orderBy(desc(sessions.updatedAt));
  return rows.map((row) => ({
    id: row.id,
    userId: row.userId,
    createdAtMs: row.createdAt.getTime(),
    seenAtMs: row.updatedAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    address: row.ipAddress,
    userAgent: row.userAgent,
  }));
};

/** Ends one session of a user; false where that user has none of that id. */
export const deleteSession = async (
  { orm }: { orm: Executor },
  userId: string,
  id: string,
): Promise<boolean> => {
  const ended = await orm
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
};

/** Ends every sign-in of a user whose password was accepted and which waits for the code of a second factor. */
export const deletePendingSignInsOf = async (tx: Executor, userId: string): Promise<void> => {
  // better-auth keeps such a step by this name, with the user's id as its value.
  await tx
    .delete(verifications)
    .where(and(eq(verifications.value, userId), like(verifications.identifier, '2fa-%')));
};

/** Ends every session of a user, and every sign-in that waits for a code. */
export const deleteSessionsOf = async ({ orm }: { orm: Executor }, userId: string): Promise<void> => {
  await orm.delete(sessions).where(eq(sessions.userId, userId));
  await deletePendingSignInsOf(orm, userId);
};

/** How exactly it is kept when a session or a wall screen was last used: so that a poll costs no write. */
export const SEEN_WITHIN_MS = 5 * 60_000;

/** Notes that a session is used, unless that was noted a moment ago. */
export const touchSession = async ({ orm }: Database, id: string, nowMs: number): Promise<void> => {
  await orm
    .update(sessions)
    .set({ updatedAt: new Date(nowMs) })
    .where(and(eq(sessions.id, id), lt(sessions.updatedAt, new Date(nowMs - SEEN_WITHIN_MS))));
};
