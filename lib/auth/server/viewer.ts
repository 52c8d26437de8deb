import 'server-only';
import type { UserRecord } from '@/lib/users/server/user-repository';
import type { Viewer } from '@/lib/auth/viewer';

/** The viewer for a user record. */
export const toViewer = ({ id, name, email, role, usdots }: UserRecord): Viewer => ({
  kind: 'user',
  id,
  name,
  email,
  role,
  usdots,
});
