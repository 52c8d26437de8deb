import 'server-only';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { Executor } from '@/lib/postgres/database';
import { passwordResets, users } from '@/lib/postgres/schema';

/** A link to a new password. */
export interface PasswordReset {
  id: string;
  tokenHash: string;
  userId: string;
  /** The manager who made it; null for who asked by mail. */
  madeById: string | null;
  expiresAtMs: number;
}

/** Writes a link, and forgets those of the user that have expired. */
export const insertPasswordReset = async (
  tx: Executor,
  { expiresAtMs, ...reset }: PasswordReset,
  nowMs: number,
): Promise<void> => {
  const { userId } = reset;
  await tx
    .delete(passwordResets)
    .where(and(eq(passwordResets.userId, userId), lte(passwordResets.expiresAt, new Date(nowMs))));
  await tx.insert(passwordResets).values({ ...reset, expiresAt: new Date(expiresAtMs) });
};

/** A link that works: whose password it sets, and who made it. */
export interface OpenPasswordReset extends Pick<PasswordReset, 'userId' | 'madeById'> {
  email: string;
  /** The USDOT numbers whose fleets the user may see; null: all. */
  usdots: string[] | null;
}

/** Whose password a link may set; null where it has expired, was used, or its user may not sign in. */
export const findPasswordReset = async (
  orm: Executor,
  tokenHash: string,
  nowMs: number,
): Promise<OpenPasswordReset | null> => {
  const [row] = await orm
    .select({
      userId: users.id,
      email: users.email,
      usdots: users.usdots,
      madeById: passwordResets.madeById,
    })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(
      and(
        eq(passwordResets.tokenHash, tokenHash),
        gt(passwordResets.expiresAt, new Date(nowMs)),
        isNull(users.disabledAt),
      ),
    );
  return row ?? null;
};

/** Takes away all links to a user's password. */
export const deletePasswordResetsFor = async (tx: Executor, userId: string): Promise<void> => {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
};

/** Takes away all links to a user's password, and all that the user made as a manager. */
export const deletePasswordResetsOf = async (tx: Executor, userId: string): Promise<void> => {
  await tx
    .delete(passwordResets)
    .where(or(eq(passwordResets.userId, userId), eq(passwordResets.madeById, userId)));
};
