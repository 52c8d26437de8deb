import 'server-only';
import type { Executor } from '@/lib/storage/database';
import { readUser } from '@/lib/storage/users';
import type { UserRecord } from '@/lib/storage/users';
import type { Viewer } from '@/lib/wire/viewer';
import { BeyondReachError, DemoUsersError, NoSuchUserError } from './errors';
import { reaches } from './reach';
import type { Usdots } from './reach';

/** The manager who does something, and from which network address. */
export interface By {
  viewer: Viewer;
  address: string;
}

/** The demo asks nobody to sign in: it has nobody to manage. @throws DemoUsersError */
export const toManagerId = ({ id, kind }: Viewer): string => {
  if (kind !== 'user' || id === null) throw new DemoUsersError('The demo has no users.');
  return id;
};

/** A user whom a manager may change: who sees more than the manager is as unknown as nobody. @throws NoSuchUserError */
export const readReached = async (tx: Executor, id: string, viewer: Viewer): Promise<UserRecord> => {
  const user = await readUser({ orm: tx }, id);
  if (user === null || (user.id !== viewer.id && !reaches(viewer.usdots, user.usdots)))
    throw new NoSuchUserError('Got the id of no user whom this manager may change.');
  return user;
};

/** @throws BeyondReachError for fleets that the manager does not see */
export const requireReach = (viewer: Viewer, usdots: Usdots): void => {
  if (!reaches(viewer.usdots, usdots))
    throw new BeyondReachError('Got fleets that the manager does not see.');
};
