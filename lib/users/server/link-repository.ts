import 'server-only';
import { and, asc, eq, gt, isNull, lte, or, type SQL } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { invitations, passwordResets } from './tables';
import { users } from '@/lib/database/tables';

const COLUMNS = {
  id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  usdots: invitations.usdots,
  tags: invitations.tags,
  invitedById: invitations.invitedById,
  invitedBy: users.email,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
};

const toRecord = ({
  createdAt,
  expiresAt,
  ...row
}: Pick<typeof invitations.$inferSelect, Exclude<keyof typeof COLUMNS, 'invitedBy'>> & {
  /** E-mail address of the manager. */
  invitedBy: string;
}) => ({ ...row, createdAtMs: createdAt.getTime(), expiresAtMs: expiresAt.getTime() });

/** An invitation that is not accepted yet; the e-mail address in lower case. */
export type InvitationRecord = ReturnType<typeof toRecord>;

const select = (orm: Executor) =>
  orm.select(COLUMNS).from(invitations).innerJoin(users, eq(users.id, invitations.invitedById));

/** All invitations, including expired ones. */
export const listInvitations = async (orm: Executor): Promise<InvitationRecord[]> =>
  (await select(orm).orderBy(asc(invitations.email))).map(toRecord);

const readOne = async (orm: Executor, where: SQL | undefined): Promise<InvitationRecord | null> => {
  const [row] = await select(orm).where(where);
  return row === undefined ? null : toRecord(row);
};

export const readInvitation = (orm: Executor, id: string) => readOne(orm, eq(invitations.id, id));

/** The invitation of an e-mail address in lower case, even if expired; null for none. */
export const readInvitationByEmail = (orm: Executor, email: string) =>
  readOne(orm, eq(invitations.email, email));

/** The unexpired invitation of a link. */
export const findInvitation = (orm: Executor, tokenHash: string, nowMs: number) =>
  readOne(orm, and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, new Date(nowMs))));

/** Writes an invitation, which invalidates the previous one of the address. */
export const insertInvitation = async (
  tx: Executor,
  { createdAtMs, expiresAtMs, ...invitation }: Omit<InvitationRecord, 'invitedBy'> & { tokenHash: string },
): Promise<void> => {
  await tx.delete(invitations).where(eq(invitations.email, invitation.email));
  await tx
    .insert(invitations)
    .values({ ...invitation, createdAt: new Date(createdAtMs), expiresAt: new Date(expiresAtMs) });
};

/** Deletes an invitation; false if it does not exist. */
export const deleteInvitation = async (tx: Executor, id: string): Promise<boolean> =>
  (await tx.delete(invitations).where(eq(invitations.id, id)).returning({ id: invitations.id })).length > 0;

export const deleteInvitationsBy = async (tx: Executor, managerId: string): Promise<void> => {
  await tx.delete(invitations).where(eq(invitations.invitedById, managerId));
};

interface PasswordReset {
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
    .select({ userId: users.id, email: users.email, usdots: users.usdots, madeById: passwordResets.madeById })
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

export const deletePasswordResetsFor = async (tx: Executor, userId: string): Promise<void> => {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
};

/** Deletes all reset links for a user and all that the user created as a manager. */
export const deletePasswordResetsOf = async (tx: Executor, userId: string): Promise<void> => {
  await tx
    .delete(passwordResets)
    .where(or(eq(passwordResets.userId, userId), eq(passwordResets.madeById, userId)));
};
