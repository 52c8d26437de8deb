import 'server-only';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { Executor } from '@/lib/postgres/database';
import { passwordResets, users } from '@/lib/postgres/schema';

/** A password reset link. */
export interface PasswordReset {
  id: string;
  tokenHash: string;
  userId: string;
  /** The manager who created it; null if the user requested it. */
  madeById: string | null;
  expiresAtMs: number;
}

/** Writes a reset link, and deletes the user's expired ones. */
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

/** A valid reset link: its user and its creator. */
export interface OpenPasswordReset extends Pick<PasswordReset, 'userId' | 'madeById'> {
  email: string;
  /** The USDOT numbers in the user's scope; null: all. */
  usdots: string[] | null;
}

/** The user whose password a link may set; null if it has expired, was used, or the user is disabled. */
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

/** Deletes all reset links for a user. */
export const deletePasswordResetsFor = async (tx: Executor, userId: string): Promise<void> => {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
};

/** Deletes all reset links for a user and all that the user created as a manager. */
export const deletePasswordResetsOf = async (tx: Executor, userId: string): Promise<void> => {
  await tx
    .delete(passwordResets)
    .where(or(eq(passwordResets.userId, userId), eq(passwordResets.madeById, userId)));
};
