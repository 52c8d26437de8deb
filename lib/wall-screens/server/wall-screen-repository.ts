import 'server-only';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/postgres/database';
import { wallScreens } from '@/lib/postgres/schema';

/** A wall screen, without what would let somebody else be it. */
export interface WallScreenRecord {
  id: string;
  name: string;
  /** The USDOT numbers whose fleets it may show; null: all. */
  usdots: string[] | null;
  /** The e-mail address of who made it. */
  madeBy: string;
  /** Their user's id; null for the demo, and where that is not known. */
  madeById: string | null;
  createdAtMs: number;
  /** About when it was last seen, and from where; null: never. */
  seenAtMs: number | null;
  seenAddress: string | null;
  /** Since when its link opens nothing; null: it does. */
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

/** All of them, the newest first. */
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

/** The screen that a token opens; null where it opens none, or none any more. */
export const findWallScreen = async (
  { orm }: Database,
  tokenHash: string,
): Promise<WallScreenRecord | null> => {
  const [row] = await orm
    .select()
    .from(wallScreens)
    .where(and(eq(wallScreens.tokenHash, tokenHash), isNull(wallScreens.revokedAt)));
  return row === undefined ? null : toRecord(row);
};

/** Notes that a screen is there. */
export const touchWallScreen = async (
  { orm }: Database,
  id: string,
  address: string,
  nowMs: number,
): Promise<void> => {
  await orm
    .update(wallScreens)
    .set({ seenAt: new Date(nowMs), seenAddress: address })
    .where(eq(wallScreens.id, id));
};

/** Makes a screen's link open nothing any more. Answers the screen; null where there is none, or it is revoked already. */
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
