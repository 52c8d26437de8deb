import 'server-only';
import { and, desc, eq, gt, like, lt } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { sessions, verifications } from '../tables';

/** A session ends this long after sign-in, however often it is used. */
export const MAX_SESSION_MS = 90 * 24 * 3_600_000;

/** The active sessions of a user, most recently used first, without the tokens that would grant access to them. */
export const listSessions = async (orm: Executor, userId: string, nowMs: number) => {
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
    /** Approximate time of the last use. */
    seenAtMs: row.updatedAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    address: row.ipAddress,
    userAgent: row.userAgent,
  }));
};

/** Ends one session of a user; false if the user has no session with that id. */
export const deleteSession = async (orm: Executor, userId: string, id: string): Promise<boolean> => {
  const ended = await orm
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
};

/** Ends every sign-in of a user that passed the password and waits for the second factor. */
export const deletePendingSignInsOf = async (tx: Executor, userId: string): Promise<void> => {
  // better-auth stores a pending step under this name, with the user's id as its value.
  await tx
    .delete(verifications)
    .where(and(eq(verifications.value, userId), like(verifications.identifier, '2fa-%')));
};

/** Ends every session of a user and every pending second step. */
export const deleteSessionsOf = async (orm: Executor, userId: string): Promise<void> => {
  await orm.delete(sessions).where(eq(sessions.userId, userId));
  await deletePendingSignInsOf(orm, userId);
};

/** Resolution of the last use of a session or wall screen, so that a poll costs no write. */
export const SEEN_WITHIN_MS = 5 * 60_000;

/** Records the use of a session, at most once per SEEN_WITHIN_MS. */
export const touchSession = async (orm: Executor, id: string, nowMs: number): Promise<void> => {
  await orm
    .update(sessions)
    .set({ updatedAt: new Date(nowMs) })
    .where(and(eq(sessions.id, id), lt(sessions.updatedAt, new Date(nowMs - SEEN_WITHIN_MS))));
};
