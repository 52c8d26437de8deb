import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Viewer } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import { identities } from './tables';
import { users } from '@/lib/database/tables';
import { deleteSessionsOf } from './sessions/session-repository';

/** better-auth's provider id of sign-in by password. */
export const PASSWORD_PROVIDER = 'credential';

/** Serializes transactions that read rights before they write: "USER" in ASCII. */
const USERS_LOCK = 0x55534552;

const COLUMNS = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  usdots: users.usdots,
  tags: users.tags,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  twoFactorEnabled: users.twoFactorEnabled,
};

const toRecord = ({
  createdAt,
  disabledAt,
  twoFactorEnabled,
  ...row
}: Pick<typeof users.$inferSelect, keyof typeof COLUMNS>) => ({
  ...row,
  createdAtMs: createdAt.getTime(),
  /** The time since which the user is disabled; null: enabled. */
  disabledAtMs: disabledAt?.getTime() ?? null,
  /** Sign-in requires a second factor besides the password. */
  hasSecondFactor: twoFactorEnabled,
});

export type UserRecord = ReturnType<typeof toRecord>;

/** A user to be written; the e-mail address in lower case, without `tags` for all units. */
export type NewUser = Pick<UserRecord, 'id' | 'name' | 'email' | 'role' | 'usdots'> &
  Partial<Pick<UserRecord, 'tags'>> & {
    /** Null: the user has no password. */
    passwordHash: string | null;
  };

const readOne = async (orm: Executor, where: SQL): Promise<UserRecord | null> => {
  const [row] = await orm.select(COLUMNS).from(users).where(where);
  return row === undefined ? null : toRecord(row);
};

export const readUser = (orm: Executor, id: string) => readOne(orm, eq(users.id, id));

/** @param email in lower case */
export const readUserByEmail = (orm: Executor, email: string) => readOne(orm, eq(users.email, email));

export const listUsers = async (orm: Executor): Promise<UserRecord[]> =>
  (await orm.select(COLUMNS).from(users).orderBy(asc(users.email))).map(toRecord);

export const hasUsers = async (orm: Executor): Promise<boolean> =>
  (await orm.select({ id: users.id }).from(users).limit(1)).length > 0;

const toPasswordIdentity = (userId: string, password: string, at: Date) => ({
  id: `${userId}-password`,
  userId,
  accountId: userId,
  providerId: PASSWORD_PROVIDER,
  password,
  createdAt: at,
  updatedAt: at,
});

/** Writes a user, with a password hash if given. @throws AppError 'email-taken' */
export const insertUser = async (
  orm: Executor,
  { passwordHash, ...user }: NewUser,
  nowMs: number,
): Promise<void> => {
  const at = new Date(nowMs);
  const written = await orm
    .insert(users)
    .values({ ...user, createdAt: at, updatedAt: at })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (written.length === 0) throw new AppError('email-taken');
  if (passwordHash === null) return;
  await orm.insert(identities).values(toPasswordIdentity(user.id, passwordHash, at));
};

/** Blocks other transactions that lock users until this one ends. */
export const lockUsers = async (tx: Executor): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${USERS_LOCK})`);
};

/** Writes the first user; false if a user already exists. */
export const insertFirstUser = (orm: Executor, user: NewUser, nowMs: number): Promise<boolean> =>
  orm.transaction(async (tx) => {
    await lockUsers(tx);
    if (await hasUsers(tx)) return false;
    await insertUser(tx, user, nowMs);
    return true;
  });

/** The fields of a user that a manager may change. */
export type UserChange = Partial<Pick<UserRecord, 'name' | 'role' | 'usdots' | 'tags'>> & {
  disabledAtMs?: number | null;
};

/** Changes and returns a user, null if unknown; a change of `disabledAtMs` ends all sessions of the user. */
export const writeUser = async (
  tx: Executor,
  id: string,
  { disabledAtMs, ...change }: UserChange,
  nowMs: number,
): Promise<UserRecord | null> => {
  const disabledAt =
    disabledAtMs === undefined ? {} : { disabledAt: disabledAtMs === null ? null : new Date(disabledAtMs) };
  const [row] = await tx
    .update(users)
    .set({ ...change, ...disabledAt, updatedAt: new Date(nowMs) })
    .where(eq(users.id, id))
    .returning(COLUMNS);
  // Also when the user is enabled: a sign-in that was pending while the user was disabled must not succeed.
  if (disabledAtMs !== undefined) await deleteSessionsOf(tx, id);
  return row === undefined ? null : toRecord(row);
};

/** Sets a user's password, also for a user without one, and ends every session. */
export const writePassword = async (
  tx: Executor,
  userId: string,
  passwordHash: string,
  nowMs: number,
): Promise<void> => {
  const at = new Date(nowMs);
  await tx
    .insert(identities)
    .values(toPasswordIdentity(userId, passwordHash, at))
    .onConflictDoUpdate({
      target: [identities.providerId, identities.accountId],
      set: { password: passwordHash, updatedAt: at },
    });
  await deleteSessionsOf(tx, userId);
};

export const toViewer = ({ id, name, email, role, usdots, tags }: UserRecord): Viewer => ({
  kind: 'user',
  id,
  name,
  email,
  role,
  usdots,
  tags,
});
