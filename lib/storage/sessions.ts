import 'server-only';
import { and, desc, eq, gt } from 'drizzle-orm';
import type { Database } from './database';
import { sessions } from './schema';

/** A session, without what would let somebody else have it. */
export interface SessionRecord {
  id: string;
  userId: string;
  createdAtMs: number;
  /** When it was last made to last longer; about when it was last used. */
  seenAtMs: number;
  expiresAtMs: number;
  address: string | null;
  userAgent: string | null;
}

/** The sessions of a user that have not expired, the one used last first. */
export const listSessions = async (
  { orm }: Database,
  userId: string,
  nowMs: number,
): Promise<SessionRecord[]> => {
  const rows = await orm
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(nowMs))))
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
export const deleteSession = async ({ orm }: Database, userId: string, id: string): Promise<boolean> => {
  const ended = await orm
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
};

/** Ends every session of a user. */
export const deleteSessionsOf = async ({ orm }: Database, userId: string): Promise<void> => {
  await orm.delete(sessions).where(eq(sessions.userId, userId));
};
