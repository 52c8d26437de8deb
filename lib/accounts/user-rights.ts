import 'server-only';
import type { Database, Executor } from '@/lib/storage/database';
import { deleteInvitationsBy } from '@/lib/storage/invitations';
import { deletePasswordResetsOf } from '@/lib/storage/password-resets';
import { deleteSecondFactor } from '@/lib/storage/second-factors';
import { countOtherFullManagers, lockUsers, writeUser } from '@/lib/storage/users';
import type { UserRecord } from '@/lib/storage/users';
import type { AuditAction } from '@/lib/wire/audit';
import type { UserChangeInput } from '@/lib/wire/users';
import type { Audit } from './audit';
import { LastManagerError, NoSuchAccountPartError, OwnRightsError, OwnSecondFactorError } from './errors';
import { readReached, requireReach, toManagerId } from './user-reach';
import type { By } from './user-reach';

/** What a manager makes of somebody who has an account. */
export interface UserRights {
  /** Holds from the user's next request on. @throws NoSuchUserError, BeyondReachError, OwnRightsError, LastManagerError, DemoUsersError */
  change: (id: string, input: UserChangeInput, by: By) => Promise<UserRecord>;
  /** For who has lost theirs. @throws NoSuchUserError, NoSuchAccountPartError, OwnSecondFactorError, DemoUsersError */
  removeSecondFactor: (id: string, by: By) => Promise<void>;
}

export interface UserRightsOptions {
  open: () => Promise<Database>;
  audit: Audit;
  now: () => number;
  /** The user's sessions are looked up anew, from the next request on. */
  forgetUser: (id: string) => void;
}

const isFullManager = ({ role, usdots, disabledAtMs }: UserRecord): boolean =>
  role === 'manager' && usdots === null && disabledAtMs === null;

/** What a change makes another, as it was and as it is, for the audit log. */
const toDetails = (before: UserRecord, after: UserRecord): Record<string, unknown> => {
  const names = (['name', 'role', 'usdots'] as const).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]));
};

const toAction = (before: UserRecord, after: UserRecord): AuditAction => {
  if ((before.disabledAtMs === null) === (after.disabledAtMs === null)) return 'user.change';
  return after.disabledAtMs === null ? 'user.enable' : 'user.disable';
};

export const createUserRights = ({ open, audit, now, forgetUser }: UserRightsOptions): UserRights => {
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

  const change: UserRights['change'] = async (id, input, by) => {
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

  const removeSecondFactor: UserRights['removeSecondFactor'] = async (id, { viewer, address }) => {
    // A session that was left open is no proof of who sits before it: for one's own the password is asked for.
    if (toManagerId(viewer) === id) throw new OwnSecondFactorError('Got the id of who asks.');
    const { orm } = await open();
    await orm.transaction(async (tx) => {
      const { email } = await readReached(tx, id, viewer);
      if (!(await deleteSecondFactor(tx, id)))
        throw new NoSuchAccountPartError('The user has no second factor.');
      await audit.note({ by: viewer, action: 'second-factor.remove', subject: email, address }, tx);
    });
    forgetUser(id);
  };

  return { change, removeSecondFactor };
};
