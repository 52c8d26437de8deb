import 'server-only';
import type { Database } from '@/lib/postgres/database';
import { listUsers } from './user-repository';
import { HIDDEN_MANAGER } from '@/lib/users/schema';
import type { Viewer } from '@/lib/auth/viewer';
import { reaches } from './scope';

/** Replaces the e-mail address of a user outside the viewer's scope by "another manager". */
export type HideName = (name: string) => string;

/** Users outside a limited manager's scope are hidden, even if they created something within it. */
export const createHideName = async (
  open: () => Promise<Database>,
  { id, usdots }: Viewer,
): Promise<HideName> => {
  if (usdots === null) return (name) => name;
  const users = await listUsers(await open());
  const beyond = users.filter((user) => user.id !== id && !reaches(usdots, user.usdots));
  const hidden = new Set(beyond.map(({ email }) => email));
  return (name) => (hidden.has(name) ? HIDDEN_MANAGER : name);
};
