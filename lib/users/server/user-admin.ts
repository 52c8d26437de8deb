import 'server-only';
import { listInvitations } from './invitation-repository';
import type { InvitationRecord } from './invitation-repository';
import { listUsers } from './user-repository';
import type { UserRecord } from './user-repository';
import type { Viewer } from '@/lib/auth/viewer';
import { createHideName } from './hidden-names';
import { reaches } from './scope';
import { createUserLinks } from './user-links';
import type { UserLinks, UserLinksOptions } from './user-links';
import { createUserRights } from './user-rights';
import type { UserRights, UserRightsOptions } from './user-rights';

/**
 * Managers' operations on users. A manager who is limited to some USDOT numbers can give no others, and users who see
 * more look unknown.
 */
export interface UserAdmin extends UserLinks, UserRights {
  list: (viewer: Viewer) => Promise<{ users: UserRecord[]; invitations: InvitationRecord[] }>;
}

export const createUserAdmin = (options: UserLinksOptions & UserRightsOptions): UserAdmin => ({
  list: async (viewer) => {
    const { id, usdots } = viewer;
    const hideName = await createHideName(options.open, viewer);
    const database = await options.open();
    const [users, invitations] = await Promise.all([listUsers(database), listInvitations(database.orm)]);
    return {
      users: users.filter((user) => user.id === id || reaches(usdots, user.usdots)),
      invitations: invitations
        .filter((invitation) => reaches(usdots, invitation.usdots))
        .map((invitation) => ({ ...invitation, invitedBy: hideName(invitation.invitedBy) })),
    };
  },
  ...createUserLinks(options),
  ...createUserRights(options),
});
