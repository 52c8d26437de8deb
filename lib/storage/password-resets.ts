import 'server-only';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { Executor } from './database';
import { passwordResets, users } from './schema';

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

/** Whose password a link may set; null where it has expired, was used, or its user may not sign in. */
export const findPasswordReset = async (
  orm: Executor,
  tokenHash: string,
  nowMs: number,
): Promise<{ userId: string; email: string } | null> => {
  const [row] = await orm
    .select({ userId: users.id, email: users.email })
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

/** Uses a link up, and with it all others of its user; false where somebody was quicker. */
export const takePasswordReset = async (
  tx: Executor,
  tokenHash: string,
  userId: string,
): Promise<boolean> => {
  const used = await tx
    .delete(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), eq(passwordResets.userId, userId)))
    .returning({ id: passwordResets.id });
  if (used.length === 0) return false;
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
  return true;
};

/** Takes away all links to a user's password, and all that the user made as a manager. */
export const deletePasswordResetsOf = async (tx: Executor, userId: string): Promise<void> => {
  await tx
    .delete(passwordResets)
    .where(or(eq(passwordResets.userId, userId), eq(passwordResets.madeById, userId)));
};
