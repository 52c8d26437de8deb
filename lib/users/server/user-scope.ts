import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Database, Executor } from '@/lib/postgres/database';
import { lockUsers, readUser } from './user-repository';
import type { UserRecord } from './user-repository';
import type { Viewer } from '@/lib/auth/viewer';
import { reaches } from './scope';
import type { Usdots } from './scope';
import { toViewer } from '@/lib/auth/server/viewer';

/** The acting manager, and the client's network address. */
export interface By {
  viewer: Viewer;
  address: string;
}

/** The demo has no users, so user management is refused. @throws AppError 'demo-has-no-users' */
export const toManagerId = ({ id, kind }: Viewer): string => {
  if (kind !== 'user' || id === null) throw new AppError('demo-has-no-users');
  return id;
};

const isManager = (user: UserRecord | null): user is UserRecord =>
  user !== null && user.disabledAtMs === null && user.role === 'manager';

/**
 * Runs a manager's operation in a transaction that holds the user lock. `run` receives the manager with the current
 * rights: the viewer of the request may have been narrowed, demoted or disabled since the request began.
 * @throws AppError 'sign-in-needed', 'managers-only'
 */
export const asManager = async <T>(
  { orm }: Database,
  viewer: Viewer,
  run: (tx: Executor, manager: Viewer) => Promise<T>,
): Promise<T> =>
  orm.transaction(async (tx) => {
    await lockUsers(tx);
    // The demo has no row, and its rights do not change.
    if (viewer.kind !== 'user' || viewer.id === null) return run(tx, viewer);
    const user = await readUser({ orm: tx }, viewer.id);
    if (user === null || user.disabledAtMs !== null) throw new AppError('sign-in-needed');
    if (!isManager(user)) throw new AppError('managers-only');
    return run(tx, toViewer(user));
  });

/** Whether the creator of a link still has the rights to give access to these fleets. */
export const mayStillGive = async (tx: Executor, makerId: string, usdots: Usdots): Promise<boolean> => {
  const maker = await readUser({ orm: tx }, makerId);
  return isManager(maker) && reaches(maker.usdots, usdots);
};

/** A user in the manager's scope; users who see more than the manager look unknown. @throws AppError 'unknown-user' */
export const readReached = async (tx: Executor, id: string, viewer: Viewer): Promise<UserRecord> => {
  const user = await readUser({ orm: tx }, id);
  if (user === null || (user.id !== viewer.id && !reaches(viewer.usdots, user.usdots)))
    throw new AppError('unknown-user');
  return user;
};

/** @throws AppError 'beyond-reach' for fleets outside the manager's scope */
export const requireReach = (viewer: Viewer, usdots: Usdots): void => {
  if (!reaches(viewer.usdots, usdots)) throw new AppError('beyond-reach');
};
