import 'server-only';
import type { Database, Executor } from '@/lib/storage/database';
import {
  deleteInvitation,
  deleteInvitationsBy,
  insertInvitation,
  listInvitations,
  readInvitation,
} from '@/lib/storage/invitations';
import type { InvitationRecord } from '@/lib/storage/invitations';
import { deletePasswordResetsOf, insertPasswordReset } from '@/lib/storage/password-resets';
import {
  EmailTakenError,
  countOtherFullManagers,
  listUsers,
  lockUsers,
  readUser,
  readUserByEmail,
  writeUser,
} from '@/lib/storage/users';
import type { UserRecord } from '@/lib/storage/users';
import type { Invite, MadeLink, UserChangeInput } from '@/lib/wire/users';
import type { Viewer } from '@/lib/wire/viewer';
import type { Audit } from './audit';
import {
  BeyondReachError,
  DemoUsersError,
  LastManagerError,
  NoSuchUserError,
  OwnRightsError,
} from './errors';
import type { LinkMaker } from './link-maker';
import { createLinkToken, toTokenHash } from './link-token';
import { toInvitationMail, toResetMail } from './mail-words';
import { reaches } from './reach';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A manager hands the link over; whoever gets it may be off until tomorrow. */
const RESET_MS = DAY_MS;

/** The manager who does something, and from which network address. */
export interface By {
  viewer: Viewer;
  address: string;
}

/**
 * What managers do about users. A manager who is limited to some USDOT numbers gives no others, and whoever sees more is
 * as unknown to them as nobody.
 */
export interface UserAdmin {
  list: (viewer: Viewer) => Promise<{ users: UserRecord[]; invitations: InvitationRecord[] }>;
  /** @throws EmailTakenError, BeyondReachError, DemoUsersError */
  invite: (input: Invite, by: By) => Promise<MadeLink>;
  /** @throws NoSuchUserError, DemoUsersError */
  withdraw: (invitationId: string, by: By) => Promise<void>;
  /** Holds from the user's next request on. @throws NoSuchUserError, BeyondReachError, OwnRightsError, LastManagerError, DemoUsersError */
  change: (id: string, input: UserChangeInput, by: By) => Promise<UserRecord>;
  /** A link to a new password. @throws NoSuchUserError, DemoUsersError */
  makeReset: (id: string, by: By) => Promise<MadeLink>;
}

export interface UserAdminOptions {
  open: () => Promise<Database>;
  audit: Audit;
  links: LinkMaker;
  now: () => number;
  /** The user's sessions are looked up anew, from the next request on. */
  forgetUser: (id: string) => void;
}

/** The demo asks nobody to sign in: it has nobody to manage. @throws DemoUsersError */
const toManagerId = ({ id, kind }: Viewer): string => {
  if (kind !== 'user' || id === null) throw new DemoUsersError('The demo has no users.');
  return id;
};

const isFullManager = ({ role, usdots, disabledAtMs }: UserRecord): boolean =>
  role === 'manager' && usdots === null && disabledAtMs === null;

/** What a change makes another, as it was and as it is, for the audit log. */
const toDetails = (before: UserRecord, after: UserRecord): Record<string, unknown> => {
  const names = (['name', 'role', 'usdots'] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]));
};

const toAction = (before: UserRecord, after: UserRecord): string => {
  if ((before.disabledAtMs === null) === (after.disabledAtMs === null)) return 'user.change';
  return after.disabledAtMs === null ? 'user.enable' : 'user.disable';
};

export const createUserAdmin = (options: UserAdminOptions): UserAdmin => {
  const { open, audit, links, now, forgetUser } = options;

  const readReached = async (tx: Executor, id: string, viewer: Viewer): Promise<UserRecord> => {
    const user = await readUser({ orm: tx }, id);
    if (user === null || (user.id !== viewer.id && !reaches(viewer.usdots, user.usdots)))
      throw new NoSuchUserError('Got the id of no user whom this manager may change.');
    return user;
  };

  const requireReach = (viewer: Viewer, usdots: string[] | null): void => {
    if (!reaches(viewer.usdots, usdots))
      throw new BeyondReachError('Got fleets that the manager does not see.');
  };

  /** @throws where a change may not be made */
  const judge = async (tx: Executor, before: UserRecord, input: UserChangeInput, { viewer }: By) => {
    const after = {
      ...before,
      ...input,
      disabledAtMs:
        (input.isDisabled ?? before.disabledAtMs !== null) ? (before.disabledAtMs ?? now()) : null,
    };
    const takesRights =
      after.role !== before.role ||
      (after.disabledAtMs === null) !== (before.disabledAtMs === null) ||
      JSON.stringify(after.usdots) !== JSON.stringify(before.usdots);
    if (!takesRights) return;
    if (before.id === viewer.id) throw new OwnRightsError('Got a change of the rights of who makes it.');
    if (input.usdots !== undefined) requireReach(viewer, input.usdots);
    if (isFullManager(before) && !isFullManager(after) && (await countOtherFullManagers(tx, before.id)) === 0)
      throw new LastManagerError('Got a change that would leave no manager of all fleets.');
    // What somebody made by rights that they lose must not outlive them.
    await deleteInvitationsBy(tx, before.id);
    await deletePasswordResetsOf(tx, before.id);
  };

  const change: UserAdmin['change'] = async (id, input, by) => {
    toManagerId(by.viewer);
    const { orm } = await open();
    const changed = await orm.transaction(async (tx) => {
      await lockUsers(tx);
      const before = await readReached(tx, id, by.viewer);
      await judge(tx, before, input, by);
      const { isDisabled, ...rest } = input;
      const disabledAtMs = isDisabled === false ? null : (before.disabledAtMs ?? now());
      const after = (await writeUser(
        tx,
        id,
        isDisabled === undefined ? rest : { ...rest, disabledAtMs },
        now(),
      ))!;
      await audit.note(
        {
          by: by.viewer,
          action: toAction(before, after),
          subject: after.email,
          address: by.address,
          details: toDetails(before, after),
        },
        tx,
      );
      return after;
    });
    forgetUser(id);
    return changed;
  };

  const invite: UserAdmin['invite'] = async ({ email, role, usdots, days }, { viewer, address }) => {
    const invitedById = toManagerId(viewer);
    requireReach(viewer, usdots);
    const token = createLinkToken();
    const expiresAtMs = now() + days * DAY_MS;
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      if ((await readUserByEmail(tx, email)) !== null)
        throw new EmailTakenError('Got the e-mail address of a user.');
      await insertInvitation(tx, {
        id: crypto.randomUUID(),
        tokenHash: toTokenHash(token),
        email,
        role,
        usdots,
        invitedById,
        createdAtMs: now(),
        expiresAtMs,
      });
      const details = { role, usdots, days };
      await audit.note({ by: viewer, action: 'user.invite', subject: email, address, details }, tx);
    });
    const link = links.toLink('/join', token);
    return {
      email,
      link,
      expiresAtMs,
      mail: await links.mail(toInvitationMail({ to: email, link, expiresAtMs })),
    };
  };

  const withdraw: UserAdmin['withdraw'] = async (id, { viewer, address }) => {
    toManagerId(viewer);
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      const invitation = await readInvitation(tx, id);
      if (
        invitation === null ||
        !reaches(viewer.usdots, invitation.usdots) ||
        !(await deleteInvitation(tx, id))
      )
        throw new NoSuchUserError('Got the id of no invitation that this manager may withdraw.');
      const subject = invitation.email;
      await audit.note({ by: viewer, action: 'user.withdraw-invitation', subject, address }, tx);
    });
  };

  const makeReset: UserAdmin['makeReset'] = async (id, { viewer, address }) => {
    const madeById = toManagerId(viewer);
    const token = createLinkToken();
    const expiresAtMs = now() + RESET_MS;
    const { orm } = await open();
    const email = await orm.transaction(async (tx) => {
      const user = await readReached(tx, id, viewer);
      if (user.disabledAtMs !== null) throw new NoSuchUserError('Got the id of a user who may not sign in.');
      const reset = {
        id: crypto.randomUUID(),
        tokenHash: toTokenHash(token),
        userId: id,
        madeById,
        expiresAtMs,
      };
      await insertPasswordReset(tx, reset, now());
      await audit.note({ by: viewer, action: 'user.make-reset-link', subject: user.email, address }, tx);
      return user.email;
    });
    const link = links.toLink('/reset', token);
    return {
      email,
      link,
      expiresAtMs,
      mail: await links.mail(toResetMail({ to: email, link, expiresAtMs })),
    };
  };

  return {
    list: async ({ id, usdots }) => {
      const database = await open();
      const [users, invitations] = await Promise.all([listUsers(database), listInvitations(database.orm)]);
      return {
        users: users.filter((user) => user.id === id || reaches(usdots, user.usdots)),
        invitations: invitations.filter((invitation) => reaches(usdots, invitation.usdots)),
      };
    },
    invite,
    withdraw,
    change,
    makeReset,
  };
};
