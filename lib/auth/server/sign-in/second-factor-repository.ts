import 'server-only';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { identities, secondFactors } from '../tables';
import { users } from '@/lib/database/tables';
import { PASSWORD_PROVIDER } from '../user-repository';

/** Whether a user can sign in by password; other users sign in at the identity provider. */
export const hasPassword = async (orm: Executor, userId: string): Promise<boolean> => {
  const found = await orm
    .select({ id: identities.id })
    .from(identities)
    .where(
      and(
        eq(identities.userId, userId),
        eq(identities.providerId, PASSWORD_PROVIDER),
        isNotNull(identities.password),
      ),
    )
    .limit(1);
  return found.length > 0;
};

/** Deletes a user's second factor and recovery codes; false if the user had none. */
export const deleteSecondFactor = async (tx: Executor, userId: string): Promise<boolean> => {
  const gone = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ isVerified: secondFactors.verified });
  await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId));
  return gone.some(({ isVerified }) => isVerified);
};
