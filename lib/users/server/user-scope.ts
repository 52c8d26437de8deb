import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import type { Database, Executor } from '@/lib/database/database';
import { change, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import type { AuditAction } from '@/lib/audit/schema';
import { lockUsers, readUser, toViewer, listUsers, type UserRecord } from '@/lib/auth/server/user-repository';
import type { Viewer } from '@/lib/base/viewer';
import { HIDDEN_MANAGER } from '@/lib/users/schema';

/** USDOT numbers or tags; null for all. */
type Usdots = readonly string[] | null;

/** Whether the scope `own` includes all of `others`. */
export const coversScope = (own: Usdots, others: Usdots): boolean =>
  own === null || (others !== null && others.every((usdot) => own.includes(usdot)));

/** The demo has no users, so user management is refused. @throws AppError 'demo-has-no-users' */
export const toManagerId = ({ id, kind }: Viewer): string => {
  if (kind !== 'user' || id === null) throw new AppError('demo-has-no-users');
  return id;
};

const isManager = (user: UserRecord | null): user is UserRecord =>
  user !== null && user.disabledAtMs === null && user.role === 'manager';

/** @throws AppError 'beyond-scope' for fleets outside the manager's scope */
export const requireScope = (viewer: Viewer, usdots: Usdots): void => {
  if (!coversScope(viewer.usdots, usdots)) throw new AppError('beyond-scope');
};

const readManager = async (tx: Executor, viewer: Viewer): Promise<Viewer> => {
  // The demo has no row, and its rights do not change.
  if (viewer.kind !== 'user' || viewer.id === null) return viewer;
  const user = await readUser(tx, viewer.id);
  if (user === null || user.disabledAtMs !== null) throw new AppError('sign-in-needed');
  if (!isManager(user)) throw new AppError('managers-only');
  return toViewer(user);
};

/** The manager with the current rights, locked until the transaction ends: they may have changed since the request began. */
const lockManager = async (tx: Executor, viewer: Viewer, usdots: Usdots): Promise<Viewer> => {
  await lockUsers(tx);
  const manager = await readManager(tx, viewer);
  requireScope(manager, usdots);
  return manager;
};

/**
 * Runs a manager's operation for these fleets in a transaction in which the manager's rights are locked.
 * @throws AppError 'sign-in-needed', 'managers-only', 'beyond-scope', 'accounts-unavailable', and the errors of `work`
 */
export const asManager = async <T>(
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdots: Usdots,
  work: (tx: Executor, manager: Viewer) => Promise<T>,
): Promise<T> => {
  const { orm } = await database.open();
  return orm.transaction(async (tx) => work(tx, await lockManager(tx, viewer, usdots)));
};

/** Runs a manager's change as `asManager` does, with its audit records in the same transaction. */
export const changeAsManager = <T>(
  context: Omit<ActionContext, 'clock'>,
  action: AuditAction,
  usdots: Usdots,
  work: (tx: Executor, record: RecordAction, manager: Viewer) => Promise<T>,
): Promise<T> =>
  change(context, action, async (tx, record) =>
    work(tx, record, await lockManager(tx, context.viewer, usdots)),
  );

/** Whether the creator of a link still has the rights to give access to these fleets. */
export const mayStillGrant = async (tx: Executor, makerId: string, usdots: Usdots): Promise<boolean> => {
  const maker = await readUser(tx, makerId);
  return isManager(maker) && coversScope(maker.usdots, usdots);
};

/** A user in the manager's scope; users who see more than the manager look unknown. @throws AppError 'unknown-user' */
export const readUserInScope = async (tx: Executor, id: string, viewer: Viewer): Promise<UserRecord> => {
  const user = await readUser(tx, id);
  if (user === null || (user.id !== viewer.id && !coversScope(viewer.usdots, user.usdots)))
    throw new AppError('unknown-user');
  return user;
};

/** Replaces the e-mail address of a user outside the viewer's scope by "another manager". */
export type HideName = (name: string) => string;

/** Users outside a limited manager's scope are hidden, even if they created something within it. */
export const createHideName = async (
  { open }: { open: () => Promise<Database> },
  { id, usdots }: Viewer,
): Promise<HideName> => {
  if (usdots === null) return (name) => name;
  const users = await listUsers((await open()).orm);
  const beyond = users.filter((user) => user.id !== id && !coversScope(usdots, user.usdots));
  const hidden = new Set(beyond.map(({ email }) => email));
  return (name) => (hidden.has(name) ? HIDDEN_MANAGER : name);
};
