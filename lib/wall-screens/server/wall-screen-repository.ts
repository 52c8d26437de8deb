import 'server-only';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { wallScreens } from './tables';

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

export const insertWallScreen = async (
  tx: Executor,
  screen: Pick<WallScreenRecord, 'id' | 'name' | 'usdots' | 'madeBy' | 'madeById'> & { tokenHash: string },
  nowMs: number,
): Promise<WallScreenRecord> => {
  const [row] = await tx
    .insert(wallScreens)
    .values({ ...screen, createdAt: new Date(nowMs) })
    .returning();
  return toRecord(row!);
};

/** The screen of a token; null if the token is unknown or revoked. */
export const findWallScreen = async (orm: Executor, tokenHash: string): Promise<WallScreenRecord | null> => {
  const [row] = await orm
    .select()
    .from(wallScreens)
    .where(and(eq(wallScreens.tokenHash, tokenHash), isNull(wallScreens.revokedAt)));
  return row === undefined ? null : toRecord(row);
};

export const touchWallScreen = async (
  orm: Executor,
  id: string,
  address: string,
  nowMs: number,
): Promise<void> => {
  await orm
    .update(wallScreens)
    .set({ seenAt: new Date(nowMs), seenAddress: address })
    .where(eq(wallScreens.id, id));
};

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
