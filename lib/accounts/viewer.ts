import 'server-only';
import type { UserRecord } from '@/lib/storage/users';
import type { Viewer } from '@/lib/wire/viewer';

/** A user as who looks. */
export const toViewer = ({ id, name, email, role, usdots }: UserRecord): Viewer => ({
  kind: 'user',
  id,
  name,
  email,
  role,
  usdots,
});
