import 'server-only';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { wallScreens } from './tables';

/** A wall screen, without the token that would grant its access. */
export interface WallScreenRecord {
  id: string;
  name: string;
  /** The USDOT numbers of the fleets that it may show; null: all. */
  usdots: string[] | null;
  /** The e-mail address of its creator. */
  madeBy: string;
  /** The creator's user id; null for the demo, and if unknown. */
  madeById: string | null;
  createdAtMs: number;
  /** Approximate time and the address of the last request; null: none yet. */
  seenAtMs: number | null;
  seenAddress: string | null;
  /** The time of revocation; null: its link is valid. */
  revokedAtMs: number | null;
}

const toRecord = (row: typeof wallScreens.$inferSelect): WallScreenRecord => ({
  id: row.id,
  name: row.name,
  usdots: row.usdots,
  madeBy: row.madeBy,
  madeById: row.madeById,
  createdAtMs: row.createdAt.getTime(),
  seenAtMs: row.seenAt?.getTime() ?? null,
  seenAddress: row.seenAddress,
  revokedAtMs: row.revokedAt?.getTime() ?? null,
});

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

/** Records the use of a screen. */
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
